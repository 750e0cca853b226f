(** * The logarithm of the Gamma function, and its derivative

    Defined by the limit of Gauss and Euler, Gamma(x) = lim n! n^x / (x (x+1) ... (x+n)), for x > 0; then the kernel's
    lemmas about it: Stirling's formula with bounds, and the duplication formula of Legendre. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From SymDP Require Import Sums MomentBound.
From SymDP Require Import Lemmas.
Open Scope R_scope.

Definition gauss (n : nat) (x : R) : R :=
  x * ln (INR n) + ln (INR (fact n)) - sum_below (S n) (fun j => ln (x + INR j)).

Definition loggamma (x : R) : R := real (Lim_seq (fun n => gauss n x)).

Definition harmonic (n : nat) (x : R) : R := ln (INR n) - sum_below (S n) (fun j => / (x + INR j)).

Definition digamma (x : R) : R := real (Lim_seq (fun n => harmonic n x)).

(** ** Sequences *)

Lemma vanishing_fraction c : is_lim_seq (fun n => c / INR n) 0.
Proof.
  replace (Finite 0) with (Rbar_mult (Finite c) (Finite 0)) by (simpl; f_equal; ring).
  apply is_lim_seq_scal_l. apply (is_lim_seq_inv INR p_infty); [apply is_lim_seq_INR|discriminate].
Qed.

(** What lies between two fractions of n, for n >= 1, vanishes. *)
Lemma vanishing_between (u : nat -> R) c d :
  (forall n, (1 <= n)%nat -> - (c / INR n) <= u n <= d / INR n) -> is_lim_seq u 0.
Proof.
  intros H. apply (is_lim_seq_le_le_loc (fun n => - (c / INR n)) u (fun n => d / INR n)).
  - exists 1%nat. intros n Hn. apply H. assumption.
  - replace (Finite 0) with (Rbar_opp (Finite 0)) by (simpl; f_equal; ring). apply -> is_lim_seq_opp.
    apply vanishing_fraction.
  - apply vanishing_fraction.
Qed.

Lemma INR_ge_1 n : (1 <= n)%nat -> 1 <= INR n.
Proof. intros H. replace 1 with (INR 1) by reflexivity. apply le_INR. assumption. Qed.

Lemma fraction_le c x y : 0 <= c -> 0 < x -> x <= y -> c / y <= c / x.
Proof. intros. apply Rmult_le_compat_l; [assumption|]. apply Rinv_le_contravar; assumption. Qed.

(** ln n and ln (x + n + 1) come together. *)
Lemma logs_come_together x : 0 < x -> is_lim_seq (fun n => ln (x + INR (S n)) - ln (INR n)) 0.
Proof.
  intros Hx. apply (vanishing_between _ 0 (x + 1)). intros n Hn. pose proof (INR_ge_1 n Hn).
  rewrite S_INR. rewrite <- ln_div by lra. unfold Rdiv at 1. rewrite Rmult_0_l, Ropp_0. split.
  - rewrite <- ln_1. apply Rcomplements.ln_le; [lra|]. apply (Rmult_le_reg_r (INR n)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - assert (P : 0 < (x + (INR n + 1)) / INR n) by (apply Rdiv_lt_0_compat; lra).
    pose proof (log_tangent _ P) as T.
    replace ((x + (INR n + 1)) / INR n - 1) with ((x + 1) / INR n) in T by (field; lra). exact T.
Qed.

(** ** What a step adds *)

Definition stirling (y : R) : R := (y - 1 / 2) * ln y - y.
Definition step (y : R) : R := (y + 1 / 2) * ln ((y + 1) / y) - 1.
Definition slope_step (y : R) : R := 1 / y - ln ((y + 1) / y).

Lemma log_by_step y : 0 < y -> ln y = stirling (y + 1) - stirling y - step y.
Proof. intros H. unfold stirling, step. rewrite ln_div by lra. field. Qed.

Lemma step_bounds y : 0 < y -> 0 <= step y <= 1 / 12 / y - 1 / 12 / (y + 1).
Proof.
  intros H. pose proof (step_lower y H). pose proof (step_upper y H). unfold step.
  replace (1 / 12 / y - 1 / 12 / (y + 1)) with (1 / (12 * y * (y + 1))) by (field; lra). lra.
Qed.

(** The trapezium lies above the integral of 1/y, and by how much at most. *)
Lemma log_below_trapezium y : 0 < y -> ln ((y + 1) / y) <= (1 / y + 1 / (y + 1)) / 2.
Proof.
  intros H. pose proof (step_upper y H) as U. apply (Rmult_le_reg_l (y + 1 / 2)); [lra|].
  replace ((y + 1 / 2) * ((1 / y + 1 / (y + 1)) / 2)) with (1 + 3 * (1 / (12 * y * (y + 1)))) by (field; lra).
  assert (0 < 1 / (12 * y * (y + 1))) by (apply Rdiv_lt_0_compat; nra). lra.
Qed.

Lemma area_hyperbolic_tangent_below u : 0 <= u < 1 ->
  2 * u / (1 - u ^ 2) - 4 / 3 * u ^ 3 / (1 - u ^ 2) ^ 2 <= ln (1 + u) - ln (1 - u).
Proof.
  intros [Hu Hu1].
  cut (ln (1 + 0) - ln (1 - 0) - (2 * 0 / (1 - 0 ^ 2) - 4 / 3 * 0 ^ 3 / (1 - 0 ^ 2) ^ 2)
       <= ln (1 + u) - ln (1 - u) - (2 * u / (1 - u ^ 2) - 4 / 3 * u ^ 3 / (1 - u ^ 2) ^ 2)).
  { rewrite Rplus_0_r, Rminus_0_r, ln_1.
    replace (2 * 0 / (1 - 0 ^ 2) - 4 / 3 * 0 ^ 3 / (1 - 0 ^ 2) ^ 2) with 0 by field. lra. }
  apply (grows_from_derivative
           (fun u => ln (1 + u) - ln (1 - u) - (2 * u / (1 - u ^ 2) - 4 / 3 * u ^ 3 / (1 - u ^ 2) ^ 2))
           (fun u => 16 / 3 * u ^ 4 / (1 - u ^ 2) ^ 3) 0 u Hu).
  - intros x [Hx Hx1]. assert (Q : 0 < 1 - x ^ 2) by nra. auto_derive.
    + simpl in Q. repeat split; try lra; try nra; apply Rgt_not_eq; repeat apply Rmult_lt_0_compat; lra.
    + simpl in Q. field. repeat split; lra.
  - intros x [Hx Hx1]. assert (Q : 0 < 1 - x ^ 2) by nra. apply Rmult_le_pos.
    + apply Rmult_le_pos; [lra|apply pow_le; assumption].
    + left. apply Rinv_0_lt_compat. apply pow_lt; assumption.
Qed.

Lemma log_above_trapezium y : 0 < y ->
  (1 / y + 1 / (y + 1)) / 2 - 1 / 12 * (1 / y ^ 2 - 1 / (y + 1) ^ 2) <= ln ((y + 1) / y).
Proof.
  intros Hy. set (u := 1 / (2 * y + 1)). assert (Q : 0 < 1 / (2 * y + 1)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hu : 0 <= u < 1).
  { unfold u. split; [lra|]. apply (Rmult_lt_reg_r (2 * y + 1)); [lra|]. field_simplify; lra. }
  pose proof (area_hyperbolic_tangent_below u Hu) as T.
  rewrite <- ln_div in T by lra.
  replace ((1 + u) / (1 - u)) with ((y + 1) / y) in T by (unfold u; field; lra).
  eapply Rle_trans; [|exact T]. right. unfold u. field. repeat split; nra.
Qed.

Lemma slope_step_lower y : 0 < y -> 1 / 2 / y - 1 / 2 / (y + 1) <= slope_step y.
Proof.
  intros H. pose proof (log_below_trapezium y H) as T. unfold slope_step.
  replace (1 / 2 / y - 1 / 2 / (y + 1)) with (1 / y - (1 / y + 1 / (y + 1)) / 2) by (field; lra). lra.
Qed.

Lemma slope_step_upper y : 0 < y ->
  slope_step y <= 1 / 2 / y + 1 / 12 / y ^ 2 - (1 / 2 / (y + 1) + 1 / 12 / (y + 1) ^ 2).
Proof.
  intros H. pose proof (log_above_trapezium y H) as T. unfold slope_step.
  replace (1 / 2 / y + 1 / 12 / y ^ 2 - (1 / 2 / (y + 1) + 1 / 12 / (y + 1) ^ 2))
    with (1 / y - ((1 / y + 1 / (y + 1)) / 2 - 1 / 12 * (1 / y ^ 2 - 1 / (y + 1) ^ 2))) by (field; lra). lra.
Qed.

Lemma slope_step_simple y : 0 < y -> slope_step y <= 1 / y - 1 / (y + 1).
Proof.
  intros H. assert (P : 0 < y / (y + 1)) by (apply Rdiv_lt_0_compat; lra).
  pose proof (log_tangent _ P) as T. unfold slope_step. rewrite ln_div in T |- * by lra.
  replace (y / (y + 1) - 1) with (- (1 / (y + 1))) in T by (field; lra). lra.
Qed.

(** ** Their sums, from x on *)

Definition summed (f : R -> R) (x : R) (n : nat) : R := sum_below n (fun j => f (x + INR j)).

Lemma shifted_pos x j : 0 < x -> 0 < x + INR j.
Proof. intros. pose proof (pos_INR j). lra. Qed.

Lemma summed_below (f c : R -> R) x n : (forall y, 0 < y -> f y <= c y - c (y + 1)) -> 0 < x ->
  summed f x n <= c x - c (x + INR n).
Proof.
  intros H Hx. unfold summed. induction n as [|n IH].
  - cbn [sum_below INR]. rewrite (Rplus_0_r x). lra.
  - cbn [sum_below]. rewrite S_INR. specialize (H (x + INR n) (shifted_pos x n Hx)).
    replace (x + (INR n + 1)) with (x + INR n + 1) by ring. lra.
Qed.

Lemma summed_above (f c : R -> R) x n : (forall y, 0 < y -> c y - c (y + 1) <= f y) -> 0 < x ->
  c x - c (x + INR n) <= summed f x n.
Proof.
  intros H Hx. unfold summed. induction n as [|n IH].
  - cbn [sum_below INR]. rewrite (Rplus_0_r x). lra.
  - cbn [sum_below]. rewrite S_INR. specialize (H (x + INR n) (shifted_pos x n Hx)).
    replace (x + (INR n + 1)) with (x + INR n + 1) by ring. lra.
Qed.

Lemma summed_first f x n : summed f x (S n) = f x + summed f (x + 1) n.
Proof.
  unfold summed. rewrite sum_below_first. simpl (INR 0). rewrite Rplus_0_r. f_equal. apply sum_below_ext.
  intros i _. rewrite S_INR. f_equal. ring.
Qed.

Definition series (f : R -> R) (x : R) : R := real (Lim_seq (summed f x)).

Lemma summed_converges f c x : (forall y, 0 < y -> 0 <= f y <= c y - c (y + 1)) -> (forall y, 0 < y -> 0 <= c y) ->
  0 < x -> is_lim_seq (summed f x) (series f x).
Proof.
  intros H C Hx. unfold series. apply Lim_seq_correct'. apply (ex_finite_lim_seq_incr _ (c x)).
  - intros n. unfold summed. cbn [sum_below]. pose proof (H (x + INR n) (shifted_pos x n Hx)). lra.
  - intros n. eapply Rle_trans; [apply (summed_below f c x n); [intros; apply H; assumption|assumption]|].
    pose proof (C (x + INR n) (shifted_pos x n Hx)). lra.
Qed.

Lemma tail_nonneg y : 0 < y -> 0 <= 1 / 12 / y.
Proof. intros. left. apply Rdiv_lt_0_compat; lra. Qed.

Lemma steps_converge x : 0 < x -> is_lim_seq (summed step x) (series step x).
Proof. apply (summed_converges step (fun y => 1 / 12 / y)); [apply step_bounds|apply tail_nonneg]. Qed.

Lemma slope_step_nonneg y : 0 < y -> 0 <= slope_step y.
Proof.
  intros H. eapply Rle_trans; [|apply slope_step_lower; assumption].
  replace (1 / 2 / y - 1 / 2 / (y + 1)) with (1 / 2 / (y * (y + 1))) by (field; lra).
  left. apply Rdiv_lt_0_compat; nra.
Qed.

Lemma slopes_converge x : 0 < x -> is_lim_seq (summed slope_step x) (series slope_step x).
Proof.
  apply (summed_converges slope_step (fun y => 1 / y)).
  - intros y H. split; [apply slope_step_nonneg|apply slope_step_simple]; assumption.
  - intros y H. left. apply Rdiv_lt_0_compat; lra.
Qed.

Lemma vanishing_shift c x : 0 <= c -> 0 < x -> is_lim_seq (fun n => c / (x + INR n)) 0.
Proof.
  intros Hc Hx. apply (vanishing_between _ 0 c). intros n Hn. pose proof (INR_ge_1 n Hn). unfold Rdiv at 1.
  rewrite Rmult_0_l, Ropp_0. split.
  - apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat. lra.
  - apply fraction_le; lra.
Qed.

Lemma sum_of_logs x n : 0 < x ->
  sum_below n (fun j => ln (x + INR j)) = stirling (x + INR n) - stirling x - summed step x n.
Proof.
  intros Hx. unfold summed. induction n as [|n IH].
  - cbn [sum_below INR]. rewrite (Rplus_0_r x). ring.
  - cbn [sum_below]. rewrite IH, S_INR, (log_by_step (x + INR n)) by (apply shifted_pos; assumption).
    replace (x + (INR n + 1)) with (x + INR n + 1) by ring. lra.
Qed.

Lemma sum_of_inverses x n : 0 < x ->
  sum_below n (fun j => / (x + INR j)) = ln (x + INR n) - ln x + summed slope_step x n.
Proof.
  intros Hx. unfold summed. induction n as [|n IH].
  - cbn [sum_below INR]. rewrite (Rplus_0_r x). ring.
  - cbn [sum_below]. rewrite IH, S_INR. pose proof (shifted_pos x n Hx). unfold slope_step at 3.
    replace (x + (INR n + 1)) with (x + INR n + 1) by ring. rewrite ln_div by lra. field. lra.
Qed.

Lemma log_of_factorial n : ln (INR (fact n)) = sum_below n (fun j => ln (1 + INR j)).
Proof.
  induction n as [|n IH]; [simpl; apply ln_1|]. cbn [sum_below]. rewrite <- IH.
  change (fact (S n)) with (S n * fact n)%nat. rewrite mult_INR, ln_mult, S_INR.
  - rewrite (Rplus_comm (INR n) 1). ring.
  - apply lt_0_INR. lia.
  - apply INR_fact_lt_0.
Qed.

(** ** The limits exist: Stirling's formula, and the one for the slope *)

Definition constant : R := 1 - series step 1.

Lemma stirling_at_1 : stirling 1 = -1.
Proof. unfold stirling. rewrite ln_1. ring. Qed.

(** How Stirling's formula moves from m to m + x, less x ln n. *)
Lemma stirling_moves x : 0 < x ->
  is_lim_seq (fun n => x * ln (INR n) + stirling (1 + INR n) - stirling (x + INR (S n))) 0.
Proof.
  intros Hx. apply (vanishing_between _ (x * (1 + x)) (x + x ^ 2)). intros n Hn. pose proof (INR_ge_1 n Hn) as N.
  rewrite S_INR. set (m := 1 + INR n). replace (x + (INR n + 1)) with (m + x) by (unfold m; ring).
  assert (M : INR n + 1 = m) by (unfold m; ring). assert (M1 : 1 < m) by (unfold m; lra).
  assert (E : x * ln (INR n) + stirling m - stirling (m + x)
              = x - x * ln ((m + x) / INR n) - (m - 1 / 2) * ln (1 + x / m)).
  { replace (1 + x / m) with ((m + x) / m) by (field; lra). rewrite !ln_div by lra. unfold stirling. ring. }
  rewrite E. assert (Q : 0 < x / m) by (apply Rdiv_lt_0_compat; lra).
  pose proof (log_below_parabola (x / m) ltac:(lra)) as A.
  pose proof (log_tangent (1 + x / m) ltac:(lra)) as B.
  assert (P : 0 < (m + x) / INR n) by (apply Rdiv_lt_0_compat; lra).
  pose proof (log_tangent _ P) as C.
  assert (D : 0 <= ln ((m + x) / INR n)).
  { rewrite <- ln_1. apply Rcomplements.ln_le; [lra|]. apply (Rmult_le_reg_r (INR n)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  split.
  - assert (U : (m - 1 / 2) * ln (1 + x / m) <= x).
    { apply (Rle_trans _ ((m - 1 / 2) * (x / m))); [apply Rmult_le_compat_l; lra|].
      replace ((m - 1 / 2) * (x / m)) with (x - x / (2 * m)) by (field; lra).
      assert (0 < x / (2 * m)) by (apply Rdiv_lt_0_compat; lra). lra. }
    assert (V : x * ln ((m + x) / INR n) <= x * (1 + x) / INR n).
    { unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. fold ((m + x) / INR n).
      replace ((m + x) / INR n - 1) with ((1 + x) / INR n) in C by (unfold m; field; lra). exact C. }
    lra.
  - assert (U : x - (m - 1 / 2) * ln (1 + x / m) <= (x + x ^ 2) / m).
    { apply (Rle_trans _ (x - (m - 1 / 2) * (x / m - (x / m) ^ 2 / 2))).
      - apply Rplus_le_compat_l, Ropp_le_contravar, Rmult_le_compat_l; lra.
      - replace (x - (m - 1 / 2) * (x / m - (x / m) ^ 2 / 2))
          with ((x + x ^ 2) / m - (x / 2 + x ^ 2 / 2 + x ^ 2 / (4 * m)) / m) by (field; lra).
        assert (0 <= (x / 2 + x ^ 2 / 2 + x ^ 2 / (4 * m)) / m); [|lra].
        assert (0 < x ^ 2 / (4 * m)) by (apply Rdiv_lt_0_compat; nra).
        left. apply Rdiv_lt_0_compat; nra. }
    assert (V : (x + x ^ 2) / m <= (x + x ^ 2) / INR n) by (apply fraction_le; [nra|lra|unfold m; lra]).
    assert (0 <= x * ln ((m + x) / INR n)) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem gauss_converges x : 0 < x ->
  is_lim_seq (fun n => gauss n x) (stirling x + constant + series step x).
Proof.
  intros Hx.
  apply (is_lim_seq_ext (fun n => (x * ln (INR n) + stirling (1 + INR n) - stirling (x + INR (S n)))
                                  + (stirling x + 1 + summed step x (S n) - summed step 1 n))).
  - intros n. unfold gauss. rewrite log_of_factorial, (sum_of_logs 1 n), (sum_of_logs x (S n)) by lra.
    rewrite stirling_at_1. lra.
  - replace (Finite (stirling x + constant + series step x))
      with (Finite (0 + (stirling x + 1 + series step x - series step 1)))
      by (unfold constant; f_equal; ring).
    apply is_lim_seq_plus'; [apply stirling_moves; assumption|].
    apply is_lim_seq_minus'; [|apply steps_converge; lra].
    apply is_lim_seq_plus'; [apply is_lim_seq_const|].
    apply -> is_lim_seq_incr_1. apply steps_converge. assumption.
Qed.

Theorem loggamma_by_stirling x : 0 < x -> loggamma x = stirling x + constant + series step x.
Proof. intros H. unfold loggamma. rewrite (is_lim_seq_unique _ _ (gauss_converges x H)). reflexivity. Qed.

Lemma loggamma_is_limit x : 0 < x -> is_lim_seq (fun n => gauss n x) (loggamma x).
Proof. intros H. rewrite (loggamma_by_stirling x H). apply gauss_converges. assumption. Qed.

Theorem harmonic_converges x : 0 < x -> is_lim_seq (fun n => harmonic n x) (ln x - series slope_step x).
Proof.
  intros Hx.
  apply (is_lim_seq_ext (fun n => (ln x - (ln (x + INR (S n)) - ln (INR n))) - summed slope_step x (S n))).
  - intros n. unfold harmonic. rewrite (sum_of_inverses x (S n)) by assumption. lra.
  - replace (Finite (ln x - series slope_step x)) with (Finite (ln x - 0 - series slope_step x)) by (f_equal; ring).
    apply is_lim_seq_minus'.
    + apply is_lim_seq_minus'; [apply is_lim_seq_const|apply logs_come_together; assumption].
    + apply -> is_lim_seq_incr_1. apply slopes_converge. assumption.
Qed.

Theorem digamma_by_series x : 0 < x -> digamma x = ln x - series slope_step x.
Proof. intros H. unfold digamma. rewrite (is_lim_seq_unique _ _ (harmonic_converges x H)). reflexivity. Qed.

Lemma digamma_is_limit x : 0 < x -> is_lim_seq (fun n => harmonic n x) (digamma x).
Proof. intros H. rewrite (digamma_by_series x H). apply harmonic_converges. assumption. Qed.

(** ** Bounds on the slope *)

Lemma series_below f c x (l : R) : is_lim_seq (summed f x) l -> (forall n, summed f x n <= c) -> l <= c.
Proof. intros L H. apply (is_lim_seq_le _ _ l c H L). apply is_lim_seq_const. Qed.

Lemma series_above f c x (l : R) (v : nat -> R) : is_lim_seq (summed f x) l -> is_lim_seq v 0 ->
  (forall n, c - v n <= summed f x n) -> c <= l.
Proof.
  intros L V H. apply (is_lim_seq_le (fun n => c - v n) (summed f x) c l H); [|assumption].
  replace (Finite c) with (Finite (c - 0)) by (f_equal; ring). apply is_lim_seq_minus'; [apply is_lim_seq_const|assumption].
Qed.

Theorem digamma_upper x : 0 < x -> digamma x <= ln x.
Proof.
  intros H. rewrite digamma_by_series by assumption.
  assert (0 <= series slope_step x); [|lra].
  apply (series_above slope_step 0 x _ (fun _ => 0)); [apply slopes_converge; assumption|apply is_lim_seq_const|].
  intros n. unfold summed. rewrite Rminus_0_r. apply sum_below_nonneg. intros j _.
  apply slope_step_nonneg, shifted_pos. assumption.
Qed.

Theorem digamma_lower x : 0 < x -> ln x - 1 / x <= digamma x.
Proof.
  intros H. rewrite digamma_by_series by assumption. assert (series slope_step x <= 1 / x); [|lra].
  apply (series_below slope_step _ x); [apply slopes_converge; assumption|]. intros n.
  eapply Rle_trans; [apply (summed_below slope_step (fun y => 1 / y)); [apply slope_step_simple|assumption]|].
  pose proof (shifted_pos x n H). assert (0 < 1 / (x + INR n)) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

Theorem digamma_half x : 0 < x -> digamma x <= ln x - 1 / (2 * x).
Proof.
  intros H. rewrite digamma_by_series by assumption. assert (1 / 2 / x <= series slope_step x).
  - apply (series_above slope_step _ x _ (fun n => 1 / 2 / (x + INR n)));
      [apply slopes_converge; assumption|apply vanishing_shift; lra|].
    intros n. apply (summed_above slope_step (fun y => 1 / 2 / y)); [apply slope_step_lower|assumption].
  - replace (1 / (2 * x)) with (1 / 2 / x) by (field; lra). lra.
Qed.

Theorem digamma_twelfth x : 0 < x -> ln x - 1 / (2 * x) - 1 / (12 * x ^ 2) <= digamma x.
Proof.
  intros H. rewrite digamma_by_series by assumption.
  replace (1 / (2 * x)) with (1 / 2 / x) by (field; lra). replace (1 / (12 * x ^ 2)) with (1 / 12 / x ^ 2) by (field; lra).
  assert (series slope_step x <= 1 / 2 / x + 1 / 12 / x ^ 2); [|lra].
  apply (series_below slope_step _ x); [apply slopes_converge; assumption|]. intros n.
  eapply Rle_trans; [apply (summed_below slope_step (fun y => 1 / 2 / y + 1 / 12 / y ^ 2));
                     [apply slope_step_upper|assumption]|].
  pose proof (shifted_pos x n H). cbv beta. assert (0 < 1 / 2 / (x + INR n)) by (apply Rdiv_lt_0_compat; lra).
  assert (0 < 1 / 12 / (x + INR n) ^ 2) by (apply Rdiv_lt_0_compat; [lra|apply pow_lt; lra]). lra.
Qed.

(** ** The logarithm of Gamma lies above its tangents *)

Theorem loggamma_above_tangent x y : 0 < x -> 0 < y -> loggamma x + (y - x) * digamma x <= loggamma y.
Proof.
  intros Hx Hy.
  apply (is_lim_seq_le (fun n => gauss n x + (y - x) * harmonic n x) (fun n => gauss n y)
           (loggamma x + (y - x) * digamma x) (loggamma y)).
  - intros n. unfold gauss, harmonic.
    assert (S : sum_below (S n) (fun j => ln (y + INR j))
                <= sum_below (S n) (fun j => ln (x + INR j) + (y - x) * / (x + INR j))).
    { apply sum_below_le. intros j _. pose proof (shifted_pos x j Hx). pose proof (shifted_pos y j Hy).
      assert (P : 0 < (y + INR j) / (x + INR j)) by (apply Rdiv_lt_0_compat; assumption).
      pose proof (log_tangent _ P) as T. rewrite ln_div in T by assumption.
      replace ((y + INR j) / (x + INR j) - 1) with ((y - x) * / (x + INR j)) in T by (field; lra). lra. }
    rewrite sum_below_plus, sum_below_scal in S. lra.
  - apply is_lim_seq_plus'; [apply loggamma_is_limit; assumption|].
    apply (is_lim_seq_scal_l _ (y - x) (digamma x)). apply digamma_is_limit. assumption.
  - apply loggamma_is_limit. assumption.
Qed.

Theorem loggamma_rise_lower x s : 0 < x -> 0 <= s -> loggamma x + s * (ln x - 1 / x) <= loggamma (x + s).
Proof.
  intros Hx Hs. pose proof (loggamma_above_tangent x (x + s) Hx ltac:(lra)) as T.
  pose proof (digamma_lower x Hx). replace (x + s - x) with s in T by ring. nra.
Qed.

Theorem loggamma_rise_upper x s : 0 < x -> 0 <= s -> loggamma (x + s) <= loggamma x + s * ln (x + s).
Proof.
  intros Hx Hs. pose proof (loggamma_above_tangent (x + s) x ltac:(lra) Hx) as T.
  pose proof (digamma_upper (x + s) ltac:(lra)). replace (x - (x + s)) with (- s) in T by ring. nra.
Qed.

(** ** Stirling's formula, with its errors *)

Lemma step_falls y t : 0 < y -> 0 <= t -> step (y + t) <= step y.
Proof.
  intros Hy Ht. cut (- step y <= - step (y + t)); [lra|].
  apply (grows_from_derivative (fun y => - step y) (fun y => (1 / y + 1 / (y + 1)) / 2 - ln ((y + 1) / y)) y (y + t));
    [lra| |].
  - intros z [Hz _]. unfold step. auto_derive.
    + split; [lra|]. split; [|exact I]. apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat. lra.
    + unfold Rdiv. field. lra.
  - intros z [Hz _]. pose proof (log_below_trapezium z ltac:(lra)). lra.
Qed.

Lemma step_excess_grows y t : 0 < y -> 0 <= t ->
  step y - (1 / 12 / y - 1 / 12 / (y + 1)) <= step (y + t) - (1 / 12 / (y + t) - 1 / 12 / (y + t + 1)).
Proof.
  intros Hy Ht.
  apply (grows_from_derivative (fun y => step y - (1 / 12 / y - 1 / 12 / (y + 1)))
           (fun y => ln ((y + 1) / y) - ((1 / y + 1 / (y + 1)) / 2 - 1 / 12 * (1 / y ^ 2 - 1 / (y + 1) ^ 2)))
           y (y + t)); [lra| |].
  - intros z [Hz _]. unfold step. auto_derive.
    + repeat split; try lra. apply Rmult_lt_0_compat; [lra|]. apply Rinv_0_lt_compat. lra.
    + unfold Rdiv. field. lra.
  - intros z [Hz _]. pose proof (log_above_trapezium z ltac:(lra)). lra.
Qed.

Lemma series_falls x t : 0 < x -> 0 <= t -> series step (x + t) <= series step x.
Proof.
  intros Hx Ht. apply (is_lim_seq_le (summed step (x + t)) (summed step x) (series step (x + t)) (series step x));
    [|apply steps_converge; lra|apply steps_converge; lra].
  intros n. apply sum_below_le. intros j _. replace (x + t + INR j) with (x + INR j + t) by ring.
  apply step_falls; [apply shifted_pos; assumption|assumption].
Qed.

Lemma summed_excess x n : 0 < x -> summed (fun y => step y - (1 / 12 / y - 1 / 12 / (y + 1))) x n
  = summed step x n - 1 / 12 / x + 1 / 12 / (x + INR n).
Proof.
  intros Hx. unfold summed. induction n as [|n IH].
  - cbn [sum_below INR]. rewrite (Rplus_0_r x). ring.
  - cbn [sum_below]. rewrite IH, S_INR. replace (x + (INR n + 1)) with (x + INR n + 1) by ring. ring.
Qed.

Lemma excess_converges x : 0 < x ->
  is_lim_seq (summed (fun y => step y - (1 / 12 / y - 1 / 12 / (y + 1))) x) (series step x - 1 / 12 / x).
Proof.
  intros Hx. apply (is_lim_seq_ext (fun n => summed step x n - 1 / 12 / x + 1 / 12 / (x + INR n))).
  - intros n. symmetry. apply summed_excess. assumption.
  - replace (Finite (series step x - 1 / 12 / x)) with (Finite (series step x - 1 / 12 / x + 0)) by (f_equal; ring).
    apply is_lim_seq_plus'; [|apply vanishing_shift; lra].
    apply is_lim_seq_minus'; [apply steps_converge; assumption|apply is_lim_seq_const].
Qed.

Lemma series_excess_grows x t : 0 < x -> 0 <= t ->
  series step x - 1 / 12 / x <= series step (x + t) - 1 / 12 / (x + t).
Proof.
  intros Hx Ht.
  apply (is_lim_seq_le (summed (fun y => step y - (1 / 12 / y - 1 / 12 / (y + 1))) x)
           (summed (fun y => step y - (1 / 12 / y - 1 / 12 / (y + 1))) (x + t))
           (series step x - 1 / 12 / x) (series step (x + t) - 1 / 12 / (x + t)));
    [|apply excess_converges; lra|apply excess_converges; lra].
  intros n. apply sum_below_le. intros j _. replace (x + t + INR j) with (x + INR j + t) by ring.
  apply step_excess_grows; [apply shifted_pos; assumption|assumption].
Qed.

Theorem stirling_falls x t : 0 < x -> 0 <= t ->
  loggamma (x + t) - ((x + t - 1 / 2) * ln (x + t) - (x + t)) - 0 / (x + t)
  <= loggamma x - ((x - 1 / 2) * ln x - x) - 0 / x.
Proof.
  intros Hx Ht. rewrite !loggamma_by_stirling by lra. unfold stirling. pose proof (series_falls x t Hx Ht).
  unfold Rdiv. rewrite !Rmult_0_l. lra.
Qed.

Theorem stirling_grows x t : 0 < x -> 0 <= t ->
  loggamma x - ((x - 1 / 2) * ln x - x) - 1 / 12 / x
  <= loggamma (x + t) - ((x + t - 1 / 2) * ln (x + t) - (x + t)) - 1 / 12 / (x + t).
Proof.
  intros Hx Ht. rewrite !loggamma_by_stirling by lra. unfold stirling. pose proof (series_excess_grows x t Hx Ht). lra.
Qed.

Lemma series_bounds x : 0 < x -> 0 <= series step x <= 1 / 12 / x.
Proof.
  intros Hx. split.
  - apply (series_above step 0 x _ (fun _ => 0)); [apply steps_converge; assumption|apply is_lim_seq_const|].
    intros n. unfold summed. rewrite Rminus_0_r. apply sum_below_nonneg. intros j _.
    apply step_bounds, shifted_pos. assumption.
  - apply (series_below step _ x); [apply steps_converge; assumption|]. intros n.
    eapply Rle_trans; [apply (summed_below step (fun y => 1 / 12 / y)); [apply step_bounds|assumption]|].
    pose proof (tail_nonneg _ (shifted_pos x n Hx)). lra.
Qed.

(** ** Its functional equation *)

Theorem loggamma_next x : 0 < x -> loggamma (x + 1) = loggamma x + ln x.
Proof.
  intros Hx. rewrite !loggamma_by_stirling, (log_by_step x) by lra.
  assert (E : series step x = step x + series step (x + 1)); [|rewrite E; ring].
  assert (A : is_lim_seq (fun n => summed step x (S n)) (series step x))
    by (apply -> is_lim_seq_incr_1; apply steps_converge; assumption).
  assert (B : is_lim_seq (fun n => summed step x (S n)) (step x + series step (x + 1))).
  { apply (is_lim_seq_ext (fun n => step x + summed step (x + 1) n)); [intros n; symmetry; apply summed_first|].
    apply is_lim_seq_plus'; [apply is_lim_seq_const|apply steps_converge; lra]. }
  apply is_lim_seq_unique in A. apply is_lim_seq_unique in B. rewrite A in B. injection B. auto.
Qed.

Theorem loggamma_at_1 : loggamma 1 = 0.
Proof. rewrite loggamma_by_stirling, stirling_at_1 by lra. unfold constant. ring. Qed.

(** ** Wallis: Gamma(1/2) is the root of pi *)

Definition wallis (n : nat) : R := RInt (fun t => sin t ^ n) 0 (PI / 2).

Lemma ex_wallis n : ex_RInt (fun t => sin t ^ n) 0 (PI / 2).
Proof.
  apply (ex_RInt_continuous (V := R_CompleteNormedModule)). intros z _.
  apply (ex_derive_continuous (fun t => sin t ^ n)). auto_derive. exact I.
Qed.

Lemma wallis_next n : (INR n + 2) * wallis (S (S n)) = (INR n + 1) * wallis n.
Proof.
  pose proof PI_RGT_0 as P.
  assert (D : is_RInt (fun t => (INR n + 2) * sin t ^ S (S n) - (INR n + 1) * sin t ^ n) 0 (PI / 2)
                (minus (- cos (PI / 2) * sin (PI / 2) ^ S n) (- cos 0 * sin 0 ^ S n))).
  { apply (is_RInt_derive (fun t => - cos t * sin t ^ S n)).
    - intros t _. auto_derive; [exact I|]. rewrite ?Rmult_1_l. change (match n with O => 1 | S _ => INR n + 1 end) with (INR (S n)).
      rewrite S_INR. pose proof (sin2_cos2 t) as C. unfold Rsqr in C. simpl pow.
      replace (- cos t * (cos t * ((INR n + 1) * sin t ^ n))) with (- (cos t * cos t) * ((INR n + 1) * sin t ^ n)) by ring.
      replace (cos t * cos t) with (1 - sin t * sin t) by lra. ring.
    - intros t _. apply (ex_derive_continuous (fun t => (INR n + 2) * sin t ^ S (S n) - (INR n + 1) * sin t ^ n)).
      auto_derive. exact I. }
  rewrite cos_PI2, sin_0 in D. unfold minus, plus, opp in D. simpl in D.
  replace (- 0 * (sin (PI / 2) * sin (PI / 2) ^ n) + - (- cos 0 * (0 * 0 ^ n))) with 0 in D by ring.
  assert (E : is_RInt (fun t => (INR n + 2) * sin t ^ S (S n) - (INR n + 1) * sin t ^ n) 0 (PI / 2)
                ((INR n + 2) * wallis (S (S n)) - (INR n + 1) * wallis n)).
  { apply (is_RInt_minus (V := R_NormedModule) (fun t => (INR n + 2) * sin t ^ S (S n)) (fun t => (INR n + 1) * sin t ^ n)).
    - apply (is_RInt_scal (V := R_NormedModule) (fun t => sin t ^ S (S n))). apply (RInt_correct (V := R_CompleteNormedModule)), ex_wallis.
    - apply (is_RInt_scal (V := R_NormedModule) (fun t => sin t ^ n)). apply (RInt_correct (V := R_CompleteNormedModule)), ex_wallis. }
  apply (is_RInt_unique (V := R_CompleteNormedModule)) in D. apply (is_RInt_unique (V := R_CompleteNormedModule)) in E.
  enough (0 = (INR n + 2) * wallis (S (S n)) - (INR n + 1) * wallis n) by lra.
  rewrite <- E. symmetry. exact D.
Qed.

Lemma wallis_falls n : wallis (S n) <= wallis n.
Proof.
  pose proof PI_RGT_0 as P. apply RInt_le; [lra|apply ex_wallis|apply ex_wallis|]. intros t Ht.
  pose proof (sin_gt_0 t ltac:(lra) ltac:(lra)). pose proof (SIN_bound t). simpl.
  assert (0 < sin t ^ n) by (apply pow_lt; assumption). nra.
Qed.

Lemma wallis_0 : wallis 0 = PI / 2.
Proof. unfold wallis. simpl. rewrite RInt_const. unfold scal. simpl. unfold mult. simpl. ring. Qed.

Lemma wallis_1 : wallis 1 = 1.
Proof.
  apply (is_RInt_unique (V := R_CompleteNormedModule)). replace 1 with (minus (- cos (PI / 2)) (- cos 0))
    by (rewrite cos_PI2, cos_0; unfold minus, plus, opp; simpl; ring).
  apply (is_RInt_derive (fun t => - cos t)).
  - intros t _. auto_derive; [exact I|]. ring.
  - intros t _. apply (ex_derive_continuous (fun t => sin t ^ 1)). auto_derive. exact I.
Qed.

(** The logarithm of (1/2)(3/2)...(n-1/2) / n!. *)
Definition odds (n : nat) : R := sum_below n (fun j => ln (1 / 2 + INR j)) - ln (INR (fact n)).

Lemma odds_next n : exp (odds (S n)) = exp (odds n) * ((INR n + 1 / 2) / (INR n + 1)).
Proof.
  pose proof (pos_INR n). unfold odds. cbn [sum_below]. change (fact (S n)) with (S n * fact n)%nat.
  rewrite mult_INR, ln_mult, S_INR by (try apply INR_fact_lt_0; apply lt_0_INR; lia).
  replace (sum_below n (fun j => ln (1 / 2 + INR j)) + ln (1 / 2 + INR n) - (ln (INR n + 1) + ln (INR (fact n))))
    with (sum_below n (fun j => ln (1 / 2 + INR j)) - ln (INR (fact n)) + (ln (INR n + 1 / 2) - ln (INR n + 1)))
    by (rewrite (Rplus_comm (1 / 2)); ring).
  rewrite exp_plus. f_equal. rewrite <- ln_div by lra. apply exp_ln. apply Rdiv_lt_0_compat; lra.
Qed.

Lemma wallis_even n : wallis (2 * n) = PI / 2 * exp (odds n).
Proof.
  induction n as [|n IH].
  - simpl (2 * 0)%nat. rewrite wallis_0. unfold odds. cbn [sum_below]. simpl (INR (fact 0)). rewrite ln_1, Rminus_0_r, exp_0.
    ring.
  - replace (2 * S n)%nat with (S (S (2 * n))) by lia. pose proof (wallis_next (2 * n)) as W. rewrite IH in W.
    rewrite odds_next, mult_INR in *. change (INR 2) with 2 in W. pose proof (pos_INR n).
    apply (Rmult_eq_reg_l (2 * INR n + 2)); [|lra]. rewrite W. field. lra.
Qed.

Lemma wallis_odd n : wallis (S (2 * n)) = exp (- odds n) / (2 * INR n + 1).
Proof.
  induction n as [|n IH].
  - simpl (S (2 * 0)). rewrite wallis_1. unfold odds. cbn [sum_below]. simpl (INR (fact 0)).
    rewrite ln_1, Rminus_0_r, Ropp_0, exp_0. simpl. field.
  - replace (S (2 * S n))%nat with (S (S (S (2 * n)))) by lia. pose proof (wallis_next (S (2 * n))) as W. rewrite IH in W.
    rewrite exp_Ropp in *. rewrite odds_next, !S_INR, mult_INR in *. change (INR 2) with 2 in W. pose proof (pos_INR n).
    pose proof (exp_pos (odds n)).
    apply (Rmult_eq_reg_l (2 * INR n + 1 + 2)); [|lra]. rewrite W. field. repeat split; lra.
Qed.

Lemma odds_bounds n : 0 <= ln PI + 2 * odds n + ln (INR n + 1 / 2) <= 1 / (2 * INR n + 1).
Proof.
  pose proof (pos_INR n) as N. assert (P : 0 < PI) by apply PI_RGT_0. pose proof (exp_pos (odds n)) as A.
  assert (E : ln PI + 2 * odds n + ln (INR n + 1 / 2) = ln (PI * (exp (odds n) * exp (odds n)) * (INR n + 1 / 2))).
  { assert (Z : 0 < exp (odds n) * exp (odds n)) by (apply Rmult_lt_0_compat; assumption).
    assert (X : 0 < PI * (exp (odds n) * exp (odds n))) by (apply Rmult_lt_0_compat; assumption).
    rewrite (ln_mult (PI * _)), (ln_mult PI), (ln_mult (exp _)), ln_exp by lra. ring. }
  assert (X : 0 < PI * (exp (odds n) * exp (odds n))).
  { apply Rmult_lt_0_compat; [assumption|]. apply Rmult_lt_0_compat; assumption. }
  rewrite E. set (a := exp (odds n)) in *. split.
  - pose proof (wallis_falls (2 * n)) as F. rewrite wallis_even, wallis_odd, exp_Ropp in F. fold a in F.
    rewrite <- ln_1. apply Rcomplements.ln_le; [lra|].
    apply (Rmult_le_compat_r (a * (2 * INR n + 1))) in F; [|apply Rmult_le_pos; lra].
    replace (/ a / (2 * INR n + 1) * (a * (2 * INR n + 1))) with 1 in F by (field; lra). lra.
  - pose proof (wallis_falls (S (2 * n))) as F. replace (S (S (2 * n))) with (2 * S n)%nat in F by lia.
    rewrite wallis_even, wallis_odd, odds_next, exp_Ropp in F. fold a in F.
    assert (B : PI * (a * a) * (INR n + 1 / 2) <= 1 + 1 / (2 * INR n + 1)).
    { apply (Rmult_le_compat_r (a * (2 * INR n + 1) * ((INR n + 1) / (INR n + 1 / 2)))) in F.
      - replace (/ a / (2 * INR n + 1) * (a * (2 * INR n + 1) * ((INR n + 1) / (INR n + 1 / 2))))
          with (1 + 1 / (2 * INR n + 1)) in F by (field; lra).
        replace (PI / 2 * (a * ((INR n + 1 / 2) / (INR n + 1))) * (a * (2 * INR n + 1) * ((INR n + 1) / (INR n + 1 / 2))))
          with (PI * (a * a) * (INR n + 1 / 2)) in F by (field; lra). exact F.
      - apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rdiv_lt_0_compat; lra. }
    assert (Y : 0 < PI * (a * a) * (INR n + 1 / 2)) by (apply Rmult_lt_0_compat; lra).
    pose proof (log_tangent _ Y). lra.
Qed.

Theorem loggamma_at_half : loggamma (1 / 2) = ln PI / 2.
Proof.
  pose proof (loggamma_is_limit (1 / 2) ltac:(lra)) as L.
  assert (G : is_lim_seq (fun n => gauss n (1 / 2)) (ln PI / 2)).
  { apply (is_lim_seq_ext (fun n => ln PI / 2 - (1 / 2 * (ln PI + 2 * odds n + ln (INR n + 1 / 2))
                                                 + 1 / 2 * (ln (1 / 2 + INR n) - ln (INR n))))).
    - intros n. unfold gauss, odds. cbn [sum_below]. rewrite (Rplus_comm (INR n)). lra.
    - replace (Finite (ln PI / 2)) with (Finite (ln PI / 2 - (1 / 2 * 0 + 1 / 2 * 0))) by (f_equal; ring).
      apply is_lim_seq_minus'; [apply is_lim_seq_const|]. apply is_lim_seq_plus'.
      + apply (is_lim_seq_scal_l _ (1 / 2) 0). apply (vanishing_between _ 0 1). intros n Hn.
        pose proof (odds_bounds n) as [B C]. pose proof (INR_ge_1 n Hn). unfold Rdiv at 1. rewrite Rmult_0_l, Ropp_0.
        split; [assumption|]. eapply Rle_trans; [exact C|]. apply fraction_le; lra.
      + apply (is_lim_seq_scal_l _ (1 / 2) 0). apply (vanishing_between _ 0 (1 / 2)). intros n Hn.
        pose proof (INR_ge_1 n Hn). pose proof (half_step_lower (INR n) ltac:(lra)) as U.
        unfold Rdiv at 1. rewrite Rmult_0_l, Ropp_0, <- ln_div by lra. split.
        * rewrite <- ln_1. apply Rcomplements.ln_le; [lra|]. apply (Rmult_le_reg_r (INR n)); [lra|].
          unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
        * rewrite (Rplus_comm (1 / 2)). replace (1 / 2 / INR n) with (1 / (2 * INR n)) by (field; lra). exact U. }
  apply is_lim_seq_unique in L. apply is_lim_seq_unique in G. rewrite L in G. injection G. auto.
Qed.

(** ** The duplication formula of Legendre *)

Definition duplication (x : R) : R := loggamma x + loggamma (x + 1 / 2) - loggamma (2 * x) + (2 * x - 1) * ln 2.

Lemma duplication_repeats x n : 0 < x -> duplication (x + INR n / 2) = duplication x.
Proof.
  intros Hx. induction n as [|n IH]; [simpl; f_equal; field|]. rewrite <- IH. rewrite S_INR.
  set (y := x + INR n / 2). assert (0 < y) by (unfold y; pose proof (pos_INR n); lra).
  replace (x + (INR n + 1) / 2) with (y + 1 / 2) by (unfold y; field). unfold duplication.
  replace (y + 1 / 2 + 1 / 2) with (y + 1) by field. replace (2 * (y + 1 / 2)) with (2 * y + 1) by field.
  rewrite !loggamma_next, ln_mult by lra. ring.
Qed.

Lemma duplication_far y : 0 < y -> Rabs (duplication y - (constant - ln 2 / 2)) <= 1 / y.
Proof.
  intros Hy. unfold duplication. rewrite !loggamma_by_stirling by lra.
  pose proof (series_bounds y Hy). pose proof (series_bounds (y + 1 / 2) ltac:(lra)).
  pose proof (series_bounds (2 * y) ltac:(lra)).
  pose proof (half_step_lower y Hy) as A. pose proof (half_step_upper y Hy) as B.
  assert (E : stirling y + stirling (y + 1 / 2) - stirling (2 * y) + (2 * y - 1) * ln 2
              = y * ln ((y + 1 / 2) / y) - 1 / 2 - ln 2 / 2).
  { unfold stirling. rewrite ln_div, ln_mult by lra. field. }
  apply (Rmult_le_compat_l y) in A; [|lra]. replace (y * (1 / (2 * y))) with (1 / 2) in A by (field; lra).
  assert (Q : 0 < 1 / y) by (apply Rdiv_lt_0_compat; lra).
  replace (1 / (8 * y)) with (1 / 8 * (1 / y)) in B by (field; lra).
  assert (1 / 12 / y = 1 / 12 * (1 / y)) by (field; lra).
  assert (1 / 12 / (2 * y) = 1 / 24 * (1 / y)) by (field; lra).
  assert (1 / 12 / (y + 1 / 2) <= 1 / 12 / y) by (apply fraction_le; lra).
  apply Rabs_le. lra.
Qed.

Lemma duplication_constant x : 0 < x -> duplication x = constant - ln 2 / 2.
Proof.
  intros Hx. assert (L : is_lim_seq (fun n => duplication x - (constant - ln 2 / 2)) 0).
  { apply (vanishing_between _ 2 2). intros n Hn. pose proof (INR_ge_1 n Hn).
    pose proof (duplication_far (x + INR n / 2) ltac:(lra)) as F. rewrite duplication_repeats in F by assumption.
    assert (B : 1 / (x + INR n / 2) <= 2 / INR n).
    { replace (2 / INR n) with (1 / (INR n / 2)) by (field; lra). apply fraction_le; lra. }
    apply Rabs_le_between in F. lra. }
  apply is_lim_seq_unique in L. rewrite Lim_seq_const in L. injection L. lra.
Qed.

Theorem constant_of_stirling : constant = ln (2 * PI) / 2.
Proof.
  pose proof (duplication_constant (1 / 2) ltac:(lra)) as D. unfold duplication in D.
  replace (1 / 2 + 1 / 2) with 1 in D by field. replace (2 * (1 / 2)) with 1 in D by field.
  rewrite loggamma_at_half, loggamma_at_1 in D. rewrite ln_mult by (try apply PI_RGT_0; lra). lra.
Qed.

Lemma duplication_is x : 0 < x -> duplication x = ln PI / 2.
Proof.
  intros H. rewrite duplication_constant, constant_of_stirling by assumption.
  rewrite ln_mult by (try apply PI_RGT_0; lra). lra.
Qed.

Theorem duplication_lower x : 1 / 2 <= x ->
  ln PI / 2 <= loggamma x + loggamma (x + 1 / 2) - loggamma (2 * x) + (2 * x - 1) * ln 2.
Proof. intros H. right. symmetry. apply duplication_is. lra. Qed.

Theorem duplication_upper x : 1 / 2 <= x ->
  loggamma x + loggamma (x + 1 / 2) - loggamma (2 * x) + (2 * x - 1) * ln 2 <= ln PI / 2.
Proof. intros H. right. apply duplication_is. lra. Qed.

Theorem stirling_near_lower x : 0 < x ->
  (x - 1 / 2) * ln x - x + ln (2 * PI) / 2 - 1 / (24 * (x + 1 / 2)) <= loggamma x.
Proof.
  intros H. rewrite loggamma_by_stirling, constant_of_stirling by assumption. pose proof (series_bounds x H).
  assert (0 < 1 / (24 * (x + 1 / 2))) by (apply Rdiv_lt_0_compat; lra). unfold stirling. lra.
Qed.

Theorem stirling_near_upper x : 0 < x ->
  loggamma x <= (x - 1 / 2) * ln x - x + ln (2 * PI) / 2 + 1 / (8 * (x + 1 / 2)) + 1 / (12 * x * (x + 1)).
Proof.
  intros H. rewrite loggamma_by_stirling, constant_of_stirling by assumption. pose proof (series_bounds x H) as [_ B].
  assert (1 / 12 / x <= 1 / (8 * (x + 1 / 2)) + 1 / (12 * x * (x + 1))); [|unfold stirling; lra].
  replace (1 / 12 / x) with (1 / (12 * (x + 1)) + 1 / (12 * x * (x + 1))) by (field; lra).
  apply Rplus_le_compat_r. apply fraction_le; lra.
Qed.

(** ** The slope is the derivative *)

Lemma inverse_squares x n : 0 < x -> summed (fun y => 1 / y ^ 2) x n <= 1 / x ^ 2 + 1 / x.
Proof.
  intros Hx. eapply Rle_trans; [apply (summed_below (fun y => 1 / y ^ 2) (fun y => 1 / y ^ 2 + 1 / y)); [|assumption]|].
  - intros y Hy. replace (1 / y ^ 2 + 1 / y - (1 / (y + 1) ^ 2 + 1 / (y + 1)))
      with (1 / y ^ 2 + 1 / (y * (y + 1) ^ 2)) by (field; lra).
    assert (0 < 1 / (y * (y + 1) ^ 2)) by (apply Rdiv_lt_0_compat; nra). lra.
  - pose proof (shifted_pos x n Hx). cbv beta.
    assert (0 < 1 / (x + INR n) ^ 2) by (apply Rdiv_lt_0_compat; [lra|apply pow_lt; assumption]).
    assert (0 < 1 / (x + INR n)) by (apply Rdiv_lt_0_compat; lra). lra.
Qed.

(** From a on, the slope rises by at most so much. *)
Lemma digamma_rises a x y : 0 < a -> a <= x -> x <= y -> digamma y - digamma x <= (y - x) * (1 / a ^ 2 + 1 / a).
Proof.
  intros Ha Hx Hy.
  apply (is_lim_seq_le (fun n => harmonic n y - harmonic n x) (fun _ => (y - x) * (1 / a ^ 2 + 1 / a))
           (digamma y - digamma x) ((y - x) * (1 / a ^ 2 + 1 / a)));
    [|apply is_lim_seq_minus'; apply digamma_is_limit; lra|apply is_lim_seq_const].
  intros n. unfold harmonic. apply (Rle_trans _ ((y - x) * summed (fun y => 1 / y ^ 2) a (S n))).
  - unfold summed. rewrite <- sum_below_scal.
    assert (S : sum_below (S n) (fun j => / (x + INR j))
                <= sum_below (S n) (fun j => / (y + INR j) + (y - x) * (1 / (a + INR j) ^ 2))).
    { apply sum_below_le. intros j _. pose proof (pos_INR j). set (u := x + INR j). set (v := y + INR j). set (b := a + INR j).
      assert (B : 0 < b) by (unfold b; lra). assert (U : b <= u) by (unfold b, u; lra).
      assert (V : b <= v) by (unfold b, v; lra).
      replace (y - x) with (v - u) by (unfold u, v; ring).
      assert (D : 0 <= v - u) by (unfold u, v; lra).
      assert (E : / u = / v + (v - u) * (1 / (u * v))) by (field; lra). rewrite E. apply Rplus_le_compat_l.
      apply Rmult_le_compat_l; [assumption|]. apply fraction_le; nra. }
    rewrite sum_below_plus in S. lra.
  - apply Rmult_le_compat_l; [lra|]. apply inverse_squares. assumption.
Qed.

Theorem digamma_is_derivative x : 0 < x -> is_derive loggamma x (digamma x).
Proof.
  intros Hx. apply is_derive_Reals. intros eps He. set (a := x / 2). assert (Ha : 0 < a) by (unfold a; lra).
  set (K := 1 / a ^ 2 + 1 / a).
  assert (HK : 0 < K).
  { unfold K. assert (0 < 1 / a ^ 2) by (apply Rdiv_lt_0_compat; nra). assert (0 < 1 / a) by (apply Rdiv_lt_0_compat; lra). lra. }
  assert (Hd : 0 < Rmin a (eps / K)) by (apply Rmin_glb_lt; [assumption|apply Rdiv_lt_0_compat; lra]).
  exists (mkposreal _ Hd). intros h Hh Hs. cbn [pos] in Hs.
  assert (A : Rabs h < a) by (eapply Rlt_le_trans; [exact Hs|apply Rmin_l]).
  assert (B : Rabs h * K < eps).
  { apply (Rmult_lt_reg_r (/ K)); [apply Rinv_0_lt_compat; assumption|]. rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra.
    eapply Rlt_le_trans; [exact Hs|apply Rmin_r]. }
  assert (P : 0 < x + h) by (apply Rabs_def2 in A; unfold a in A; lra).
  pose proof (loggamma_above_tangent x (x + h) Hx P) as T1. replace (x + h - x) with h in T1 by ring.
  pose proof (loggamma_above_tangent (x + h) x P Hx) as T2. replace (x - (x + h)) with (- h) in T2 by ring.
  assert (Q : 0 <= (loggamma (x + h) - loggamma x - h * digamma x) <= h * (digamma (x + h) - digamma x)) by lra.
  assert (R : h * (digamma (x + h) - digamma x) <= h * h * K).
  { apply Rabs_def2 in A. destruct (Rle_lt_dec 0 h) as [H|H].
    - pose proof (digamma_rises a x (x + h) Ha ltac:(unfold a; lra) ltac:(lra)) as D. fold K in D.
      replace (x + h - x) with h in D by ring. rewrite Rmult_assoc. apply Rmult_le_compat_l; assumption.
    - pose proof (digamma_rises a (x + h) x Ha ltac:(unfold a in *; lra) ltac:(lra)) as D. fold K in D.
      replace (x - (x + h)) with (- h) in D by ring. nra. }
  replace ((loggamma (x + h) - loggamma x) / h - digamma x)
    with ((loggamma (x + h) - loggamma x - h * digamma x) / h) by (field; assumption).
  unfold Rdiv. rewrite Rabs_mult, Rabs_inv by assumption. rewrite (Rabs_right (_ - _)) by lra.
  assert (H0 : 0 < Rabs h) by (apply Rabs_pos_lt; assumption).
  apply (Rle_lt_trans _ (Rabs h * K)); [|assumption]. apply (Rmult_le_reg_r (Rabs h)); [assumption|].
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  replace (Rabs h * K * Rabs h) with (Rabs h * Rabs h * K) by ring. rewrite <- Rabs_mult, (Rabs_right (h * h)) by nra. lra.
Qed.
