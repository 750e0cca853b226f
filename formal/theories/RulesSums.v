(** * Laws of finite sums and products over integers from low to high

    A range whose end is less than its beginning is empty: the sum is 0, the product 1. Each law speaks of the terms
    inside of the range only. *)

From Coq Require Import Reals ZArith Lra Lia Psatz.
From SymDP Require Import Sums.
Open Scope R_scope.

(** How many integers there are from low to high. *)
Definition count (low high : Z) : nat := Z.to_nat (high - low + 1).

Definition sum_range (low high : Z) (f : Z -> R) : R :=
  sum_below (count low high) (fun i => f (low + Z.of_nat i)%Z).
Definition product_range (low high : Z) (f : Z -> R) : R :=
  product_below (count low high) (fun i => f (low + Z.of_nat i)%Z).

(** ** Induction from an integer on *)

Theorem induction_from (first : Z) (P : Z -> Prop) :
  P first -> (forall n, (first <= n)%Z -> P n -> P (n + 1)%Z) -> forall n, (first <= n)%Z -> P n.
Proof.
  intros H0 HS n Hn. replace n with (first + Z.of_nat (Z.to_nat (n - first)))%Z by lia.
  induction (Z.to_nat (n - first)) as [|m IH]; [rewrite Z.add_0_r; assumption|].
  replace (first + Z.of_nat (S m))%Z with (first + Z.of_nat m + 1)%Z by lia. apply HS; [lia|assumption].
Qed.

(** ** More about sums and products from 0 on *)

Lemma sum_below_lt n f g : (0 < n)%nat -> (forall i, (i < n)%nat -> f i < g i) -> sum_below n f < sum_below n g.
Proof.
  intros Hn H. destruct n as [|n]; [lia|]. simpl. apply Rplus_le_lt_compat; [|auto].
  apply sum_below_le. intros i Hi. left. auto.
Qed.

Lemma sum_below_reverse n f : sum_below n f = sum_below n (fun i => f (n - 1 - i)%nat).
Proof.
  induction n as [|n IH]; [reflexivity|].
  rewrite (sum_below_first n (fun i => f (S n - 1 - i)%nat)). simpl sum_below. rewrite IH, Rplus_comm.
  f_equal; [f_equal; lia|]. apply sum_below_ext. intros i Hi. f_equal. lia.
Qed.

Lemma sum_below_exchange m n (f : nat -> nat -> R) :
  sum_below m (fun i => sum_below n (f i)) = sum_below n (fun j => sum_below m (fun i => f i j)).
Proof.
  induction m as [|m IH]; simpl; [|rewrite IH, <- sum_below_plus; reflexivity].
  rewrite sum_below_const. ring.
Qed.

Lemma sum_below_triangle n (f : nat -> nat -> R) :
  sum_below n (fun i => sum_below (S i) (f i)) = sum_below n (fun j => sum_below (n - j) (fun i => f (j + i)%nat j)).
Proof.
  induction n as [|n IH]; [reflexivity|].
  change (sum_below n (fun i => sum_below (S i) (f i)) + sum_below (S n) (f n)
          = sum_below n (fun j => sum_below (S n - j) (fun i => f (j + i)%nat j))
            + sum_below (S n - n) (fun i => f (n + i)%nat n)).
  rewrite IH. change (sum_below (S n) (f n)) with (sum_below n (f n) + f n n).
  assert (D : sum_below (S n - n) (fun i => f (n + i)%nat n) = f n n).
  { replace (S n - n)%nat with 1%nat by lia. simpl. rewrite Nat.add_0_r. ring. }
  rewrite D.
  rewrite (sum_below_ext n (fun j => sum_below (S n - j) (fun i => f (j + i)%nat j))
                           (fun j => sum_below (n - j) (fun i => f (j + i)%nat j) + f n j)).
  - rewrite sum_below_plus. ring.
  - intros j Hj. replace (S n - j)%nat with (S (n - j)) by lia. simpl. do 2 f_equal. lia.
Qed.

Lemma product_below_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> product_below n f = product_below n g.
Proof. induction n as [|n IH]; simpl; intros H; auto. rewrite IH, H; auto. Qed.

Lemma product_below_lt n f g : (0 < n)%nat -> (forall i, (i < n)%nat -> 0 <= f i < g i) ->
  product_below n f < product_below n g.
