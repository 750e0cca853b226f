(** * What follows from Theorems 3.4 and 3.5

    Basic composition (Theorem 3.1 of Kairouz, Oh and Viswanath), advanced composition as Dwork, Rothblum and Vadhan
    stated it (Theorem 3.2), the form for high privacy (second display of Theorem 3.4), the theorems of the post
    (basic, and advanced from pure privacy, each step with an eps of its own), and the theorem of the note (with
    eps under the root). All are weaker than what they follow from. *)

From Coq Require Import Reals List Lra Psatz Lia.
From SymDP Require Import Sums Laws RandomisedResponse Domination Composition WorstCase MomentBound
  SimplifiedComposition.
Import ListNotations.
Open Scope R_scope.

(** ** A guarantee with larger parameters is weaker *)

Lemma experiments_are_laws {D A : Type} neighbours (Y : list A) k (eps delta : nat -> R)
    (adversary : list A -> request D A) :
  at_every_step Y k (fun j past => allowed neighbours Y (eps j) (delta j) (adversary past)) ->
  is_law (words Y k) (experiment0 adversary) /\ is_law (words Y k) (experiment1 adversary).
Proof.
  intros H. split; apply view_is_law; intros j past Hj Hp; destruct (H j past Hj Hp) as (_ & L & _); apply L.
Qed.

Lemma private_composition_weaken k eps delta e1 e2 d1 d2 : e1 <= e2 -> d1 <= d2 ->
  private_composition k eps delta e1 d1 -> private_composition k eps delta e2 d2.
Proof.
  intros He Hd H D A neighbours Y adversary G.
  destruct (experiments_are_laws _ _ _ _ _ _ G). apply (indistinguishable_weaken e1 e2 d1 d2); auto.
  apply (H D A neighbours); assumption.
Qed.

Lemma private_composition_trivially k eps delta e d : 1 <= d -> private_composition k eps delta e d.
Proof.
  intros Hd D A neighbours Y adversary G.
  destruct (experiments_are_laws _ _ _ _ _ _ G). apply indistinguishable_trivially; assumption.
Qed.

Lemma private_composition_of_nothing eps delta e d : 0 <= e -> 0 <= d -> private_composition 0 eps delta e d.
Proof.
  intros He Hd D A neighbours Y adversary _. pose proof (exp_ge_1 e He).
  split; intros S; unfold prob, experiment0, experiment1; simpl; destruct (S []); lra.
Qed.

Lemma survival_and_slack k delta slack : (forall j, (j < k)%nat -> 0 <= delta j <= 1) -> 0 <= slack <= 1 ->
  1 - (1 - slack) * product_below k (fun j => 1 - delta j) <= sum_below k delta + slack.
Proof.
  intros H Hs. pose proof (union_bound k delta H).
  assert (0 <= product_below k (fun j => 1 - delta j) <= 1).
  { apply product_below_unit. intros j Hj. specialize (H j Hj). lra. }
  nra.
Qed.

(** ** Basic composition *)

Theorem basic_composition_of_unequal_steps (k : nat) (eps delta : nat -> R) :
  (forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1) ->
  private_composition k eps delta (sum_below k eps) (sum_below k delta).
Proof.
  intros H. eapply private_composition_weaken; [| |apply sum_of_epsilons; assumption]; [lra|].
  apply union_bound. intros j Hj. apply H. assumption.
Qed.

(** Theorem 3.1. *)
Theorem basic_composition (k : nat) (eps delta : R) : 0 <= eps -> 0 <= delta <= 1 ->
  private_composition k (fun _ => eps) (fun _ => delta) (INR k * eps) (INR k * delta).
Proof.
  intros He Hd. pose proof (basic_composition_of_unequal_steps k (fun _ => eps) (fun _ => delta)) as H.
  rewrite !sum_below_const in H. apply H. auto.
Qed.

