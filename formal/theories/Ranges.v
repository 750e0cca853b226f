(** * Sums and products as exported theorems write them

    In an exported theorem a whole number is a real number x with [integer x], and so are the index of a sum and its
    ends. [sum_from low high f] is f low + f (low + 1) + ... + f high, 0 if high < low, for whole numbers low and high;
    [product_from] likewise, with 1. [binomial n m] is n (n-1) ... (n-m+1) / m! for a whole number m that is not
    negative. Each law of the kernel's rule [sum-law] is a theorem here, about the terms inside of the range only. *)

From Coq Require Import Reals ZArith Lra Lia Psatz.
From SymDP Require Import Sums RulesFunctions RulesSums WorstCase Positivity Certificates.
Open Scope R_scope.

Definition steps (low high : R) : nat := Z.to_nat (up (high - low)).
Definition sum_from (low high : R) (f : R -> R) : R := sum_below (steps low high) (fun i => f (low + INR i)).
Definition product_from (low high : R) (f : R -> R) : R := product_below (steps low high) (fun i => f (low + INR i)).
Definition binomial (n m : R) : R := product_below (Z.to_nat (up m - 1)) (fun i => (n - INR i) / (INR i + 1)).

(** Where a binomial coefficient means what it says. *)
Definition has_binomial (m : R) : Prop := integer m /\ 0 <= m.

(** What holds for every whole number from low to high. *)
Definition within (low high : R) (P : R -> Prop) : Prop := forall i, integer i -> low <= i -> i <= high -> P i.

(** ** Whole numbers *)

Lemma integer_INR n : integer (INR n).
Proof. exists (Z.of_nat n). apply INR_IZR_INZ. Qed.
Lemma integer_sum_below n f : (forall i, (i < n)%nat -> integer (f i)) -> integer (sum_below n f).
Proof.
  induction n as [|n IH]; simpl; intros H; [apply (integer_number 0)|]. apply integer_plus; auto.
Qed.

(** That a term is a whole number, by its form; members of families of whole numbers too. *)
Ltac whole ::=
  lazymatch goal with
  | |- integer (IZR _) => apply integer_number
  | |- integer (INR _) => apply integer_INR
  | |- integer (_ + _) => apply integer_plus; whole
  | |- integer (_ - _) => apply integer_minus; whole
  | |- integer (_ * _) => apply integer_mult; whole
  | |- integer (- _) => apply integer_opp; whole
  | |- integer (_ ^ _) => apply integer_pow; whole
  | |- integer (Rmax _ _) => apply integer_max; whole
  | |- integer (Rmin _ _) => apply integer_min; whole
  | |- integer (Rabs _) => apply integer_abs; whole
  | H : integer ?x |- integer ?x => exact H
  | H : forall i : R, integer i -> integer (?a i) |- integer (?a _) => apply H; whole
  | |- _ => assumption
  end.

Lemma up_of_integer n : up (IZR n) = (n + 1)%Z.
Proof. symmetry. apply tech_up; rewrite plus_IZR; lra. Qed.

Lemma steps_of_integers l h : steps (IZR l) (IZR h) = count l h.
Proof. unfold steps, count. rewrite <- minus_IZR, up_of_integer. reflexivity. Qed.

Lemma nat_of_integer x : integer x -> 0 <= x -> exists n : nat, x = INR n.
Proof.
  intros [z ->] H. apply le_IZR in H. exists (Z.to_nat z). rewrite INR_IZR_INZ, Z2Nat.id by assumption. reflexivity.
Qed.

Lemma integer_gap x y : integer x -> integer y -> x < y -> x + 1 <= y.
Proof.
  intros [m ->] [n ->] H. apply lt_IZR in H. rewrite <- plus_IZR. apply IZR_le. lia.
Qed.

(** ** Between real and whole indices *)

Section Laws_of_ranges.

Variables low high : R.
Hypothesis L : integer low.
Hypothesis H : integer high.
Implicit Types f g : R -> R.

Lemma steps_inside i : (i < steps low high)%nat -> integer (low + INR i) /\ low <= low + INR i <= high.
Proof using L H.
  destruct L as [l ->], H as [h ->]. rewrite steps_of_integers. unfold count. intros Hi.
  split; [apply integer_plus; [apply integer_number|apply integer_INR]|].
  pose proof (pos_INR i). split; [lra|]. rewrite INR_IZR_INZ, <- plus_IZR. apply IZR_le. lia.
Qed.

Lemma steps_positive : low <= high -> (0 < steps low high)%nat.
Proof using L H. destruct L as [l ->], H as [h ->]. rewrite steps_of_integers. intros E. apply le_IZR in E. unfold count. lia. Qed.

Lemma steps_number : low <= high + 1 -> INR (steps low high) = high - low + 1.
Proof using L H.
  destruct L as [l ->], H as [h ->]. intros E. rewrite steps_of_integers. unfold count.
  rewrite <- plus_IZR in E. apply le_IZR in E.
  rewrite INR_IZR_INZ, Z2Nat.id by lia. rewrite plus_IZR, minus_IZR. reflexivity.
Qed.

Theorem sum_ext f g : within low high (fun i => f i = g i) -> sum_from low high f = sum_from low high g.
Proof using L H. intros E. apply sum_below_ext. intros i Hi. apply steps_inside in Hi. apply E; tauto. Qed.

Theorem product_ext f g : within low high (fun i => f i = g i) -> product_from low high f = product_from low high g.
Proof using L H. intros E. apply product_below_ext. intros i Hi. apply steps_inside in Hi. apply E; tauto. Qed.

Theorem sum_termwise f g : within low high (fun i => f i <= g i) -> sum_from low high f <= sum_from low high g.
Proof using L H. intros E. apply sum_below_le. intros i Hi. apply steps_inside in Hi. apply E; tauto. Qed.

Theorem sum_termwise_strictly f g : low <= high -> within low high (fun i => f i < g i) ->
  sum_from low high f < sum_from low high g.
Proof using L H.
  intros N E. apply sum_below_lt; [apply steps_positive; assumption|]. intros i Hi. apply steps_inside in Hi.
  apply E; tauto.
Qed.

Theorem product_termwise f g : within low high (fun i => 0 <= f i) -> within low high (fun i => f i <= g i) ->
  product_from low high f <= product_from low high g.
Proof using L H.
  intros P E. apply product_below_le. intros i Hi. apply steps_inside in Hi. split; [apply P|apply E]; tauto.
Qed.

Theorem product_termwise_strictly f g : low <= high -> within low high (fun i => 0 <= f i) ->
  within low high (fun i => f i < g i) -> product_from low high f < product_from low high g.
Proof using L H.
  intros N P E. apply product_below_lt; [apply steps_positive; assumption|]. intros i Hi. apply steps_inside in Hi.
  split; [apply P|apply E]; tauto.
Qed.

Theorem sum_of_plus f g : sum_from low high (fun i => f i + g i) = sum_from low high f + sum_from low high g.
Proof. apply sum_below_plus. Qed.

Theorem sum_of_scaled c f : sum_from low high (fun i => c * f i) = c * sum_from low high f.
Proof. apply sum_below_scal. Qed.

Theorem sum_of_minus f g : sum_from low high (fun i => f i - g i) = sum_from low high f - sum_from low high g.
Proof. unfold sum_from. induction (steps low high) as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Theorem sum_of_zero : sum_from low high (fun _ => 0) = 0.
Proof. unfold sum_from. rewrite sum_below_const. ring. Qed.

Theorem sum_of_constant c : low <= high + 1 -> sum_from low high (fun _ => c) = (high - low + 1) * c.
Proof using L H. intros N. unfold sum_from. rewrite sum_below_const, steps_number by assumption. reflexivity. Qed.

Theorem product_of_constant c : 0 <= c -> low <= high + 1 ->
  product_from low high (fun _ => c) = power c (high - low + 1).
Proof using L H.
  intros P N. unfold product_from. rewrite product_below_const, <- steps_number by assumption.
  symmetry. apply power_of_nat. assumption.
Qed.

Theorem product_of_ones : product_from low high (fun _ => 1) = 1.
Proof. unfold product_from. rewrite product_below_const. apply pow1. Qed.

Theorem sum_is_nonneg f : within low high (fun i => 0 <= f i) -> 0 <= sum_from low high f.
Proof using L H. intros E. rewrite <- sum_of_zero. apply sum_termwise. exact E. Qed.

Theorem sum_is_pos f : low <= high -> within low high (fun i => 0 < f i) -> 0 < sum_from low high f.
Proof using L H. intros N E. rewrite <- sum_of_zero. apply sum_termwise_strictly; assumption. Qed.

Theorem product_is_nonneg f : within low high (fun i => 0 <= f i) -> 0 <= product_from low high f.
Proof using L H.
  intros E. apply (product_below_le _ _ (fun i => f (low + INR i))). intros i Hi. apply steps_inside in Hi.
  split; [apply E; tauto|lra].
Qed.

Theorem product_is_pos f : within low high (fun i => 0 < f i) -> 0 < product_from low high f.
Proof using L H. intros E. apply product_below_pos. intros i Hi. apply steps_inside in Hi. apply E; tauto. Qed.

Theorem product_at_most_1 f : within low high (fun i => 0 <= f i) -> within low high (fun i => f i <= 1) ->
  product_from low high f <= 1.
Proof using L H. intros P E. rewrite <- product_of_ones. apply product_termwise; assumption. Qed.

Theorem product_of_mult f g :
  product_from low high (fun i => f i * g i) = product_from low high f * product_from low high g.
Proof. apply product_below_mult. Qed.

Theorem product_of_pow f n : product_from low high (fun i => f i ^ n) = product_from low high f ^ n.
Proof.
  induction n as [|n IH]; simpl; [apply product_of_ones|]. rewrite <- IH. apply (product_of_mult f (fun i => f i ^ n)).
Qed.

Theorem product_of_inv f : product_from low high (fun i => / f i) = / product_from low high f.
Proof.
  unfold product_from. induction (steps low high) as [|n IH]; simpl; [symmetry; apply Rinv_1|].
  rewrite IH. symmetry. apply Rinv_mult.
Qed.

Theorem product_of_exp f : product_from low high (fun i => exp (f i)) = exp (sum_from low high f).
Proof. apply product_below_exp. Qed.

Theorem log_of_product_from f : within low high (fun i => 0 < f i) ->
  ln (product_from low high f) = sum_from low high (fun i => ln (f i)).
Proof using L H.
  intros E. rewrite <- (ln_exp (sum_from low high (fun i => ln (f i)))), <- product_of_exp. f_equal.
  apply product_ext. intros i I A B. symmetry. apply exp_ln. apply E; assumption.
Qed.

(** A range in two. *)
Theorem sum_parted f middle : integer middle -> low <= middle + 1 -> middle <= high ->
  sum_from low high f = sum_from low middle f + sum_from (middle + 1) high f.
Proof using L H.
  intros M A B. destruct L as [l ->], H as [h ->], M as [m ->].
  rewrite <- plus_IZR in *. unfold sum_from. rewrite !steps_of_integers. apply le_IZR in A, B. unfold count.
  replace (Z.to_nat (h - l + 1)) with (Z.to_nat (m - l + 1) + Z.to_nat (h - (m + 1) + 1))%nat by lia.
  rewrite sum_below_split. f_equal. apply sum_below_ext. intros i Hi. f_equal.
  rewrite plus_INR, (INR_IZR_INZ (Z.to_nat _)), Z2Nat.id by lia. rewrite !plus_IZR, minus_IZR. ring.
Qed.

Theorem product_parted_from f middle : integer middle -> low <= middle + 1 -> middle <= high ->
  product_from low high f = product_from low middle f * product_from (middle + 1) high f.
Proof using L H.
  intros M A B. destruct L as [l ->], H as [h ->], M as [m ->].
  rewrite <- plus_IZR in *. unfold product_from. rewrite !steps_of_integers. apply le_IZR in A, B. unfold count.
  replace (Z.to_nat (h - l + 1)) with (Z.to_nat (m - l + 1) + Z.to_nat (h - (m + 1) + 1))%nat by lia.
  rewrite product_below_split. f_equal. apply product_below_ext. intros i Hi. f_equal.
  rewrite plus_INR, (INR_IZR_INZ (Z.to_nat _)), Z2Nat.id by lia. rewrite !plus_IZR, minus_IZR. ring.
Qed.

Theorem sum_empty_range f : high < low -> sum_from low high f = 0.
Proof using L H.
  destruct L as [l ->], H as [h ->]. intros E. apply lt_IZR in E. unfold sum_from. rewrite steps_of_integers.
  unfold count. replace (Z.to_nat _) with O by lia. reflexivity.
Qed.

Theorem product_empty_range f : high < low -> product_from low high f = 1.
Proof using L H.
  destruct L as [l ->], H as [h ->]. intros E. apply lt_IZR in E. unfold product_from. rewrite steps_of_integers.
  unfold count. replace (Z.to_nat _) with O by lia. reflexivity.
Qed.

Theorem sum_single_term f : low = high -> sum_from low high f = f low.
Proof using L H.
  intros E. unfold sum_from. replace (steps low high) with 1%nat.
  - simpl. rewrite Rplus_0_r. ring.
  - apply INR_eq. rewrite steps_number by lra. simpl. lra.
Qed.

Theorem product_single_term f : low = high -> product_from low high f = f low.
Proof using L H.
  intros E. unfold product_from. replace (steps low high) with 1%nat.
  - simpl. rewrite Rplus_0_r. ring.
  - apply INR_eq. rewrite steps_number by lra. simpl. lra.
Qed.

(** The same terms in another range, in the same order or from the last to the first. *)
Theorem sum_shifted start stop f : start + high = stop + low ->
  sum_from start stop f = sum_from low high (fun i => f (i + (start - low))).
Proof.
  intros E. unfold sum_from, steps. replace (stop - start) with (high - low) by lra.
  apply sum_below_ext. intros i _. f_equal. ring.
Qed.

Theorem product_shifted start stop f : start + high = stop + low ->
  product_from start stop f = product_from low high (fun i => f (i + (start - low))).
Proof.
  intros E. unfold product_from, steps. replace (stop - start) with (high - low) by lra.
  apply product_below_ext. intros i _. f_equal. ring.
Qed.

Lemma last_of_steps i : (i < steps low high)%nat -> INR (steps low high - 1 - i) = high - low - INR i.
Proof using L H.
  intros Hi. destruct (steps low high) as [|n] eqn:E; [lia|].
  replace (S n - 1 - i)%nat with (n - i)%nat by lia. rewrite minus_INR by lia.
  assert (N : INR (steps low high) = high - low + 1).
  { apply steps_number. destruct L as [l El], H as [h Eh]. rewrite El, Eh, steps_of_integers in E. unfold count in E.
    rewrite El, Eh, <- plus_IZR. apply IZR_le. lia. }
  rewrite E, S_INR in N. lra.
Qed.

Theorem sum_reversed f : sum_from low high f = sum_from low high (fun i => f (high + low - i)).
Proof using L H.
  unfold sum_from. rewrite sum_below_reverse. apply sum_below_ext. intros i Hi. f_equal.
  rewrite last_of_steps by assumption. ring.
Qed.

Theorem product_reversed f : product_from low high f = product_from low high (fun i => f (high + low - i)).
Proof using L H.
  unfold product_from. rewrite product_below_reverse. apply product_below_ext. intros i Hi. f_equal.
  rewrite last_of_steps by assumption. ring.
Qed.

(** Terms that are the steps of a closed form. *)
Theorem sum_telescope f (closed : R -> R) : low <= high + 1 ->
  within low high (fun i => f i = closed i - closed (i - 1)) -> sum_from low high f = closed high - closed (low - 1).
Proof using L H.
  intros N E. rewrite (sum_ext f (fun i => closed i - closed (i - 1)) E). clear E.
  replace high with (low + INR (steps low high) - 1) at 2 by (rewrite steps_number by assumption; ring).
  unfold sum_from. induction (steps low high) as [|n IH]; simpl sum_below.
  - simpl. replace (low + 0 - 1) with (low - 1) by ring. ring.
  - rewrite IH, S_INR. replace (low + (INR n + 1) - 1) with (low + INR n) by ring. ring.
Qed.

End Laws_of_ranges.

Theorem sum_telescope_le low high f closed : integer low -> integer high -> low <= high + 1 ->
  within low high (fun i => f i <= closed i - closed (i - 1)) -> sum_from low high f <= closed high - closed (low - 1).
Proof.
  intros L H N E. rewrite <- (sum_telescope low high L H (fun i => closed i - closed (i - 1)) closed N)
    by (intros i _ _ _; reflexivity). apply sum_termwise; assumption.
Qed.

Theorem sum_telescope_ge low high f closed : integer low -> integer high -> low <= high + 1 ->
  within low high (fun i => closed i - closed (i - 1) <= f i) -> closed high - closed (low - 1) <= sum_from low high f.
Proof.
  intros L H N E. rewrite <- (sum_telescope low high L H (fun i => closed i - closed (i - 1)) closed N)
    by (intros i _ _ _; reflexivity). apply sum_termwise; assumption.
Qed.

Theorem sum_telescope_lt low high f closed : integer low -> integer high -> low <= high ->
  within low high (fun i => f i < closed i - closed (i - 1)) -> sum_from low high f < closed high - closed (low - 1).
Proof.
  intros L H N E. rewrite <- (sum_telescope low high L H (fun i => closed i - closed (i - 1)) closed ltac:(lra))
    by (intros i _ _ _; reflexivity). apply sum_termwise_strictly; assumption.
Qed.

(** ** The order of a double sum *)

Theorem sum_exchange low high start stop (f : R -> R -> R) :
  sum_from low high (fun i => sum_from start stop (fun j => f i j))
  = sum_from start stop (fun j => sum_from low high (fun i => f i j)).
Proof. apply sum_below_exchange. Qed.

(** ** Induction *)

Theorem induction_on (first : R) (P : R -> Prop) : integer first -> P first ->
  (forall n, integer n -> first <= n -> P n -> P (n + 1)) -> forall n, integer n -> first <= n -> P n.
Proof.
  intros [f ->] P0 PS n [m ->] N. apply le_IZR in N. revert m N.
  apply (induction_from f (fun m => P (IZR m))); [assumption|]. intros k K Pk. rewrite plus_IZR.
  apply PS; [apply integer_number|apply IZR_le; assumption|assumption].
Qed.

(** ** Binomial coefficients *)

Lemma binomial_steps m : Z.to_nat (up (INR m) - 1) = m.
Proof. rewrite INR_IZR_INZ, up_of_integer. lia. Qed.

Lemma binomial_0 n : binomial n 0 = 1.
Proof. unfold binomial. change 0 with (INR 0). rewrite binomial_steps. reflexivity. Qed.

Lemma binomial_next n m : binomial n (INR m + 1) = binomial n (INR m) * ((n - INR m) / (INR m + 1)).
Proof. unfold binomial. rewrite <- S_INR, !binomial_steps. cbn [product_below]. rewrite !S_INR. reflexivity. Qed.

Lemma binomial_is_C n m : (m <= n)%nat -> binomial (INR n) (INR m) = Binomial.C n m.
Proof.
  induction m as [|m IH]; intros M; [rewrite C_n_0; apply binomial_0|].
  rewrite S_INR, binomial_next, IH by lia. clear IH. unfold Binomial.C.
  replace (n - m)%nat with (S (n - S m)) by lia. rewrite !fact_simpl, !mult_INR.
  replace (INR (S (n - S m))) with (INR n - INR m) by (rewrite S_INR, minus_INR, S_INR by lia; ring).
  rewrite S_INR. pose proof (INR_fact_neq_0 m). pose proof (INR_fact_neq_0 (n - S m)). pose proof (pos_INR m).
  assert (INR m < INR n) by (apply lt_INR; lia). field. repeat split; try assumption; lra.
Qed.

Theorem choose_positive n m : integer n -> integer m -> 0 <= m -> m <= n -> 1 <= binomial n m.
Proof.
  intros N M A B. destruct (nat_of_integer m M A) as [j ->].
  destruct (nat_of_integer n N ltac:(lra)) as [k ->]. apply INR_le in B. rewrite binomial_is_C by assumption.
  apply Lemmas.choose_positive. assumption.
Qed.

Theorem binomial_theorem_from n x y : integer n -> 0 <= n -> 0 <= x -> 0 <= y ->
  power (x + y) n = sum_from 0 n (fun i => binomial n i * power x i * power y (n - i)).
Proof.
  intros N A Hx Hy. destruct (nat_of_integer n N A) as [k ->]. rewrite power_of_nat by lra.
  rewrite Binomial.binomial, <- sum_below_is_sum_f_R0. unfold sum_from, steps.
  rewrite Rminus_0_r, INR_IZR_INZ, up_of_integer, <- INR_IZR_INZ.
  replace (Z.to_nat (Z.of_nat k + 1)) with (S k) by lia. apply sum_below_ext. intros i Hi.
  rewrite Rplus_0_l, binomial_is_C, <- minus_INR, !power_of_nat by lia || assumption. reflexivity.
Qed.

(** ** What tactics have to know about members, sums and products *)

(** What a hypothesis says of every whole number of a range, said of those in sight; signs of binomial coefficients. *)
Ltac members_here :=
  repeat match goal with
  | H : forall i : R, integer i -> @?P i, I : integer ?j |- _ =>
      lazymatch type of (H j I) with
      | _ <= _ -> _ <= _ -> ?C =>
          lazymatch goal with
          | _ : C |- _ => fail
          | _ => assert C by (apply (H j I); lra)
          end
      end
  | |- context [binomial ?n ?m] =>
      lazymatch goal with
      | _ : 1 <= binomial n m |- _ => fail
      | _ => assert (1 <= binomial n m) by (apply choose_positive; [whole|whole|lra|lra])
      end
  end.

Ltac inside_range := intros ? ? ? ?; cbv beta; members_here; first [lra | solve [positive] | solve [settle]].

Lemma quotient_above_1 p q : 0 < q -> q < p -> 1 < p / q.
Proof. intros Q H. apply (Rmult_lt_reg_r q); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

Lemma quotient_at_least_1 p q : 0 < q -> q <= p -> 1 <= p / q.
Proof. intros Q H. apply (Rmult_le_reg_r q); [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. Qed.

(** Signs of the sums and products in sight; and quotients in logarithms that are at least 1. *)
Ltac signs_here :=
  repeat match goal with
  | |- context [ln (?p / ?q)] =>
      lazymatch goal with
      | _ : 1 <= p / q |- _ => fail
      | _ =>
          first
          [ assert (1 < p / q) by (apply quotient_above_1; lra); assert (1 <= p / q) by lra
          | assert (1 <= p / q) by (apply quotient_at_least_1; lra) ]
      end
  | |- context [sum_from ?a ?b ?f] =>
      lazymatch goal with
      | _ : 0 <= sum_from a b f |- _ => fail
      | _ =>
          first
          [ assert (0 < sum_from a b f) by (apply sum_is_pos; [whole|whole|lra|inside_range]);
            assert (0 <= sum_from a b f) by lra
          | assert (0 <= sum_from a b f) by (apply sum_is_nonneg; [whole|whole|inside_range]) ]
      end
  | |- context [product_from ?a ?b ?f] =>
      lazymatch goal with
      | _ : 0 <= product_from a b f |- _ => fail
      | _ =>
          first
          [ assert (0 < product_from a b f) by (apply product_is_pos; [whole|whole|inside_range]);
            assert (0 <= product_from a b f) by lra
          | assert (0 <= product_from a b f) by (apply product_is_nonneg; [whole|whole|inside_range]) ];
          try assert (product_from a b f <= 1) by (apply product_at_most_1; [whole|whole|inside_range|inside_range])
      end
  end.

Ltac ranges_here := members_here; signs_here.

(** What has to hold for a term to have a value, in ranges too. *)
Ltac well_defined :=
  lazymatch goal with
  | |- forall i : R, integer i -> _ => intros; members_here; well_defined
  | |- has_binomial _ => split; [whole|lra]
  | |- _ => ranges_here; defined
  end.
