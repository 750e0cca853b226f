(** * Limits by structure

    What a term tends to where its variable runs to an end, from what its parts tend to; and which of the sizes e^x,
    x^r and log x wins. Limits may be infinite: [is_Rbar_plus p_infty 1 p_infty] and the like say what the sum or
    product of two of them is, and leave undefined what has no value, such as infinity minus infinity. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From SymDP Require Import RulesCalculus RulesFunctions.
Open Scope R_scope.

Section Structure.

Variable F : (R -> Prop) -> Prop.
Context {FF : Filter F}.
Implicit Types (f g h : R -> R) (l lf lg : Rbar).

Lemma tends_const c : tends (fun _ => c) F c.
Proof. apply filterlim_const. Qed.

Lemma tends_ext f g l : F (fun x => f x = g x) -> tends f F l -> tends g F l.
Proof. intros E H. apply (filterlim_ext_loc f g E H). Qed.

Lemma tends_plus f g lf lg l : tends f F lf -> tends g F lg -> is_Rbar_plus lf lg l ->
  tends (fun x => f x + g x) F l.
Proof. intros Hf Hg E. eapply filterlim_comp_2; [exact Hf|exact Hg|]. apply filterlim_Rbar_plus. exact E. Qed.

Lemma tends_opp f l : tends f F l -> tends (fun x => - f x) F (Rbar_opp l).
Proof. intros H. eapply filterlim_comp; [exact H|]. apply filterlim_Rbar_opp. Qed.

Lemma tends_minus f g lf lg l : tends f F lf -> tends g F lg -> is_Rbar_plus lf (Rbar_opp lg) l ->
  tends (fun x => f x - g x) F l.
Proof.
  intros Hf Hg E. unfold Rminus. apply (tends_plus f (fun x => - g x) lf (Rbar_opp lg)); auto using tends_opp.
Qed.

Lemma tends_mult f g lf lg l : tends f F lf -> tends g F lg -> is_Rbar_mult lf lg l ->
  tends (fun x => f x * g x) F l.
Proof. intros Hf Hg E. eapply filterlim_comp_2; [exact Hf|exact Hg|]. apply filterlim_Rbar_mult. exact E. Qed.

Lemma tends_scal c f l : tends f F l -> tends (fun x => c * f x) F (Rbar_mult c l).
Proof. intros H. eapply filterlim_comp; [exact H|]. apply filterlim_Rbar_mult_l. Qed.

Lemma tends_inv f l : l <> 0 -> tends f F l -> tends (fun x => / f x) F (Rbar_inv l).
Proof. intros N H. eapply filterlim_comp; [exact H|]. apply filterlim_Rbar_inv. exact N. Qed.

(** The quotient of two limits that are finite. *)
Lemma tends_div f g (a b : R) : b <> 0 -> tends f F a -> tends g F b -> tends (fun x => f x / g x) F (a / b).
Proof.
  intros N Hf Hg. apply (tends_mult f (fun x => / g x) a (/ b)); [exact Hf| |reflexivity].
  apply (tends_inv g b); [|exact Hg]. intros E. injection E. exact N.
Qed.

(** From above 0 the inverse runs to infinity. *)
Lemma tends_inv_0 f : F (fun x => 0 < f x) -> tends f F 0 -> tends (fun x => / f x) F p_infty.
Proof.
  intros P H. eapply filterlim_comp; [|exact filterlim_Rinv_0_right].
  intros Q HQ. unfold at_right, within in HQ. specialize (H _ HQ). unfold filtermap in *.
  apply (filter_imp (fun x => 0 < f x /\ (0 < f x -> Q (f x)))); [tauto|]. apply filter_and; assumption.
Qed.

(** A continuous function of a finite limit. *)
Lemma tends_continuous f g (a : R) : continuous f a -> tends g F a -> tends (fun x => f (g x)) F (f a).
Proof. intros C H. eapply filterlim_comp; [exact H|]. exact C. Qed.

Lemma tends_pow f n (a : R) : tends f F a -> tends (fun x => f x ^ n) F (a ^ n).
Proof.
  intros H. apply (tends_continuous (fun y => y ^ n) f a); [|exact H].
  apply (ex_derive_continuous (fun y : R => y ^ n)). auto_derive. exact I.
Qed.

(** ** Between two functions; above one that runs to infinity *)

Lemma tends_squeeze f g h l : F (fun x => f x <= g x <= h x) -> tends f F l -> tends h F l -> tends g F l.
Proof. apply filterlim_le_le. Qed.

Lemma tends_above f g : F (fun x => f x <= g x) -> tends f F p_infty -> tends g F p_infty.
Proof. apply filterlim_ge_p_infty. Qed.

(** ** Elementary functions *)

Lemma tends_exp f (a : R) : tends f F a -> tends (fun x => exp (f x)) F (exp a).
Proof.
  apply (tends_continuous exp). apply (ex_derive_continuous exp). auto_derive. exact I.
Qed.

Lemma tends_exp_p_infty f : tends f F p_infty -> tends (fun x => exp (f x)) F p_infty.
Proof. intros H. eapply filterlim_comp; [exact H|]. exact is_lim_exp_p. Qed.

Lemma tends_exp_m_infty f : tends f F m_infty -> tends (fun x => exp (f x)) F 0.
Proof. intros H. eapply filterlim_comp; [exact H|]. exact is_lim_exp_m. Qed.

Lemma tends_ln f (a : R) : 0 < a -> tends f F a -> tends (fun x => ln (f x)) F (ln a).
Proof.
  intros P. apply (tends_continuous ln). apply (ex_derive_continuous ln). auto_derive. exact P.
Qed.

Lemma tends_ln_p_infty f : tends f F p_infty -> tends (fun x => ln (f x)) F p_infty.
Proof. intros H. eapply filterlim_comp; [exact H|]. exact is_lim_ln_p. Qed.

Lemma tends_ln_0 f : F (fun x => 0 < f x) -> tends f F 0 -> tends (fun x => ln (f x)) F m_infty.
Proof.
  intros P H. eapply filterlim_comp; [|exact is_lim_ln_0].
  intros Q HQ. unfold at_right, within in HQ. specialize (H _ HQ). unfold filtermap in *.
  apply (filter_imp (fun x => 0 < f x /\ (0 < f x -> Q (f x)))); [tauto|]. apply filter_and; assumption.
Qed.

Lemma tends_sqrt f (a : R) : tends f F a -> tends (fun x => sqrt (f x)) F (sqrt a).
Proof. apply (tends_continuous sqrt). apply continuous_sqrt. Qed.

Lemma tends_sqrt_p_infty f : tends f F p_infty -> tends (fun x => sqrt (f x)) F p_infty.
Proof. intros H. eapply filterlim_comp; [exact H|]. exact filterlim_sqrt_p. Qed.

(** A positive power. *)
Lemma tends_power_p_infty f r : 0 < r -> tends f F p_infty -> tends (fun x => power (f x) r) F p_infty.
Proof.
  intros Hr H. apply (filterlim_comp _ _ _ f (fun y => power y r) F (Rbar_locally p_infty)); [exact H|].
  exact (power_limit_at_infinity r Hr).
Qed.

Lemma tends_power_0 f r : 0 < r -> tends f F 0 -> tends (fun x => power (f x) r) F 0.
Proof.
  intros Hr H. pose proof (tends_continuous (fun y => power y r) f 0 (power_continuous_at_0 r Hr) H) as T.
  cbv beta in T. rewrite power_at_0 in T by lra. exact T.
Qed.

End Structure.

(** ** The variable itself *)

Lemma tends_id_upper (b : Rbar) : b <> m_infty -> tends (fun x => x) (up_to b) b.
Proof.
  intros H. destruct b as [b| |]; [|intros P HP; exact HP|tauto].
  apply (limit_at_closed_upper_end (fun x => x) b). apply continuous_id.
Qed.

Lemma tends_id_lower (a : Rbar) : a <> p_infty -> tends (fun x => x) (down_to a) a.
Proof.
  intros H. destruct a as [a| |]; [|tauto|intros P HP; exact HP].
  apply (limit_at_closed_lower_end (fun x => x) a). apply continuous_id.
Qed.

Lemma above_lower_end (a : R) : down_to a (fun x => a < x).
Proof. exists (mkposreal 1 Rlt_0_1). intros y _ H. exact H. Qed.

(** ** Which size wins *)

(** e^y >= (y/m)^m. *)
Lemma exp_above_power m y : 0 <= y -> (y / INR (S m)) ^ S m <= exp y.
Proof.
  intros Hy. assert (P : 0 < INR (S m)) by (apply lt_0_INR; lia).
  replace (exp y) with (exp (y / INR (S m)) ^ S m).
  - apply pow_incr. split; [apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; assumption]|].
    pose proof (exp_ineq1_le (y / INR (S m))). lra.
  - assert (E : forall n x, exp x ^ n = exp (INR n * x)).
    { intros n x. induction n as [|n IH]; [simpl; rewrite Rmult_0_l, exp_0; reflexivity|].
      rewrite S_INR. simpl pow. rewrite IH, <- exp_plus. f_equal. ring. }
    rewrite E. f_equal. field. lra.