(** The post's theorem on pure privacy: the eps add up, and there is no delta. *)
Theorem basic_composition_of_pure_steps (k : nat) (eps : nat -> R) :
  (forall j, (j < k)%nat -> 0 <= eps j) ->
  private_composition k eps (fun _ => 0) (sum_below k eps) 0.
Proof.
  intros He. pose proof (basic_composition_of_unequal_steps k eps (fun _ => 0)) as H.
  rewrite sum_below_const, Rmult_0_r in H. apply H. intros j Hj. split; [auto|lra].
Qed.

(** ** Advanced composition, each step with parameters of its own *)

Lemma classic_entry (k : nat) (eps delta : nat -> R) (slack : R) :
  (forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1) -> 0 < slack <= 1 ->
  private_composition k eps delta (mean k eps + sqrt (2 * squares k eps * ln (1 / slack)))
                                  (1 - (1 - slack) * product_below k (fun j => 1 - delta j)).
Proof.
  intros H Hs. apply private_by_pure_part; [assumption|]. apply pure_part_at_classic; [|assumption].
  intros j Hj. apply H. assumption.
Qed.

(** The theorem of the post, with its footnote: eps = 1/2 sum eps_j^2 + sqrt(2 log(1/slack) sum eps_j^2). *)
Theorem advanced_composition_of_unequal_steps (k : nat) (eps delta : nat -> R) (slack : R) :
  (forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1) -> 0 < slack <= 1 ->
  private_composition k eps delta
    (/ 2 * sum_below k (fun j => eps j ^ 2) + sqrt (2 * ln (1 / slack) * sum_below k (fun j => eps j ^ 2)))
    (slack + sum_below k delta).
Proof.
  intros H Hs. eapply private_composition_weaken; [| |apply (classic_entry k eps delta slack H Hs)].
  - replace (2 * ln (1 / slack) * sum_below k (fun j => eps j ^ 2)) with (2 * squares k eps * ln (1 / slack))
      by (unfold squares; ring).
    apply Rplus_le_compat_r. unfold mean. rewrite <- sum_below_scal. apply sum_below_le. intros j Hj.
    pose proof (mean_loss_le_half_square (eps j) (proj1 (H j Hj))). lra.
  - rewrite Rplus_comm. apply survival_and_slack; [|lra]. intros j Hj. apply H. assumption.
Qed.

(** Its statement for pure privacy, for any positive slack. *)
Theorem advanced_composition_of_pure_steps (k : nat) (eps : nat -> R) (slack : R) :
  (forall j, (j < k)%nat -> 0 <= eps j) -> 0 < slack ->
  private_composition k eps (fun _ => 0)
    (/ 2 * sum_below k (fun j => eps j ^ 2) + sqrt (2 * ln (1 / slack) * sum_below k (fun j => eps j ^ 2))) slack.
Proof.
  intros H Hs. destruct (Rle_dec slack 1) as [H1|H1].
  - pose proof (advanced_composition_of_unequal_steps k eps (fun _ => 0) slack) as G.
    rewrite sum_below_const, Rmult_0_r, Rplus_0_r in G. apply G; [|lra]. intros j Hj. split; [auto|lra].
  - apply private_composition_trivially. lra.
Qed.

(** ** Advanced composition of equal steps *)

Lemma equal_steps_classic (k : nat) (eps delta slack : R) :
  0 <= eps -> 0 <= delta <= 1 -> 0 < slack <= 1 ->
  private_composition k (fun _ => eps) (fun _ => delta)
    (INR k * mean_loss eps + eps * sqrt (2 * INR k * ln (1 / slack))) (1 - (1 - delta) ^ k * (1 - slack)).
Proof.
  intros He Hd Hs. pose proof (classic_entry k (fun _ => eps) (fun _ => delta) slack (fun _ _ => conj He Hd) Hs) as H.
  rewrite deviation_of_equal_steps in H by assumption. unfold mean in H. cbv beta in H.
  rewrite sum_below_const, product_below_const, (Rmult_comm (1 - slack)) in H. exact H.
Qed.

Lemma equal_slack k delta slack : 0 <= delta <= 1 -> 0 <= slack <= 1 ->
  1 - (1 - delta) ^ k * (1 - slack) <= INR k * delta + slack.
Proof.
  intros Hd Hs. pose proof (survival_and_slack k (fun _ => delta) slack (fun _ _ => Hd) Hs) as H.
  cbv beta in H. rewrite product_below_const, sum_below_const in H. lra.
Qed.

(** Theorem 3.2. *)
Theorem advanced_composition (k : nat) (eps delta slack : R) :
  0 <= eps -> 0 <= delta <= 1 -> 0 < slack <= 1 ->
  private_composition k (fun _ => eps) (fun _ => delta)
    (INR k * eps * (exp eps - 1) + eps * sqrt (2 * INR k * ln (1 / slack))) (INR k * delta + slack).
Proof.
  intros He Hd Hs. eapply private_composition_weaken; [| |apply (equal_steps_classic k eps delta slack He Hd Hs)].
  - apply Rplus_le_compat_r. rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pos_INR|].
    apply mean_loss_le_exp. assumption.
  - apply equal_slack; lra.
