(** * Rules about order relations: O, Theta, o and ~

    [near r x] says that the point x lies in the neighbourhood of radius r: the hypotheses hold there, and the moving
    variables are closer than r to where they go. The fixed variables are fixed. Neighbourhoods shrink with r. *)

From Coq Require Import Reals Lra Lia Psatz.
Open Scope R_scope.

Section Orders.

Context {X : Type}.
Variable near : R -> X -> Prop.
Hypothesis near_shrinks : forall r s x, r <= s -> near r x -> near s x.
Implicit Types (f g h : X -> R).

(** What holds at every point of some neighbourhood. *)
Definition eventually (P : X -> Prop) : Prop := exists r, 0 < r /\ forall x, near r x -> P x.

Definition big_O f g : Prop := exists c, 0 < c /\ eventually (fun x => Rabs (f x) <= c * Rabs (g x)).
Definition Theta f g : Prop :=
  exists c, 0 < c /\ eventually (fun x => Rabs (f x) <= c * Rabs (g x) /\ Rabs (g x) <= c * Rabs (f x)).
Definition little_o f g : Prop := forall c, 0 < c -> eventually (fun x => Rabs (f x) <= c * Rabs (g x)).
Definition asymptotic f g : Prop := forall c, 0 < c -> eventually (fun x => Rabs (f x - g x) <= c * Rabs (g x)).

Lemma eventually_and P Q : eventually P -> eventually Q -> eventually (fun x => P x /\ Q x).
Proof.
  intros (r & Hr & HP) (s & Hs & HQ). exists (Rmin r s). split; [apply Rmin_glb_lt; assumption|].
  intros x Hx. split; [apply HP|apply HQ]; eapply near_shrinks; [|exact Hx| |exact Hx]; [apply Rmin_l|apply Rmin_r].
Qed.

Lemma eventually_imp (P Q : X -> Prop) : (forall x, P x -> Q x) -> eventually P -> eventually Q.
Proof. intros H (r & Hr & HP). exists r. auto. Qed.

(** ** By a factor that is bounded, or vanishes *)

Theorem O_by_factor f g u c : 0 < c -> eventually (fun x => Rabs (f x) <= u x * Rabs (g x) /\ u x <= c) -> big_O f g.
Proof.
  intros Hc H. exists c. split; [assumption|]. revert H. apply eventually_imp. intros x [H1 H2].
  pose proof (Rabs_pos (g x)). nra.
Qed.

Theorem o_by_factor f g u : eventually (fun x => Rabs (f x) <= u x * Rabs (g x)) ->
  (forall c, 0 < c -> eventually (fun x => u x <= c)) -> little_o f g.
Proof.
  intros H V c Hc. apply (eventually_imp (fun x => Rabs (f x) <= u x * Rabs (g x) /\ u x <= c)).
  - intros x [H1 H2]. pose proof (Rabs_pos (g x)). nra.
  - apply eventually_and; auto.
Qed.

Theorem asymptotic_by_factor f g u : eventually (fun x => Rabs (f x - g x) <= u x * Rabs (g x)) ->
  (forall c, 0 < c -> eventually (fun x => u x <= c)) -> asymptotic f g.
Proof. intros H V. exact (o_by_factor (fun x => f x - g x) g u H V). Qed.

(** ** Theta is O in both directions *)

Theorem Theta_by_both f g : big_O f g -> big_O g f -> Theta f g.
Proof.
  intros (c & Hc & H) (d & Hd & G). exists (Rmax c d).
  split; [eapply Rlt_le_trans; [exact Hc|apply Rmax_l]|].
  apply (eventually_imp (fun x => Rabs (f x) <= c * Rabs (g x) /\ Rabs (g x) <= d * Rabs (f x))).
  - intros x [H1 H2]. pose proof (Rmax_l c d). pose proof (Rmax_r c d).
    pose proof (Rabs_pos (f x)). pose proof (Rabs_pos (g x)). split; nra.
  - apply eventually_and; assumption.
Qed.

Theorem O_of_Theta f g : Theta f g -> big_O f g.
Proof. intros (c & Hc & H). exists c. split; [assumption|]. revert H. apply eventually_imp. tauto. Qed.

Theorem Theta_sym f g : Theta f g -> Theta g f.
Proof. intros (c & Hc & H). exists c. split; [assumption|]. revert H. apply eventually_imp. tauto. Qed.

Theorem O_of_o f g : little_o f g -> big_O f g.
Proof. intros H. exists 1. split; [lra|]. apply H. lra. Qed.

(** ** Sums, term by term *)

Theorem O_sum f g h : big_O f h -> big_O g h -> big_O (fun x => f x + g x) h.
Proof.
  intros (c & Hc & H) (d & Hd & G). exists (c + d). split; [lra|].
  apply (eventually_imp (fun x => Rabs (f x) <= c * Rabs (h x) /\ Rabs (g x) <= d * Rabs (h x))).
  - intros x [H1 H2]. pose proof (Rabs_triang (f x) (g x)). lra.
  - apply eventually_and; assumption.
