(** * A tactic for signs

    [positive] settles goals of the forms 0 < t, 0 <= t, t < 0, t <= 0, t <> 0 and 1 < t, 1 <= t by walking through t:
    products, quotients, powers, roots, exponentials, logarithms of what exceeds 1, sums of parts that are not
    negative, and the functions of this library; at the leaves by hypotheses and linear arithmetic. Side conditions of
    [field] are such goals. It never splits into cases, and fails where it does not finish. *)

From Coq Require Import Reals Lra.
From SymDP Require Import RulesFunctions RulesGauss.
Open Scope R_scope.

Lemma ln_positive x : 1 < x -> 0 < ln x.
Proof. intros H. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma ln_nonnegative x : 1 <= x -> 0 <= ln x.
Proof. intros H. rewrite <- ln_1. apply ln_le_iff; lra. Qed.

Lemma exp_above_1 x : 0 < x -> 1 < exp x.
Proof. intros H. rewrite <- exp_0. apply exp_increasing. assumption. Qed.

Lemma exp_at_least_1 x : 0 <= x -> 1 <= exp x.
Proof. intros H. rewrite <- exp_0. apply exp_le_iff. assumption. Qed.

Lemma sqrt_at_least_1 x : 1 <= x -> 1 <= sqrt x.
Proof. intros H. rewrite <- sqrt_1 at 1. apply sqrt_le_1_alt. assumption. Qed.

Lemma sqrt_above_1 x : 1 < x -> 1 < sqrt x.
Proof. intros H. rewrite <- sqrt_1 at 1. apply sqrt_lt_1_alt. lra. Qed.

Lemma quotient_nonneg x y : 0 <= x -> 0 < y -> 0 <= x / y.
Proof. intros Hx Hy. apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat. assumption. Qed.

Lemma inverse_nonneg x : 0 < x -> 0 <= / x.
Proof. intros H. left. apply Rinv_0_lt_compat. assumption. Qed.

Lemma tanh_positive x : 0 < x -> 0 < tanh x.
Proof. intros H. rewrite <- tanh_0. apply tanh_increasing. assumption. Qed.

Lemma sinh_positive x : 0 < x -> 0 < sinh x.
Proof. intros H. unfold sinh. assert (exp (- x) < exp x) by (apply exp_increasing; lra). lra. Qed.

Lemma erf_positive x : 0 < x -> 0 < erf x.
Proof. intros H. rewrite <- erf_0. apply erf_increasing. assumption. Qed.

Lemma even_power_nonneg x : 0 <= x ^ 2.
Proof. apply pow2_ge_0. Qed.

Lemma square_positive x : x <> 0 -> 0 < x ^ 2.
Proof. intros H. simpl. rewrite Rmult_1_r. apply (Rsqr_pos_lt x H). Qed.

Lemma max_positive_l x y : 0 < x -> 0 < Rmax x y.
Proof. intros H. eapply Rlt_le_trans; [exact H|apply Rmax_l]. Qed.

Lemma max_positive_r x y : 0 < y -> 0 < Rmax x y.
Proof. intros H. eapply Rlt_le_trans; [exact H|apply Rmax_r]. Qed.

Lemma max_nonneg_l x y : 0 <= x -> 0 <= Rmax x y.
Proof. intros H. eapply Rle_trans; [exact H|apply Rmax_l]. Qed.

Lemma max_nonneg_r x y : 0 <= y -> 0 <= Rmax x y.
Proof. intros H. eapply Rle_trans; [exact H|apply Rmax_r]. Qed.

Lemma Rlt_above_1 b : 0 < b -> 1 < 1 + b.
Proof. intros. lra. Qed.

Lemma Rle_above_1 b : 0 <= b -> 1 <= 1 + b.
Proof. intros. lra. Qed.

Lemma Rlt_0_minus x y : y < x -> 0 < x - y.
Proof. intros. lra. Qed.

Lemma Rle_0_minus x y : y <= x -> 0 <= x - y.
Proof. intros. lra. Qed.

Lemma below_by_gap x y : 0 <= y - x -> x <= y.
Proof. intros. lra. Qed.

Lemma quotient_above_1 x y : 0 < y -> y < x -> 1 < x / y.
Proof.
  intros P H. apply (Rmult_lt_reg_r y); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r; lra.
Qed.

Lemma quotient_at_least_1 x y : 0 < y -> y <= x -> 1 <= x / y.
Proof.
  intros P H. apply (Rmult_le_reg_r y); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r; lra.
Qed.

Lemma quotient_below_1 x y : 0 < y -> x < y -> x / y < 1.
Proof.
  intros P H. apply (Rmult_lt_reg_r y); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r; lra.
Qed.

Lemma quotient_at_most_1 x y : 0 < y -> x <= y -> x / y <= 1.
Proof.
  intros P H. apply (Rmult_le_reg_r y); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r; lra.
