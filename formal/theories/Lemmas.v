(** * The kernel's library of lemmas

    One theorem for each lemma that a proof of the kernel may use by name (symdp/kernel/lemmas.json), under the same
    name, with an underscore for each hyphen. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From SymDP Require Import Sums MomentBound RulesCalculus RulesFunctions RulesGauss WorstCase.
Open Scope R_scope.

(** ** Monotone functions *)

Theorem exp_increasing x y : x <= y -> exp x <= exp y.
Proof. apply exp_le_iff. Qed.

Theorem by_log x y : 0 < x -> 0 < y -> ln x <= ln y -> x <= y.
Proof. apply ln_le_iff. Qed.

Theorem by_exp x y : exp x <= exp y -> x <= y.
Proof. apply exp_le_iff. Qed.

Theorem by_sqrt x y : 0 <= x -> 0 <= y -> sqrt x <= sqrt y -> x <= y.
Proof. apply sqrt_le_iff. Qed.

Theorem by_square x y : 0 <= y -> x ^ 2 <= y ^ 2 -> x <= y.
Proof. intros. nra. Qed.

Theorem exp_increasing_strictly x y : x < y -> exp x < exp y.
Proof. apply exp_lt_iff. Qed.

Theorem by_log_strictly x y : 0 < x -> 0 < y -> ln x < ln y -> x < y.
Proof. apply ln_lt_iff. Qed.

Theorem by_exp_strictly x y : exp x < exp y -> x < y.
Proof. apply exp_lt_iff. Qed.

Theorem by_sqrt_strictly x y : 0 <= x -> 0 <= y -> sqrt x < sqrt y -> x < y.
Proof. apply sqrt_lt_iff. Qed.

Theorem by_square_strictly x y : 0 <= y -> x ^ 2 < y ^ 2 -> x < y.
Proof. intros. nra. Qed.

(** ** Whole powers and binomial coefficients *)

Theorem power_of_fraction x n : (1 <= n)%nat -> 0 <= x -> x <= 1 -> x ^ n <= x.
Proof.
  intros Hn H0 H1. destruct n as [|n]; [lia|]. simpl.
  assert (0 <= x ^ n) by (apply pow_le; assumption).
  assert (x ^ n <= 1) by (rewrite <- (pow1 n); apply pow_incr; lra). nra.
Qed.

Theorem power_of_large x n : (1 <= n)%nat -> 1 <= x -> x <= x ^ n.
Proof.
  intros Hn H. destruct n as [|n]; [lia|]. simpl. assert (1 <= x ^ n) by (apply pow_R1_Rle; assumption). nra.
Qed.

Theorem power_sign x n : 0 <= x -> 0 <= x ^ n.
Proof. apply pow_le. Qed.

Theorem choose_positive n m : (m <= n)%nat -> 1 <= Binomial.C n m.
Proof.
  revert m. induction n as [|n IH]; intros m Hm.
  - replace m with O by lia. rewrite C_n_0. lra.
  - destruct m as [|m]; [rewrite C_n_0; lra|].
    destruct (Nat.eq_dec m n) as [->|N]; [rewrite C_n_n; lra|].
    rewrite <- pascal by lia. pose proof (IH m ltac:(lia)). pose proof (C_pos n (S m)). lra.
Qed.

(** ** Exponential and logarithm *)

Theorem exp_tangent z : z + 1 <= exp z.
Proof. pose proof (exp_ineq1_le z). lra. Qed.

Theorem exp_quadratic z : 0 <= z -> z + z ^ 2 / 2 + 1 <= exp z.
Proof.
  intros Hz. cut (exp 0 - (0 + 0 ^ 2 / 2 + 1) <= exp z - (z + z ^ 2 / 2 + 1)); [rewrite exp_0; lra|].
  apply (grows_from_derivative (fun x => exp x - (x + x ^ 2 / 2 + 1)) (fun x => exp x - (x + 1)) 0 z Hz).
  - intros x _. auto_derive; [exact I|]. field.
  - intros x _. pose proof (exp_tangent x). lra.
Qed.

Theorem log_tangent z : 0 < z -> ln z <= z - 1.
Proof. apply ln_below_line. Qed.

Theorem log_chord z : 1 <= z -> 2 * (z - 1) / (z + 1) <= ln z.
Proof.
  intros Hz. cut (ln 1 - 2 * (1 - 1) / (1 + 1) <= ln z - 2 * (z - 1) / (z + 1)).
  { rewrite ln_1. unfold Rdiv. lra. }
  apply (grows_from_derivative (fun x => ln x - 2 * (x - 1) / (x + 1))
           (fun x => (x - 1) ^ 2 / (x * (x + 1) ^ 2)) 1 z Hz).
  - intros x [Hx _]. auto_derive; [lra|]. field. lra.
  - intros x [Hx _]. apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat. nra.
Qed.

Theorem log_root z : 1 <= z -> ln z <= (z - 1) / sqrt z.
Proof.
  intros Hz. set (r := sqrt z).
  assert (r1 : 1 <= r) by (unfold r; rewrite <- sqrt_1; apply sqrt_le_1_alt; assumption).
  assert (E : z = r * r) by (unfold r; rewrite sqrt_sqrt; lra).
  rewrite E, ln_mult by lra.
  replace ((r * r - 1) / r) with (r - / r) by (field; lra).
  cut (1 - / 1 - 2 * ln 1 <= r - / r - 2 * ln r); [rewrite ln_1, Rinv_1; lra|].
  apply (grows_from_derivative (fun x => x - / x - 2 * ln x) (fun x => (1 - / x) ^ 2) 1 r r1).
  - intros x [Hx _]. auto_derive; [lra|]. field. lra.
  - intros. apply pow2_ge_0.
Qed.

Theorem cosh_gauss z : cosh z <= exp (z ^ 2 / 2).
Proof.
  pose proof (two_points (1 / 2) z ltac:(lra)) as T. unfold cosh.
  replace ((2 * (1 / 2) - 1) * z + z ^ 2 / 2) with (z ^ 2 / 2) in T by field. lra.
Qed.

Theorem log_concave w x y : 0 <= w -> w <= 1 -> 0 < x -> 0 < y ->
  w * ln x + (1 - w) * ln y <= ln (w * x + y * (1 - w)).
Proof.
  intros W0 W1 Hx Hy. set (c := w * x + y * (1 - w)).
  assert (Hc : 0 < c).
  { unfold c. destruct (Req_dec w 0) as [->|]; [lra|]. assert (0 < w * x) by (apply Rmult_lt_0_compat; lra). nra. }
  pose proof (ln_tangent x c Hx Hc) as Tx. pose proof (ln_tangent y c Hy Hc) as Ty.
  assert (E : w * ((x - c) / c) + (1 - w) * ((y - c) / c) = 0).
  { replace (w * ((x - c) / c) + (1 - w) * ((y - c) / c)) with ((w * x + y * (1 - w) - c) / c) by (field; lra).
    fold c. unfold Rdiv. ring. }
  nra.
Qed.

Theorem exp_convex w x y : 0 <= w -> w <= 1 -> exp (w * x + y * (1 - w)) <= w * exp x + (1 - w) * exp y.
Proof.
  intros W0 W1. set (c := w * x + y * (1 - w)).
  pose proof (MomentBound.exp_tangent x c) as Tx. pose proof (MomentBound.exp_tangent y c) as Ty.
  assert (E : w * (exp c * (1 + (x - c))) + (1 - w) * (exp c * (1 + (y - c))) = exp c) by (unfold c; ring).
  nra.
Qed.

(** ** The tail of the normal law *)

(** A function that is at most the bell, far out, vanishes at infinity. *)
Lemma vanishes_with_bell f : (forall x, 1 < x -> 0 <= f x <= bell x) -> is_lim f p_infty 0.
Proof.
  intros H. apply (is_lim_le_le_loc (fun _ => 0) bell); [|apply is_lim_const|apply bell_limit].
  exists 1. intros x Hx. apply H. assumption.
Qed.

Lemma sqrt_PI_ge_1 : 1 <= sqrt PI.
Proof. rewrite <- sqrt_1. apply sqrt_le_1_alt. pose proof PI2_1. lra. Qed.

Lemma vanishing_difference f g : is_lim f p_infty 0 -> is_lim g p_infty 0 ->
  is_lim (fun x => f x - g x) p_infty 0.
Proof.
  intros F G. pose proof (is_lim_minus' f g p_infty 0 0 F G) as H. rewrite Rminus_0_r in H. exact H.
Qed.

Theorem erfc_chernoff z : 0 <= z -> erfc z <= exp (- z ^ 2).
Proof.
  intros [Hz| <-]; [|rewrite erfc_0; replace (- 0 ^ 2) with 0 by ring; rewrite exp_0; lra].
  pose proof sqrt_PI_pos as P.
  assert (G : 0 <= bell z - erfc z); [|unfold bell in G; lra].
  apply (concave_nonneg 0 p_infty (fun x => bell x - erfc x) (fun x => 2 * bell x) (fun x => / sqrt PI - x)
           (fun _ => -1)) with (la := 0) (lb := 0).
  - intros x _. replace (2 * bell x * (/ sqrt PI - x))
      with (minus (- 2 * x * bell x) (- (2 / sqrt PI * exp (- x ^ 2))))
      by (unfold minus, plus, opp, bell; simpl; field; lra).
    apply (is_derive_minus bell erfc); [|apply erfc_derivative].
    unfold bell. auto_derive; [exact I|]. simpl. ring.
  - intros x _. auto_derive; [exact I|]. ring.
  - intros x _. pose proof (exp_pos (- x ^ 2)). unfold bell. lra.
  - intros. lra.
  - assert (E : bell 0 - erfc 0 = 0).
    { rewrite erfc_0. unfold bell. replace (- 0 ^ 2) with 0 by ring. rewrite exp_0. ring. }
    rewrite <- E at 2. apply (limit_at_closed_lower_end (fun x => bell x - erfc x) 0).
    apply (continuous_minus bell erfc); [apply bell_continuous|].
    apply (ex_derive_continuous erfc). eexists. apply erfc_derivative.
  - apply (vanishing_difference bell erfc); [apply bell_limit|apply erfc_limit].
  - simpl. lra.
  - simpl. lra.
  - split; simpl; auto.
Qed.

Theorem mills_upper z : 0 < z -> erfc z <= exp (- z ^ 2) / (sqrt PI * z).
Proof.
  intros Hz. pose proof sqrt_PI_pos as P. pose proof sqrt_PI_ge_1 as P1.
  assert (G : 0 <= bell z / (sqrt PI * z) - erfc z); [|unfold bell in G; lra].
  apply (monotone_from_above 0 p_infty (fun x => bell x / (sqrt PI * x) - erfc x)
           (fun x => - (bell x / (sqrt PI * x ^ 2)))) with (l := 0).
  - intros x [Hx _]. simpl in Hx.
    replace (- (bell x / (sqrt PI * x ^ 2)))
      with (minus (- 2 * bell x / sqrt PI - bell x / (sqrt PI * x ^ 2)) (- (2 / sqrt PI * exp (- x ^ 2))))
      by (unfold minus, plus, opp, bell; simpl; field; lra).
    apply (is_derive_minus (fun x => bell x / (sqrt PI * x)) erfc); [|apply erfc_derivative].
    unfold bell. auto_derive; [nra|]. simpl. field. lra.
  - intros x [Hx _]. simpl in Hx. assert (0 < bell x / (sqrt PI * x ^ 2)); [|lra].
    apply Rdiv_lt_0_compat; [apply exp_pos|]. apply Rmult_lt_0_compat; nra.
  - apply (vanishing_difference (fun x => bell x / (sqrt PI * x)) erfc); [|apply erfc_limit].
    apply vanishes_with_bell. intros x Hx. pose proof (exp_pos (- x ^ 2)). fold (bell x) in *.
    assert (1 <= sqrt PI * x) by nra. split.
    + left. apply Rdiv_lt_0_compat; lra.
    + apply (Rmult_le_reg_r (sqrt PI * x)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
  - simpl. lra.
  - split; simpl; auto.
Qed.

Theorem mills_lower z : 0 <= z -> 2 * z * exp (- z ^ 2) / (sqrt PI * (2 * z ^ 2 + 1)) <= erfc z.
Proof.
  intros [Hz| <-]; [|rewrite erfc_0; unfold Rdiv; rewrite Rmult_0_r, !Rmult_0_l; lra].
  pose proof sqrt_PI_pos as P. pose proof sqrt_PI_ge_1 as P1.
  assert (G : 0 <= erfc z - 2 * z * bell z / (sqrt PI * (2 * z ^ 2 + 1))); [|unfold bell in G; lra].
  apply (monotone_from_above 0 p_infty (fun x => erfc x - 2 * x * bell x / (sqrt PI * (2 * x ^ 2 + 1)))
           (fun x => - (4 * bell x / (sqrt PI * (2 * x ^ 2 + 1) ^ 2)))) with (l := 0).
  - intros x [Hx _]. simpl in Hx.
    assert (Q : 0 < 2 * x ^ 2 + 1) by nra.
    replace (- (4 * bell x / (sqrt PI * (2 * x ^ 2 + 1) ^ 2)))
      with (minus (- (2 / sqrt PI * exp (- x ^ 2)))
                  (2 * bell x * (1 - 4 * x ^ 2 - 4 * x ^ 4) / (sqrt PI * (2 * x ^ 2 + 1) ^ 2)))
      by (unfold minus, plus, opp, bell; simpl in *; field; lra).
    apply (is_derive_minus erfc (fun x => 2 * x * bell x / (sqrt PI * (2 * x ^ 2 + 1)))); [apply erfc_derivative|].
    unfold bell. auto_derive; [simpl in Q; nra|]. simpl in *. field. lra.
  - intros x [Hx _]. simpl in Hx. assert (0 < 4 * bell x / (sqrt PI * (2 * x ^ 2 + 1) ^ 2)); [|lra].
    pose proof (exp_pos (- x ^ 2)). fold (bell x) in *.
    apply Rdiv_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; [assumption|]. apply pow_lt. nra.
  - apply (vanishing_difference erfc (fun x => 2 * x * bell x / (sqrt PI * (2 * x ^ 2 + 1)))); [apply erfc_limit|].
    apply vanishes_with_bell. intros x Hx. pose proof (exp_pos (- x ^ 2)). fold (bell x) in *.
    assert (2 * x <= sqrt PI * (2 * x ^ 2 + 1)) by nra. split.
    + left. apply Rdiv_lt_0_compat; nra.
    + apply (Rmult_le_reg_r (sqrt PI * (2 * x ^ 2 + 1))); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      nra.
  - simpl. lra.
  - split; simpl; auto.
Qed.

Theorem mills_birnbaum z : 0 <= z -> 2 * exp (- z ^ 2) / (sqrt PI * (z + sqrt (z ^ 2 + 2))) <= erfc z.
Proof.
  intros Hz. pose proof sqrt_PI_pos as P. pose proof sqrt_PI_ge_1 as P1.
  assert (G : 0 <= erfc z - 2 * bell z / (sqrt PI * (z + sqrt (z ^ 2 + 2)))); [|unfold bell in G; lra].
  (* everything is smooth on the whole line; the sign of the slope is that of s - 1/s - x, s = sqrt (x^2 + 2) *)
  assert (S : forall x, 0 < x ^ 2 + 2) by (intros; nra).
  assert (R : forall x, sqrt (x ^ 2 + 2) * sqrt (x ^ 2 + 2) = x ^ 2 + 2)
    by (intros x; apply sqrt_sqrt; specialize (S x); lra).
  assert (R0 : forall x, 0 < sqrt (x ^ 2 + 2)) by (intros x; apply sqrt_lt_R0; auto).
  assert (A : forall x, 0 < x + sqrt (x ^ 2 + 2)).
  { intros x. specialize (R x). specialize (R0 x). nra. }
  apply (monotone_from_above m_infty p_infty (fun x => erfc x - 2 * bell x / (sqrt PI * (x + sqrt (x ^ 2 + 2))))
           (fun x => - (2 * bell x * (sqrt (x ^ 2 + 2) - / sqrt (x ^ 2 + 2) - x)
                        / (sqrt PI * (x + sqrt (x ^ 2 + 2)))))) with (l := 0).
  - intros x _. specialize (S x). specialize (R x). specialize (R0 x). specialize (A x).
    replace (- (2 * bell x * (sqrt (x ^ 2 + 2) - / sqrt (x ^ 2 + 2) - x) / (sqrt PI * (x + sqrt (x ^ 2 + 2)))))
      with (minus (- (2 / sqrt PI * exp (- x ^ 2)))
                  (2 * bell x * (- 2 * x - / sqrt (x ^ 2 + 2)) / (sqrt PI * (x + sqrt (x ^ 2 + 2)))))
      by (unfold minus, plus, opp, bell; simpl in *; field; lra).
    apply (is_derive_minus erfc (fun x => 2 * bell x / (sqrt PI * (x + sqrt (x ^ 2 + 2))))); [apply erfc_derivative|].
    unfold bell. auto_derive.
    + simpl in *. repeat split; try lra. apply Rgt_not_eq. apply Rmult_lt_0_compat; lra.
    + simpl in *. set (s := sqrt (x * (x * 1) + 2)) in *. field. lra.
  - intros x _. specialize (S x). specialize (R x). specialize (R0 x). specialize (A x).
    set (s := sqrt (x ^ 2 + 2)) in *. pose proof (exp_pos (- x ^ 2)). fold (bell x) in *.
    assert (D : 0 <= s - / s - x).
    { apply (Rmult_le_reg_r s); [assumption|]. rewrite Rmult_0_l.
      replace ((s - / s - x) * s) with (s * s - 1 - x * s) by (field; lra). rewrite R.
      assert ((x * s) ^ 2 <= (x ^ 2 + 1) ^ 2)
        by (replace ((x * s) ^ 2) with (x ^ 2 * (s * s)) by ring; rewrite R; nra).
      assert (x * s <= x ^ 2 + 1) by (apply by_square; [nra|assumption]). lra. }
    assert (0 <= 2 * bell x * (s - / s - x) / (sqrt PI * (x + s))); [|lra].
    apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; assumption.
  - apply (vanishing_difference erfc (fun x => 2 * bell x / (sqrt PI * (x + sqrt (x ^ 2 + 2))))); [apply erfc_limit|].
    apply vanishes_with_bell. intros x Hx. pose proof (exp_pos (- x ^ 2)). fold (bell x) in *.
    assert (1 <= sqrt (x ^ 2 + 2)) by (rewrite <- sqrt_1 at 1; apply sqrt_le_1_alt; nra).
    assert (2 <= sqrt PI * (x + sqrt (x ^ 2 + 2))) by nra. split.
    + left. apply Rdiv_lt_0_compat; lra.
    + apply (Rmult_le_reg_r (sqrt PI * (x + sqrt (x ^ 2 + 2)))); [lra|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
  - simpl. lra.
  - split; exact I.
Qed.

Lemma Phi_of_opposite z : Phi (- z) = erfc (z / sqrt 2) / 2.
Proof. rewrite Phi_by_erfc. do 2 f_equal. unfold Rdiv. ring. Qed.

Lemma half_square z : (z / sqrt 2) ^ 2 = z ^ 2 / 2.
Proof.
  assert (T : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (E : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  replace ((z / sqrt 2) ^ 2) with (z ^ 2 / (sqrt 2 * sqrt 2)) by (field; lra). rewrite E. reflexivity.
Qed.

Lemma scaled_nonneg z : 0 <= z -> 0 <= z / sqrt 2.
Proof. intros H. apply Rmult_le_pos; [assumption|]. left. apply Rinv_0_lt_compat, sqrt_lt_R0. lra. Qed.

Theorem normal_chernoff z : 0 <= z -> Phi (- z) <= exp (- (z ^ 2 / 2)) / 2.
Proof.
  intros H. rewrite Phi_of_opposite. pose proof (erfc_chernoff _ (scaled_nonneg z H)) as G.
  rewrite half_square in G. lra.
Qed.

Theorem normal_mills z : 0 < z -> Phi (- z) <= sqrt 2 * exp (- (z ^ 2 / 2)) / (2 * sqrt PI * z).
Proof.
  intros H. rewrite Phi_of_opposite. assert (T : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). pose proof sqrt_PI_pos.
  assert (Q : 0 < z / sqrt 2) by (apply Rdiv_lt_0_compat; assumption).
  pose proof (mills_upper _ Q) as G. rewrite half_square in G.
  replace (sqrt 2 * exp (- (z ^ 2 / 2)) / (2 * sqrt PI * z))
    with (exp (- (z ^ 2 / 2)) / (sqrt PI * (z / sqrt 2)) / 2) by (field; lra). lra.
Qed.

(** ** Sine and cosine *)

Theorem circle x : sin x ^ 2 + cos x ^ 2 = 1.
Proof. pose proof (sin2_cos2 x) as E. unfold Rsqr in E. simpl. lra. Qed.

Theorem sine_of_sum x y : sin (x + y) = sin x * cos y + cos x * sin y.
Proof. apply sin_plus. Qed.

Theorem cosine_of_sum x y : cos (x + y) = cos x * cos y - sin x * sin y.
Proof. apply cos_plus. Qed.

(** ** A step of Stirling's formula *)

Lemma log_below_parabola u : 0 <= u -> u - u ^ 2 / 2 <= ln (1 + u).
Proof.
  intros Hu. cut (ln (1 + 0) - (0 - 0 ^ 2 / 2) <= ln (1 + u) - (u - u ^ 2 / 2)); [rewrite Rplus_0_r, ln_1; lra|].
  apply (grows_from_derivative (fun u => ln (1 + u) - (u - u ^ 2 / 2)) (fun u => u ^ 2 / (1 + u)) 0 u Hu).
  - intros x [Hx _]. auto_derive; [lra|]. field. lra.
  - intros x [Hx _]. apply Rmult_le_pos; [apply pow2_ge_0|]. left. apply Rinv_0_lt_compat. lra.
Qed.

Theorem half_step_lower x : 0 < x -> ln ((x + 1 / 2) / x) <= 1 / (2 * x).
Proof.
  intros Hx. assert (P : 0 < (x + 1 / 2) / x) by (apply Rdiv_lt_0_compat; lra).
  pose proof (log_tangent _ P) as T. replace ((x + 1 / 2) / x - 1) with (1 / (2 * x)) in T by (field; lra). exact T.
Qed.

Theorem half_step_upper x : 0 < x -> 1 / 2 - x * ln ((x + 1 / 2) / x) <= 1 / (8 * x).
Proof.
  intros Hx. assert (P : 0 < 1 / (2 * x)) by (apply Rdiv_lt_0_compat; lra).
  pose proof (log_below_parabola (1 / (2 * x)) ltac:(lra)) as T.
  replace (1 + 1 / (2 * x)) with ((x + 1 / 2) / x) in T by (field; lra).
  apply (Rmult_le_compat_l x) in T; [|lra].
  replace (x * (1 / (2 * x) - (1 / (2 * x)) ^ 2 / 2)) with (1 / 2 - 1 / (8 * x)) in T by (field; lra). lra.
Qed.

Theorem step_lower x : 0 < x -> 0 <= (x + 1 / 2) * ln ((x + 1) / x) - 1.
Proof.
  intros Hx. assert (P : 1 <= (x + 1) / x).
  { replace ((x + 1) / x) with (1 + 1 / x) by (field; lra). assert (0 < 1 / x) by (apply Rdiv_lt_0_compat; lra). lra. }
  pose proof (log_chord _ P) as T.
  replace (2 * ((x + 1) / x - 1) / ((x + 1) / x + 1)) with (1 / (x + 1 / 2)) in T by (field; lra).
  apply (Rmult_le_compat_l (x + 1 / 2)) in T; [|lra].
  replace ((x + 1 / 2) * (1 / (x + 1 / 2))) with 1 in T by (field; lra). lra.
Qed.

(** log ((1+u)/(1-u)) <= 2u + 2u^3 / (3 (1-u^2)) *)
Lemma area_hyperbolic_tangent_above u : 0 <= u < 1 -> ln (1 + u) - ln (1 - u) <= 2 * u + 2 * u ^ 3 / (3 * (1 - u ^ 2)).
Proof.
  intros [Hu Hu1].
  cut (2 * 0 + 2 * 0 ^ 3 / (3 * (1 - 0 ^ 2)) - (ln (1 + 0) - ln (1 - 0))
       <= 2 * u + 2 * u ^ 3 / (3 * (1 - u ^ 2)) - (ln (1 + u) - ln (1 - u))).
  { rewrite Rplus_0_r, Rminus_0_r, ln_1. replace (2 * 0 + 2 * 0 ^ 3 / (3 * (1 - 0 ^ 2))) with 0 by field. lra. }
  apply (grows_from_derivative (fun u => 2 * u + 2 * u ^ 3 / (3 * (1 - u ^ 2)) - (ln (1 + u) - ln (1 - u)))
           (fun u => 4 * u ^ 4 / (3 * (1 - u ^ 2) ^ 2)) 0 u Hu).
  - intros x [Hx Hx1]. assert (Q : 0 < 1 - x ^ 2) by nra. auto_derive.
    + simpl in Q. repeat split; try lra; nra.
    + simpl in Q. field. repeat split; lra.
  - intros x [Hx Hx1]. assert (Q : 0 < 1 - x ^ 2) by nra. apply Rmult_le_pos.
    + apply Rmult_le_pos; [lra|apply pow_le; assumption].
    + left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; [lra|apply pow_lt; assumption].
Qed.

Theorem step_upper x : 0 < x -> (x + 1 / 2) * ln ((x + 1) / x) - 1 <= 1 / (12 * x * (x + 1)).
Proof.
  intros Hx. set (u := 1 / (2 * x + 1)). assert (Q : 0 < 1 / (2 * x + 1)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hu : 0 <= u < 1).
  { unfold u. split; [lra|]. apply (Rmult_lt_reg_r (2 * x + 1)); [lra|]. field_simplify; lra. }
  pose proof (area_hyperbolic_tangent_above u Hu) as T.
  assert (E : ln (1 + u) - ln (1 - u) = ln ((x + 1) / x)).
  { rewrite <- ln_div by lra. f_equal. unfold u. field. lra. }
  rewrite E in T. apply (Rmult_le_compat_l (x + 1 / 2)) in T; [|lra].
  replace ((x + 1 / 2) * (2 * u + 2 * u ^ 3 / (3 * (1 - u ^ 2)))) with (1 + 1 / (12 * x * (x + 1))) in T; [lra|].
  unfold u. field. repeat split; nra.
Qed.
