(** * Guarantees of privacy as exported theorems write them

    The number of steps is a real number that is whole, as every whole number of an exported theorem is. Mechanisms have
    finitely many outcomes; the adversary chooses them and the databases knowing all outcomes before. *)

From Coq Require Import Reals List Lra Lia Psatz.
From SymDP Require Import Sums Laws RandomisedResponse Composition WorstCase MomentBound SimplifiedComposition
  ConcentratedLoss RulesFunctions RulesSums RulesPrivacy Certificates Ranges.
Import ListNotations.
Open Scope R_scope.

(** The k-fold composition of (eps, delta)-private mechanisms is (eps', delta')-private. *)
Definition private_fold (k eps delta eps' delta' : R) : Prop :=
  exists n : nat, INR n = k /\ private_composition n (fun _ => eps) (fun _ => delta) eps' delta'.

(** The same for k mechanisms, of which the l-th, counted from 1, is (eps l, delta l)-private. *)
Definition private_sequence (k : R) (eps delta : R -> R) (eps' delta' : R) : Prop :=
  exists n : nat, INR n = k /\
    private_composition n (fun j => eps (INR j + 1)) (fun j => delta (INR j + 1)) eps' delta'.

(** A mechanism has these two laws on any neighbouring databases, and is (eps, delta)-private. *)
Definition private_laws (P Q : list R) (eps delta : R) : Prop :=
  length P = length Q /\
  is_law (seq 0 (length P)) (fun i => nth i P 0) /\ is_law (seq 0 (length P)) (fun i => nth i Q 0) /\
  indistinguishable eps delta (seq 0 (length P)) (fun i => nth i P 0) (fun i => nth i Q 0).

(** ** Equal steps *)

Section Equal.
Variables k e d E D : R.
Hypothesis W : integer k.
Hypothesis K : 1 <= k.
Hypothesis e0 : 0 <= e.
Hypothesis d0 : 0 <= d.
Hypothesis d1 : d <= 1.

Lemma sensible_fold n : sensible n (fun _ => e) (fun _ => d).
Proof using e0 d0 d1. intros j _. lra. Qed.

Lemma fold_number : exists n : nat, k = INR n.
Proof using W K. apply nat_of_integer; [assumption|lra]. Qed.

Theorem certain_fold : 1 <= D -> private_fold k e d E D.
Proof using W K. intros H. destruct fold_number as [n ->]. exists n. split; [reflexivity|]. apply certain. assumption. Qed.

Theorem linear_fold : k * e <= E -> 1 - power (1 - d) k <= D -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros H L. destruct fold_number as [n ->]. exists n. split; [reflexivity|].
  rewrite power_of_nat in L by lra. apply linear; [apply sensible_fold|rewrite sum_below_const; exact H|].
  rewrite product_below_const. exact L.
Qed.

Theorem linear_fold_union : k * e <= E -> k * d <= D -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros H L. destruct fold_number as [n ->]. exists n. split; [reflexivity|].
  apply linear_union; [apply sensible_fold|rewrite sum_below_const; exact H|rewrite sum_below_const; exact L].
Qed.

Definition fold_mean : R := k * (e * (exp e - 1) / (exp e + 1)).

Lemma mean_of_fold n : mean n (fun _ => e) = INR n * (e * (exp e - 1) / (exp e + 1)).
Proof. unfold mean. rewrite sum_below_const. unfold mean_loss. f_equal. f_equal. ring. Qed.

Lemma variances_of_fold n : variances n (fun _ => e) = INR n * (e ^ 2 / cosh (e / 2) ^ 2).
Proof. unfold variances. apply sum_below_const. Qed.

Lemma squares_of_fold n : squares n (fun _ => e) = INR n * e ^ 2.
Proof. unfold squares. apply sum_below_const. Qed.

Lemma fold_by_share n share : k = INR n -> pure_part n (fun _ => e) E <= share ->
  1 - power (1 - d) k * (1 - share) <= D -> private_fold k e d E D.
Proof using e0 d0 d1.
  intros Kn H L. exists n. split; [auto|]. rewrite Kn, power_of_nat in L by lra.
  apply (by_share n _ _ E D share (sensible_fold n) H). rewrite product_below_const. exact L.
Qed.

Lemma fold_by_share_union n share : k = INR n -> pure_part n (fun _ => e) E <= share ->
  k * d + share <= D -> private_fold k e d E D.
