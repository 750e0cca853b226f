(** * Finite sums

    [total Y f] is the sum of [f y] over the list [Y]. All finite laws of this library are given by a list of
    outcomes and a function, so that this is the only kind of sum that their definitions need. *)

From Coq Require Import Reals List Lra Psatz Lia Arith.
Import ListNotations.
Open Scope R_scope.

Fixpoint total {A : Type} (Y : list A) (f : A -> R) : R :=
  match Y with
  | [] => 0
  | y :: rest => f y + total rest f
  end.

Section Laws_of_sums.

Context {A : Type}.
Implicit Types (Y : list A) (f g : A -> R).

Lemma total_ext Y f g : (forall y, In y Y -> f y = g y) -> total Y f = total Y g.
Proof.
  induction Y as [|a Y IH]; simpl; intros H; auto.
  rewrite (H a), IH; auto.
Qed.

Lemma total_le Y f g : (forall y, In y Y -> f y <= g y) -> total Y f <= total Y g.
Proof.
  induction Y as [|a Y IH]; simpl; intros H; [lra|].
  apply Rplus_le_compat; auto.
Qed.

Lemma total_zero Y : total Y (fun _ => 0) = 0.
Proof. induction Y; simpl; lra. Qed.

Lemma total_nonneg Y f : (forall y, In y Y -> 0 <= f y) -> 0 <= total Y f.
Proof. intros H. rewrite <- (total_zero Y). apply total_le; auto. Qed.

Lemma total_plus Y f g : total Y (fun y => f y + g y) = total Y f + total Y g.
Proof. induction Y as [|a Y IH]; simpl; lra. Qed.

Lemma total_minus Y f g : total Y (fun y => f y - g y) = total Y f - total Y g.
Proof. induction Y as [|a Y IH]; simpl; lra. Qed.