Proof.
  intros Hn H. induction n as [|n IH]; [lia|]. simpl.
  assert (Hf : 0 <= f n < g n) by auto.
  destruct n as [|n]; [simpl; lra|].
  assert (I : product_below (S n) f < product_below (S n) g) by (apply IH; [lia|auto]).
  assert (N : 0 <= product_below (S n) f).
  { apply (product_below_le (S n) f g). intros i Hi. specialize (H i ltac:(lia)). lra. }
  nra.
Qed.

Lemma product_below_mult n f g : product_below n (fun i => f i * g i) = product_below n f * product_below n g.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma product_below_split m n f :
  product_below (m + n) f = product_below m f * product_below n (fun i => f (m + i)%nat).
Proof.
  induction n as [|n IH]; simpl; [rewrite <- plus_n_O; ring|].
  rewrite <- plus_n_Sm. simpl. rewrite IH. ring.
Qed.

Lemma product_below_first n f : product_below (S n) f = f O * product_below n (fun i => f (S i)).
Proof. induction n as [|n IH]; [simpl; ring|]. simpl in *. rewrite IH. ring. Qed.

Lemma product_below_reverse n f : product_below n f = product_below n (fun i => f (n - 1 - i)%nat).
Proof.
  induction n as [|n IH]; [reflexivity|].
  rewrite (product_below_first n (fun i => f (S n - 1 - i)%nat)). simpl product_below. rewrite IH, Rmult_comm.
  f_equal; [f_equal; lia|]. apply product_below_ext. intros i Hi. f_equal. lia.
Qed.

(** ** Ranges *)

Section Ranges.

Implicit Types (low high : Z) (f g : Z -> R).

Lemma sum_empty low high f : (high < low)%Z -> sum_range low high f = 0.
Proof. intros H. unfold sum_range, count. replace (Z.to_nat _) with O by lia. reflexivity. Qed.

Lemma product_empty low high f : (high < low)%Z -> product_range low high f = 1.
Proof. intros H. unfold product_range, count. replace (Z.to_nat _) with O by lia. reflexivity. Qed.

Lemma sum_single low f : sum_range low low f = f low.
Proof.
  unfold sum_range, count. replace (Z.to_nat _) with 1%nat by lia. simpl. rewrite Z.add_0_r. ring.
Qed.

Lemma product_single low f : product_range low low f = f low.
Proof.
  unfold product_range, count. replace (Z.to_nat _) with 1%nat by lia. simpl. rewrite Z.add_0_r. ring.
Qed.

(** A range in two. Either part may be empty, no more. *)
Theorem parted low middle high f : (low <= middle + 1)%Z -> (middle <= high)%Z ->
  sum_range low high f = sum_range low middle f + sum_range (middle + 1) high f.
Proof.
  intros H1 H2. unfold sum_range, count.
  replace (Z.to_nat (high - low + 1))
    with (Z.to_nat (middle - low + 1) + Z.to_nat (high - (middle + 1) + 1))%nat by lia.
  rewrite sum_below_split. f_equal. apply sum_below_ext. intros i Hi. f_equal. lia.
Qed.

Theorem product_parted low middle high f : (low <= middle + 1)%Z -> (middle <= high)%Z ->
  product_range low high f = product_range low middle f * product_range (middle + 1) high f.
Proof.
  intros H1 H2. unfold product_range, count.
  replace (Z.to_nat (high - low + 1))
    with (Z.to_nat (middle - low + 1) + Z.to_nat (high - (middle + 1) + 1))%nat by lia.
  rewrite product_below_split. f_equal. apply product_below_ext. intros i Hi. f_equal. lia.
Qed.

Lemma sum_last low high f : (low <= high + 1)%Z -> sum_range low (high + 1) f = sum_range low high f + f (high + 1)%Z.
Proof. intros H. rewrite (parted low high (high + 1)) by lia. rewrite sum_single. reflexivity. Qed.

Lemma product_last low high f : (low <= high + 1)%Z ->
  product_range low (high + 1) f = product_range low high f * f (high + 1)%Z.
Proof. intros H. rewrite (product_parted low high (high + 1)) by lia. rewrite product_single. reflexivity. Qed.