Proof using e0 d0 d1.
  intros Kn H L. exists n. split; [auto|]. rewrite Kn in L.
  apply (by_share_union n _ _ E D share (sensible_fold n) H). rewrite sum_below_const. exact L.
Qed.

Variable share : R.

Let m := k * (e * (exp e - 1) / (exp e + 1)).
Let v := k * e ^ 2.
Let w := k * (e ^ 2 / cosh (e / 2) ^ 2).

Lemma pure_by_moments n : k = INR n -> 0 < v -> m <= E ->
  exp (- ((E - m) ^ 2 / (2 * v))) / (1 + (E - m) / v) <= share -> pure_part n (fun _ => e) E <= share.
Proof.
  intros Kn V M S. unfold m, v in *. rewrite Kn in V, M, S. eapply Rle_trans; [apply moments|]; rewrite ?mean_of_fold, ?squares_of_fold; assumption.
Qed.

Lemma pure_by_half n : 0 <= e -> k = INR n -> 0 < v -> v / 2 <= E ->
  exp (- ((E - v / 2) ^ 2 / (2 * v))) / (1 + (E - v / 2) / v) <= share -> pure_part n (fun _ => e) E <= share.
Proof.
  intros P Kn V M S. unfold m, v in *. rewrite Kn in V, M, S.
  eapply Rle_trans; [apply moments_half; auto|]; rewrite ?squares_of_fold; assumption.
Qed.

Lemma pure_by_mean n : 0 <= e -> k = INR n -> 0 < m -> m <= E ->
  exp (- ((E - m) ^ 2 / (2 * (2 * m)))) / (1 + (E - m) / (2 * m)) <= share -> pure_part n (fun _ => e) E <= share.
Proof.
  intros P Kn V M S. unfold m, v in *. rewrite Kn in V, M, S.
  eapply Rle_trans; [apply concentrated; auto|]; rewrite ?mean_of_fold; assumption.
Qed.

Lemma pure_by_variance n : 0 <= e -> k = INR n -> 0 < w -> m <= E ->
  exp (- ((E - m) ^ 2 / (2 * w))) / (1 + (E - m) / w) <= share -> pure_part n (fun _ => e) E <= share.
Proof.
  intros P Kn V M S. unfold m, w in *. rewrite Kn in V, M, S.
  eapply Rle_trans; [apply tilted; auto|]; rewrite ?mean_of_fold, ?variances_of_fold; assumption.
Qed.

Theorem moments_fold : 0 < v -> m <= E -> 1 - power (1 - d) k * (1 - share) <= D ->
  exp (- ((E - m) ^ 2 / (2 * v))) / (1 + (E - m) / v) <= share -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct fold_number as [n Kn]. apply (fold_by_share n share Kn); [|exact L].
  apply pure_by_moments; assumption.
Qed.

Theorem moments_fold_union : 0 < v -> m <= E -> k * d + share <= D ->
  exp (- ((E - m) ^ 2 / (2 * v))) / (1 + (E - m) / v) <= share -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct fold_number as [n Kn]. apply (fold_by_share_union n share Kn); [|exact L].
  apply pure_by_moments; assumption.
Qed.

Theorem moments_fold_half : 0 < v -> v / 2 <= E -> 1 - power (1 - d) k * (1 - share) <= D ->
  exp (- ((E - v / 2) ^ 2 / (2 * v))) / (1 + (E - v / 2) / v) <= share -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct fold_number as [n Kn]. apply (fold_by_share n share Kn); [|exact L].
  apply pure_by_half; assumption.
Qed.

Theorem moments_fold_half_union : 0 < v -> v / 2 <= E -> k * d + share <= D ->
  exp (- ((E - v / 2) ^ 2 / (2 * v))) / (1 + (E - v / 2) / v) <= share -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct fold_number as [n Kn]. apply (fold_by_share_union n share Kn); [|exact L].
  apply pure_by_half; assumption.
Qed.

Theorem concentrated_fold : 0 < m -> m <= E -> 1 - power (1 - d) k * (1 - share) <= D ->
  exp (- ((E - m) ^ 2 / (2 * (2 * m)))) / (1 + (E - m) / (2 * m)) <= share -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct fold_number as [n Kn]. apply (fold_by_share n share Kn); [|exact L].
  apply pure_by_mean; assumption.
Qed.

Theorem concentrated_fold_union : 0 < m -> m <= E -> k * d + share <= D ->
  exp (- ((E - m) ^ 2 / (2 * (2 * m)))) / (1 + (E - m) / (2 * m)) <= share -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct fold_number as [n Kn]. apply (fold_by_share_union n share Kn); [|exact L].
  apply pure_by_mean; assumption.