Qed.

Theorem o_sum f g h : little_o f h -> little_o g h -> little_o (fun x => f x + g x) h.
Proof.
  intros H G c Hc.
  apply (eventually_imp (fun x => Rabs (f x) <= c / 2 * Rabs (h x) /\ Rabs (g x) <= c / 2 * Rabs (h x))).
  - intros x [H1 H2]. pose proof (Rabs_triang (f x) (g x)). lra.
  - apply eventually_and; [apply H|apply G]; lra.
Qed.

(** ** Products, factor by factor *)

Theorem O_product f g f' g' : big_O f f' -> big_O g g' -> big_O (fun x => f x * g x) (fun x => f' x * g' x).
Proof.
  intros (c & Hc & H) (d & Hd & G). exists (c * d). split; [nra|].
  apply (eventually_imp (fun x => Rabs (f x) <= c * Rabs (f' x) /\ Rabs (g x) <= d * Rabs (g' x))).
  - intros x [H1 H2]. rewrite !Rabs_mult.
    replace (c * d * (Rabs (f' x) * Rabs (g' x))) with (c * Rabs (f' x) * (d * Rabs (g' x))) by ring.
    apply Rmult_le_compat; auto using Rabs_pos.
  - apply eventually_and; assumption.
Qed.

Theorem Theta_product f g f' g' : Theta f f' -> Theta g g' -> Theta (fun x => f x * g x) (fun x => f' x * g' x).
Proof. intros H G. apply Theta_by_both; apply O_product; apply O_of_Theta; auto using Theta_sym. Qed.

Theorem asymptotic_product f g f' g' : asymptotic f f' -> asymptotic g g' ->
  asymptotic (fun x => f x * g x) (fun x => f' x * g' x).
