(** * The kernel's routes to a guarantee of privacy, for finite mechanisms

    One theorem for each rule of symdp/kernel/rules/privacy.py that reduces a guarantee about *any* private
    mechanisms, or about a mechanism with finitely many outcomes, to relations between numbers. There
    domination is cited; here it is proved, for finite sets of outcomes. (Gaussian and Laplace noise are not
    finite, and not covered.) *)

From Coq Require Import Reals List Lra Psatz Lia.
From SymDP Require Import Sums Laws RandomisedResponse Domination Composition WorstCase MomentBound
  SimplifiedComposition AdvancedComposition ConcentratedLoss.
Open Scope R_scope.

Definition sensible (k : nat) (eps delta : nat -> R) : Prop :=
  forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1.

(** [certain]: a delta of 1 promises nothing. *)
Theorem certain k eps delta eps' delta' : 1 <= delta' -> private_composition k eps delta eps' delta'.
Proof. apply private_composition_trivially. Qed.

(** [relax]: from a guarantee with a smaller epsilon and a smaller delta. *)
Theorem relax k eps delta e d eps' delta' : e <= eps' -> d <= delta' ->
  private_composition k eps delta e d -> private_composition k eps delta eps' delta'.
Proof. apply private_composition_weaken. Qed.

(** A bound on the part of pure responses, and one on what leaks: the product of what survives, or the union bound. *)
Theorem by_share k eps delta eps' delta' share : sensible k eps delta -> pure_part k eps eps' <= share ->
  1 - product_below k (fun j => 1 - delta j) * (1 - share) <= delta' ->
  private_composition k eps delta eps' delta'.
Proof.
  intros S H L. eapply private_composition_weaken; [| |apply (private_by_pure_part k eps delta eps' share S H)]; lra.
Qed.

Theorem by_share_union k eps delta eps' delta' share : sensible k eps delta -> pure_part k eps eps' <= share ->
  sum_below k delta + share <= delta' ->
  private_composition k eps delta eps' delta'.
Proof.
  intros S H L. apply (by_share k eps delta eps' delta' share S H).
  assert (D : forall j, (j < k)%nat -> 0 <= delta j <= 1) by (intros j Hj; apply (S j Hj)).
  pose proof (union_bound k delta D).
  assert (0 <= product_below k (fun j => 1 - delta j) <= 1).
  { apply product_below_unit. intros j Hj. specialize (D j Hj). lra. }
  assert (0 <= pure_part k eps eps') by apply (excess_nonneg (A := list bool)). nra.
Qed.

(** [linear]: the losses add up. *)
Theorem linear k eps delta eps' delta' : sensible k eps delta -> sum_below k eps <= eps' ->
  1 - product_below k (fun j => 1 - delta j) <= delta' -> private_composition k eps delta eps' delta'.
Proof.
  intros S H L. apply (by_share k eps delta eps' delta' 0 S); [|lra].
  rewrite pure_part_zero; [lra| |assumption]. intros j Hj. apply (S j Hj).
Qed.

Theorem linear_union k eps delta eps' delta' : sensible k eps delta -> sum_below k eps <= eps' ->
  sum_below k delta <= delta' -> private_composition k eps delta eps' delta'.
Proof.
  intros S H L. apply (by_share_union k eps delta eps' delta' 0 S); [|lra].
  rewrite pure_part_zero; [lra| |assumption]. intros j Hj. apply (S j Hj).
Qed.

(** The bound on the part of pure responses, for that excess of epsilon over the mean. *)
Definition moment_share (excess variance : R) : R := exp (- (excess ^ 2 / (2 * variance))) / (1 + excess / variance).

Lemma moment_share_falls v x y : 0 < v -> 0 <= x <= y -> moment_share y v <= moment_share x v.
Proof.
  intros Hv [Hx Hy]. unfold moment_share.
  assert (Q : 0 <= x / v) by (apply Rmult_le_pos; [assumption|left; apply Rinv_0_lt_compat; assumption]).
  assert (Q' : x / v <= y / v) by (apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat|]; assumption).
  apply Rmult_le_compat.
  - left. apply exp_pos.
  - left. apply Rinv_0_lt_compat. lra.
  - apply exp_le. apply Ropp_le_contravar. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
    apply pow_incr. lra.
  - apply Rinv_le_contravar; lra.
Qed.

(** [moments]: the sum of squares for the variance; with [half], half of it for the mean. *)
Theorem moments k eps eps' : 0 < squares k eps -> mean k eps <= eps' ->
  pure_part k eps eps' <= moment_share (eps' - mean k eps) (squares k eps).
Proof. apply moment_bound. Qed.

Theorem moments_half k eps eps' : (forall j, (j < k)%nat -> 0 <= eps j) ->
  0 < squares k eps -> squares k eps / 2 <= eps' ->
  pure_part k eps eps' <= moment_share (eps' - squares k eps / 2) (squares k eps).
Proof.
  intros He Hv H.
  assert (M : mean k eps <= squares k eps / 2).
  { unfold mean, squares, Rdiv. rewrite Rmult_comm, <- sum_below_scal. apply sum_below_le. intros j Hj.
    pose proof (mean_loss_le_half_square (eps j) (He j Hj)). lra. }
  eapply Rle_trans; [apply moments; lra|]. apply moment_share_falls; lra.
Qed.

(** [concentrated]: twice the mean for the variance. *)
Theorem concentrated k eps eps' : (forall j, (j < k)%nat -> 0 <= eps j) ->
  0 < mean k eps -> mean k eps <= eps' ->
  pure_part k eps eps' <= moment_share (eps' - mean k eps) (2 * mean k eps).
Proof. apply concentrated_bound. Qed.

(** [tilted]: the variance of the loss. *)
Theorem tilted k eps eps' : (forall j, (j < k)%nat -> 0 <= eps j) ->
  0 < variances k eps -> mean k eps <= eps' ->
  pure_part k eps eps' <= moment_share (eps' - mean k eps) (variances k eps).