Qed.

Theorem tilted_fold : 0 < w -> m <= E -> 1 - power (1 - d) k * (1 - share) <= D ->
  exp (- ((E - m) ^ 2 / (2 * w))) / (1 + (E - m) / w) <= share -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct fold_number as [n Kn]. apply (fold_by_share n share Kn); [|exact L].
  apply pure_by_variance; assumption.
Qed.

Theorem tilted_fold_union : 0 < w -> m <= E -> k * d + share <= D ->
  exp (- ((E - m) ^ 2 / (2 * w))) / (1 + (E - m) / w) <= share -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct fold_number as [n Kn]. apply (fold_by_share_union n share Kn); [|exact L].
  apply pure_by_variance; assumption.
Qed.

(** What k responses need, as a sum over the number of lies. *)
Definition pure_sum : R :=
  sum_from 0 k (fun j => binomial k j * exp ((k - j) * e) * Rmax 0 (1 - exp (E - (k - 2 * j) * e))) / power (1 + exp e) k.

Lemma sum_of_lies : exists n : nat, k = INR n /\ pure_sum = binomial_part n e E.
Proof using W K.
  destruct fold_number as [n Kn]. exists n. split; [assumption|]. unfold pure_sum, binomial_part, sum_from, steps.
  rewrite Kn, Rminus_0_r, INR_IZR_INZ, up_of_integer, <- INR_IZR_INZ.
  replace (Z.to_nat (Z.of_nat n + 1)) with (S n) by lia. rewrite power_of_nat by (pose proof (exp_pos e); lra).
  f_equal. apply sum_below_ext. intros i Hi. rewrite Rplus_0_l, binomial_is_C, minus_INR by lia.
  rewrite Rmult_assoc. f_equal.
  set (x := exp ((INR n - INR i) * e)). set (y := exp (E - (INR n - 2 * INR i) * e)).
  replace (exp E * exp (INR i * e)) with (x * y).
  - replace (x - x * y) with (x * (1 - y)) by ring. replace 0 with (x * 0) at 2 by ring.
    symmetry. apply RmaxRmult. left. apply exp_pos.
  - unfold x, y. rewrite <- !exp_plus. f_equal. ring.
Qed.

Theorem worst_fold : 1 - power (1 - d) k * (1 - pure_sum) <= D -> private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros L. destruct sum_of_lies as (n & Kn & S). rewrite S, Kn, power_of_nat in L by lra.
  exists n. split; [auto|]. apply worst_case; try lra. exact L.
Qed.

