(** * The error function, its complement, and the normal law

    erf is defined by an integral; that it tends to 1 is the Gaussian integral, proved by the classical argument: the
    derivative of (int_0^x e^(-t^2) dt)^2 + int_0^1 e^(-x^2 (1 + t^2))/(1 + t^2) dt is 0, so that it is pi/4. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SymDP Require Import RulesCalculus.
Open Scope R_scope.

Definition bell (t : R) : R := exp (- t ^ 2).

Definition erf (x : R) : R := 2 / sqrt PI * RInt bell 0 x.
Definition erfc (x : R) : R := 1 - erf x.
(** The distribution function of the normal law. *)
Definition Phi (x : R) : R := (1 + erf (x / sqrt 2)) / 2.

Lemma bell_continuous x : continuous bell x.
Proof. apply (ex_derive_continuous bell). unfold bell. auto_derive. exact I. Qed.

Lemma bell_integrable a b : ex_RInt bell a b.
Proof. apply (ex_RInt_continuous bell). intros. apply bell_continuous. Qed.

Lemma bell_integral_derivative (x : R) : is_derive (fun x => RInt bell 0 x) x (bell x).
Proof.
  apply (is_derive_RInt bell (fun x => RInt bell 0 x) 0 x).
  - apply filter_forall. intros y. apply (RInt_correct (V := R_CompleteNormedModule) bell 0 y). apply bell_integrable.
  - apply bell_continuous.
Qed.

(** ** The Gaussian integral *)

Section Gaussian_integral.

Let side (x t : R) : R := exp (- x ^ 2 * (1 + t ^ 2)) / (1 + t ^ 2).
Let side_slope (x t : R) : R := - 2 * x * exp (- x ^ 2 * (1 + t ^ 2)).

Lemma denominator_pos t : 0 < 1 + t ^ 2.
Proof. nra. Qed.

Lemma side_derivative x t : is_derive (fun x => side x t) x (side_slope x t).
Proof.
  unfold side, side_slope. pose proof (denominator_pos t). auto_derive; [exact I|]. simpl in *. field. lra.
Qed.

Lemma side_continuous x t : continuous (side x) t.
Proof.
  apply (ex_derive_continuous (side x)). unfold side. auto_derive. pose proof (denominator_pos t). simpl in *. lra.
Qed.

Lemma side_slope_continuous x t : continuity_2d_pt side_slope x t.
Proof.
  apply continuity_2d_pt_filterlim. unfold side_slope.
  apply (continuous_mult (fun z : R * R => - 2 * fst z) (fun z : R * R => exp (- fst z ^ 2 * (1 + snd z ^ 2)))).
  - apply (continuous_mult (fun z : R * R => - 2) (fun z : R * R => fst z)).
    + apply continuous_const.
    + apply continuous_fst.
  - apply (continuous_comp (fun z : R * R => - fst z ^ 2 * (1 + snd z ^ 2)) exp).
    + apply (continuous_mult (fun z : R * R => - fst z ^ 2) (fun z : R * R => 1 + snd z ^ 2)).
      * apply (continuous_comp (fun z : R * R => fst z) (fun x => - x ^ 2)); [apply continuous_fst|].
        apply (ex_derive_continuous (fun x => - x ^ 2)). auto_derive. exact I.
      * apply (continuous_comp (fun z : R * R => snd z) (fun x => 1 + x ^ 2)); [apply continuous_snd|].
        apply (ex_derive_continuous (fun x => 1 + x ^ 2)). auto_derive. exact I.
    + apply (ex_derive_continuous exp). auto_derive. exact I.
Qed.

Lemma side_slope_split (x t : R) : side_slope x t = - 2 * bell x * (x * bell (x * t + 0)).
Proof.
  unfold side_slope, bell.
  replace (- x ^ 2 * (1 + t ^ 2)) with (- x ^ 2 + - (x * t + 0) ^ 2) by ring. rewrite exp_plus. ring.
Qed.

Lemma side_integral_derivative (x : R) :
  is_derive (fun x => RInt (side x) 0 1) x (- 2 * bell x * RInt bell 0 x).
Proof.
  assert (D : is_derive (fun x => RInt (fun t => side x t) 0 1) x
                        (RInt (fun t => Derive (fun u => side u t) x) 0 1)).
  { apply is_derive_RInt_param.
    - apply filter_forall. intros y t _. exists (side_slope y t). apply side_derivative.
    - intros t _. apply continuity_2d_pt_ext with side_slope.
      + intros u v. symmetry. apply is_derive_unique. apply side_derivative.
      + apply side_slope_continuous.
    - apply filter_forall. intros y. apply (ex_RInt_continuous (side y)). intros. apply side_continuous. }
  replace (- 2 * bell x * RInt bell 0 x) with (RInt (fun t => Derive (fun u => side u t) x) 0 1); [exact D|].
  (* the slope is the integrand after the substitution u = x t *)
  transitivity (RInt (fun t => - 2 * bell x * (x * bell (x * t + 0))) 0 1).
  - apply RInt_ext. intros t _. transitivity (side_slope x t); [apply is_derive_unique; apply side_derivative|].
    apply side_slope_split.
  - assert (I : ex_RInt (fun t => x * bell (x * t + 0)) 0 1).
    { apply (ex_RInt_comp_lin bell x 0 0 1). apply bell_integrable. }
    transitivity (- 2 * bell x * RInt (fun t => x * bell (x * t + 0)) 0 1).
    + exact (RInt_scal (V := R_CompleteNormedModule) (fun t => x * bell (x * t + 0)) 0 1 (- 2 * bell x) I).
    + f_equal. transitivity (RInt bell (x * 0 + 0) (x * 1 + 0)).
      * exact (RInt_comp_lin bell x 0 0 1 (bell_integrable _ _)).
      * f_equal; ring.
Qed.

Lemma side_integral_at_0 : RInt (side 0) 0 1 = PI / 4.
Proof.
  apply is_RInt_unique.
  replace (PI / 4) with (minus (atan 1) (atan 0)) by (rewrite atan_1, atan_0; unfold minus, plus, opp; simpl; ring).
  apply (is_RInt_derive atan (side 0)).
  - intros t _. unfold side. replace (- 0 ^ 2 * (1 + t ^ 2)) with 0 by ring. rewrite exp_0.
    pose proof (is_derive_Reals atan t (1 / (1 + t ^ 2))) as [_ H]. apply H.
    unfold Rdiv. rewrite Rmult_1_l.
    apply derivable_pt_lim_atan.
  - intros t _. apply side_continuous.
Qed.

Lemma gaussian_identity x : (RInt bell 0 x) ^ 2 + RInt (side x) 0 1 = PI / 4.
Proof.
  set (F := fun x => (RInt bell 0 x) ^ 2 + RInt (side x) 0 1).
  assert (D : forall x, is_derive F x 0).
  { intros y.
    assert (D : is_derive F y (plus (INR 2 * bell y * RInt bell 0 y ^ 1) (- 2 * bell y * RInt bell 0 y))).
    { apply (is_derive_plus (fun x => RInt bell 0 x ^ 2) (fun x => RInt (side x) 0 1)).
      - apply (is_derive_pow (fun x => RInt bell 0 x) 2 y (bell y)). apply bell_integral_derivative.
      - apply side_integral_derivative. }
    assert (Z : INR 2 * bell y * RInt bell 0 y ^ 1 + - 2 * bell y * RInt bell 0 y = 0) by (simpl; ring).
    unfold plus in D. simpl in D. simpl in Z. rewrite Z in D. exact D. }
  assert (E : F x = F 0).
  { destruct (MVT_gen F 0 x (fun _ => 0)) as (c & _ & E).
    - intros. apply D.
    - intros y _. apply continuity_pt_filterlim. apply (ex_derive_continuous F). exists 0. apply D.
    - lra. }
  unfold F in E. rewrite E, RInt_point, side_integral_at_0. unfold zero. simpl. ring.
Qed.

Lemma side_integral_bounds x : 0 <= RInt (side x) 0 1 <= bell x.
Proof.
  assert (I : ex_RInt (side x) 0 1) by (apply (ex_RInt_continuous (side x)); intros; apply side_continuous).
  split.
  - apply (RInt_ge_0 (side x)); [lra|assumption|]. intros t _. unfold side. pose proof (denominator_pos t).
    left. apply Rdiv_lt_0_compat; [apply exp_pos|assumption].
  - replace (bell x) with (RInt (fun _ => bell x) 0 1)
      by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
    apply RInt_le; [lra|assumption|apply ex_RInt_const|].
    intros t _. unfold side, bell. pose proof (denominator_pos t) as P.
    assert (Q : exp (- x ^ 2 * (1 + t ^ 2)) <= exp (- x ^ 2)).
    { assert (L : - x ^ 2 * (1 + t ^ 2) <= - x ^ 2) by nra.
      destruct L as [L|L]; [left; apply exp_increasing; exact L|rewrite L; lra]. }
    apply (Rmult_le_reg_r (1 + t ^ 2)); [assumption|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. pose proof (exp_pos (- x ^ 2)). nra.
Qed.

Lemma bell_integral_nonneg x : 0 <= x -> 0 <= RInt bell 0 x.
Proof.
  intros H. apply (RInt_ge_0 bell); [assumption|apply bell_integrable|]. intros. left. apply exp_pos.
Qed.

End Gaussian_integral.

(** ** Limits *)

Lemma bell_limit : is_lim bell p_infty 0.
Proof.
  apply (is_lim_le_le_loc (fun _ => 0) (fun x => exp (- x))).
  - exists 1. intros x Hx. unfold bell. split; [left; apply exp_pos|].
    left. apply exp_increasing. nra.
  - apply is_lim_const.
  - apply (is_lim_comp exp (fun x => - x) p_infty 0 m_infty).
    + apply is_lim_exp_m.
    + apply (is_lim_opp (fun x => x) p_infty p_infty). apply is_lim_id.
    + exists 0. intros x _. discriminate.
Qed.

Theorem gaussian_integral : is_lim (fun x => RInt bell 0 x) p_infty (sqrt PI / 2).
Proof.
  pose proof PI_RGT_0.
  assert (E : forall x, 0 <= x ->
    sqrt PI / 2 - bell x * (2 / sqrt PI) <= RInt bell 0 x <= sqrt PI / 2).
  { intros x Hx. pose proof (gaussian_identity x) as G. pose proof (side_integral_bounds x) as B. cbv zeta in *.
    pose proof (bell_integral_nonneg x Hx) as N. set (J := RInt bell 0 x) in *.
    set (S := RInt _ 0 1) in *.
    assert (R : sqrt PI * sqrt PI = PI) by (apply sqrt_sqrt; lra).
    assert (P : 0 < sqrt PI) by (apply sqrt_lt_R0; lra). set (r := sqrt PI) in *.
    assert (U : J <= r / 2) by nra.
    split; [|exact U].
    (* (r/2 - J)(r/2 + J) = S <= bell x *)
    assert (K : (r / 2 - J) * (r / 2 + J) <= bell x) by nra.
    assert (M : (r / 2 - J) * (r / 2) <= bell x) by nra.
    apply (Rmult_le_reg_r (r / 2)); [lra|].
    replace ((r / 2 - bell x * (2 / r)) * (r / 2)) with (r / 2 * (r / 2) - bell x) by (field; lra). nra. }
  apply (is_lim_le_le_loc (fun x => sqrt PI / 2 - bell x * (2 / sqrt PI)) (fun _ => sqrt PI / 2)).
  - exists 0. intros x Hx. apply E. lra.
  - replace (Finite (sqrt PI / 2)) with (Finite (sqrt PI / 2 - 0 * (2 / sqrt PI))) by (f_equal; ring).
    apply (is_lim_minus' (fun _ => sqrt PI / 2) (fun x => bell x * (2 / sqrt PI)) p_infty (sqrt PI / 2)
             (0 * (2 / sqrt PI))).
    + apply is_lim_const.
    + apply (is_lim_scal_r bell (2 / sqrt PI) p_infty 0). apply bell_limit.
  - apply is_lim_const.
Qed.

(** ** The functions themselves *)

Lemma sqrt_PI_pos : 0 < sqrt PI.
Proof. apply sqrt_lt_R0, PI_RGT_0. Qed.

Lemma erf_derivative (x : R) : is_derive erf x (2 / sqrt PI * exp (- x ^ 2)).
Proof. apply (is_derive_scal (fun x => RInt bell 0 x) x (2 / sqrt PI)). apply bell_integral_derivative. Qed.

Lemma erfc_derivative (x : R) : is_derive erfc x (- (2 / sqrt PI * exp (- x ^ 2))).
Proof.
  replace (- (2 / sqrt PI * exp (- x ^ 2))) with (minus 0 (2 / sqrt PI * exp (- x ^ 2)))
    by (unfold minus, plus, opp; simpl; ring).
  apply (is_derive_minus (fun _ => 1) erf); [exact (is_derive_const (V := R_NormedModule) 1 x)|apply erf_derivative].
Qed.

Lemma Phi_derivative (x : R) : is_derive Phi x (exp (- x ^ 2 / 2) / sqrt (2 * PI)).
Proof.
  assert (T : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). pose proof sqrt_PI_pos.
  assert (E : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  assert (D : is_derive (fun x => erf (x / sqrt 2)) x (/ sqrt 2 * (2 / sqrt PI * exp (- (x / sqrt 2) ^ 2)))).
  { apply (is_derive_comp erf (fun x => x / sqrt 2)); [apply erf_derivative|]. auto_derive; [exact I|]. field. lra. }
  unfold Phi. apply (is_derive_ext (fun x => / 2 * (1 + erf (x / sqrt 2)))).
  { intros t. apply Rmult_comm. }
  replace (exp (- x ^ 2 / 2) / sqrt (2 * PI))
    with (/ 2 * plus 0 (/ sqrt 2 * (2 / sqrt PI * exp (- (x / sqrt 2) ^ 2)))).
  - apply (is_derive_scal (fun x => 1 + erf (x / sqrt 2)) x (/ 2)).
    apply (is_derive_plus (fun _ => 1) (fun x => erf (x / sqrt 2))); [|exact D].
    exact (is_derive_const (V := R_NormedModule) 1 x).
  - unfold plus. simpl. rewrite sqrt_mult by (pose proof PI_RGT_0; lra).
    replace (- (x / sqrt 2 * (x / sqrt 2 * 1))) with (- (x * (x * 1)) / 2).
    + field. split; lra.
    + replace (x / sqrt 2 * (x / sqrt 2 * 1)) with (x * x / (sqrt 2 * sqrt 2)) by (field; lra). rewrite E. field.
Qed.

Lemma erf_0 : erf 0 = 0.
Proof. unfold erf. rewrite RInt_point. unfold zero. simpl. ring. Qed.

Lemma erfc_0 : erfc 0 = 1.
Proof. unfold erfc. rewrite erf_0. ring. Qed.

Lemma Phi_0 : Phi 0 = 1 / 2.
Proof. unfold Phi. replace (0 / sqrt 2) with 0 by (unfold Rdiv; ring). rewrite erf_0. field. Qed.

Lemma bell_mirrored (t : R) : -1 * bell (-1 * t + 0) = - bell t.
Proof. unfold bell. replace (- (-1 * t + 0) ^ 2) with (- t ^ 2) by ring. ring. Qed.

Lemma erf_odd x : erf (- x) = - erf x.
Proof.
  unfold erf. assert (E : RInt bell 0 (- x) = - RInt bell 0 x).
  { pose proof (RInt_comp_lin bell (-1) 0 0 x (bell_integrable _ _)) as H.
    replace (-1 * 0 + 0) with 0 in H by ring. replace (-1 * x + 0) with (- x) in H by ring. rewrite <- H.
    transitivity (RInt (fun t => - bell t) 0 x).
    - apply RInt_ext. intros t _. apply bell_mirrored.
    - exact (RInt_opp (V := R_CompleteNormedModule) bell 0 x (bell_integrable 0 x)). }
  rewrite E. ring.
Qed.

Lemma erfc_neg x : erfc (- x) = 2 - erfc x.
Proof. unfold erfc. rewrite erf_odd. ring. Qed.

Lemma Phi_neg x : Phi (- x) = 1 - Phi x.
Proof. unfold Phi. replace (- x / sqrt 2) with (- (x / sqrt 2)) by (unfold Rdiv; ring). rewrite erf_odd. field. Qed.

Theorem erf_limit : is_lim erf p_infty 1.
Proof.
  pose proof sqrt_PI_pos.
  replace (Finite 1) with (Rbar_mult (2 / sqrt PI) (sqrt PI / 2)) by (simpl; f_equal; field; lra).
  apply (is_lim_scal_l (fun x => RInt bell 0 x) (2 / sqrt PI) p_infty (sqrt PI / 2)). apply gaussian_integral.
Qed.

Theorem erf_limit_below : is_lim erf m_infty (-1).
Proof.
  apply (is_lim_ext (fun x => - erf (- x))); [intros; rewrite erf_odd; ring|].
  replace (Finite (-1)) with (Rbar_opp 1) by (simpl; f_equal; ring).
  apply (is_lim_opp (fun x => erf (- x)) m_infty 1).
  apply (is_lim_comp erf (fun x => - x) m_infty 1 p_infty).
  - apply erf_limit.
  - apply (is_lim_opp (fun x => x) m_infty m_infty). apply is_lim_id.
  - exists 0. intros x _. discriminate.
Qed.

Theorem erfc_limit : is_lim erfc p_infty 0.
Proof.
  replace (Finite 0) with (Finite (1 - 1)) by (f_equal; ring).
  apply (is_lim_minus' (fun _ => 1) erf p_infty 1 1); [apply is_lim_const|apply erf_limit].
Qed.

Theorem erfc_limit_below : is_lim erfc m_infty 2.
Proof.
  replace (Finite 2) with (Finite (1 - -1)) by (f_equal; ring).
  apply (is_lim_minus' (fun _ => 1) erf m_infty 1 (-1)); [apply is_lim_const|apply erf_limit_below].
Qed.

Lemma erf_increasing x y : x < y -> erf x < erf y.
Proof.
  intros H. pose proof sqrt_PI_pos.
  apply (increasing m_infty p_infty erf (fun x => 2 / sqrt PI * exp (- x ^ 2))); try (split; exact I); auto.
  - intros t _. apply erf_derivative.
  - intros t _. apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra|apply exp_pos].
Qed.

Lemma erf_bounds x : -1 < erf x < 1.
Proof.
  pose proof sqrt_PI_pos.
  assert (P : forall x, 0 < 2 / sqrt PI * exp (- x ^ 2))
    by (intros; apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra|apply exp_pos]).
  assert (U : forall x, -1 < erf x).
  { intros y. apply (strictly_above_lower_limit m_infty p_infty erf _ (fun x _ => erf_derivative x) (-1)); auto.
    - apply erf_limit_below.
    - split; exact I. }
  split; [apply U|]. specialize (U (- x)). rewrite erf_odd in U. lra.
Qed.

Lemma erfc_pos x : 0 < erfc x.
Proof. unfold erfc. pose proof (erf_bounds x). lra. Qed.

Lemma erfc_lt_2 x : erfc x < 2.
Proof. unfold erfc. pose proof (erf_bounds x). lra. Qed.

Lemma erfc_decreasing x y : x < y -> erfc y < erfc x.
Proof. intros H. unfold erfc. pose proof (erf_increasing x y H). lra. Qed.

Lemma Phi_bounds x : 0 < Phi x < 1.
Proof. unfold Phi. pose proof (erf_bounds (x / sqrt 2)). lra. Qed.

Lemma Phi_increasing x y : x < y -> Phi x < Phi y.
Proof.
  intros H. unfold Phi. assert (T : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (x / sqrt 2 < y / sqrt 2) by (apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; assumption).
  pose proof (erf_increasing _ _ H0). lra.
Qed.

Lemma Phi_by_erfc x : Phi x = erfc (- (x / sqrt 2)) / 2.
Proof. unfold Phi, erfc. rewrite erf_odd. field. Qed.

Theorem Phi_limit : is_lim Phi p_infty 1.
Proof.
  assert (T : 0 < / sqrt 2) by (apply Rinv_0_lt_compat, sqrt_lt_R0; lra).
  apply (is_lim_ext (fun x => / 2 * (1 + erf (x * / sqrt 2)))); [intros; unfold Phi, Rdiv; ring|].
  replace (Finite 1) with (Rbar_mult (/ 2) (1 + 1)) by (simpl; f_equal; field).
  apply (is_lim_scal_l (fun x => 1 + erf (x * / sqrt 2)) (/ 2) p_infty (1 + 1)).
  apply (is_lim_plus' (fun _ => 1) (fun x => erf (x * / sqrt 2)) p_infty 1 1); [apply is_lim_const|].
  apply (is_lim_comp erf (fun x => x * / sqrt 2) p_infty 1 p_infty); [apply erf_limit| |].
  - intros P [M HM]. exists (M * sqrt 2). intros x Hx. apply HM.
    apply (Rmult_lt_reg_r (sqrt 2)); [apply sqrt_lt_R0; lra|].
    rewrite Rmult_assoc, Rinv_l; [lra|]. pose proof (sqrt_lt_R0 2). lra.
  - exists 0. intros x _. discriminate.
Qed.

Theorem Phi_limit_below : is_lim Phi m_infty 0.
Proof.
  apply (is_lim_ext (fun x => 1 - Phi (- x))); [intros; rewrite Phi_neg; ring|].
  replace (Finite 0) with (Finite (1 - 1)) by (f_equal; ring).
  apply (is_lim_minus' (fun _ => 1) (fun x => Phi (- x)) m_infty 1 1); [apply is_lim_const|].
  apply (is_lim_comp Phi (fun x => - x) m_infty 1 p_infty).
  - apply Phi_limit.
  - apply (is_lim_opp (fun x => x) m_infty m_infty). apply is_lim_id.
  - exists 0. intros x _. discriminate.
Qed.
