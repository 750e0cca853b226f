(** * Sharper bounds on the moments: twice the mean of the loss, or its variance, takes the place of its square

    For the loss of one randomised response, E e^(lambda Z) <= exp(lambda m + lambda^2 m) with its mean
    m = eps tanh(eps/2); since 2m <= eps^2 this is better than the bound with eps^2. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SymDP Require Import Sums RandomisedResponse MomentBound RulesFunctions SimplifiedComposition.
Open Scope R_scope.

(** tanh s / s falls. *)
Lemma tanh_above_chord b : 0 <= b -> b * (1 - tanh b ^ 2) <= tanh b.
Proof.
  intros Hb. cut (tanh 0 - 0 * (1 - tanh 0 ^ 2) <= tanh b - b * (1 - tanh b ^ 2)); [rewrite tanh_0; lra|].
  apply (grows_from_derivative (fun x => tanh x - x * (1 - tanh x ^ 2))
           (fun x => 2 * x * tanh x * (1 - tanh x ^ 2)) 0 b Hb).
  - intros x _. pose proof (cosh_pos x) as P. unfold tanh, sinh, cosh in *. auto_derive; [lra|]. field. lra.
  - intros x [Hx _]. assert (0 <= tanh x).
    { destruct Hx as [Hx| <-]; [|rewrite tanh_0; lra]. left. rewrite <- tanh_0. apply tanh_increasing. assumption. }
    pose proof (tanh_bounds x). assert (0 <= 1 - tanh x ^ 2) by nra.
    apply Rmult_le_pos; [|assumption]. apply Rmult_le_pos; lra.
Qed.

Lemma tanh_ratio b s : 0 <= b <= s -> b * tanh s <= s * tanh b.
Proof.
  intros [Hb Hs]. cut (b * tanh b - b * tanh b <= s * tanh b - b * tanh s); [lra|].
  apply (grows_from_derivative (fun x => x * tanh b - b * tanh x) (fun x => tanh b - b * (1 - tanh x ^ 2)) b s Hs).
  - intros x _. pose proof (cosh_pos x) as P. set (t := tanh b). unfold tanh, sinh, cosh in *.
    auto_derive; [lra|]. field. lra.
  - intros x [Hx _]. pose proof (tanh_above_chord b Hb) as C.
    assert (T : tanh b <= tanh x) by (destruct Hx as [Hx| <-]; [left; apply tanh_increasing; assumption|lra]).
    assert (0 <= tanh b).
    { destruct Hb as [Hb| <-]; [|rewrite tanh_0; lra]. left. rewrite <- tanh_0. apply tanh_increasing. assumption. }
    assert (tanh b ^ 2 <= tanh x ^ 2) by nra. nra.
Qed.

Lemma mean_loss_is_tanh eps : mean_loss eps = eps * tanh (eps / 2).
Proof. rewrite tanh_half_by_exp. unfold mean_loss. field. pose proof (exp_pos eps). lra. Qed.

(** The moments of the loss are a quotient of hyperbolic cosines. *)
Lemma moment_is_cosh eps lambda :
  truth eps * exp (lambda * eps) + (1 - truth eps) * exp (- (lambda * eps))
  = cosh ((lambda + / 2) * eps) / cosh (eps / 2).
Proof.
  unfold truth, cosh. replace ((lambda + / 2) * eps) with (lambda * eps + eps / 2) by field.
  rewrite Ropp_plus_distr, !exp_plus.
  replace eps with (eps / 2 + eps / 2) at 1 2 4 5 by field. rewrite !exp_plus, !exp_Ropp.
  pose proof (exp_pos (eps / 2)). pose proof (exp_pos (lambda * eps)). field. repeat split; nra.
Qed.

Theorem one_concentrated_moment eps lambda : 0 <= eps -> 0 <= lambda ->
  truth eps * exp (lambda * eps) + (1 - truth eps) * exp (- (lambda * eps))
  <= exp (lambda * mean_loss eps + lambda ^ 2 / 2 * (2 * mean_loss eps)).
Proof.
  intros He Hl. rewrite moment_is_cosh, mean_loss_is_tanh. set (t := tanh (eps / 2)).
  pose proof (cosh_pos (eps / 2)) as P. pose proof (cosh_pos ((lambda + / 2) * eps)) as P'.
  apply (Rmult_le_reg_r (cosh (eps / 2))); [assumption|].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply ln_le_iff; [assumption|apply Rmult_lt_0_compat; [apply exp_pos|assumption]|].
  rewrite ln_mult, ln_exp by (auto; apply exp_pos).
  cut ((/ 2) ^ 2 * eps * t - ln (cosh (/ 2 * eps))
       <= (lambda + / 2) ^ 2 * eps * t - ln (cosh ((lambda + / 2) * eps))).
  { replace (/ 2 * eps) with (eps / 2) by field. lra. }
  apply (grows_from_derivative (fun y => y ^ 2 * eps * t - ln (cosh (y * eps)))
           (fun y => 2 * y * eps * t - eps * tanh (y * eps)) (/ 2) (lambda + / 2)); [lra| |].
  - intros y _. pose proof (cosh_pos (y * eps)) as Q. unfold tanh, sinh, cosh in *. auto_derive; [lra|]. field. lra.
  - intros y [Hy _]. pose proof (tanh_ratio (eps / 2) (y * eps)) as T. fold t in T. nra.
Qed.

(** Chernoff's bound with twice the mean for the variance. *)
Theorem concentrated_bound k eps eps' : (forall j, (j < k)%nat -> 0 <= eps j) ->
  0 < mean k eps -> mean k eps <= eps' ->
  WorstCase.pure_part k eps eps'
  <= exp (- ((eps' - mean k eps) ^ 2 / (2 * (2 * mean k eps)))) / (1 + (eps' - mean k eps) / (2 * mean k eps)).
Proof.
  intros He Hm Hl.
  assert (E : sum_below k (fun j => 2 * mean_loss (eps j)) = 2 * mean k eps) by apply sum_below_scal.
  rewrite <- E. apply moment_bound_by; [|rewrite E; lra|assumption].
  intros j lambda Hj H. apply one_concentrated_moment; auto.
Qed.

(** ** The variance of the loss, tilted upwards, only falls

    So E e^(lambda Z) <= exp(lambda m + lambda^2 v/2) with the variance v = eps^2 / cosh(eps/2)^2 of the loss. *)
Definition loss_variance (eps : R) : R := eps ^ 2 / cosh (eps / 2) ^ 2.

Lemma variance_by_tanh eps : loss_variance eps = eps ^ 2 * (1 - tanh (eps / 2) ^ 2).
Proof.
  unfold loss_variance, tanh. pose proof (cosh_pos (eps / 2)) as P.
  assert (E : cosh (eps / 2) ^ 2 - sinh (eps / 2) ^ 2 = 1).
  { unfold cosh, sinh. rewrite exp_Ropp. pose proof (exp_pos (eps / 2)). field. lra. }
  replace (1 - (sinh (eps / 2) / cosh (eps / 2)) ^ 2)
    with ((cosh (eps / 2) ^ 2 - sinh (eps / 2) ^ 2) / cosh (eps / 2) ^ 2) by (field; lra).
  rewrite E. field. lra.
Qed.

Lemma tanh_le x y : x <= y -> tanh x <= tanh y.
Proof. intros [H| ->]; [left; apply tanh_increasing; assumption|lra]. Qed.

Theorem one_tilted_moment eps lambda : 0 <= eps -> 0 <= lambda ->
  truth eps * exp (lambda * eps) + (1 - truth eps) * exp (- (lambda * eps))
  <= exp (lambda * mean_loss eps + lambda ^ 2 / 2 * loss_variance eps).
Proof.
  intros He Hl. rewrite moment_is_cosh, mean_loss_is_tanh, variance_by_tanh. set (t := tanh (eps / 2)).
  assert (t0 : 0 <= t) by (unfold t; rewrite <- tanh_0; apply tanh_le; lra).
  pose proof (cosh_pos (eps / 2)) as P. pose proof (cosh_pos ((lambda + / 2) * eps)) as P'.
  apply (Rmult_le_reg_r (cosh (eps / 2))); [assumption|].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply ln_le_iff; [assumption|apply Rmult_lt_0_compat; [apply exp_pos|assumption]|].
  rewrite ln_mult, ln_exp by (auto; apply exp_pos).
  (* the slope, and the slope of the slope *)
  assert (S : forall y, / 2 <= y -> eps * tanh (y * eps) <= eps * t + (y - / 2) * (eps ^ 2 * (1 - t ^ 2))).
  { intros y Hy.
    cut ((/ 2 - / 2) * (eps ^ 2 * (1 - t ^ 2)) - eps * tanh (/ 2 * eps)
         <= (y - / 2) * (eps ^ 2 * (1 - t ^ 2)) - eps * tanh (y * eps)).
    { replace (/ 2 * eps) with (eps / 2) by field. fold t. lra. }
    apply (grows_from_derivative (fun y => (y - / 2) * (eps ^ 2 * (1 - t ^ 2)) - eps * tanh (y * eps))
             (fun y => eps ^ 2 * (1 - t ^ 2) - eps ^ 2 * (1 - tanh (y * eps) ^ 2)) (/ 2) y Hy).
    - intros x _. pose proof (cosh_pos (x * eps)) as Q. unfold tanh, sinh, cosh in *. auto_derive; [lra|]. field. lra.
    - intros x [Hx _]. assert (T : t <= tanh (x * eps)) by (apply tanh_le; nra).
      assert (t ^ 2 <= tanh (x * eps) ^ 2) by nra. assert (0 <= eps ^ 2) by apply pow2_ge_0. nra. }
  cut (/ 2 * eps * t + (/ 2 - / 2) ^ 2 / 2 * (eps ^ 2 * (1 - t ^ 2)) - ln (cosh (/ 2 * eps))
       <= (lambda + / 2) * eps * t + (lambda + / 2 - / 2) ^ 2 / 2 * (eps ^ 2 * (1 - t ^ 2))
          - ln (cosh ((lambda + / 2) * eps))).
  { replace (/ 2 * eps) with (eps / 2) by field. replace (lambda + / 2 - / 2) with lambda by ring.
    replace (/ 2 - / 2) with 0 by ring. lra. }
  apply (grows_from_derivative (fun y => y * eps * t + (y - / 2) ^ 2 / 2 * (eps ^ 2 * (1 - t ^ 2)) - ln (cosh (y * eps)))
           (fun y => eps * t + (y - / 2) * (eps ^ 2 * (1 - t ^ 2)) - eps * tanh (y * eps)) (/ 2) (lambda + / 2)); [lra| |].
  - intros y _. pose proof (cosh_pos (y * eps)) as Q. unfold tanh, sinh, cosh in *. auto_derive; [lra|]. field. lra.
  - intros y [Hy _]. specialize (S y Hy). lra.
Qed.

(** Chernoff's bound with the sum of the variances. *)
Definition variances (k : nat) (eps : nat -> R) : R := sum_below k (fun j => loss_variance (eps j)).

Theorem tilted_bound k eps eps' : (forall j, (j < k)%nat -> 0 <= eps j) ->
  0 < variances k eps -> mean k eps <= eps' ->
  WorstCase.pure_part k eps eps'
  <= exp (- ((eps' - mean k eps) ^ 2 / (2 * variances k eps))) / (1 + (eps' - mean k eps) / variances k eps).
Proof.
  intros He Hv Hl. apply moment_bound_by; [|assumption|assumption].
  intros j lambda Hj H. apply one_tilted_moment; auto.
Qed.