Theorem worst_fold_fails : D < 1 - power (1 - d) k * (1 - pure_sum) -> ~ private_fold k e d E D.
Proof using W K e0 d0 d1.
  intros L (n' & Kn' & H). destruct sum_of_lies as (n & Kn & S). rewrite S, Kn, power_of_nat in L by lra.
  assert (n' = n) by (apply INR_eq; lra). subst n'.
  apply exact_composition_of_equal_steps in H; try lra. unfold worst_delta in H. lra.
Qed.
End Equal.

Theorem worst_fold_pure k e E D : integer k -> 1 <= k -> 0 <= e -> pure_sum k e E <= D -> private_fold k e 0 E D.
Proof.
  intros W K e0 L. apply worst_fold; try lra; try assumption.
  rewrite Rminus_0_r, power_base_1. lra.
Qed.

Theorem worst_fold_pure_fails k e E D : integer k -> 1 <= k -> 0 <= e -> D < pure_sum k e E -> ~ private_fold k e 0 E D.
Proof.
  intros W K e0 L. apply worst_fold_fails; try lra; try assumption.
  rewrite Rminus_0_r, power_base_1. lra.
Qed.

Theorem one_step_fold e d E D : 0 <= e -> 0 <= d -> d <= 1 -> 0 <= E ->
  d + (1 - d) * Rmax 0 ((exp e - exp E) / (1 + exp e)) <= D -> private_fold 1 e d E D.
Proof.
  intros e0 d0 d1 E0 L. exists 1%nat. split; [reflexivity|]. apply one_step; try assumption. lra.
Qed.

Theorem relax_fold k e d E D E' D' : E <= E' -> D <= D' -> private_fold k e d E D -> private_fold k e d E' D'.
Proof. intros A B (n & Kn & H). exists n. split; [assumption|]. apply (relax n _ _ E D); assumption. Qed.

(** ** Steps with parameters of their own *)

Theorem relax_sequence k e d E D E' D' : E <= E' -> D <= D' ->
  private_sequence k e d E D -> private_sequence k e d E' D'.
Proof. intros A B (n & Kn & H). exists n. split; [assumption|]. apply (relax n _ _ E D); assumption. Qed.

Lemma sum_of_steps n f : sum_below n (fun j => f (INR j + 1)) = sum_from 1 (INR n) f.
Proof.
  unfold sum_from. replace (steps 1 (INR n)) with n.
  - apply sum_below_ext. intros i _. f_equal. ring.
  - unfold steps. rewrite INR_IZR_INZ. change 1 with (IZR 1). rewrite <- minus_IZR, up_of_integer. lia.
Qed.

Lemma product_of_steps n f : product_below n (fun j => f (INR j + 1)) = product_from 1 (INR n) f.
Proof.
  unfold product_from. replace (steps 1 (INR n)) with n.
  - apply product_below_ext. intros i _. f_equal. ring.
  - unfold steps. rewrite INR_IZR_INZ. change 1 with (IZR 1). rewrite <- minus_IZR, up_of_integer. lia.
Qed.

Section Sequence.
Variables (k : R) (e d : R -> R) (E D share : R).
Hypothesis W : integer k.
Hypothesis K : 1 <= k.
Hypothesis e0 : within 1 k (fun l => 0 <= e l).
Hypothesis d0 : within 1 k (fun l => 0 <= d l).
Hypothesis d1 : within 1 k (fun l => d l <= 1).

Lemma sensible_sequence n : k = INR n -> sensible n (fun j => e (INR j + 1)) (fun j => d (INR j + 1)).
Proof using e0 d0 d1.
  intros Kn j Hj. assert (I : integer (INR j + 1)) by (rewrite <- S_INR; apply integer_INR).
  assert (A : 1 <= INR j + 1) by (pose proof (pos_INR j); lra).
  assert (B : INR j + 1 <= k) by (rewrite Kn, <- S_INR; apply le_INR; lia).
  split; [|split]; [apply e0|apply d0|apply d1]; assumption.
Qed.

Lemma sequence_number : exists n : nat, k = INR n.
Proof using W K. apply nat_of_integer; [assumption|lra]. Qed.

Theorem certain_sequence : 1 <= D -> private_sequence k e d E D.
Proof using W K.
  intros H. destruct sequence_number as [n Kn]. exists n. split; [auto|]. apply certain. assumption.
Qed.

Theorem linear_sequence : sum_from 1 k (fun l => e l) <= E -> 1 - product_from 1 k (fun l => 1 - d l) <= D ->
  private_sequence k e d E D.
Proof using W K e0 d0 d1.
  intros H L. destruct sequence_number as [n Kn]. exists n. split; [auto|].
  apply linear; [apply sensible_sequence; assumption| |].
  - rewrite (sum_of_steps n e), <- Kn. exact H.
  - rewrite (product_of_steps n (fun l => 1 - d l)), <- Kn. exact L.
Qed.

Theorem linear_sequence_union : sum_from 1 k (fun l => e l) <= E -> sum_from 1 k (fun l => d l) <= D ->
  private_sequence k e d E D.
Proof using W K e0 d0 d1.
  intros H L. destruct sequence_number as [n Kn]. exists n. split; [auto|].
  apply linear_union; [apply sensible_sequence; assumption| |].
  - rewrite (sum_of_steps n e), <- Kn. exact H.
  - rewrite (sum_of_steps n d), <- Kn. exact L.
Qed.

Let m := sum_from 1 k (fun l => e l * (exp (e l) - 1) / (exp (e l) + 1)).
Let v := sum_from 1 k (fun l => e l ^ 2).
Let w := sum_from 1 k (fun l => e l ^ 2 / cosh (e l / 2) ^ 2).

Lemma mean_of_sequence n : k = INR n -> mean n (fun j => e (INR j + 1)) = m.
Proof.
  intros Kn. unfold mean, m. rewrite Kn, <- sum_of_steps. apply sum_below_ext. intros j _. unfold mean_loss.
  f_equal. ring.
Qed.

Lemma squares_of_sequence n : k = INR n -> squares n (fun j => e (INR j + 1)) = v.
Proof. intros Kn. unfold squares, v. rewrite Kn, <- sum_of_steps. reflexivity. Qed.

Lemma variances_of_sequence n : k = INR n -> variances n (fun j => e (INR j + 1)) = w.
Proof. intros Kn. unfold variances, w. rewrite Kn, <- sum_of_steps. reflexivity. Qed.

Lemma positive_steps n : k = INR n -> forall j, (j < n)%nat -> 0 <= e (INR j + 1).
Proof using e0 d0 d1. intros Kn j Hj. apply (sensible_sequence n Kn j Hj). Qed.

Lemma sequence_by_share n : k = INR n -> pure_part n (fun j => e (INR j + 1)) E <= share ->
  1 - product_from 1 k (fun l => 1 - d l) * (1 - share) <= D -> private_sequence k e d E D.
Proof using e0 d0 d1.
  intros Kn H L. exists n. split; [auto|]. apply (by_share n _ _ E D share (sensible_sequence n Kn) H).
  rewrite (product_of_steps n (fun l => 1 - d l)), <- Kn. exact L.
Qed.

Lemma sequence_by_share_union n : k = INR n -> pure_part n (fun j => e (INR j + 1)) E <= share ->
  sum_from 1 k (fun l => d l) + share <= D -> private_sequence k e d E D.
Proof using e0 d0 d1.
  intros Kn H L. exists n. split; [auto|]. apply (by_share_union n _ _ E D share (sensible_sequence n Kn) H).
  rewrite (sum_of_steps n d), <- Kn. exact L.
Qed.

Lemma sequence_moments n : k = INR n -> 0 < v -> m <= E ->
  exp (- ((E - m) ^ 2 / (2 * v))) / (1 + (E - m) / v) <= share -> pure_part n (fun j => e (INR j + 1)) E <= share.
Proof.
  intros Kn V M S. eapply Rle_trans; [apply moments|]; rewrite ?(mean_of_sequence n Kn), ?(squares_of_sequence n Kn);
    assumption.
Qed.

Lemma sequence_half n : k = INR n -> 0 < v -> v / 2 <= E ->
  exp (- ((E - v / 2) ^ 2 / (2 * v))) / (1 + (E - v / 2) / v) <= share ->
  pure_part n (fun j => e (INR j + 1)) E <= share.
Proof using e0 d0 d1.
  intros Kn V M S. eapply Rle_trans; [apply moments_half; [apply positive_steps; assumption|..]|];
    rewrite ?(squares_of_sequence n Kn); assumption.
Qed.

Lemma sequence_concentrated n : k = INR n -> 0 < m -> m <= E ->
  exp (- ((E - m) ^ 2 / (2 * (2 * m)))) / (1 + (E - m) / (2 * m)) <= share ->
  pure_part n (fun j => e (INR j + 1)) E <= share.
Proof using e0 d0 d1.
  intros Kn V M S. eapply Rle_trans; [apply concentrated; [apply positive_steps; assumption|..]|];
    rewrite ?(mean_of_sequence n Kn); assumption.
Qed.

Lemma sequence_tilted n : k = INR n -> 0 < w -> m <= E ->
  exp (- ((E - m) ^ 2 / (2 * w))) / (1 + (E - m) / w) <= share ->
  pure_part n (fun j => e (INR j + 1)) E <= share.
Proof using e0 d0 d1.
  intros Kn V M S. eapply Rle_trans; [apply tilted; [apply positive_steps; assumption|..]|];
    rewrite ?(mean_of_sequence n Kn), ?(variances_of_sequence n Kn); assumption.
Qed.

Theorem moments_sequence : 0 < v -> m <= E -> 1 - product_from 1 k (fun l => 1 - d l) * (1 - share) <= D ->
  exp (- ((E - m) ^ 2 / (2 * v))) / (1 + (E - m) / v) <= share -> private_sequence k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct sequence_number as [n Kn]. apply (sequence_by_share n Kn); [|exact L].
  apply sequence_moments; assumption.
Qed.

Theorem moments_sequence_union : 0 < v -> m <= E -> sum_from 1 k (fun l => d l) + share <= D ->
  exp (- ((E - m) ^ 2 / (2 * v))) / (1 + (E - m) / v) <= share -> private_sequence k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct sequence_number as [n Kn]. apply (sequence_by_share_union n Kn); [|exact L].
  apply sequence_moments; assumption.
Qed.

Theorem moments_sequence_half : 0 < v -> v / 2 <= E -> 1 - product_from 1 k (fun l => 1 - d l) * (1 - share) <= D ->
  exp (- ((E - v / 2) ^ 2 / (2 * v))) / (1 + (E - v / 2) / v) <= share -> private_sequence k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct sequence_number as [n Kn]. apply (sequence_by_share n Kn); [|exact L].
  apply sequence_half; assumption.
Qed.

Theorem moments_sequence_half_union : 0 < v -> v / 2 <= E -> sum_from 1 k (fun l => d l) + share <= D ->
  exp (- ((E - v / 2) ^ 2 / (2 * v))) / (1 + (E - v / 2) / v) <= share -> private_sequence k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct sequence_number as [n Kn]. apply (sequence_by_share_union n Kn); [|exact L].
  apply sequence_half; assumption.
Qed.

Theorem concentrated_sequence : 0 < m -> m <= E -> 1 - product_from 1 k (fun l => 1 - d l) * (1 - share) <= D ->
  exp (- ((E - m) ^ 2 / (2 * (2 * m)))) / (1 + (E - m) / (2 * m)) <= share -> private_sequence k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct sequence_number as [n Kn]. apply (sequence_by_share n Kn); [|exact L].
  apply sequence_concentrated; assumption.
Qed.

Theorem concentrated_sequence_union : 0 < m -> m <= E -> sum_from 1 k (fun l => d l) + share <= D ->
  exp (- ((E - m) ^ 2 / (2 * (2 * m)))) / (1 + (E - m) / (2 * m)) <= share -> private_sequence k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct sequence_number as [n Kn]. apply (sequence_by_share_union n Kn); [|exact L].
  apply sequence_concentrated; assumption.
Qed.

Theorem tilted_sequence : 0 < w -> m <= E -> 1 - product_from 1 k (fun l => 1 - d l) * (1 - share) <= D ->
  exp (- ((E - m) ^ 2 / (2 * w))) / (1 + (E - m) / w) <= share -> private_sequence k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct sequence_number as [n Kn]. apply (sequence_by_share n Kn); [|exact L].
  apply sequence_tilted; assumption.
Qed.

Theorem tilted_sequence_union : 0 < w -> m <= E -> sum_from 1 k (fun l => d l) + share <= D ->
  exp (- ((E - m) ^ 2 / (2 * w))) / (1 + (E - m) / w) <= share -> private_sequence k e d E D.
Proof using W K e0 d0 d1.
  intros V M L S. destruct sequence_number as [n Kn]. apply (sequence_by_share_union n Kn); [|exact L].
  apply sequence_tilted; assumption.
Qed.
End Sequence.

(** ** Two laws on finitely many outcomes *)

Theorem laws_by_excess P Q eps delta : length P = length Q ->
  is_law (seq 0 (length P)) (fun i => nth i P 0) -> is_law (seq 0 (length P)) (fun i => nth i Q 0) ->
  excess eps (seq 0 (length P)) (fun i => nth i P 0) (fun i => nth i Q 0) <= delta ->
  excess eps (seq 0 (length P)) (fun i => nth i Q 0) (fun i => nth i P 0) <= delta ->
  private_laws P Q eps delta.
Proof. intros L A B F G. repeat split; try assumption; try apply A; try apply B; apply finite_laws; split; assumption. Qed.

Theorem laws_fail P Q eps delta :
  delta < excess eps (seq 0 (length P)) (fun i => nth i P 0) (fun i => nth i Q 0) \/
  delta < excess eps (seq 0 (length P)) (fun i => nth i Q 0) (fun i => nth i P 0) ->
  ~ private_laws P Q eps delta.
Proof. intros F (_ & _ & _ & H). apply finite_laws in H. lra. Qed.

(** Masses, their sum, and what the best event shows: from assertions made before. *)
Ltac laws_apart := cbn [length seq nth total]; unfold excess, is_law; cbn [length seq nth total].

Ltac two_laws :=
  lazymatch goal with
  | |- (forall y, In y _ -> _) /\ _ = _ =>
      split; [intros y Hy; simpl in Hy; repeat (destruct Hy as [<-|Hy]; [simpl; lra|]); contradiction|lra]
  | |- _ => rewrite ?Rplus_0_r; first [assumption | two_laws_by_parts]
  end
with two_laws_by_parts :=
  repeat match goal with |- context [Rmax 0 (?p - exp ?e * 0)] =>
    replace (Rmax 0 (p - exp e * 0)) with p by (rewrite Rmult_0_r, Rminus_0_r, Rmax_right; lra) end;
  repeat match goal with |- context [Rmax 0 (0 - exp ?e * ?q)] =>
    replace (Rmax 0 (0 - exp e * q)) with 0 by (rewrite Rmax_left; [reflexivity|pose proof (exp_pos e); nra]) end;
  first [lra | nra].