Qed.

Lemma power_quotient n m c x : 0 < m -> 0 < c -> 0 < x -> x ^ n * / (c * x / m) ^ S n = (m / c) ^ S n * / x.
Proof.
  intros Hm Hc Hx. unfold Rdiv. rewrite !Rpow_mult_distr, !pow_inv. simpl.
  assert (c ^ n <> 0) by (apply pow_nonzero; lra). assert (x ^ n <> 0) by (apply pow_nonzero; lra).
  assert (m ^ n <> 0) by (apply pow_nonzero; lra). field. repeat split; first [assumption|lra].
Qed.

(** x^n e^(-c x) tends to 0. *)
Theorem exp_beats_power n c : 0 < c -> tends (fun x => x ^ n * exp (- (c * x))) (up_to p_infty) 0.
Proof.
  intros Hc. set (K := (INR (S n) / c) ^ S n).
  assert (K0 : 0 < K) by (apply pow_lt, Rdiv_lt_0_compat; [apply lt_0_INR; lia|assumption]).
  apply (tends_squeeze (up_to p_infty) (fun _ => 0) _ (fun x => K * / x)).
  - exists 0. intros x Hx. split; [apply Rmult_le_pos; [apply pow_le; lra|left; apply exp_pos]|].
    assert (y0 : 0 < c * x) by (apply Rmult_lt_0_compat; assumption).
    pose proof (exp_above_power n (c * x) (Rlt_le _ _ y0)) as B.
    assert (P : 0 < (c * x / INR (S n)) ^ S n) by (apply pow_lt, Rdiv_lt_0_compat; [assumption|apply lt_0_INR; lia]).
    rewrite exp_Ropp. apply Rle_trans with (x ^ n * / (c * x / INR (S n)) ^ S n).
    + apply Rmult_le_compat_l; [apply pow_le; lra|]. apply Rinv_le_contravar; assumption.
    + right. apply power_quotient; [apply lt_0_INR; lia|assumption|assumption].
  - apply tends_const. apply _.
  - assert (T : tends (fun x => / x) (up_to p_infty) 0).
    { apply (tends_inv (up_to p_infty) (fun x => x) p_infty); [discriminate|]. apply tends_id_upper. discriminate. }
    pose proof (tends_scal (up_to p_infty) K (fun x => / x) 0 T) as S.
    assert (E : Rbar_mult K 0 = 0) by (simpl; f_equal; ring). rewrite E in S. exact S.
