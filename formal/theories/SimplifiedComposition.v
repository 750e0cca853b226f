(** * Theorems 3.4 and 3.5 of Kairouz, Oh and Viswanath: closed forms, for all finite mechanisms

    The privacy loss of k pure randomised responses is a sum of independent losses, of which step j has the value
    eps_j or -eps_j and the mean eps_j tanh(eps_j / 2). Chernoff's bound on it gives the two entries with a
    logarithm; the sum of all eps_j bounds it outright. *)

From Coq Require Import Reals List Lra Psatz Lia.
From SymDP Require Import Sums Laws RandomisedResponse Domination Composition WorstCase MomentBound.
Import ListNotations.
Open Scope R_scope.

(** ** The sum of all eps bounds the loss outright *)

Lemma pure_loss_bounded k eps w : (forall j, (j < k)%nat -> 0 <= eps j) -> In w (words bits k) ->
  pure0 eps w <= exp (sum_below k eps) * pure1 eps w.
Proof.
  revert w. induction k as [|k IH]; intros w H Hw.
  - destruct Hw as [<-|[]]. unfold pure0, pure1. simpl. rewrite exp_0. lra.
  - apply in_words_S in Hw. destruct Hw as (b & past & -> & _ & Hp).
    assert (I : pure0 eps past <= exp (sum_below k eps) * pure1 eps past) by (apply IH; auto; intros; apply H; lia).
    pose proof (pure0_pos eps k past Hp). pose proof (pure1_pos eps k past Hp).
    assert (He : 0 <= eps k) by (apply H; lia).
    pose proof (exp_ge_1 _ He) as e1. pose proof (lie_pos (eps k)). pose proof (truth_is_odds_times_lie (eps k)) as T.
    pose proof (exp_pos (sum_below k eps)) as s0.
    unfold pure0, pure1. simpl. fold (pure0 eps) (pure1 eps). rewrite (words_length _ _ _ Hp), exp_plus.
    set (s := exp (sum_below k eps)) in *. set (e := exp (eps k)) in *. set (l := lie (eps k)) in *.
    assert (M : pure0 eps past * (e * l) <= s * pure1 eps past * (e * l)) by (apply Rmult_le_compat_r; nra).
    destruct b.
    + rewrite T. lra.
    + rewrite T. assert (0 <= pure0 eps past * l) by nra. assert (0 <= s * pure1 eps past) by nra.
      assert (0 <= s * pure1 eps past * (e * l)) by (apply Rmult_le_pos; nra). nra.
Qed.

Lemma pure_part_zero k eps eps' : (forall j, (j < k)%nat -> 0 <= eps j) -> sum_below k eps <= eps' ->
  pure_part k eps eps' = 0.
Proof.
  intros H He. unfold pure_part, excess. transitivity (total (words bits k) (fun _ => 0)); [|apply total_zero].
  apply total_ext. intros w Hw. apply Rmax_left. pose proof (pure_loss_bounded k eps w H Hw).
  pose proof (exp_le _ _ He). pose proof (pure1_pos eps k w Hw). nra.
Qed.