Qed.

Lemma inverse_below_1 y : 1 < y -> / y < 1.
Proof. intros H. rewrite <- (Rmult_1_l (/ y)). apply (quotient_below_1 1 y); lra. Qed.

Lemma inverse_at_most_1 y : 1 <= y -> / y <= 1.
Proof. intros H. rewrite <- (Rmult_1_l (/ y)). apply (quotient_at_most_1 1 y); lra. Qed.

Lemma inverse_above_1 y : 0 < y -> y < 1 -> 1 < / y.
Proof. intros P H. rewrite <- (Rmult_1_l (/ y)). apply (quotient_above_1 1 y P H). Qed.

Lemma inverse_at_least_1 y : 0 < y -> y <= 1 -> 1 <= / y.
Proof. intros P H. rewrite <- (Rmult_1_l (/ y)). apply (quotient_at_least_1 1 y P H). Qed.

Lemma product_above_1 x y : 1 < x -> 1 <= y -> 1 < x * y.
Proof. intros. nra. Qed.

Lemma product_above_1' x y : 1 <= x -> 1 < y -> 1 < x * y.
Proof. intros. nra. Qed.

Lemma product_at_least_1 x y : 1 <= x -> 1 <= y -> 1 <= x * y.
Proof. intros. nra. Qed.

Lemma pow_above_1 x n : 1 < x -> 1 < x ^ S n.
Proof. intros H. induction n; simpl in *; [lra|]. nra. Qed.

Lemma pow_at_least_1 x n : 1 <= x -> 1 <= x ^ n.
Proof. intros H. apply pow_R1_Rle. exact H. Qed.

Lemma sum_above_1 x y : 1 < x -> 0 <= y -> 1 < x + y.
Proof. intros. lra. Qed.

Lemma sum_above_1' x y : 0 <= x -> 1 < y -> 1 < x + y.
Proof. intros. lra. Qed.

Lemma sum_at_least_1 x y : 1 <= x -> 0 <= y -> 1 <= x + y.
Proof. intros. lra. Qed.

Lemma sum_at_least_1' x y : 0 <= x -> 1 <= y -> 1 <= x + y.
Proof. intros. lra. Qed.

Lemma ln_negative x : 0 < x -> x < 1 -> ln x < 0.
Proof. intros P H. rewrite <- ln_1. apply ln_increasing; assumption. Qed.

Lemma ln_not_positive x : 0 < x -> x <= 1 -> ln x <= 0.
Proof. intros P H. rewrite <- ln_1. apply ln_le_iff; lra. Qed.

Lemma product_of_negatives x y : x < 0 -> y < 0 -> 0 < x * y.
Proof. intros. nra. Qed.

Lemma product_of_not_positives x y : x <= 0 -> y <= 0 -> 0 <= x * y.
Proof. intros. nra. Qed.

Lemma product_negative x y : 0 < x -> y < 0 -> x * y < 0.
Proof. intros. nra. Qed.

Lemma product_negative' x y : x < 0 -> 0 < y -> x * y < 0.
Proof. intros. nra. Qed.

Lemma product_not_positive x y : 0 <= x -> y <= 0 -> x * y <= 0.
Proof. intros. nra. Qed.

Lemma product_not_positive' x y : x <= 0 -> 0 <= y -> x * y <= 0.
Proof. intros. nra. Qed.

Lemma quotient_negative x y : x < 0 -> 0 < y -> x / y < 0.
Proof. intros H P. apply product_negative'; [exact H|]. apply Rinv_0_lt_compat. exact P. Qed.

Lemma quotient_not_positive x y : x <= 0 -> 0 < y -> x / y <= 0.
Proof. intros H P. apply product_not_positive'; [exact H|]. apply inverse_nonneg. exact P. Qed.

Lemma quotient_of_negatives x y : x < 0 -> y < 0 -> 0 < x / y.
Proof. intros H P. apply product_of_negatives; [exact H|]. apply Rinv_lt_0_compat. exact P. Qed.

Lemma quotient_of_not_positives x y : x <= 0 -> y < 0 -> 0 <= x / y.
Proof. intros H P. apply product_of_not_positives; [exact H|]. left. apply Rinv_lt_0_compat. exact P. Qed.

Lemma Rplus_lt_0_neg x y : x < 0 -> y <= 0 -> x + y < 0.
Proof. intros. lra. Qed.

Lemma Rplus_neg_lt_0 x y : x <= 0 -> y < 0 -> x + y < 0.
Proof. intros. lra. Qed.

Lemma Rplus_not_positive x y : x <= 0 -> y <= 0 -> x + y <= 0.
Proof. intros. lra. Qed.