Qed.

(** The same along any function that runs to infinity. *)
Theorem exp_beats_power_along (F : (R -> Prop) -> Prop) {FF : Filter F} f n c : 0 < c -> tends f F p_infty ->
  tends (fun x => f x ^ n * exp (- (c * f x))) F 0.
Proof.
  intros Hc H. apply (filterlim_comp _ _ _ f (fun y => y ^ n * exp (- (c * y))) F (Rbar_locally p_infty)); [exact H|].
  exact (exp_beats_power n c Hc).
Qed.

(** (log x)^n / x^r tends to 0 at infinity. *)
Theorem power_beats_log n r : 0 < r -> tends (fun x => ln x ^ n / power x r) (up_to p_infty) 0.
Proof.
  intros Hr. apply (tends_ext (up_to p_infty) (fun x => ln x ^ n * exp (- (r * ln x)))).
  - exists 0. intros x Hx. rewrite exp_Ropp, power_of_pos by assumption. reflexivity.
  - apply (exp_beats_power_along (up_to p_infty) ln n r Hr).
    apply (tends_ln_p_infty (up_to p_infty) (fun x => x)). apply tends_id_upper. discriminate.
Qed.

(** x^r (log x)^n tends to 0 at 0. *)
Theorem power_beats_log_at_0 n r : 0 < r -> tends (fun x => power x r * ln x ^ n) (down_to 0) 0.
Proof.
  intros Hr.
  assert (L : tends (fun x => - ln x) (down_to 0) p_infty).
  { apply (tends_opp (down_to 0) ln m_infty). exact is_lim_ln_0. }
  pose proof (exp_beats_power_along (down_to 0) (fun x => - ln x) n r Hr L) as T.
  pose proof (tends_scal (down_to 0) ((-1) ^ n) _ 0 T) as S.
  assert (E : Rbar_mult ((-1) ^ n) 0 = 0) by (simpl; f_equal; ring). rewrite E in S.
  apply (tends_ext (down_to 0)) with (2 := S).
  apply filter_imp with (2 := above_lower_end 0). intros x Hx.
  rewrite power_of_pos by assumption. rewrite <- Rmult_assoc, <- Rpow_mult_distr.
  replace (-1 * - ln x) with (ln x) by ring. replace (- (r * - ln x)) with (r * ln x) by ring. ring.
Qed.