Proof.
  intros H G c Hc. set (d := Rmin 1 (c / 3)).
  assert (d0 : 0 < d) by (apply Rmin_glb_lt; lra). assert (d1 : d <= 1) by apply Rmin_l.
  assert (d3 : d <= c / 3) by apply Rmin_r.
  apply (eventually_imp (fun x => Rabs (f x - f' x) <= d * Rabs (f' x) /\ Rabs (g x - g' x) <= d * Rabs (g' x))).
  - intros x [H1 H2].
    replace (f x * g x - f' x * g' x)
      with ((f x - f' x) * (g x - g' x) + (f x - f' x) * g' x + f' x * (g x - g' x)) by ring.
    set (a := f x - f' x) in *. set (b := g x - g' x) in *. rewrite !Rabs_mult.
    pose proof (Rabs_triang (a * b + a * g' x) (f' x * b)) as T1. pose proof (Rabs_triang (a * b) (a * g' x)) as T2.
    rewrite !Rabs_mult in *.
    pose proof (Rabs_pos a). pose proof (Rabs_pos b). pose proof (Rabs_pos (f' x)). pose proof (Rabs_pos (g' x)).
    assert (P1 : Rabs a * Rabs b <= d * Rabs (f' x) * (d * Rabs (g' x))) by (apply Rmult_le_compat; assumption).
    assert (P2 : Rabs a * Rabs (g' x) <= d * Rabs (f' x) * Rabs (g' x)) by (apply Rmult_le_compat_r; assumption).
    assert (P3 : Rabs (f' x) * Rabs b <= Rabs (f' x) * (d * Rabs (g' x))) by (apply Rmult_le_compat_l; assumption).
    assert (N : 0 <= Rabs (f' x) * Rabs (g' x)) by (apply Rmult_le_pos; assumption).
    set (n := Rabs (f' x) * Rabs (g' x)) in *.
    assert (E1 : d * Rabs (f' x) * (d * Rabs (g' x)) = d * d * n) by (unfold n; ring).
    assert (E2 : d * Rabs (f' x) * Rabs (g' x) = d * n) by (unfold n; ring).
    assert (E3 : Rabs (f' x) * (d * Rabs (g' x)) = d * n) by (unfold n; ring).
    assert (d * d * n <= d * n) by (assert (d * d <= d) by nra; nra). nra.
  - apply eventually_and; [apply H|apply G]; assumption.
Qed.

(** ** From left to right by way of something between them *)

Theorem O_chain f g h : big_O f g -> big_O g h -> big_O f h.
Proof.
  intros (c & Hc & H) (d & Hd & G). exists (c * d). split; [nra|].
  apply (eventually_imp (fun x => Rabs (f x) <= c * Rabs (g x) /\ Rabs (g x) <= d * Rabs (h x))).
  - intros x [H1 H2]. pose proof (Rabs_pos (h x)). nra.
  - apply eventually_and; assumption.
Qed.

Theorem Theta_chain f g h : Theta f g -> Theta g h -> Theta f h.
Proof.
  intros H G. apply Theta_by_both; eapply O_chain; apply O_of_Theta; eauto using Theta_sym.
Qed.

Theorem o_O_chain f g h : little_o f g -> big_O g h -> little_o f h.
Proof.
  intros H (d & Hd & G) c Hc.
  apply (eventually_imp (fun x => Rabs (f x) <= c / d * Rabs (g x) /\ Rabs (g x) <= d * Rabs (h x))).
  - intros x [H1 H2]. assert (Q : 0 < c / d) by (apply Rdiv_lt_0_compat; assumption).
    replace (c * Rabs (h x)) with (c / d * (d * Rabs (h x))) by (field; lra). nra.
  - apply eventually_and; [apply H; apply Rdiv_lt_0_compat|]; assumption.
Qed.

Theorem O_o_chain f g h : big_O f g -> little_o g h -> little_o f h.
Proof.
  intros (d & Hd & H) G c Hc.
  apply (eventually_imp (fun x => Rabs (f x) <= d * Rabs (g x) /\ Rabs (g x) <= c / d * Rabs (h x))).
  - intros x [H1 H2]. replace (c * Rabs (h x)) with (d * (c / d * Rabs (h x))) by (field; lra). nra.
  - apply eventually_and; [|apply G; apply Rdiv_lt_0_compat]; assumption.
Qed.

Theorem asymptotic_chain f g h : asymptotic f g -> asymptotic g h -> asymptotic f h.
Proof.
  intros H G c Hc. set (d := Rmin 1 (c / 3)).
  assert (d0 : 0 < d) by (apply Rmin_glb_lt; lra). assert (d1 : d <= 1) by apply Rmin_l.
  assert (d3 : d <= c / 3) by apply Rmin_r.
  apply (eventually_imp (fun x => Rabs (f x - g x) <= d * Rabs (g x) /\ Rabs (g x - h x) <= d * Rabs (h x))).
  - intros x [H1 H2]. pose proof (Rabs_triang (f x - g x) (g x - h x)) as T1.
    pose proof (Rabs_triang (g x - h x) (h x)) as T2.
    replace (f x - g x + (g x - h x)) with (f x - h x) in T1 by ring.
    replace (g x - h x + h x) with (g x) in T2 by ring.
    pose proof (Rabs_pos (h x)). pose proof (Rabs_pos (g x)).
    assert (Rabs (g x) <= 2 * Rabs (h x)) by nra. nra.
  - apply eventually_and; [apply H|apply G]; assumption.
Qed.

(** ** Where an order fails: along a path into every neighbourhood *)

Definition path (x : nat -> X) : Prop := forall r, 0 < r -> exists m, forall t, (m <= t)%nat -> near r (x t).

Theorem O_fails f g x u : path x ->
  (forall c, exists m, forall t, (m <= t)%nat -> c < u t) ->
  (exists m, forall t, (m <= t)%nat -> g (x t) <> 0 /\ u t * Rabs (g (x t)) <= Rabs (f (x t))) ->
  ~ big_O f g.
Proof.
  intros P U (m & B) (c & Hc & r & Hr & H). destruct (P r Hr) as (m1 & N). destruct (U c) as (m2 & M).
  set (t := Nat.max m (Nat.max m1 m2)).
  assert (T : (m <= t /\ m1 <= t /\ m2 <= t)%nat) by (unfold t; lia). destruct T as (T & T1 & T2).
  destruct (B t T) as [Z L]. specialize (H (x t) (N t T1)). specialize (M t T2).
  assert (0 < Rabs (g (x t))) by (apply Rabs_pos_lt; assumption). nra.
Qed.

Theorem o_fails f g x c : path x -> 0 < c ->
  (exists m, forall t, (m <= t)%nat -> g (x t) <> 0 /\ c * Rabs (g (x t)) <= Rabs (f (x t))) ->
  ~ little_o f g.
Proof.
  intros P Hc (m & B) H. destruct (H (c / 2) ltac:(lra)) as (r & Hr & G). destruct (P r Hr) as (m1 & N).
  set (t := Nat.max m m1). assert (T : (m <= t /\ m1 <= t)%nat) by (unfold t; lia). destruct T as (T & T1).
  destruct (B t T) as [Z L]. specialize (G (x t) (N t T1)).
  assert (0 < Rabs (g (x t))) by (apply Rabs_pos_lt; assumption). nra.
Qed.

Theorem asymptotic_fails f g x c : path x -> 0 < c ->
  (exists m, forall t, (m <= t)%nat -> g (x t) <> 0 /\ c * Rabs (g (x t)) <= Rabs (f (x t) - g (x t))) ->
  ~ asymptotic f g.
Proof. intros P Hc B. exact (o_fails (fun x => f x - g x) g x c P Hc B). Qed.

End Orders.
