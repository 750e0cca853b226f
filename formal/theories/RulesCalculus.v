(** * Rules of calculus along one variable, with open and infinite ends

    A variable ranges over the open interval between two ends, each a real number or infinite. What a function does
    *at an end* is its limit there, which may be infinite too. A closed end is the same: where the function is
    continuous, its limit is its value ([limit_at_closed_lower_end]).

    - [monotone_from_below], [monotone_from_above]: the function grows away from an end, and is not negative there.
    - [convex_inside], [convex_at_lower_end], [convex_at_upper_end]: the slope is a weight times a core; the core
      grows and vanishes at a point; the function is least there.
    - [concave]: the core shrinks; the function is least at one of the ends. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Definition between (a b : Rbar) (x : R) : Prop := Rbar_lt a x /\ Rbar_lt x b.

(** Towards the lower end, and towards the upper. *)
Definition down_to (a : Rbar) : (R -> Prop) -> Prop :=
  match a with Finite a => at_right a | _ => Rbar_locally m_infty end.
Definition up_to (b : Rbar) : (R -> Prop) -> Prop :=
  match b with Finite b => at_left b | _ => Rbar_locally p_infty end.

(** f tends to l, which may be infinite. *)
Definition tends (f : R -> R) (F : (R -> Prop) -> Prop) (l : Rbar) : Prop := filterlim f F (Rbar_locally l).

Global Instance down_to_filter a : ProperFilter (down_to a).
Proof. destruct a; apply _. Qed.

Global Instance up_to_filter b : ProperFilter (up_to b).
Proof. destruct b; apply _. Qed.

Lemma between_convex a b x y z : between a b x -> between a b y -> x <= z <= y -> between a b z.
Proof.
  unfold between. destruct a, b; simpl; intros; try tauto; lra.
Qed.

(** Close to an end there are points of the interval, beyond any that is given. *)
Lemma down_to_below a b x : between a b x -> down_to a (fun t => between a b t /\ t < x).
Proof.
  intros [Ha Hb]. destruct a as [a| |]; simpl in *; [|tauto|].
  - assert (P : 0 < x - a) by lra. exists (mkposreal _ P). intros t Ht Hat. simpl in *.
    unfold ball in Ht. simpl in Ht. unfold AbsRing_ball, abs, minus, plus, opp in Ht. simpl in Ht.
    apply Rabs_def2 in Ht. assert (t < x) by lra. split; [|assumption].
    split; simpl; [assumption|]. destruct b; simpl in *; auto; lra.
  - exists x. intros t Ht. split; [|assumption]. split; simpl; [exact I|]. destruct b; simpl in *; auto; lra.
Qed.

Lemma up_to_above a b x : between a b x -> up_to b (fun t => between a b t /\ x < t).
Proof.
  intros [Ha Hb]. destruct b as [b| |]; simpl in *; [| |tauto].
  - assert (P : 0 < b - x) by lra. exists (mkposreal _ P). intros t Ht Hat. simpl in *.
    unfold ball in Ht. simpl in Ht. unfold AbsRing_ball, abs, minus, plus, opp in Ht. simpl in Ht.
    apply Rabs_def2 in Ht. assert (x < t) by lra. split; [|assumption].
    split; simpl; [|assumption]. destruct a; simpl in *; auto; lra.
  - exists x. intros t Ht. split; [|assumption]. split; simpl; [|exact I]. destruct a; simpl in *; auto; lra.
Qed.

(** ** Limits at ends *)

Lemma limit_at_closed_lower_end f a : continuous f a -> tends f (down_to (Finite a)) (f a).
Proof.
  intros C. unfold tends. simpl. eapply filterlim_filter_le_1; [|exact C].
  intros P HP. unfold at_right, within. apply filter_imp with (2 := HP). auto.
Qed.

Lemma limit_at_closed_upper_end f b : continuous f b -> tends f (up_to (Finite b)) (f b).
Proof.
  intros C. unfold tends. simpl. eapply filterlim_filter_le_1; [|exact C].
  intros P HP. unfold at_left, within. apply filter_imp with (2 := HP). auto.
Qed.

Lemma limit_at_infinity f l : is_lim f p_infty l -> tends f (up_to p_infty) l.
Proof. intros H. exact H. Qed.

Lemma limit_at_minus_infinity f l : is_lim f m_infty l -> tends f (down_to m_infty) l.
Proof. intros H. exact H. Qed.

(** What holds close to an end holds of the limit. *)
Lemma limit_below (F : (R -> Prop) -> Prop) {FF : ProperFilter F} f l c :
  tends f F l -> F (fun t => f t <= c) -> Rbar_le l c.
Proof.
  intros H G. apply (filterlim_le (F := F) f (fun _ => c) l (Finite c)); auto. apply filterlim_const.
Qed.

(** ** Growth *)

Section Along_an_interval.

Variables (a b : Rbar) (f df : R -> R).
Hypothesis f_derivable : forall x, between a b x -> is_derive f x (df x).

Lemma rise x y : between a b x -> between a b y -> x < y ->
  exists c, x <= c <= y /\ f y - f x = df c * (y - x).
Proof.
  intros Hx Hy H. destruct (MVT_gen f x y df) as (c & Hc & E); rewrite ?Rmin_left, ?Rmax_right in * by lra.
  - intros t Ht. apply f_derivable. apply (between_convex a b x y); auto; lra.
  - intros t Ht. apply continuity_pt_filterlim. apply (ex_derive_continuous f). exists (df t).
    apply f_derivable. apply (between_convex a b x y); auto; lra.
  - exists c. auto.
Qed.

Lemma nondecreasing : (forall x, between a b x -> 0 <= df x) ->
  forall x y, between a b x -> between a b y -> x <= y -> f x <= f y.
Proof.
  intros N x y Hx Hy [H| ->]; [|lra]. destruct (rise x y Hx Hy H) as (c & Hc & E).
  assert (0 <= df c) by (apply N; apply (between_convex a b x y); auto). nra.
Qed.

Lemma increasing : (forall x, between a b x -> 0 < df x) ->
  forall x y, between a b x -> between a b y -> x < y -> f x < f y.
Proof.
  intros N x y Hx Hy H. destruct (rise x y Hx Hy H) as (c & Hc & E).
  assert (0 < df c) by (apply N; apply (between_convex a b x y); auto). nra.
Qed.

Lemma nonincreasing : (forall x, between a b x -> df x <= 0) ->
  forall x y, between a b x -> between a b y -> x <= y -> f y <= f x.
Proof.
  intros N x y Hx Hy [H| ->]; [|lra]. destruct (rise x y Hx Hy H) as (c & Hc & E).
  assert (df c <= 0) by (apply N; apply (between_convex a b x y); auto). nra.
Qed.

Lemma decreasing : (forall x, between a b x -> df x < 0) ->
  forall x y, between a b x -> between a b y -> x < y -> f y < f x.
Proof.
  intros N x y Hx Hy H. destruct (rise x y Hx Hy H) as (c & Hc & E).
  assert (df c < 0) by (apply N; apply (between_convex a b x y); auto). nra.
Qed.

(** A function that does not fall lies above its limit at the lower end; and so on. *)
Lemma above_lower_limit l : (forall x, between a b x -> 0 <= df x) -> tends f (down_to a) l ->
  forall x, between a b x -> Rbar_le l (f x).
Proof.
  intros N L x Hx. apply (limit_below (down_to a) f l (f x) L).
  apply filter_imp with (2 := down_to_below a b x Hx). intros t [Ht H]. apply nondecreasing; auto; lra.
Qed.

Lemma above_upper_limit l : (forall x, between a b x -> df x <= 0) -> tends f (up_to b) l ->
  forall x, between a b x -> Rbar_le l (f x).
Proof.
  intros N L x Hx. apply (limit_below (up_to b) f l (f x) L).
  apply filter_imp with (2 := up_to_above a b x Hx). intros t [Ht H]. apply nonincreasing; auto; lra.
Qed.

Lemma strictly_above_lower_limit l : (forall x, between a b x -> 0 < df x) -> tends f (down_to a) l ->
  forall x, between a b x -> Rbar_lt l (f x).
Proof.
  intros N L x Hx.
  destruct (filter_ex (F := down_to a) _ (down_to_below a b x Hx)) as (y & Hy & H).
  apply Rbar_le_lt_trans with (f y).
  - apply above_lower_limit; auto. intros t Ht. left. auto.
  - simpl. apply increasing; auto.
Qed.

Lemma strictly_above_upper_limit l : (forall x, between a b x -> df x < 0) -> tends f (up_to b) l ->
  forall x, between a b x -> Rbar_lt l (f x).
Proof.
  intros N L x Hx.
  destruct (filter_ex (F := up_to b) _ (up_to_above a b x Hx)) as (y & Hy & H).
  apply Rbar_le_lt_trans with (f y).
  - apply above_upper_limit; auto. intros t Ht. left. auto.
  - simpl. apply decreasing; auto.
Qed.

(** The rule [monotone]. *)
Theorem monotone_from_below l : (forall x, between a b x -> 0 <= df x) -> tends f (down_to a) l -> Rbar_le 0 l ->
  forall x, between a b x -> 0 <= f x.
Proof.
  intros N L H x Hx. apply (Rbar_le_trans 0 l (f x)); auto. apply above_lower_limit; auto.
Qed.

Theorem monotone_from_above l : (forall x, between a b x -> df x <= 0) -> tends f (up_to b) l -> Rbar_le 0 l ->
  forall x, between a b x -> 0 <= f x.
Proof.
  intros N L H x Hx. apply (Rbar_le_trans 0 l (f x)); auto. apply above_upper_limit; auto.
Qed.

Theorem monotone_from_below_strict l :
  (forall x, between a b x -> 0 <= df x) -> tends f (down_to a) l -> Rbar_lt 0 l ->
  forall x, between a b x -> 0 < f x.
Proof.
  intros N L H x Hx. apply (Rbar_lt_le_trans 0 l (f x)); auto. apply above_lower_limit; auto.
Qed.

Theorem monotone_from_above_strict l :
  (forall x, between a b x -> df x <= 0) -> tends f (up_to b) l -> Rbar_lt 0 l ->
  forall x, between a b x -> 0 < f x.
Proof.
  intros N L H x Hx. apply (Rbar_lt_le_trans 0 l (f x)); auto. apply above_upper_limit; auto.
Qed.

Theorem monotone_from_below_by_slope l :
  (forall x, between a b x -> 0 < df x) -> tends f (down_to a) l -> Rbar_le 0 l ->
  forall x, between a b x -> 0 < f x.
Proof.
  intros N L H x Hx. apply (Rbar_le_lt_trans 0 l (f x)); auto. apply strictly_above_lower_limit; auto.
Qed.

Theorem monotone_from_above_by_slope l :
  (forall x, between a b x -> df x < 0) -> tends f (up_to b) l -> Rbar_le 0 l ->
  forall x, between a b x -> 0 < f x.
Proof.
  intros N L H x Hx. apply (Rbar_le_lt_trans 0 l (f x)); auto. apply strictly_above_upper_limit; auto.
Qed.

End Along_an_interval.

(** ** A slope that is a positive weight times a monotone core *)

Section Curved.

Variables (a b : Rbar) (f weight core bend : R -> R).
Hypothesis f_derivable : forall x, between a b x -> is_derive f x (weight x * core x).
Hypothesis core_derivable : forall x, between a b x -> is_derive core x (bend x).
Hypothesis weight_nonneg : forall x, between a b x -> 0 <= weight x.

(** The core grows and vanishes at a point inside: the function is least there. *)
Theorem convex_inside c : (forall x, between a b x -> 0 <= bend x) -> between a b c -> core c = 0 ->
  forall x, between a b x -> f c <= f x.
Proof.
  intros B Hc E x Hx. destruct (Rle_dec c x) as [H|H].
  - destruct H as [H| ->]; [|lra].
    destruct (rise a b f _ f_derivable c x Hc Hx H) as (t & Ht & R).
    assert (Bt : between a b t) by (apply (between_convex a b c x); auto).
    assert (core c <= core t) by (apply (nondecreasing a b core bend core_derivable B); auto; lra).
    assert (0 <= weight t * core t) by (apply Rmult_le_pos; auto; lra). nra.
  - destruct (rise a b f _ f_derivable x c Hx Hc ltac:(lra)) as (t & Ht & R).
    assert (Bt : between a b t) by (apply (between_convex a b x c); auto).
    assert (core t <= core c) by (apply (nondecreasing a b core bend core_derivable B); auto; lra).
    assert (weight t * core t <= 0) by (pose proof (weight_nonneg t Bt); nra). nra.
Qed.

(** The core vanishes at an end. *)
Theorem convex_at_lower_end l : (forall x, between a b x -> 0 <= bend x) ->
  tends core (down_to a) 0 -> tends f (down_to a) l -> forall x, between a b x -> Rbar_le l (f x).
Proof.
  intros B C L. apply (above_lower_limit a b f (fun x => weight x * core x)); auto.
  intros x Hx. apply Rmult_le_pos; auto. apply (above_lower_limit a b core bend core_derivable 0); auto.
Qed.

Theorem convex_at_upper_end l : (forall x, between a b x -> 0 <= bend x) ->
  tends core (up_to b) 0 -> tends f (up_to b) l -> forall x, between a b x -> Rbar_le l (f x).
Proof.
  intros B C L. apply (above_upper_limit a b f (fun x => weight x * core x)); auto.
  intros x Hx.
  assert (N : 0 <= - core x).
  { apply (monotone_from_above a b (fun x => - core x) (fun x => - bend x)) with (l := 0); auto.
    - intros y Hy. apply (is_derive_opp core y (bend y)). auto.
    - intros y Hy. specialize (B y Hy). lra.
    - replace (Finite 0) with (Finite (- 0)) by (f_equal; ring).
      apply (filterlim_comp _ _ _ core Ropp _ (locally 0)); [exact C|]. apply (filterlim_opp (V := R_NormedModule) 0).
    - simpl. lra. }
  pose proof (weight_nonneg x Hx). nra.
Qed.

(** The core shrinks: the function grows first and falls then, and lies above the smaller of its limits. *)
Theorem concave la lb : (forall x, between a b x -> bend x <= 0) ->
  tends f (down_to a) la -> tends f (up_to b) lb ->
  forall x, between a b x -> Rbar_le la (f x) \/ Rbar_le lb (f x).
Proof.
  intros B La Lb x Hx. pose proof (nonincreasing a b core bend core_derivable B) as D.
  destruct (Rle_dec 0 (core x)) as [H|H].
  - left. apply (limit_below (down_to a) f la (f x) La).
    apply filter_imp with (2 := down_to_below a b x Hx). intros t [Ht Hl].
    destruct (rise a b f _ f_derivable t x Ht Hx Hl) as (c & Hc & R).
    assert (Bc : between a b c) by (apply (between_convex a b t x); auto).
    assert (core x <= core c) by (apply D; auto; lra).
    assert (0 <= weight c * core c) by (apply Rmult_le_pos; auto; lra). nra.
  - right. apply (limit_below (up_to b) f lb (f x) Lb).
    apply filter_imp with (2 := up_to_above a b x Hx). intros t [Ht Hl].
    destruct (rise a b f _ f_derivable x t Hx Ht Hl) as (c & Hc & R).
    assert (Bc : between a b c) by (apply (between_convex a b x t); auto).
    assert (core c <= core x) by (apply D; auto; lra).
    assert (weight c * core c <= 0) by (pose proof (weight_nonneg c Bc); nra). nra.
Qed.

Theorem concave_nonneg la lb : (forall x, between a b x -> bend x <= 0) ->
  tends f (down_to a) la -> tends f (up_to b) lb -> Rbar_le 0 la -> Rbar_le 0 lb ->
  forall x, between a b x -> 0 <= f x.
Proof.
  intros B La Lb Ha Hb x Hx. destruct (concave la lb B La Lb x Hx) as [H|H].
  - apply (Rbar_le_trans 0 la (f x)); auto.
  - apply (Rbar_le_trans 0 lb (f x)); auto.
Qed.

Theorem concave_pos la lb : (forall x, between a b x -> bend x <= 0) ->
  tends f (down_to a) la -> tends f (up_to b) lb -> Rbar_lt 0 la -> Rbar_lt 0 lb ->
  forall x, between a b x -> 0 < f x.
Proof.
  intros B La Lb Ha Hb x Hx. destruct (concave la lb B La Lb x Hx) as [H|H].
  - apply (Rbar_lt_le_trans 0 la (f x)); auto.
  - apply (Rbar_lt_le_trans 0 lb (f x)); auto.
Qed.

(** With a core that shrinks strictly, and a positive weight, limits that are not negative are enough. *)
Theorem concave_pos_by_bend la lb : (forall x, between a b x -> 0 < weight x) ->
  (forall x, between a b x -> bend x < 0) ->
  tends f (down_to a) la -> tends f (up_to b) lb -> Rbar_le 0 la -> Rbar_le 0 lb ->
  forall x, between a b x -> 0 < f x.
Proof.
  intros W B La Lb Ha Hb x Hx. pose proof (decreasing a b core bend core_derivable B) as D.
  destruct (Rle_dec 0 (core x)) as [H|H].
  - (* strictly growing below x *)
    destruct (filter_ex (F := down_to a) _ (down_to_below a b x Hx)) as (y & Hy & Hl).
    assert (f y < f x).
    { assert (M : between a b ((y + x) / 2)) by (apply (between_convex a b y x); auto; lra).
      destruct (rise a b f _ f_derivable y ((y + x) / 2) Hy M ltac:(lra)) as (c & Hc & R).
      assert (Bc : between a b c) by (apply (between_convex a b y x); auto; lra).
      assert (core x < core c) by (apply D; auto; lra).
      assert (0 < weight c * core c) by (apply Rmult_lt_0_compat; auto; lra).
      assert (f ((y + x) / 2) <= f x).
      { destruct (rise a b f _ f_derivable ((y + x) / 2) x M Hx ltac:(lra)) as (c' & Hc' & R').
        assert (Bc' : between a b c') by (apply (between_convex a b y x); auto; lra).
        assert (core x <= core c') by (destruct (Req_dec c' x) as [->|]; [lra|left; apply D; auto; lra]).
        assert (0 <= weight c' * core c') by (apply Rmult_le_pos; auto; lra). nra. }
      nra. }
    assert (0 <= f y); [|lra].
    apply (Rbar_le_trans 0 la (f y)); auto.
    apply (limit_below (down_to a) f la (f y) La).
    apply filter_imp with (2 := down_to_below a b y Hy). intros t [Ht Htl].
    destruct (rise a b f _ f_derivable t y Ht Hy Htl) as (c & Hc & R).
    assert (Bc : between a b c) by (apply (between_convex a b t y); auto).
    assert (core x < core c) by (apply D; auto; lra).
    assert (0 <= weight c * core c) by (apply Rmult_le_pos; auto; lra). nra.
  - destruct (filter_ex (F := up_to b) _ (up_to_above a b x Hx)) as (y & Hy & Hl).
    assert (f y < f x).
    { destruct (rise a b f _ f_derivable x y Hx Hy Hl) as (c & Hc & R).
      assert (Bc : between a b c) by (apply (between_convex a b x y); auto).
      assert (core c <= core x) by (destruct (Req_dec c x) as [->|]; [lra|left; apply D; auto; lra]).
      assert (weight c * core c < 0) by (pose proof (W c Bc); nra). nra. }
    assert (0 <= f y); [|lra].
    apply (Rbar_le_trans 0 lb (f y)); auto.
    apply (limit_below (up_to b) f lb (f y) Lb).
    apply filter_imp with (2 := up_to_above a b y Hy). intros t [Ht Htl].
    destruct (rise a b f _ f_derivable y t Hy Ht Htl) as (c & Hc & R).
    assert (Bc : between a b c) by (apply (between_convex a b y t); auto).
    assert (core c <= core y) by (destruct (Req_dec c y) as [->|]; [lra|left; apply D; auto; lra]).
    assert (core y < core x) by (apply D; auto).
    assert (weight c * core c <= 0) by (pose proof (W c Bc); nra). nra.
Qed.

End Curved.