(** The same term, as often as there are integers. *)
Theorem constant_sum low high c : (0 <= high - low + 1)%Z ->
  sum_range low high (fun _ => c) = IZR (high - low + 1) * c.
Proof.
  intros H. unfold sum_range, count. rewrite sum_below_const, INR_IZR_INZ, Z2Nat.id by lia. reflexivity.
Qed.

Theorem constant_product low high c : product_range low high (fun _ => c) = c ^ count low high.
Proof. unfold product_range. apply product_below_const. Qed.

(** ** Comparing term by term; the terms of the other range are met in the same order, or from the last on *)

Theorem termwise_eq low high start stop f g : (start + high = stop + low)%Z ->
  (forall i, (low <= i <= high)%Z -> f i = g (i + (start - low))%Z) ->
  sum_range low high f = sum_range start stop g.
Proof.
  intros E H. unfold sum_range, count. replace (stop - start + 1)%Z with (high - low + 1)%Z by lia.
  apply sum_below_ext. intros i Hi. rewrite H by lia. f_equal. lia.
Qed.

Theorem termwise_le low high start stop f g : (start + high = stop + low)%Z ->
  (forall i, (low <= i <= high)%Z -> f i <= g (i + (start - low))%Z) ->
  sum_range low high f <= sum_range start stop g.
Proof.
  intros E H. unfold sum_range, count. replace (stop - start + 1)%Z with (high - low + 1)%Z by lia.
  apply sum_below_le. intros i Hi. eapply Rle_trans; [apply H; lia|]. right. f_equal. lia.
Qed.

Theorem termwise_lt low high start stop f g : (start + high = stop + low)%Z -> (low <= high)%Z ->
  (forall i, (low <= i <= high)%Z -> f i < g (i + (start - low))%Z) ->
  sum_range low high f < sum_range start stop g.
Proof.
  intros E N H. unfold sum_range, count. replace (stop - start + 1)%Z with (high - low + 1)%Z by lia.
  apply sum_below_lt; [lia|]. intros i Hi. eapply Rlt_le_trans; [apply H; lia|]. right. f_equal. lia.
Qed.

Theorem reversed_sum low high f : sum_range low high f = sum_range low high (fun i => f (high + low - i)%Z).
Proof.
  unfold sum_range. rewrite sum_below_reverse. apply sum_below_ext. intros i Hi. f_equal. unfold count in *. lia.
Qed.

Theorem reversed_product low high f :
  product_range low high f = product_range low high (fun i => f (high + low - i)%Z).
Proof.
  unfold product_range. rewrite product_below_reverse. apply product_below_ext. intros i Hi. f_equal.
  unfold count in *. lia.
Qed.

Theorem termwise_product_eq low high start stop f g : (start + high = stop + low)%Z ->
  (forall i, (low <= i <= high)%Z -> f i = g (i + (start - low))%Z) ->
  product_range low high f = product_range start stop g.
Proof.
  intros E H. unfold product_range, count. replace (stop - start + 1)%Z with (high - low + 1)%Z by lia.
  apply product_below_ext. intros i Hi. rewrite H by lia. f_equal. lia.
Qed.

Theorem termwise_product_le low high start stop f g : (start + high = stop + low)%Z ->
  (forall i, (low <= i <= high)%Z -> 0 <= f i <= g (i + (start - low))%Z) ->
  product_range low high f <= product_range start stop g.
Proof.
  intros E H. unfold product_range, count. replace (stop - start + 1)%Z with (high - low + 1)%Z by lia.
  apply product_below_le. intros i Hi.
  replace (start + Z.of_nat i)%Z with (low + Z.of_nat i + (start - low))%Z by lia. apply H. lia.
Qed.

Theorem termwise_product_lt low high start stop f g : (start + high = stop + low)%Z -> (low <= high)%Z ->
  (forall i, (low <= i <= high)%Z -> 0 <= f i < g (i + (start - low))%Z) ->
  product_range low high f < product_range start stop g.
Proof.
  intros E N H. unfold product_range, count. replace (stop - start + 1)%Z with (high - low + 1)%Z by lia.
  apply product_below_lt; [lia|]. intros i Hi.
  replace (start + Z.of_nat i)%Z with (low + Z.of_nat i + (start - low))%Z by lia. apply H. lia.
Qed.

(** ** Linearity and signs *)