Qed.

(** Theorem 3.4, second display; the condition eps <= 0.9 is not needed. *)
Theorem composition_in_high_privacy (k : nat) (eps delta slack : R) :
  0 <= eps -> 0 <= delta <= 1 -> 0 < slack <= 1 ->
  private_composition k (fun _ => eps) (fun _ => delta)
    (Rmin (INR k * eps)
    (Rmin (INR k * eps ^ 2 + eps * sqrt (2 * INR k * ln (exp 1 + sqrt (INR k * eps ^ 2) / slack)))
          (INR k * eps ^ 2 + eps * sqrt (2 * INR k * ln (1 / slack)))))
    (1 - (1 - delta) ^ k * (1 - slack)).
Proof.
  intros He Hd Hs. eapply private_composition_weaken; [| |apply (simplified_composition k eps delta slack He Hd Hs)];
    [|lra].
  assert (M : (exp eps - 1) * eps * INR k / (exp eps + 1) <= INR k * eps ^ 2).
  { replace ((exp eps - 1) * eps * INR k / (exp eps + 1)) with (INR k * mean_loss eps)
      by (unfold mean_loss; field; pose proof (exp_pos eps); lra).
    apply Rmult_le_compat_l; [apply pos_INR|]. pose proof (mean_loss_le_half_square eps He).
    pose proof (pow2_ge_0 eps). lra. }
  apply Rle_min_compat_l. apply Rle_trans with (Rmin
    (INR k * eps ^ 2 + eps * sqrt (2 * INR k * ln (exp 1 + sqrt (INR k * eps ^ 2) / slack)))
    ((exp eps - 1) * eps * INR k / (exp eps + 1) + eps * sqrt (2 * INR k * ln (1 / slack)))).
  - apply Rle_min_compat_r. lra.
  - apply Rle_min_compat_l. lra.
Qed.

(** The theorem of the note, which has eps under the root. Below 1 the root is larger for it; above, the first
    summand is already at least k eps. *)
Theorem advanced_composition_with_eps_under_the_root (k : nat) (eps delta slack : R) :
  0 <= eps -> 0 <= delta -> 0 < slack ->
  private_composition k (fun _ => eps) (fun _ => delta)
    (sqrt (2 * INR k * ln (1 / slack) * eps) + INR k * eps * (exp eps - 1)) (INR k * delta + slack).
Proof.
  intros He Hd Hs. destruct k as [|k].
  { apply private_composition_of_nothing; simpl; [|lra].
    rewrite !Rmult_0_r, !Rmult_0_l, sqrt_0. lra. }
  assert (Hk : 1 <= INR (S k)) by (change 1 with (INR 1); apply le_INR; lia).
  destruct (Rle_dec 1 (INR (S k) * delta + slack)) as [H|H]; [apply private_composition_trivially; assumption|].
  assert (delta <= 1) by nra. assert (slack <= 1) by nra.
  assert (L : 0 <= ln (1 / slack)).
  { assert (O : 1 <= 1 / slack) by (apply (Rmult_le_reg_r slack); [lra|field_simplify; lra]).
    destruct O as [O|O]; [left; rewrite <- ln_1; apply ln_increasing; lra|rewrite <- O, ln_1; lra]. }
  destruct (Rle_dec eps 1) as [Hsmall|Hlarge].
  - eapply private_composition_weaken; [| |apply (advanced_composition (S k) eps delta slack); lra]; [|lra].
    rewrite Rplus_comm. apply Rplus_le_compat_r.
    rewrite (Rmult_comm _ eps), (sqrt_mult_alt eps) by assumption.
    apply Rmult_le_compat_r; [apply sqrt_pos|].
    rewrite <- (sqrt_pow2 eps) at 1 by assumption. apply sqrt_le_1_alt. nra.
  - eapply private_composition_weaken; [| |apply (basic_composition (S k) eps delta); lra]; [|lra].
    pose proof (sqrt_pos (2 * INR (S k) * ln (1 / slack) * eps)). pose proof (exp_ineq1_le eps).
    assert (INR (S k) * eps * 1 <= INR (S k) * eps * (exp eps - 1)) by (apply Rmult_le_compat_l; nra). lra.
Qed.