(** ** Chernoff's bound *)

Definition loss (eps : nat -> R) (w : list bool) : R := ln (pure0 eps w) - ln (pure1 eps w).

Lemma outcome_below_exponential eps eps' lambda k w : 0 <= lambda -> In w (words bits k) ->
  Rmax 0 (pure0 eps w - exp eps' * pure1 eps w)
  <= exp (- (lambda * eps')) / (1 + lambda) * (pure0 eps w * exp (lambda * loss eps w)).
Proof.
  intros Hl Hw. pose proof (pure0_pos eps k w Hw) as p0. pose proof (pure1_pos eps k w Hw) as q0.
  set (x := loss eps w - eps').
  assert (E : exp (- (lambda * eps')) / (1 + lambda) * (pure0 eps w * exp (lambda * loss eps w))
              = pure0 eps w * (exp (lambda * x) / (1 + lambda))).
  { unfold x. replace (lambda * (loss eps w - eps')) with (- (lambda * eps') + lambda * loss eps w) by ring.
    rewrite exp_plus. field. lra. }
  assert (L : pure0 eps w * exp (- x) = exp eps' * pure1 eps w).
  { unfold x, loss. replace (- (ln (pure0 eps w) - ln (pure1 eps w) - eps'))
      with (- ln (pure0 eps w) + (eps' + ln (pure1 eps w))) by ring.
    rewrite !exp_plus, exp_Ropp, !exp_ln by assumption. field. lra. }
  rewrite E. pose proof (exp_pos (lambda * x)). apply Rmax_lub.
  - apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
  - rewrite <- L. replace (pure0 eps w - pure0 eps w * exp (- x)) with (pure0 eps w * (1 - exp (- x))) by ring.
    apply Rmult_le_compat_l; [lra|]. apply (Rmult_le_reg_l (1 + lambda)); [lra|].
    replace ((1 + lambda) * (exp (lambda * x) / (1 + lambda))) with (exp (lambda * x)) by (field; lra).
    apply below_exponential. assumption.
Qed.

Lemma moments_multiply eps lambda k :
  total (words bits k) (fun w => pure0 eps w * exp (lambda * loss eps w))
  = product_below k (fun j =>
      truth (eps j) * exp (lambda * eps j) + (1 - truth (eps j)) * exp (- (lambda * eps j))).
Proof.
  induction k as [|k IH].
  - unfold loss, pure0, pure1. simpl. rewrite ln_1, Rminus_0_r, Rmult_0_r, exp_0. ring.
  - rewrite total_words_S. simpl product_below. rewrite <- IH, <- total_scal_r. apply total_ext. intros w Hw.
    pose proof (pure0_pos eps k w Hw) as p0. pose proof (pure1_pos eps k w Hw) as q0.
    pose proof (truth_pos (eps k)) as t0. pose proof (lie_pos (eps k)) as l0.
    assert (O : ln (truth (eps k)) = eps k + ln (lie (eps k))).
    { rewrite truth_is_odds_times_lie, ln_mult, ln_exp by (auto; apply exp_pos). reflexivity. }
    assert (L : lie (eps k) = 1 - truth (eps k)) by (pose proof (truth_plus_lie (eps k)); lra).
    assert (T : loss eps (true :: w) = loss eps w + eps k).
    { unfold loss, pure0, pure1. simpl. fold (pure0 eps) (pure1 eps). rewrite (words_length _ _ _ Hw).
      rewrite !ln_mult by assumption. rewrite O. ring. }
    assert (F : loss eps (false :: w) = loss eps w + - eps k).
    { unfold loss, pure0, pure1. simpl. fold (pure0 eps) (pure1 eps). rewrite (words_length _ _ _ Hw).
      rewrite !ln_mult by assumption. rewrite O. ring. }
    unfold bits. simpl total. rewrite T, F. unfold pure0 at 1 2. simpl. fold (pure0 eps).
    rewrite (words_length _ _ _ Hw), !Rmult_plus_distr_l, !exp_plus, <- L.
    replace (lambda * - eps k) with (- (lambda * eps k)) by ring. ring.
Qed.

Theorem chernoff k eps eps' lambda : 0 <= lambda ->
  pure_part k eps eps' <= exp (- (lambda * eps')) / (1 + lambda) * product_below k (fun j =>
    truth (eps j) * exp (lambda * eps j) + (1 - truth (eps j)) * exp (- (lambda * eps j))).
Proof.
  intros Hl. rewrite <- moments_multiply, <- total_scal. apply total_le. intros w Hw.
  apply (outcome_below_exponential eps eps' lambda k w Hl Hw).
Qed.

(** The mean of the loss and the sum of squares. *)
Definition mean (k : nat) (eps : nat -> R) : R := sum_below k (fun j => mean_loss (eps j)).
Definition squares (k : nat) (eps : nat -> R) : R := sum_below k (fun j => eps j ^ 2).

Lemma one_moment eps lambda :
  truth eps * exp (lambda * eps) + (1 - truth eps) * exp (- (lambda * eps))
  <= exp (lambda * mean_loss eps + lambda ^ 2 / 2 * eps ^ 2).
Proof.
  pose proof (truth_pos eps). pose proof (lie_pos eps). pose proof (truth_plus_lie eps).
  eapply Rle_trans; [apply (two_points (truth eps) (lambda * eps)); lra|].
  right. f_equal. unfold truth, mean_loss. field. pose proof (exp_pos eps). lra.
Qed.

(** Chernoff's bound at its best parameter, for any bound on the moments of the steps like that of a normal law. *)
Definition normal_moments (k : nat) (eps variance : nat -> R) : Prop :=
  forall j lambda, (j < k)%nat -> 0 <= lambda ->
    truth (eps j) * exp (lambda * eps j) + (1 - truth (eps j)) * exp (- (lambda * eps j))
    <= exp (lambda * mean_loss (eps j) + lambda ^ 2 / 2 * variance j).

Theorem moment_bound_by k eps variance eps' : normal_moments k eps variance ->
  0 < sum_below k variance -> mean k eps <= eps' ->
  pure_part k eps eps'
  <= exp (- ((eps' - mean k eps) ^ 2 / (2 * sum_below k variance)))
     / (1 + (eps' - mean k eps) / sum_below k variance).
Proof.
  intros M Hv Hm. set (v := sum_below k variance) in *. set (m := mean k eps) in *.
  set (lambda := (eps' - m) / v).
  assert (Hl : 0 <= lambda) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; assumption]).
  eapply Rle_trans; [apply (chernoff k eps eps' lambda Hl)|].
  assert (B : product_below k (fun j =>
                truth (eps j) * exp (lambda * eps j) + (1 - truth (eps j)) * exp (- (lambda * eps j)))
              <= exp (lambda * m + lambda ^ 2 / 2 * v)).
  { unfold m, v, mean. rewrite <- !sum_below_scal, <- sum_below_plus, <- product_below_exp.
    apply product_below_le. intros j Hj. split; [|apply M; assumption].
    pose proof (truth_pos (eps j)). pose proof (lie_pos (eps j)). pose proof (truth_plus_lie (eps j)).
    pose proof (exp_pos (lambda * eps j)). pose proof (exp_pos (- (lambda * eps j))). nra. }
  assert (P : 0 <= exp (- (lambda * eps')) / (1 + lambda)).
  { apply Rmult_le_pos; [left; apply exp_pos|]. left. apply Rinv_0_lt_compat. lra. }
  eapply Rle_trans; [apply Rmult_le_compat_l; [exact P|exact B]|].
  replace (- ((eps' - m) ^ 2 / (2 * v))) with (- (lambda * eps') + (lambda * m + lambda ^ 2 / 2 * v))
    by (unfold lambda; field; lra).
  fold lambda. rewrite (exp_plus (- (lambda * eps'))). right. field. lra.
Qed.

Theorem moment_bound k eps eps' : 0 < squares k eps -> mean k eps <= eps' ->
  pure_part k eps eps'
  <= exp (- ((eps' - mean k eps) ^ 2 / (2 * squares k eps))) / (1 + (eps' - mean k eps) / squares k eps).
Proof. apply moment_bound_by. intros j lambda _ _. apply one_moment. Qed.

(** ** The two entries with a logarithm *)

Lemma pure_part_at_classic k eps slack : (forall j, (j < k)%nat -> 0 <= eps j) -> 0 < slack <= 1 ->
  pure_part k eps (mean k eps + sqrt (2 * squares k eps * ln (1 / slack))) <= slack.
Proof.
  intros He Hs.
  assert (V : 0 <= squares k eps) by (apply sum_below_nonneg; intros; apply pow2_ge_0).
  assert (L : 0 <= ln (1 / slack)).
  { assert (O : 1 <= 1 / slack) by (apply (Rmult_le_reg_r slack); [lra|field_simplify; lra]).
    destruct O as [O|O]; [left; rewrite <- ln_1; apply ln_increasing; lra|rewrite <- O, ln_1; lra]. }
  pose proof (sqrt_pos (2 * squares k eps * ln (1 / slack))) as D.
  destruct V as [V|V].
  - eapply Rle_trans; [apply moment_bound; lra|].
    set (v := squares k eps) in *. set (d := sqrt (2 * v * ln (1 / slack))) in *.
    replace (mean k eps + d - mean k eps) with d by ring.
    assert (S : d ^ 2 = 2 * v * ln (1 / slack)) by (apply pow2_sqrt; nra).
    rewrite S. replace (- (2 * v * ln (1 / slack) / (2 * v))) with (ln slack).
    + rewrite exp_ln by lra.
      assert (0 <= d / v) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
      apply (Rmult_le_reg_r (1 + d / v)); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. nra.
    + unfold Rdiv. rewrite Rmult_1_l, ln_Rinv by lra. field. lra.
  - rewrite pure_part_zero; [lra|assumption|].
    rewrite <- V, Rmult_0_r, Rmult_0_l, sqrt_0, Rplus_0_r.
    right. apply sum_below_ext. intros j Hj.
    assert (E : eps j ^ 2 = 0).
    { apply (sum_below_zero_inv k (fun j => eps j ^ 2) j); auto. intros; apply pow2_ge_0. }
    assert (eps j = 0) as -> by nra. unfold mean_loss. rewrite exp_0. field.
Qed.

Lemma pure_part_at_logarithmic k eps slack : (forall j, (j < k)%nat -> 0 <= eps j) -> 0 < slack <= 1 ->
  pure_part k eps (mean k eps + sqrt (2 * squares k eps * ln (exp 1 + sqrt (squares k eps) / slack))) <= slack.
Proof.
  intros He Hs.
  assert (V : 0 <= squares k eps) by (apply sum_below_nonneg; intros; apply pow2_ge_0).
  destruct V as [V|V].
  - set (v := squares k eps) in *. set (r := sqrt v).
    assert (r0 : 0 < r) by (apply sqrt_lt_R0; assumption).
    assert (rr : r * r = v) by (apply sqrt_sqrt; lra).
    assert (q0 : 0 < r / slack) by (apply Rdiv_lt_0_compat; lra).
    set (a := exp 1 + r / slack). assert (a0 : exp 1 < a) by (unfold a; lra).
    pose proof (exp_pos 1) as e0.
    assert (L : 1 <= ln a) by (left; rewrite <- (ln_exp 1) at 1; apply ln_increasing; lra).
    set (d := sqrt (2 * v * ln a)).
    assert (d0 : 0 <= d) by apply sqrt_pos.
    assert (S : d ^ 2 = 2 * v * ln a) by (apply pow2_sqrt; nra).
    assert (rd : r <= d) by (apply sqrt_le_1_alt; nra).
    eapply Rle_trans; [apply moment_bound; fold v; lra|]. fold v.
    replace (mean k eps + d - mean k eps) with d by ring.
    rewrite S. replace (- (2 * v * ln a / (2 * v))) with (- ln a) by (field; lra).
    rewrite exp_Ropp, exp_ln by lra.
    (* 1/a <= slack/r and 1/(1 + d/v) <= v/d <= r *)
    assert (A : / a <= slack / r).
    { replace (slack / r) with (/ (r / slack)) by (field; lra). apply Rinv_le_contravar; unfold a; lra. }
    assert (B : / (1 + d / v) <= r).
    { apply (Rmult_le_reg_r (1 + d / v)).
      - assert (0 <= d / v) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]). lra.
      - rewrite Rinv_l.
        + assert (1 / r <= d / v).
          { rewrite <- rr. replace (d / (r * r)) with (d / r * (1 / r)) by (field; lra).
            assert (1 <= d / r) by (apply (Rmult_le_reg_r r); [lra|field_simplify; lra]).
            assert (0 < 1 / r) by (apply Rdiv_lt_0_compat; lra). nra. }
          assert (r * (1 / r) = 1) by (field; lra). nra.
        + assert (0 <= d / v) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]). lra. }
    unfold Rdiv at 1. apply Rle_trans with (slack / r * r); [|right; field; lra].
    apply Rmult_le_compat; auto.
    + left. apply Rinv_0_lt_compat. lra.
    + left. apply Rinv_0_lt_compat.
      assert (0 <= d / v) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]). lra.
  - rewrite pure_part_zero; [lra|assumption|].
    rewrite <- V, Rmult_0_r, Rmult_0_l, sqrt_0, Rplus_0_r.
    right. apply sum_below_ext. intros j Hj.
    assert (E : eps j ^ 2 = 0).
    { apply (sum_below_zero_inv k (fun j => eps j ^ 2) j); auto. intros; apply pow2_ge_0. }
    assert (eps j = 0) as -> by nra. unfold mean_loss. rewrite exp_0. field.
Qed.

(** ** Theorem 3.5: steps with parameters of their own *)

Lemma private_by_pure_part k eps delta eps' slack :
  (forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1) ->
  pure_part k eps eps' <= slack ->
  private_composition k eps delta eps' (1 - (1 - slack) * product_below k (fun j => 1 - delta j)).
Proof.
  intros range H. apply exact_composition; [assumption|].
  assert (0 <= survival k delta <= 1).
  { apply product_below_unit. intros j Hj. destruct (range j Hj). lra. }
  fold (survival k delta). nra.
Qed.

Theorem heterogeneous_composition (k : nat) (eps delta : nat -> R) (slack : R) :
  (forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1) -> 0 < slack <= 1 ->
  private_composition k eps delta
    (Rmin (sum_below k eps)
    (Rmin (mean k eps + sqrt (2 * squares k eps * ln (exp 1 + sqrt (squares k eps) / slack)))
          (mean k eps + sqrt (2 * squares k eps * ln (1 / slack)))))
    (1 - (1 - slack) * product_below k (fun j => 1 - delta j)).
Proof.
  intros range Hs. assert (He : forall j, (j < k)%nat -> 0 <= eps j) by (intros j Hj; apply range; assumption).
  apply private_by_pure_part; [assumption|].
  unfold Rmin at 1. destruct (Rle_dec _ _); [rewrite pure_part_zero; auto; lra|].
  unfold Rmin. destruct (Rle_dec _ _); auto using pure_part_at_logarithmic, pure_part_at_classic.
Qed.

(** The first entry needs no slack. *)
Theorem sum_of_epsilons (k : nat) (eps delta : nat -> R) :
  (forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1) ->
  private_composition k eps delta (sum_below k eps) (1 - product_below k (fun j => 1 - delta j)).
Proof.
  intros range. replace (product_below k _) with ((1 - 0) * product_below k (fun j => 1 - delta j)) by ring.
  apply private_by_pure_part; [assumption|]. rewrite pure_part_zero; [lra| |lra].
  intros j Hj. apply range. assumption.
Qed.

(** ** Theorem 3.4: equal steps *)

Lemma deviation_of_equal_steps k eps l : 0 <= eps ->
  sqrt (2 * squares k (fun _ => eps) * l) = eps * sqrt (2 * INR k * l).
Proof.
  intros He. unfold squares. rewrite sum_below_const.
  replace (2 * (INR k * eps ^ 2) * l) with (eps ^ 2 * (2 * INR k * l)) by ring.
  rewrite sqrt_mult_alt by apply pow2_ge_0. rewrite sqrt_pow2 by assumption. reflexivity.
Qed.

Theorem simplified_composition (k : nat) (eps delta slack : R) :
  0 <= eps -> 0 <= delta <= 1 -> 0 < slack <= 1 ->
  private_composition k (fun _ => eps) (fun _ => delta)
    (Rmin (INR k * eps)
    (Rmin ((exp eps - 1) * eps * INR k / (exp eps + 1)
             + eps * sqrt (2 * INR k * ln (exp 1 + sqrt (INR k * eps ^ 2) / slack)))
          ((exp eps - 1) * eps * INR k / (exp eps + 1)
             + eps * sqrt (2 * INR k * ln (1 / slack)))))
    (1 - (1 - delta) ^ k * (1 - slack)).
Proof.
  intros He Hd Hs.
  pose proof (heterogeneous_composition k (fun _ => eps) (fun _ => delta) slack (fun _ _ => conj He Hd) Hs) as H.
  rewrite !deviation_of_equal_steps in H by assumption. unfold mean, squares in H.
  rewrite !sum_below_const, product_below_const in H.
  replace (INR k * mean_loss eps) with ((exp eps - 1) * eps * INR k / (exp eps + 1)) in H
    by (unfold mean_loss; field; pose proof (exp_pos eps); lra).
  rewrite (Rmult_comm (1 - slack)) in H. exact H.
Qed.
