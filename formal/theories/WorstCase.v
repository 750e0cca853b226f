(** * The worst case: what k randomised responses give away

    How much delta k randomised responses need at a given eps', exactly. Where a delta strikes everything is given
    away; otherwise each response is a truth or a lie, with the odds e^eps. For equal steps this is the binomial sum
    of Theorem 3.3 of Kairouz, Oh and Viswanath. *)

From Coq Require Import Reals List Lra Psatz Lia Arith.
From SymDP Require Import Sums Laws RandomisedResponse Domination Composition.
Import ListNotations.
Open Scope R_scope.

(** Pure randomised response: [true] is a truth, [false] a lie, under hypothesis 0; under 1 they are exchanged. *)
Definition bits : list bool := [true; false].

Definition pure0 (eps : nat -> R) : list bool -> R :=
  view (fun past bit => if bit : bool then truth (eps (length past)) else lie (eps (length past))).
Definition pure1 (eps : nat -> R) : list bool -> R :=
  view (fun past bit => if bit : bool then lie (eps (length past)) else truth (eps (length past))).

(** What k pure responses need at eps'. *)
Definition pure_part (k : nat) (eps : nat -> R) (eps' : R) : R := excess eps' (words bits k) (pure0 eps) (pure1 eps).

(** The probability that no delta strikes. *)
Definition survival (k : nat) (delta : nat -> R) : R := product_below k (fun j => 1 - delta j).

(** ** Where a delta strikes, everything is given away *)

Section Split.

Variables eps delta : nat -> R.

Definition weighted_excess (k : nat) (u v : R) : R :=
  total (words answers k) (fun w => Rmax 0 (u * responses0 eps delta w - v * responses1 eps delta w)).
Definition weighted_pure (k : nat) (u v : R) : R :=
  total (words bits k) (fun w => Rmax 0 (u * pure0 eps w - v * pure1 eps w)).

Lemma responses0_is_law k : (forall j, (j < k)%nat -> 0 <= delta j <= 1) ->
  is_law (words answers k) (responses0 eps delta).
Proof.
  intros H. apply view_is_law. intros j past Hj Hp. apply response0_is_law.
  rewrite (words_length _ _ _ Hp). auto.
Qed.

Lemma responses1_is_law k : (forall j, (j < k)%nat -> 0 <= delta j <= 1) ->
  is_law (words answers k) (responses1 eps delta).
Proof.
  intros H. apply view_is_law. intros j past Hj Hp. apply response1_is_law.
  rewrite (words_length _ _ _ Hp). auto.
Qed.

Lemma pure0_pos k w : In w (words bits k) -> 0 < pure0 eps w.
Proof.
  intros _. induction w as [|b w IH]; unfold pure0; simpl; [lra|]. apply Rmult_lt_0_compat; [exact IH|].
  destruct b; [apply truth_pos|apply lie_pos].
Qed.

Lemma pure1_pos k w : In w (words bits k) -> 0 < pure1 eps w.
Proof.
  intros _. induction w as [|b w IH]; unfold pure1; simpl; [lra|]. apply Rmult_lt_0_compat; [exact IH|].
  destruct b; [apply lie_pos|apply truth_pos].
Qed.

Lemma weighted_excess_0_r k u : (forall j, (j < k)%nat -> 0 <= delta j <= 1) -> 0 <= u ->
  weighted_excess k u 0 = u.
Proof.
  intros H Hu. destruct (responses0_is_law k H) as [N T]. unfold weighted_excess.
  transitivity (total (words answers k) (fun w => u * responses0 eps delta w)).
  - apply total_ext. intros w Hw. specialize (N w Hw). rewrite Rmax_right; nra.
  - rewrite total_scal, T. ring.
Qed.

Lemma weighted_excess_0_l k v : (forall j, (j < k)%nat -> 0 <= delta j <= 1) -> 0 <= v ->
  weighted_excess k 0 v = 0.
Proof.
  intros H Hv. destruct (responses1_is_law k H) as [N T]. unfold weighted_excess.
  transitivity (total (words answers k) (fun _ => 0)); [|apply total_zero].
  apply total_ext. intros w Hw. specialize (N w Hw).
  rewrite Rmax_left; nra.
Qed.

Lemma weighted_pure_scal k c u v : 0 <= c -> weighted_pure k (c * u) (c * v) = c * weighted_pure k u v.
Proof.
  intros Hc. unfold weighted_pure. rewrite <- total_scal. apply total_ext. intros w _.
  rewrite <- RmaxRmult by assumption. f_equal; ring.
Qed.

Lemma weighted_excess_S k u v : weighted_excess (S k) u v =
  weighted_excess k (u * delta k) 0
  + (weighted_excess k (u * ((1 - delta k) * truth (eps k))) (v * ((1 - delta k) * lie (eps k)))
  + (weighted_excess k (u * ((1 - delta k) * lie (eps k))) (v * ((1 - delta k) * truth (eps k)))
  + weighted_excess k 0 (v * delta k))).
Proof.
  unfold weighted_excess. rewrite total_words_S, <- !total_plus. apply total_ext. intros w Hw.
  unfold responses0, responses1. simpl. rewrite (words_length _ _ _ Hw), Rplus_0_r.
  repeat (apply f_equal2; [apply f_equal2; ring|]). apply f_equal2; ring.
Qed.

Lemma weighted_pure_S k u v : weighted_pure (S k) u v =
  weighted_pure k (u * truth (eps k)) (v * lie (eps k)) + weighted_pure k (u * lie (eps k)) (v * truth (eps k)).
Proof.
  unfold weighted_pure. rewrite total_words_S, <- !total_plus. apply total_ext. intros w Hw.
  unfold pure0, pure1. simpl. rewrite (words_length _ _ _ Hw), Rplus_0_r.
  apply f_equal2; apply f_equal2; ring.
Qed.

Lemma weighted_split k : (forall j, (j < k)%nat -> 0 <= delta j <= 1) ->
  forall u v, 0 <= u -> 0 <= v ->
  weighted_excess k u v = (1 - survival k delta) * u + survival k delta * weighted_pure k u v.
Proof.
  induction k as [|k IH]; intros H u v Hu Hv.
  - unfold weighted_excess, weighted_pure, survival, responses0, responses1, pure0, pure1. simpl. ring.
  - assert (H' : forall j, (j < k)%nat -> 0 <= delta j <= 1) by (intros; apply H; lia).
    assert (Hd : 0 <= delta k <= 1) by (apply H; lia).
    pose proof (truth_pos (eps k)) as a0. pose proof (lie_pos (eps k)) as b0.
    rewrite weighted_excess_S, weighted_pure_S.
    rewrite (weighted_excess_0_r k (u * delta k) H'), (weighted_excess_0_l k (v * delta k) H') by nra.
    assert (0 <= (1 - delta k) * truth (eps k)) by nra. assert (0 <= (1 - delta k) * lie (eps k)) by nra.
    rewrite !(IH H') by (apply Rmult_le_pos; assumption).
    replace (u * ((1 - delta k) * truth (eps k))) with ((1 - delta k) * (u * truth (eps k))) by ring.
    replace (u * ((1 - delta k) * lie (eps k))) with ((1 - delta k) * (u * lie (eps k))) by ring.
    replace (v * ((1 - delta k) * truth (eps k))) with ((1 - delta k) * (v * truth (eps k))) by ring.
    replace (v * ((1 - delta k) * lie (eps k))) with ((1 - delta k) * (v * lie (eps k))) by ring.
    rewrite !weighted_pure_scal by lra.
    replace (survival (S k) delta) with (survival k delta * (1 - delta k)) by reflexivity.
    replace (lie (eps k)) with (1 - truth (eps k)) by (pose proof (truth_plus_lie (eps k)); lra).
    ring.
Qed.

(** The hypotheses may be exchanged. *)
Lemma responses_exchange k (f : R -> R -> R) :
  total (words answers k) (fun w => f (responses0 eps delta w) (responses1 eps delta w)) =
  total (words answers k) (fun w => f (responses1 eps delta w) (responses0 eps delta w)).
Proof.
  revert f. induction k as [|k IH]; intros f; [reflexivity|].
  rewrite !total_words_S.
  set (r0 := response0 (eps k) (delta k)). set (r1 := response1 (eps k) (delta k)).
  transitivity (total (words answers k) (fun w => total answers (fun x =>
    f (responses0 eps delta w * r0 x) (responses1 eps delta w * r1 x)))).
  { apply total_ext. intros w Hw. unfold responses0, responses1. simpl. rewrite (words_length _ _ _ Hw).
    reflexivity. }
  transitivity (total (words answers k) (fun w => total answers (fun x =>
    f (responses1 eps delta w * r1 x) (responses0 eps delta w * r0 x)))).
  2:{ apply total_ext. intros w Hw. unfold responses0, responses1. simpl. rewrite (words_length _ _ _ Hw).
    reflexivity. }
  rewrite (IH (fun p q => total answers (fun x => f (p * r0 x) (q * r1 x)))).
  apply total_ext. intros w _. simpl. unfold r0, r1, response0, response1. ring.
Qed.

End Split.

(** What k randomised responses need at eps'. *)
Theorem excess_of_responses (k : nat) (eps delta : nat -> R) (eps' : R) :
  (forall j, (j < k)%nat -> 0 <= delta j <= 1) ->
  excess eps' (words answers k) (responses0 eps delta) (responses1 eps delta)
  = 1 - survival k delta * (1 - pure_part k eps eps').
Proof.
  intros H. pose proof (weighted_split eps delta k H 1 (exp eps')) as E.
  replace (excess eps' _ _ _) with (weighted_excess eps delta k 1 (exp eps')).
  - rewrite E; [|lra|left; apply exp_pos].
    replace (pure_part k eps eps') with (weighted_pure eps k 1 (exp eps')); [ring|].
    apply total_ext. intros. rewrite Rmult_1_l. reflexivity.
  - apply total_ext. intros. rewrite Rmult_1_l. reflexivity.
Qed.

Theorem responses_need (k : nat) (eps delta : nat -> R) (eps' delta' : R) :
  (forall j, (j < k)%nat -> 0 <= delta j <= 1) ->
  (indistinguishable eps' delta' (words answers k) (responses0 eps delta) (responses1 eps delta)
   <-> 1 - survival k delta * (1 - pure_part k eps eps') <= delta').
Proof.
  intros H. rewrite <- excess_of_responses by assumption. unfold indistinguishable. rewrite !close_iff_excess.
  assert (E : excess eps' (words answers k) (responses1 eps delta) (responses0 eps delta)
            = excess eps' (words answers k) (responses0 eps delta) (responses1 eps delta)).
  { symmetry. apply (responses_exchange eps delta k (fun p q => Rmax 0 (p - exp eps' * q))). }
  rewrite E. tauto.
Qed.

(** ** The exact answer for compositions

    A guarantee holds for all k-fold compositions exactly if it holds for k randomised responses. *)

Theorem exact_composition (k : nat) (eps delta : nat -> R) (eps' delta' : R) :
  (forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1) ->
  (private_composition k eps delta eps' delta'
   <-> 1 - survival k delta * (1 - pure_part k eps eps') <= delta').
Proof.
  intros range. rewrite <- responses_need by (intros j Hj; apply range; auto). split.
  - (* randomised response is a mechanism: the database is the hypothesis, [false] or [true] *)
    intros C.
    pose (M := fun (past : list answer) (d : bool) =>
      if d then response1 (eps (length past)) (delta (length past))
      else response0 (eps (length past)) (delta (length past))).
    apply (C bool answer (fun d d' => d = negb d') answers (fun past => Request bool answer false true (M past))).
    intros j past Hj Hp. destruct (range j Hj) as [He Hd]. unfold M. rewrite (words_length _ _ _ Hp).
    split; [reflexivity|split]; simpl.
    + intros []; [apply response1_is_law|apply response0_is_law]; auto.
    + intros [] [] E; try discriminate; [apply indistinguishable_sym|]; apply responses_are_indistinguishable; auto.
  - apply worst_case_of_experiment. assumption.
Qed.

(** ** Equal steps: the binomial sum *)

Definition lies (w : list bool) : nat := length (filter negb w).

Lemma lies_cons b w : lies (b :: w) = if b then lies w else S (lies w).
Proof. destruct b; reflexivity. Qed.

Lemma C_n_0 n : C n 0 = 1.
Proof.
  unfold C. rewrite Nat.sub_0_r. simpl. rewrite Rmult_1_l. apply Rinv_r. apply INR_fact_neq_0.
Qed.

Lemma C_n_n n : C n n = 1.
Proof.
  unfold C. rewrite Nat.sub_diag. simpl. rewrite Rmult_1_r. apply Rinv_r. apply INR_fact_neq_0.
Qed.

Lemma C_pos n i : 0 < C n i.
Proof. unfold C. apply Rdiv_lt_0_compat; [|apply Rmult_lt_0_compat]; apply INR_fact_lt_0. Qed.

(** Pascal's triangle, for a whole row. *)
Lemma pascal_row k (f : nat -> R) :
  sum_below (S k) (fun i => C k i * (f i + f (S i))) = sum_below (S (S k)) (fun i => C (S k) i * f i).
Proof.
  transitivity (sum_below (S k) (fun i => C k i * f i) + sum_below (S k) (fun i => C k i * f (S i))).
  { rewrite <- sum_below_plus. apply sum_below_ext. intros; ring. }
  rewrite (sum_below_first k (fun i => C k i * f i)), (sum_below_first (S k) (fun i => C (S k) i * f i)).
  simpl sum_below. rewrite !C_n_0, !C_n_n.
  rewrite (sum_below_ext k (fun i => C (S k) (S i) * f (S i))
                           (fun i => C k i * f (S i) + C k (S i) * f (S i))).
  - rewrite sum_below_plus. ring.
  - intros i Hi. rewrite <- pascal by assumption. ring.
Qed.

Lemma total_by_lies k (f : nat -> R) :
  total (words bits k) (fun w => f (lies w)) = sum_below (S k) (fun i => C k i * f i).
Proof.
  revert f. induction k as [|k IH]; intros f.
  - simpl. rewrite C_n_0. unfold lies. simpl. ring.
  - rewrite total_words_S, <- pascal_row, <- (IH (fun i => f i + f (S i))).
    apply total_ext. intros w _. unfold bits. simpl total. rewrite !lies_cons. ring.
Qed.

Lemma pure0_by_lies (eps : R) k w : In w (words bits k) ->
  (lies w <= k)%nat /\
  pure0 (fun _ => eps) w = truth eps ^ (k - lies w) * lie eps ^ lies w /\
  pure1 (fun _ => eps) w = lie eps ^ (k - lies w) * truth eps ^ lies w.
Proof.
  revert w. induction k as [|k IH]; intros w Hw.
  - destruct Hw as [<-|[]]. unfold pure0, pure1, lies. simpl. split; [lia|split; ring].
  - apply in_words_S in Hw. destruct Hw as (b & past & -> & _ & Hp).
    destruct (IH past Hp) as (L & E0 & E1). rewrite lies_cons. unfold pure0, pure1 in *. simpl view. rewrite E0, E1.
    destruct b.
    + replace (S k - lies past)%nat with (S (k - lies past)) by lia. simpl. split; [lia|split; ring].
    + replace (S k - S (lies past))%nat with (k - lies past)%nat by lia. simpl. split; [lia|split; ring].
Qed.

Lemma exp_pow x n : exp x ^ n = exp (INR n * x).
Proof.
  induction n as [|n IH]; [simpl; rewrite Rmult_0_l, exp_0; reflexivity|].
  rewrite S_INR. simpl. rewrite IH, <- exp_plus. f_equal. ring.
Qed.

(** The part of pure responses, as a sum over the number i of lies. *)
Definition binomial_part (k : nat) (eps eps' : R) : R :=
  sum_below (S k) (fun i =>
    C k i * Rmax 0 (exp (INR (k - i) * eps) - exp eps' * exp (INR i * eps))) / (1 + exp eps) ^ k.

Theorem pure_part_is_binomial_sum k eps eps' : pure_part k (fun _ => eps) eps' = binomial_part k eps eps'.
Proof.
  unfold pure_part, excess, binomial_part.
  pose (f := fun i => Rmax 0 (exp (INR (k - i) * eps) - exp eps' * exp (INR i * eps)) * / (1 + exp eps) ^ k).
  transitivity (total (words bits k) (fun w => f (lies w))).
  - apply total_ext. intros w Hw. destruct (pure0_by_lies eps k w Hw) as (L & -> & ->). unfold f.
    assert (P : 0 < (1 + exp eps) ^ k) by (apply pow_lt; pose proof (exp_pos eps); lra).
    assert (N : 0 <= / (1 + exp eps) ^ k) by (left; apply Rinv_0_lt_compat; assumption).
    assert (E : (1 + exp eps) ^ k = (1 + exp eps) ^ (k - lies w) * (1 + exp eps) ^ lies w)
      by (rewrite <- pow_add; f_equal; lia).
    assert (N1 : (1 + exp eps) ^ (k - lies w) <> 0) by (apply pow_nonzero; pose proof (exp_pos eps); lra).
    assert (N2 : (1 + exp eps) ^ lies w <> 0) by (apply pow_nonzero; pose proof (exp_pos eps); lra).
    rewrite (Rmult_comm (Rmax _ _)), <- RmaxRmult by assumption. rewrite Rmult_0_r. f_equal.
    unfold truth, lie, Rdiv. rewrite !Rpow_mult_distr, !pow_inv, !exp_pow, E, !pow1. field. auto.
  - rewrite total_by_lies. unfold Rdiv. rewrite Rmult_comm, <- sum_below_scal. apply sum_below_ext.
    intros i _. unfold f. ring.
Qed.

(** The delta that k compositions of (eps, delta)-private mechanisms need at eps'. *)
Definition worst_delta (k : nat) (eps delta eps' : R) : R := 1 - (1 - delta) ^ k * (1 - binomial_part k eps eps').

Theorem exact_composition_of_equal_steps (k : nat) (eps delta eps' delta' : R) :
  0 <= eps -> 0 <= delta <= 1 ->
  (private_composition k (fun _ => eps) (fun _ => delta) eps' delta' <-> worst_delta k eps delta eps' <= delta').
Proof.
  intros He Hd. rewrite exact_composition by auto. unfold worst_delta, survival.
  rewrite pure_part_is_binomial_sum, product_below_const. tauto.
Qed.

(** ** Theorem 3.3 of the paper: at (k - 2i) eps the sum may be cut at i *)

Definition delta_at (k i : nat) (eps : R) : R :=
  sum_below i (fun l =>
    C k l * (exp ((INR k - INR l) * eps) - exp ((INR k - 2 * INR i + INR l) * eps))) / (1 + exp eps) ^ k.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [H| ->]; [left; apply exp_increasing; assumption|lra]. Qed.

Lemma binomial_part_cut (k i : nat) (eps : R) : 0 <= eps -> (2 * i <= k)%nat ->
  binomial_part k eps ((INR k - 2 * INR i) * eps) = delta_at k i eps.
Proof.
  intros He Hi. unfold binomial_part, delta_at. f_equal.
  replace (S k) with (i + (S k - i))%nat by lia. rewrite sum_below_split.
  rewrite (sum_below_ext (S k - i) _ (fun _ => 0)).
  - rewrite sum_below_const, Rmult_0_r, Rplus_0_r. apply sum_below_ext. intros l Hl. f_equal.
    rewrite <- exp_plus, minus_INR by lia.
    replace ((INR k - 2 * INR i) * eps + INR l * eps) with ((INR k - 2 * INR i + INR l) * eps) by ring.
    apply Rmax_right.
    assert (INR l <= INR i) by (apply le_INR; lia).
    assert (exp ((INR k - 2 * INR i + INR l) * eps) <= exp ((INR k - INR l) * eps)) by (apply exp_le; nra). lra.
  - intros j Hj. replace 0 with (C k (i + j) * 0) at 2 by ring. f_equal.
    rewrite <- exp_plus, minus_INR, plus_INR by lia. apply Rmax_left.
    assert (0 <= INR j) by apply pos_INR.
    assert (exp ((INR k - (INR i + INR j)) * eps)
            <= exp ((INR k - 2 * INR i) * eps + (INR i + INR j) * eps)) by (apply exp_le; nra). lra.
Qed.

(** Theorem 3.3: the guarantee, and that nothing less is enough. *)
Theorem optimal_composition (k i : nat) (eps delta : R) :
  0 <= eps -> 0 <= delta <= 1 -> (2 * i <= k)%nat ->
  forall delta',
  private_composition k (fun _ => eps) (fun _ => delta) ((INR k - 2 * INR i) * eps) delta'
  <-> 1 - (1 - delta) ^ k * (1 - delta_at k i eps) <= delta'.
Proof.
  intros He Hd Hi delta'. rewrite exact_composition_of_equal_steps by assumption.
  unfold worst_delta. rewrite binomial_part_cut by assumption. tauto.
Qed.