Proof. apply tilted_bound. Qed.

(** [worst-case]: the exact delta of equal steps. *)
Theorem worst_case k eps delta eps' delta' : 0 <= eps -> 0 <= delta <= 1 -> worst_delta k eps delta eps' <= delta' ->
  private_composition k (fun _ => eps) (fun _ => delta) eps' delta'.
Proof. intros He Hd H. apply exact_composition_of_equal_steps; assumption. Qed.

(** [one-step]: the curve of the worst mechanism, taken once. *)
Theorem one_step eps delta eps' delta' : 0 <= eps -> 0 <= delta <= 1 -> 0 <= eps' ->
  delta + (1 - delta) * Rmax 0 ((exp eps - exp eps') / (1 + exp eps)) <= delta' ->
  private_composition 1 (fun _ => eps) (fun _ => delta) eps' delta'.
Proof.
  intros He Hd He' H. apply worst_case; [assumption|assumption|].
  eapply Rle_trans; [|exact H]. right. unfold worst_delta, binomial_part.
  pose proof (exp_ge_1 eps He) as e1. pose proof (exp_ge_1 eps' He') as e1'.
  cbn [sum_below]. replace (INR (1 - 0)) with 1 by reflexivity. replace (INR (1 - 1)) with 0 by reflexivity.
  replace (INR 0) with 0 by reflexivity. replace (INR 1) with 1 by reflexivity.
  rewrite C_n_0, C_n_n, !Rmult_1_l, Rmult_0_l, exp_0.
  rewrite (Rmax_left 0 (1 - exp eps' * exp eps)) by nra.
  rewrite Rmult_1_r. unfold Rdiv.
  replace ((exp eps - exp eps') * / (1 + exp eps)) with (/ (1 + exp eps) * (exp eps - exp eps')) by ring.
  replace 0 with (/ (1 + exp eps) * 0) at 4 by ring.
  rewrite RmaxRmult by (left; apply Rinv_0_lt_compat; lra).
  rewrite Rplus_0_l, Rplus_0_r. simpl. field. lra.
Qed.

(** [finite-laws]: what the best set of outcomes shows, either way. *)
Theorem finite_laws {A : Type} eps delta (Y : list A) (P Q : A -> R) :
  indistinguishable eps delta Y P Q <-> excess eps Y P Q <= delta /\ excess eps Y Q P <= delta.
Proof. unfold indistinguishable. rewrite !close_iff_excess. tauto. Qed.