Lemma Rminus_lt_1 x : 0 < x -> 1 - x < 1.
Proof. intros. lra. Qed.

Lemma Rminus_le_1 x : 0 <= x -> 1 - x <= 1.
Proof. intros. lra. Qed.

Lemma minus_positive x y : 0 < x -> y <= 0 -> 0 < x - y.
Proof. intros. lra. Qed.

Lemma minus_positive' x y : 0 <= x -> y < 0 -> 0 < x - y.
Proof. intros. lra. Qed.

Lemma minus_nonneg x y : 0 <= x -> y <= 0 -> 0 <= x - y.
Proof. intros. lra. Qed.

Lemma minus_negative x y : x <= 0 -> 0 < y -> x - y < 0.
Proof. intros. lra. Qed.

Lemma minus_not_positive x y : x <= 0 -> 0 <= y -> x - y <= 0.
Proof. intros. lra. Qed.

Lemma opposite_positive x : x < 0 -> 0 < - x.
Proof. intros. lra. Qed.

Lemma opposite_nonneg x : x <= 0 -> 0 <= - x.
Proof. intros. lra. Qed.

Lemma opposite_negative x : 0 < x -> - x < 0.
Proof. intros. lra. Qed.

Lemma opposite_not_positive x : 0 <= x -> - x <= 0.
Proof. intros. lra. Qed.

Ltac positive :=
  lazymatch goal with
  | |- _ > 0 => apply Rlt_gt; positive
  | |- _ >= 0 => apply Rle_ge; positive
  | |- _ <> 0 => first [solve [assumption | lra] | solve [apply Rgt_not_eq; positive] | apply Rlt_not_eq; positive]
  | |- 0 < ?t => first [assumption | strictly_positive t]
  | |- 0 <= ?t => first [assumption | not_negative t]
  | |- ?t < 0 => first [assumption | strictly_negative t]
  | |- ?t <= 0 => first [assumption | not_positive t]
  | |- 1 < ?t => first [assumption | above_1 t]
  | |- ?t < 1 => first [assumption | below_1 t]
  | |- ?t <= 1 => first [assumption | at_most_1 t]
  | |- 1 <= ?t => first [assumption | at_least_1 t]
  | |- _ /\ _ => split; positive
  end
