(** * Three inequalities behind Chernoff's bound on the privacy loss *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(** ** Growth from the sign of a derivative *)

Lemma grows_from_derivative (f df : R -> R) (a b : R) :
  a <= b ->
  (forall x, a <= x <= b -> is_derive f x (df x)) ->
  (forall x, a <= x <= b -> 0 <= df x) ->
  f a <= f b.
Proof.
  intros Hab D N.
  destruct (MVT_gen f a b df) as (c & Hc & E).
  - intros x Hx. rewrite Rmin_left, Rmax_right in Hx by assumption. apply D. lra.
  - intros x Hx. rewrite Rmin_left, Rmax_right in Hx by assumption.
    apply continuity_pt_filterlim. apply (ex_derive_continuous f). exists (df x). apply D. assumption.
  - rewrite Rmin_left, Rmax_right in Hc by assumption. specialize (N c Hc). nra.
Qed.

(** ** The exponential lies above its tangents *)

Lemma exp_tangent x y : exp y * (1 + (x - y)) <= exp x.
Proof.
  replace (exp x) with (exp y * exp (x - y)) by (rewrite <- exp_plus; f_equal; ring).
  apply Rmult_le_compat_l; [left; apply exp_pos|]. apply exp_ineq1_le.
Qed.

(** ** What an outcome adds to delta lies below an exponential of its loss *)

Lemma below_exponential (lambda x : R) : 0 <= lambda -> (1 + lambda) * (1 - exp (- x)) <= exp (lambda * x).
Proof.
  intros [Hl| <-].
  - (* the two exponentials are compared with their tangents at the point c where the slopes cancel *)
    set (c := ln ((1 + lambda) / lambda) / (1 + lambda)).
    assert (ratio : 1 <= (1 + lambda) / lambda).
    { apply (Rmult_le_reg_r lambda); [assumption|]. field_simplify; lra. }
    assert (E : (1 + lambda) * exp (- c) = lambda * exp (lambda * c)).
    { apply (Rmult_eq_reg_r (exp c)); [|apply Rgt_not_eq, exp_pos].
      rewrite !Rmult_assoc, <- !exp_plus.
      replace (- c + c) with 0 by ring. rewrite exp_0.
      replace (lambda * c + c) with (ln ((1 + lambda) / lambda)) by (unfold c; field; lra).
      rewrite exp_ln by lra. field. lra. }
    assert (Hc : 1 <= exp (lambda * c)).
    { rewrite <- exp_0. assert (0 <= lambda * c).
      { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
        destruct ratio as [r|r]; [left; rewrite <- ln_1; apply ln_increasing; lra|rewrite <- r, ln_1; lra]. }
      destruct H as [H|H]; [left; apply exp_increasing; assumption|rewrite <- H; lra]. }
    pose proof (exp_tangent (lambda * x) (lambda * c)) as T1.
    pose proof (exp_tangent (- x) (- c)) as T2.
    assert (T3 : (1 + lambda) * exp (- c) * (1 + (- x - - c)) <= (1 + lambda) * exp (- x)) by nra.
    rewrite E in T3.
    replace (exp (lambda * c) * (1 + (lambda * x - lambda * c))) with
      (exp (lambda * c) * (1 + lambda) - lambda * exp (lambda * c) * (1 + (- x - - c))) in T1 by ring.
    nra.
  - rewrite Rmult_0_l, exp_0. pose proof (exp_pos (- x)). lra.
Qed.

(** ** The moments of two points lie below those of a normal law

    Alon and Spencer, Lemma A.1.5: p e^x + (1-p) e^-x <= exp((2p-1) x + x^2/2). *)

Section Two_points.

Variable p : R.
Hypothesis p_unit : 0 <= p <= 1.

Let moment (x : R) := p * exp x + (1 - p) * exp (- x).
Let slope (x : R) := (p * exp x - (1 - p) * exp (- x)) / moment x.

Lemma moment_pos x : 0 < moment x.
Proof.
  unfold moment. pose proof (exp_pos x). pose proof (exp_pos (- x)).
  destruct (Req_dec p 0) as [->|]; [lra|]. assert (0 < p * exp x) by nra. nra.
Qed.

Lemma slope_bound x : slope x ^ 2 <= 1.
Proof.
  unfold slope. pose proof (moment_pos x) as M. pose proof (exp_pos x). pose proof (exp_pos (- x)).
  apply (Rmult_le_reg_r (moment x ^ 2)); [nra|].
  replace (((p * exp x - (1 - p) * exp (- x)) / moment x) ^ 2 * moment x ^ 2)
    with ((p * exp x - (1 - p) * exp (- x)) ^ 2) by (field; lra).
  unfold moment in *.
  assert (0 <= p * exp x) by nra. assert (0 <= (1 - p) * exp (- x)) by nra. nra.
Qed.

Lemma slope_growth x : 0 <= x -> slope x <= 2 * p - 1 + x.
Proof.
  intros Hx.
  assert (E0 : slope 0 = 2 * p - 1).
  { unfold slope, moment. rewrite Ropp_0, exp_0. field. lra. }
  cut (0 - slope 0 <= x - slope x); [lra|].
  apply (grows_from_derivative (fun x => x - slope x) (fun x => slope x ^ 2) 0 x Hx).
  - intros y _. pose proof (moment_pos y) as M. unfold slope, moment in *. auto_derive; [lra|].
    field. lra.
  - intros y _. apply pow2_ge_0.
Qed.

Lemma two_points_right x : 0 <= x -> moment x <= exp ((2 * p - 1) * x + x ^ 2 / 2).
Proof.
  intros Hx.
  rewrite <- (exp_ln (moment x)) by apply moment_pos.
  assert (L0 : ln (moment 0) = 0).
  { unfold moment. rewrite Ropp_0, exp_0. replace (p * 1 + (1 - p) * 1) with 1 by ring. apply ln_1. }
  assert (G : ln (moment x) <= (2 * p - 1) * x + x ^ 2 / 2).
  { cut ((2 * p - 1) * 0 + 0 ^ 2 / 2 - ln (moment 0) <= (2 * p - 1) * x + x ^ 2 / 2 - ln (moment x)).
    { rewrite L0. lra. }
    apply (grows_from_derivative (fun x => (2 * p - 1) * x + x ^ 2 / 2 - ln (moment x))
             (fun x => 2 * p - 1 + x - slope x) 0 x Hx).
    - intros y _. pose proof (moment_pos y) as M. unfold slope, moment in *. auto_derive; [lra|]. field. lra.
    - intros y [Hy _]. pose proof (slope_growth y Hy). lra. }
  destruct G as [G|G]; [left; apply exp_increasing; assumption|rewrite G; lra].
Qed.

End Two_points.

Theorem two_points (p x : R) : 0 <= p <= 1 ->
  p * exp x + (1 - p) * exp (- x) <= exp ((2 * p - 1) * x + x ^ 2 / 2).
Proof.
  intros Hp. destruct (Rle_dec 0 x) as [H|H].
  - apply (two_points_right p Hp x H).
  - pose proof (two_points_right (1 - p) ltac:(lra) (- x) ltac:(lra)) as G.
    cbv beta zeta in G. rewrite Ropp_involutive in G.
    replace (p * exp x + (1 - p) * exp (- x)) with ((1 - p) * exp (- x) + (1 - (1 - p)) * exp x) by ring.
    replace ((2 * p - 1) * x + x ^ 2 / 2) with ((2 * (1 - p) - 1) * - x + (- x) ^ 2 / 2) by field. exact G.
Qed.

(** ** The mean of the loss of randomised response *)

Definition mean_loss (eps : R) : R := (exp eps - 1) * eps / (exp eps + 1).

Lemma mean_loss_nonneg eps : 0 <= eps -> 0 <= mean_loss eps.
Proof.
  intros H. pose proof (exp_ineq1_le eps). unfold mean_loss.
  apply Rmult_le_pos; [nra|]. left. apply Rinv_0_lt_compat. lra.
Qed.

Lemma mean_loss_le_eps eps : 0 <= eps -> mean_loss eps <= eps.
Proof.
  intros H. pose proof (exp_ineq1_le eps). unfold mean_loss.
  apply (Rmult_le_reg_r (exp eps + 1)); [lra|]. field_simplify; nra.
Qed.

(** eps tanh(eps/2) <= eps^2/2. *)
Lemma mean_loss_le_half_square eps : 0 <= eps -> mean_loss eps <= eps ^ 2 / 2.
Proof.
  intros H. pose proof (exp_pos eps).
  assert (G : 2 * (exp eps - 1) <= eps * (exp eps + 1)).
  { cut (0 * (exp 0 + 1) - 2 * (exp 0 - 1) <= eps * (exp eps + 1) - 2 * (exp eps - 1)); [rewrite exp_0; lra|].
    apply (grows_from_derivative (fun x => x * (exp x + 1) - 2 * (exp x - 1))
             (fun x => x * exp x + 1 - exp x) 0 eps H).
    - intros x _. auto_derive; [exact I|ring].
    - intros x [Hx _]. pose proof (exp_tangent 0 x) as T. rewrite exp_0 in T. lra. }
  unfold mean_loss. apply (Rmult_le_reg_r (exp eps + 1)); [lra|].
  replace ((exp eps - 1) * eps / (exp eps + 1) * (exp eps + 1)) with (eps * (2 * (exp eps - 1)) / 2) by (field; lra).
  nra.
Qed.

Lemma mean_loss_le_exp eps : 0 <= eps -> mean_loss eps <= eps * (exp eps - 1).
Proof.
  intros H. pose proof (exp_ineq1_le eps). unfold mean_loss. apply (Rmult_le_reg_r (exp eps + 1)); [lra|].
  replace ((exp eps - 1) * eps / (exp eps + 1) * (exp eps + 1)) with (eps * (exp eps - 1)) by (field; lra).
  assert (0 <= eps * (exp eps - 1)) by nra. nra.
Qed.