Lemma total_scal Y c f : total Y (fun y => c * f y) = c * total Y f.
Proof. induction Y as [|a Y IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma total_scal_r Y c f : total Y (fun y => f y * c) = total Y f * c.
Proof. induction Y as [|a Y IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma total_app Y Z f : total (Y ++ Z) f = total Y f + total Z f.
Proof. induction Y as [|a Y IH]; simpl; [|rewrite IH]; ring. Qed.

(** A term of a sum of terms that are not negative is at most the sum. *)
Lemma term_le_total Y f y : (forall z, In z Y -> 0 <= f z) -> In y Y -> f y <= total Y f.
Proof.
  induction Y as [|a Y IH]; simpl; [tauto|]. intros H [->|Hy].
  - assert (0 <= total Y f) by (apply total_nonneg; auto). lra.
  - assert (f y <= total Y f) by (apply IH; auto). assert (0 <= f a) by auto. lra.
Qed.

(** Terms that are not negative and add up to 0 are all 0. *)
Lemma total_zero_inv Y f y : (forall z, In z Y -> 0 <= f z) -> total Y f = 0 -> In y Y -> f y = 0.
Proof.
  intros H H0 Hy. apply Rle_antisym; auto. rewrite <- H0. apply term_le_total; auto.
Qed.

End Laws_of_sums.

Lemma total_map {A B : Type} (h : A -> B) (Y : list A) (f : B -> R) :
  total (map h Y) f = total Y (fun y => f (h y)).
Proof. induction Y as [|a Y IH]; simpl; congruence. Qed.

Lemma total_flat_map {A B : Type} (h : A -> list B) (Y : list A) (f : B -> R) :
  total (flat_map h Y) f = total Y (fun y => total (h y) f).
Proof. induction Y as [|a Y IH]; simpl; [|rewrite total_app, IH]; auto. Qed.

Lemma total_swap {A B : Type} (X : list A) (Y : list B) (f : A -> B -> R) :
  total X (fun x => total Y (fun y => f x y)) = total Y (fun y => total X (fun x => f x y)).
Proof.
  induction X as [|a X IH]; simpl.
  - symmetry. apply total_zero.
  - rewrite IH, total_plus. reflexivity.
Qed.

Lemma total_prod {A B : Type} (X : list A) (Y : list B) (f : A * B -> R) :
  total (list_prod X Y) f = total X (fun x => total Y (fun y => f (x, y))).
Proof.
  induction X as [|a X IH]; simpl; auto.
  rewrite total_app, total_map, IH. reflexivity.
Qed.

Lemma total_product {A B : Type} (X : list A) (Y : list B) (f : A -> R) (g : B -> R) :
  total X (fun x => total Y (fun y => f x * g y)) = total X f * total Y g.
Proof.
  rewrite <- total_scal_r. apply total_ext. intros x _. apply total_scal.
Qed.

(** ** Sums and products over 0, ..., n - 1 *)

Fixpoint sum_below (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 0
  | S n => sum_below n f + f n
  end.

Fixpoint product_below (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 1
  | S n => product_below n f * f n
  end.

Lemma sum_below_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum_below n f = sum_below n g.
Proof. induction n as [|n IH]; simpl; intros H; auto. rewrite IH, H; auto. Qed.

Lemma sum_below_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum_below n f <= sum_below n g.
Proof. induction n as [|n IH]; simpl; intros H; [lra|]. apply Rplus_le_compat; auto. Qed.

Lemma sum_below_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum_below n f.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|]. assert (0 <= sum_below n f) by auto. assert (0 <= f n) by auto.
  lra.
Qed.

Lemma sum_below_plus n f g : sum_below n (fun i => f i + g i) = sum_below n f + sum_below n g.
Proof. induction n; simpl; lra. Qed.

Lemma sum_below_scal n c f : sum_below n (fun i => c * f i) = c * sum_below n f.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma sum_below_const n c : sum_below n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [simpl; ring|]. rewrite S_INR. simpl. rewrite IH. ring. Qed.

Lemma sum_below_first n f : sum_below (S n) f = f O + sum_below n (fun i => f (S i)).
Proof. induction n as [|n IH]; [simpl; ring|]. simpl in *. rewrite IH. ring. Qed.

Lemma sum_below_split m n f : sum_below (m + n) f = sum_below m f + sum_below n (fun i => f (m + i)%nat).
Proof.
  induction n as [|n IH]; simpl; [rewrite <- plus_n_O; ring|].
  rewrite <- plus_n_Sm. simpl. rewrite IH. ring.
Qed.

Lemma sum_below_zero_inv n f i :
  (forall j, (j < n)%nat -> 0 <= f j) -> sum_below n f = 0 -> (i < n)%nat -> f i = 0.
Proof.
  induction n as [|n IH]; simpl; intros H H0 Hi; [inversion Hi|].
  assert (0 <= sum_below n f) by (apply sum_below_nonneg; auto). assert (0 <= f n) by auto.
  destruct (Nat.eq_dec i n) as [->|Hn]; [lra|]. apply IH; auto; [lra|lia].
Qed.

Lemma product_below_unit n f : (forall i, (i < n)%nat -> 0 <= f i <= 1) -> 0 <= product_below n f <= 1.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  assert (0 <= product_below n f <= 1) by auto. assert (0 <= f n <= 1) by auto. nra.
Qed.

Lemma product_below_pos n f : (forall i, (i < n)%nat -> 0 < f i) -> 0 < product_below n f.
Proof. induction n as [|n IH]; simpl; intros H; [lra|]. apply Rmult_lt_0_compat; auto. Qed.

Lemma product_below_le n f g : (forall i, (i < n)%nat -> 0 <= f i <= g i) ->
  0 <= product_below n f <= product_below n g.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  assert (0 <= product_below n f <= product_below n g) by auto. assert (0 <= f n <= g n) by auto.
  split; [apply Rmult_le_pos; lra|]. apply Rmult_le_compat; lra.
Qed.

Lemma product_below_const n c : product_below n (fun _ => c) = c ^ n.
Proof. induction n as [|n IH]; simpl; [|rewrite IH]; ring. Qed.

Lemma product_below_exp n f : product_below n (fun i => exp (f i)) = exp (sum_below n f).
Proof. induction n as [|n IH]; simpl; [symmetry; apply exp_0|]. rewrite IH, exp_plus. reflexivity. Qed.

(** The union bound: 1 - prod (1 - d_i) <= sum d_i. *)
Lemma union_bound n d : (forall i, (i < n)%nat -> 0 <= d i <= 1) ->
  1 - product_below n (fun i => 1 - d i) <= sum_below n d.
Proof.
  induction n as [|n IH]; simpl; intros H; [lra|].
  assert (1 - product_below n (fun i => 1 - d i) <= sum_below n d) by auto.
  assert (0 <= product_below n (fun i => 1 - d i) <= 1).
  { apply product_below_unit. intros i Hi. specialize (H i (Nat.lt_lt_succ_r _ _ Hi)). lra. }
  assert (0 <= d n <= 1) by auto. nra.
Qed.