with strictly_positive t :=
  lazymatch t with
  | exp _ => apply exp_pos
  | cosh _ => apply cosh_pos
  | erfc _ => apply erfc_pos
  | Phi _ => apply Phi_bounds
  | PI => exact PI_RGT_0
  | _ * _ => first [solve [apply Rmult_lt_0_compat; positive] | lra | apply product_of_negatives; positive]
  | _ / _ => first [solve [apply Rdiv_lt_0_compat; positive] | apply quotient_of_negatives; positive]
  | - _ => apply opposite_positive; positive
  | / _ => apply Rinv_0_lt_compat; positive
  | ?x ^ 2 => first [solve [apply pow_lt; positive] | apply square_positive; positive]
  | _ ^ _ => apply pow_lt; positive
  | power _ _ => apply power_pos; positive
  | sqrt _ => apply sqrt_lt_R0; positive
  | ln _ => apply ln_positive; positive
  | tanh _ => apply tanh_positive; positive
  | sinh _ => apply sinh_positive; positive
  | erf _ => apply erf_positive; positive
  | Rmax _ _ => first [solve [apply max_positive_l; positive] | apply max_positive_r; positive]
  | Rmin _ _ => apply Rmin_glb_lt; positive
  | Rabs _ => apply Rabs_pos_lt; positive
  | ?a + ?b => first [lra
                     | solve [apply Rplus_lt_le_0_compat; positive]
                     | solve [apply Rplus_le_lt_0_compat; positive]]
  | exp ?a - 1 => apply Rlt_0_minus, exp_above_1; positive
  | ?a + ?b - ?b => replace (a + b - b) with a by ring; positive
  | _ - _ => first [lra | solve [apply minus_positive; positive] | apply minus_positive'; positive]
  | _ => lra
  end
with not_negative t :=
  lazymatch t with
  | sqrt _ => apply sqrt_pos
  | Rabs _ => apply Rabs_pos
  | power _ _ => apply power_nonneg
  | _ * _ => first [solve [apply Rmult_le_pos; positive] | lra | apply product_of_not_positives; positive]
  | _ / _ => first [solve [apply quotient_nonneg; positive] | apply quotient_of_not_positives; positive]
  | - _ => apply opposite_nonneg; positive
  | / _ => apply inverse_nonneg; positive
  | _ ^ 2 => apply even_power_nonneg
  | _ ^ _ => apply pow_le; positive
  | ln _ => apply ln_nonnegative; positive
  | Rmax _ _ => first [solve [apply max_nonneg_l; positive] | apply max_nonneg_r; positive]
  | Rmin _ _ => apply Rmin_glb; positive
  | ?a + ?b => first [lra | apply Rplus_le_le_0_compat; positive]
  | exp ?a - 1 => apply Rle_0_minus, exp_at_least_1; positive
  | ?a + ?b - ?b => replace (a + b - b) with a by ring; positive
  | _ - _ => first [lra | apply minus_nonneg; positive]
  | _ => first [lra | apply Rlt_le; positive]
  end
with strictly_negative t :=
  lazymatch t with
  | - _ => apply opposite_negative; positive
  | _ * _ => first [lra | solve [apply product_negative; positive] | apply product_negative'; positive]
  | _ / _ => apply quotient_negative; positive
  | ln _ => apply ln_negative; [positive|positive]
  | _ + _ => first [lra | apply Rplus_lt_0_neg; positive | apply Rplus_neg_lt_0; positive]
  | 1 - ?b => first [lra | solve [apply Rlt_minus; positive] | apply minus_negative; positive]
  | _ - _ => first [lra | apply minus_negative; positive]
  | _ => lra
  end
with not_positive t :=
  lazymatch t with
  | - _ => apply opposite_not_positive; positive
  | _ * _ => first [lra | solve [apply product_not_positive; positive] | apply product_not_positive'; positive]
  | _ / _ => apply quotient_not_positive; positive
  | ln _ => apply ln_not_positive; [positive|positive]
  | _ + _ => first [lra | apply Rplus_not_positive; positive]
  | _ - _ => first [lra | apply minus_not_positive; positive]
  | _ => lra
  end
with below_1 t :=
  lazymatch t with
  | 1 / _ => apply quotient_below_1; [positive|positive]
  | _ / _ => apply quotient_below_1; [positive|first [lra | apply Rminus_gt_0_lt; positive]]
  | / _ => apply inverse_below_1; positive
  | 1 - _ => apply Rminus_lt_1; positive
  | _ => lra
  end
with at_most_1 t :=
  lazymatch t with
  | 1 / _ => apply quotient_at_most_1; [positive|positive]
  | _ / _ => apply quotient_at_most_1; [positive|first [lra | apply below_by_gap; positive]]
  | / _ => apply inverse_at_most_1; positive
  | 1 - _ => apply Rminus_le_1; positive
  | _ => lra
  end
with above_1 t :=
  lazymatch t with
  | exp _ => apply exp_above_1; positive
  | sqrt _ => apply sqrt_above_1; positive
  | 1 + ?b => first [lra | apply (Rlt_above_1 b); positive]
  | ?a + 1 => rewrite (Rplus_comm a 1); positive
  | _ + _ => first [lra | solve [apply sum_above_1; positive] | apply sum_above_1'; positive]
  | 1 / _ => apply quotient_above_1; [positive|positive]
  | _ / _ => first [lra | apply quotient_above_1; [positive|first [lra | apply Rminus_gt_0_lt; positive]]]
  | / _ => apply inverse_above_1; [positive|positive]
  | _ * _ => first [lra | solve [apply product_above_1; positive] | apply product_above_1'; positive]
  | _ ^ _ => apply pow_above_1; positive
  | _ => lra
  end
with at_least_1 t :=
  lazymatch t with
  | exp _ => apply exp_at_least_1; positive
  | sqrt _ => apply sqrt_at_least_1; positive
  | cosh _ => apply cosh_ge_1
  | 1 + ?b => first [lra | apply (Rle_above_1 b); positive]
  | ?a + 1 => rewrite (Rplus_comm a 1); positive
  | _ + _ => first [lra | solve [apply sum_at_least_1; positive] | apply sum_at_least_1'; positive]
  | 1 / _ => apply quotient_at_least_1; [positive|positive]
  | _ / _ => first [lra | apply quotient_at_least_1; [positive|first [lra | apply below_by_gap; positive]]]
  | / _ => apply inverse_at_least_1; [positive|positive]
  | _ * _ => first [lra | apply product_at_least_1; positive]
  | _ ^ _ => apply pow_at_least_1; positive
  | _ => lra
  end.

(** ** Examples *)

Example signs_1 x y : 0 < x -> 0 <= y ->
  0 < 2 * exp (- x) / (1 + y * sqrt (x + y)) /\ 1 + exp y <> 0 /\ 0 <= ln (1 + x ^ 2) /\ 0 < erfc x * PI.
Proof. intros. repeat split; positive. Qed.

Example signs_2 k eps slack : 1 <= k -> 0 < eps -> 0 < slack ->
  0 <= eps * sqrt (2 * k * ln (exp 1 + sqrt (k * eps ^ 2) / slack)) /\
  0 < (exp eps - 1) * eps * k / (exp eps + 1) /\ 0 < ln (1 + eps / slack).
Proof. intros. repeat split; positive. Qed.