Theorem sum_plus low high f g : sum_range low high (fun i => f i + g i) = sum_range low high f + sum_range low high g.
Proof. apply sum_below_plus. Qed.

Theorem sum_scal low high c f : sum_range low high (fun i => c * f i) = c * sum_range low high f.
Proof. apply sum_below_scal. Qed.

Theorem sum_minus low high f g :
  sum_range low high (fun i => f i - g i) = sum_range low high f - sum_range low high g.
Proof.
  unfold Rminus. rewrite sum_plus. f_equal. replace (- sum_range low high g) with (-1 * sum_range low high g) by ring.
  rewrite <- sum_scal. unfold sum_range. apply sum_below_ext. intros. ring.
Qed.

Theorem sum_nonneg low high f : (forall i, (low <= i <= high)%Z -> 0 <= f i) -> 0 <= sum_range low high f.
Proof. intros H. apply sum_below_nonneg. intros i Hi. apply H. unfold count in Hi. lia. Qed.

Theorem sum_pos low high f : (low <= high)%Z -> (forall i, (low <= i <= high)%Z -> 0 < f i) ->
  0 < sum_range low high f.
Proof.
  intros N H. apply Rle_lt_trans with (sum_below (count low high) (fun _ => 0)).
  - rewrite sum_below_const. lra.
  - apply sum_below_lt; unfold count; [lia|]. intros i Hi. apply H. lia.
Qed.

Theorem product_nonneg low high f : (forall i, (low <= i <= high)%Z -> 0 <= f i) -> 0 <= product_range low high f.
Proof.
  intros H. unfold product_range. apply (product_below_le _ _ (fun i => f (low + Z.of_nat i)%Z)).
  intros i Hi. split; [|lra]. apply H. unfold count in Hi. lia.
Qed.

Theorem product_pos low high f : (forall i, (low <= i <= high)%Z -> 0 < f i) -> 0 < product_range low high f.
Proof. intros H. apply product_below_pos. intros i Hi. apply H. unfold count in Hi. lia. Qed.

(** ** The order of a double sum: over a rectangle, or one of two triangles *)

Theorem exchange low high start stop (f : Z -> Z -> R) :
  sum_range low high (fun i => sum_range start stop (fun j => f i j))
  = sum_range start stop (fun j => sum_range low high (fun i => f i j)).
Proof. apply sum_below_exchange. Qed.

Theorem exchange_triangle low high (f : Z -> Z -> R) :
  sum_range low high (fun i => sum_range low i (fun j => f i j))
  = sum_range low high (fun j => sum_range j high (fun i => f i j)).
Proof.
  unfold sum_range.
  transitivity (sum_below (count low high) (fun i => sum_below (S i) (fun j =>
    f (low + Z.of_nat i)%Z (low + Z.of_nat j)%Z))).
  { apply sum_below_ext. intros i Hi. f_equal. unfold count. lia. }
  rewrite (sum_below_triangle (count low high) (fun i j => f (low + Z.of_nat i)%Z (low + Z.of_nat j)%Z)).
  apply sum_below_ext. intros j Hj. unfold count in *.
  replace (Z.to_nat (high - (low + Z.of_nat j) + 1)) with (Z.to_nat (high - low + 1) - j)%nat by lia.
  apply sum_below_ext. intros i Hi. f_equal. lia.
Qed.

(** ** Telescopes: terms that compare with the steps of a closed form *)

Theorem telescope_eq low high f (closed : Z -> R) : (low <= high + 1)%Z ->
  (forall i, (low <= i <= high)%Z -> f i = closed i - closed (i - 1)%Z) ->
  sum_range low high f = closed high - closed (low - 1)%Z.
Proof.
  intros E. replace high with (low - 1 + Z.of_nat (count low high))%Z by (unfold count; lia).
  induction (count low high) as [|n IH]; intros H.
  - rewrite sum_empty by lia. rewrite Z.add_0_r. ring.
  - replace (low - 1 + Z.of_nat (S n))%Z with (low - 1 + Z.of_nat n + 1)%Z in * by lia.
    rewrite sum_last, IH, H by (intros; try apply H; lia).
    replace (low - 1 + Z.of_nat n + 1 - 1)%Z with (low - 1 + Z.of_nat n)%Z by lia. ring.
Qed.

Theorem telescope_le low high f (closed : Z -> R) : (low <= high + 1)%Z ->
  (forall i, (low <= i <= high)%Z -> f i <= closed i - closed (i - 1)%Z) ->
  sum_range low high f <= closed high - closed (low - 1)%Z.
Proof.
  intros E H. rewrite <- (telescope_eq low high (fun i => closed i - closed (i - 1)%Z) closed E) by reflexivity.
  apply termwise_le; [lia|]. intros i Hi. replace (i + (low - low))%Z with i by lia. apply H. assumption.
Qed.

Theorem telescope_ge low high f (closed : Z -> R) : (low <= high + 1)%Z ->
  (forall i, (low <= i <= high)%Z -> closed i - closed (i - 1)%Z <= f i) ->
  closed high - closed (low - 1)%Z <= sum_range low high f.
Proof.
  intros E H. rewrite <- (telescope_eq low high (fun i => closed i - closed (i - 1)%Z) closed E) by reflexivity.
  apply termwise_le; [lia|]. intros i Hi. replace (i + (low - low))%Z with i by lia. apply H. assumption.
Qed.

Theorem telescope_lt low high f (closed : Z -> R) : (low <= high)%Z ->
  (forall i, (low <= i <= high)%Z -> f i < closed i - closed (i - 1)%Z) ->
  sum_range low high f < closed high - closed (low - 1)%Z.
Proof.
  intros E H. rewrite <- (telescope_eq low high (fun i => closed i - closed (i - 1)%Z) closed) by (auto; lia).
  apply termwise_lt; [lia|lia|]. intros i Hi. replace (i + (low - low))%Z with i by lia. apply H. assumption.
Qed.

(** ** Products, exponentials and logarithms *)

Theorem product_mult low high f g :
  product_range low high (fun i => f i * g i) = product_range low high f * product_range low high g.
Proof. apply product_below_mult. Qed.

Theorem product_pow low high f n : product_range low high (fun i => f i ^ n) = product_range low high f ^ n.
Proof.
  induction n as [|n IH]; simpl.
  - rewrite constant_product. apply pow1.
  - rewrite <- IH. apply (product_mult low high f (fun i => f i ^ n)).
Qed.

Theorem product_inv low high f : (forall i, (low <= i <= high)%Z -> f i <> 0) ->
  product_range low high (fun i => / f i) = / product_range low high f.
Proof.
  intros H. unfold product_range.
  assert (K : forall i, (i < count low high)%nat -> f (low + Z.of_nat i)%Z <> 0)
    by (intros i Hi; apply H; unfold count in Hi; lia).
  induction (count low high) as [|n IH]; simpl; [symmetry; apply Rinv_1|].
  rewrite IH by auto. symmetry. apply Rinv_mult.
Qed.

Theorem product_of_exponentials low high f :
  product_range low high (fun i => exp (f i)) = exp (sum_range low high f).
Proof. apply product_below_exp. Qed.

Theorem log_of_product low high f : (forall i, (low <= i <= high)%Z -> 0 < f i) ->
  ln (product_range low high f) = sum_range low high (fun i => ln (f i)).
Proof.
  intros H. rewrite <- (ln_exp (sum_range low high (fun i => ln (f i)))), <- product_of_exponentials. f_equal.
  apply termwise_product_eq; [lia|]. intros i Hi. replace (i + (low - low))%Z with i by lia.
  symmetry. apply exp_ln. apply H. assumption.
Qed.

End Ranges.

(** ** The binomial theorem *)

Lemma sum_below_is_sum_f_R0 n f : sum_below (S n) f = sum_f_R0 f n.
Proof. induction n as [|n IH]; simpl in *; [ring|]. rewrite IH. reflexivity. Qed.

Theorem binomial_theorem (x y : R) (n : nat) :
  (x + y) ^ n = sum_range 0 (Z.of_nat n) (fun i => C n (Z.to_nat i) * x ^ Z.to_nat i * y ^ (n - Z.to_nat i)).
Proof.
  rewrite binomial, <- sum_below_is_sum_f_R0. unfold sum_range, count.
  replace (Z.to_nat (Z.of_nat n - 0 + 1)) with (S n) by lia.
  apply sum_below_ext. intros i Hi. replace (Z.to_nat (0 + Z.of_nat i)) with i by lia. reflexivity.
Qed.
