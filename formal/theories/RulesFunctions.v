(** * Rules about single functions

    - a monotone function applied to both sides;
    - maximum, minimum and absolute value as one of their arguments;
    - real powers, with the value 0 at 0;
    - hyperbolic functions. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From SymDP Require Import RulesCalculus.
Open Scope R_scope.

(** ** A monotone function on both sides *)

Lemma exp_le_iff x y : exp x <= exp y <-> x <= y.
Proof.
  split; intros H.
  - destruct (Rle_dec x y) as [|N]; [assumption|]. assert (exp y < exp x) by (apply exp_increasing; lra). lra.
  - destruct H as [H| ->]; [left; apply exp_increasing; assumption|lra].
Qed.

Lemma exp_lt_iff x y : exp x < exp y <-> x < y.
Proof. split; [apply exp_lt_inv|apply exp_increasing]. Qed.

Lemma ln_le_iff x y : 0 < x -> 0 < y -> (ln x <= ln y <-> x <= y).
Proof.
  intros Hx Hy. rewrite <- (exp_le_iff (ln x)), !exp_ln by assumption. tauto.
Qed.

Lemma ln_lt_iff x y : 0 < x -> 0 < y -> (ln x < ln y <-> x < y).
Proof.
  intros Hx Hy. rewrite <- (exp_lt_iff (ln x)), !exp_ln by assumption. tauto.
Qed.

Lemma sqrt_le_iff x y : 0 <= x -> 0 <= y -> (sqrt x <= sqrt y <-> x <= y).
Proof. intros Hx Hy. split; [apply sqrt_le_0; assumption|apply sqrt_le_1; assumption]. Qed.

Lemma sqrt_lt_iff x y : 0 <= x -> 0 <= y -> (sqrt x < sqrt y <-> x < y).
Proof. intros Hx Hy. split; [apply sqrt_lt_0; assumption|apply sqrt_lt_1; assumption]. Qed.

Lemma square_le_iff x y : 0 <= x -> 0 <= y -> (x ^ 2 <= y ^ 2 <-> x <= y).
Proof. intros Hx Hy. split; intros; nra. Qed.

Lemma square_lt_iff x y : 0 <= x -> 0 <= y -> (x ^ 2 < y ^ 2 <-> x < y).
Proof. intros Hx Hy. split; intros; nra. Qed.

Lemma inverse_le_iff x y : 0 < x -> 0 < y -> (/ x <= / y <-> y <= x).
Proof.
  intros Hx Hy. split; intros H.
  - rewrite <- (Rinv_inv x), <- (Rinv_inv y). apply Rinv_le_contravar; [apply Rinv_0_lt_compat|]; assumption.
  - apply Rinv_le_contravar; assumption.
Qed.

(** The logarithm lies below its tangents, the exponential above. *)
Lemma ln_tangent x y : 0 < x -> 0 < y -> ln x <= ln y + (x - y) / y.
Proof.
  intros Hx Hy. assert (Q : 0 < x / y) by (apply Rdiv_lt_0_compat; assumption).
  pose proof (exp_ineq1_le (ln (x / y))) as H. rewrite exp_ln in H by assumption.
  unfold Rdiv in H at 1. rewrite ln_mult, ln_Rinv in H by (auto; apply Rinv_0_lt_compat; assumption).
  replace ((x - y) / y) with (x / y - 1) by (field; lra). lra.
Qed.

Lemma ln_below_line x : 0 < x -> ln x <= x - 1.
Proof. intros H. pose proof (ln_tangent x 1 H ltac:(lra)) as T. rewrite ln_1 in T. lra. Qed.

(** ** Maximum, minimum, absolute value: one of the arguments *)

Lemma max_branches x y : (x <= y /\ Rmax x y = y) \/ (y <= x /\ Rmax x y = x).
Proof. unfold Rmax. destruct (Rle_dec x y); [left|right]; split; lra. Qed.

Lemma min_branches x y : (x <= y /\ Rmin x y = x) \/ (y <= x /\ Rmin x y = y).
Proof. unfold Rmin. destruct (Rle_dec x y); [left|right]; split; lra. Qed.

Lemma abs_branches x : (0 <= x /\ Rabs x = x) \/ (x <= 0 /\ Rabs x = - x).
Proof. unfold Rabs. destruct (Rcase_abs x); [right|left]; split; lra. Qed.

(** ** Real powers

    Coq's [Rpower 0 r] is not what anyone means; this is 0 for every r except 0, and 1 for that. *)

Definition power (x r : R) : R :=
  if Rlt_dec 0 x then Rpower x r else if Req_EM_T r 0 then 1 else 0.

Lemma power_of_pos x r : 0 < x -> power x r = exp (r * ln x).
Proof. intros H. unfold power. destruct (Rlt_dec 0 x); [reflexivity|lra]. Qed.

Lemma power_at_0 r : r <> 0 -> power 0 r = 0.
Proof. intros H. unfold power. destruct (Rlt_dec 0 0); [lra|]. destruct (Req_EM_T r 0); [lra|reflexivity]. Qed.

Lemma power_exponent_0 x : power x 0 = 1.
Proof.
  unfold power. destruct (Rlt_dec 0 x); [apply Rpower_O; assumption|]. destruct (Req_EM_T 0 0); [reflexivity|lra].
Qed.

Lemma power_pos x r : 0 < x -> 0 < power x r.
Proof. intros H. rewrite power_of_pos by assumption. apply exp_pos. Qed.

Lemma power_nonneg x r : 0 <= power x r.
Proof.
  unfold power. destruct (Rlt_dec 0 x); [left; apply exp_pos|]. destruct (Req_EM_T r 0); lra.
Qed.

Lemma power_exponent_1 x : 0 <= x -> power x 1 = x.
Proof.
  intros [H| <-]; [|apply power_at_0; lra]. rewrite power_of_pos by assumption. rewrite Rmult_1_l. apply exp_ln.
  assumption.
Qed.

Lemma power_base_1 r : power 1 r = 1.
Proof. rewrite power_of_pos by lra. rewrite ln_1, Rmult_0_r. apply exp_0. Qed.

Lemma power_plus x r s : 0 < x -> power x (r + s) = power x r * power x s.
Proof. intros H. rewrite !power_of_pos by assumption. rewrite Rmult_plus_distr_r. apply exp_plus. Qed.

Lemma power_plus_nonneg x r s : 0 <= x -> 0 <= r -> 0 <= s -> power x (r + s) = power x r * power x s.
Proof.
  intros [H| <-] Hr Hs; [apply power_plus; assumption|].
  destruct (Req_dec r 0) as [->|Nr]; [rewrite power_exponent_0, Rplus_0_l; ring|].
  rewrite (power_at_0 (r + s)), (power_at_0 r) by lra. ring.
Qed.

Lemma power_opp x r : 0 < x -> power x (- r) = / power x r.
Proof. intros H. rewrite !power_of_pos by assumption. rewrite <- exp_Ropp. f_equal. ring. Qed.

Lemma power_minus x r s : 0 < x -> power x (r - s) = power x r / power x s.
Proof. intros H. unfold Rminus, Rdiv. rewrite power_plus, power_opp by assumption. reflexivity. Qed.

Lemma power_of_power x r s : 0 < x -> power (power x r) s = power x (r * s).
Proof.
  intros H. rewrite (power_of_pos (power x r)) by (apply power_pos; assumption).
  rewrite !power_of_pos by assumption. rewrite ln_exp. f_equal. ring.
Qed.

Lemma power_of_power_nonneg x r s : 0 <= x -> 0 <= r -> 0 <= s -> power (power x r) s = power x (r * s).
Proof.
  intros [H| <-] Hr Hs; [apply power_of_power; assumption|].
  destruct (Req_dec r 0) as [->|Nr]; [rewrite Rmult_0_l, !power_exponent_0; apply power_base_1|].
  rewrite (power_at_0 r) by assumption.
  destruct (Req_dec s 0) as [->|Ns]; [rewrite Rmult_0_r, !power_exponent_0; reflexivity|].
  rewrite !power_at_0 by nra. reflexivity.
Qed.

Lemma power_of_product x y r : 0 <= x -> 0 <= y -> power (x * y) r = power x r * power y r.
Proof.
  intros [Hx| <-] [Hy| <-].
  - rewrite !power_of_pos by nra. rewrite ln_mult, Rmult_plus_distr_l by assumption. apply exp_plus.
  - rewrite Rmult_0_r. destruct (Req_dec r 0) as [->|N]; [rewrite !power_exponent_0; ring|].
    rewrite power_at_0 by assumption. ring.
  - rewrite Rmult_0_l. destruct (Req_dec r 0) as [->|N]; [rewrite !power_exponent_0; ring|].
    rewrite power_at_0 by assumption. ring.
  - rewrite Rmult_0_l. destruct (Req_dec r 0) as [->|N]; [rewrite !power_exponent_0; ring|].
    rewrite power_at_0 by assumption. ring.
Qed.

Lemma power_of_nat x n : 0 <= x -> power x (INR n) = x ^ n.
Proof.
  intros H. induction n as [|n IH]; [apply power_exponent_0|].
  rewrite S_INR, power_plus_nonneg, IH, power_exponent_1 by (auto using pos_INR; lra). simpl. ring.
Qed.

Lemma power_half x : 0 <= x -> power x (1 / 2) = sqrt x.
Proof.
  intros H. apply (Rsqr_inj _ _ (power_nonneg _ _) (sqrt_pos _)). unfold Rsqr.
  rewrite sqrt_sqrt by assumption. rewrite <- power_plus_nonneg by lra.
  replace (1 / 2 + 1 / 2) with 1 by field. apply power_exponent_1. assumption.
Qed.

Lemma ln_power x r : 0 < x -> ln (power x r) = r * ln x.
Proof. intros H. rewrite power_of_pos by assumption. apply ln_exp. Qed.

Lemma power_le x y r : 0 <= r -> 0 <= x <= y -> power x r <= power y r.
Proof.
  intros Hr [Hx Hxy]. destruct (Req_dec r 0) as [->|Nr]; [rewrite !power_exponent_0; lra|].
  destruct Hx as [Hx| <-]; [|rewrite power_at_0 by assumption; apply power_nonneg].
  rewrite !power_of_pos by lra. apply exp_le_iff. apply Rmult_le_compat_l; [assumption|]. apply ln_le_iff; lra.
Qed.

Lemma power_lt x y r : 0 < r -> 0 <= x < y -> power x r < power y r.
Proof.
  intros Hr [[Hx| <-] Hxy]; [|rewrite power_at_0 by lra; apply power_pos; lra].
  rewrite !power_of_pos by lra. apply exp_lt_iff. apply Rmult_lt_compat_l; [assumption|]. apply ln_lt_iff; lra.
Qed.

Lemma power_le_exponent x r s : 1 <= x -> r <= s -> power x r <= power x s.
Proof.
  intros Hx H. rewrite !power_of_pos by lra. apply exp_le_iff. apply Rmult_le_compat_r; [|assumption].
  rewrite <- ln_1. apply ln_le_iff; lra.
Qed.

Lemma power_le_exponent_below_1 x r s : 0 < x <= 1 -> r <= s -> power x s <= power x r.
Proof.
  intros Hx H. rewrite !power_of_pos by lra. apply exp_le_iff.
  assert (ln x <= 0) by (rewrite <- ln_1; apply ln_le_iff; lra). nra.
Qed.

Lemma power_derivative (x r : R) : 0 < x -> is_derive (fun x => power x r) x (r * power x (r - 1)).
Proof.
  intros H. apply (is_derive_ext_loc (fun x => exp (r * ln x))).
  - exists (mkposreal x H). intros y Hy. symmetry. apply power_of_pos.
    unfold ball in Hy. simpl in Hy. unfold AbsRing_ball, abs, minus, plus, opp in Hy. simpl in Hy.
    apply Rabs_def2 in Hy. lra.
  - auto_derive; [assumption|]. rewrite power_minus, power_exponent_1, power_of_pos by lra. field. lra.
Qed.

Lemma power_derivative_in_exponent (x r : R) : 0 < x -> is_derive (fun r => power x r) r (power x r * ln x).
Proof.
  intros H. apply (is_derive_ext (fun r => exp (r * ln x))).
  - intros t. symmetry. apply power_of_pos. assumption.
  - rewrite power_of_pos by assumption. auto_derive; [exact I|ring].
Qed.

Lemma power_continuous (x r : R) : 0 < x -> continuous (fun x => power x r) x.
Proof.
  intros H. apply (ex_derive_continuous (fun x => power x r)). exists (r * power x (r - 1)).
  apply power_derivative. assumption.
Qed.

(** A positive power is continuous at 0 as well, from both sides. *)
Lemma power_continuous_at_0 (r : R) : 0 < r -> continuous (fun x => power x r) 0.
Proof.
  intros Hr. unfold continuous. rewrite power_at_0 by lra.
  intros P [e He]. pose proof (cond_pos e) as Pe.
  assert (D : 0 < power e (/ r)) by (apply power_pos; assumption).
  exists (mkposreal _ D). intros y Hy. apply He.
  unfold ball in *. simpl in *. unfold AbsRing_ball, abs, minus, plus, opp in *. simpl in *.
  apply Rabs_def2 in Hy. rewrite Ropp_0, Rplus_0_r in *.
  rewrite Rabs_pos_eq by apply power_nonneg.
  destruct (Rlt_dec 0 y) as [Py|Ny].
  - replace (pos e) with (power (power e (/ r)) r).
    + apply power_lt; [assumption|]. lra.
    + rewrite power_of_power by assumption. replace (/ r * r) with 1 by (field; lra). apply power_exponent_1. lra.
  - unfold power. destruct (Rlt_dec 0 y); [lra|]. destruct (Req_EM_T r 0); lra.
Qed.

Lemma power_limit_at_0 r : 0 < r -> tends (fun x => power x r) (down_to 0) 0.
Proof.
  intros Hr. pose proof (limit_at_closed_lower_end _ _ (power_continuous_at_0 r Hr)) as L.
  cbv beta in L. rewrite power_at_0 in L by lra. exact L.
Qed.

Lemma power_limit_at_infinity r : 0 < r -> tends (fun x => power x r) (up_to p_infty) p_infty.
Proof.
  intros Hr P [M HM]. exists (power (Rmax M 1) (/ r)). intros x Hx. apply HM.
  assert (M1 : 1 <= Rmax M 1) by apply Rmax_r.
  assert (M2 : M <= Rmax M 1) by apply Rmax_l.
  apply Rle_lt_trans with (power (power (Rmax M 1) (/ r)) r).
  - rewrite power_of_power by lra. replace (/ r * r) with 1 by (field; lra). rewrite power_exponent_1 by lra.
    assumption.
  - apply power_lt; [assumption|]. split; [apply power_nonneg|assumption].
Qed.

Lemma power_limit_at_infinity_neg r : r < 0 -> tends (fun x => power x r) (up_to p_infty) 0.
Proof.
  intros Hr. change (is_lim (fun x => power x r) p_infty 0).
  apply (is_lim_ext_loc (fun x => / power x (- r))).
  - exists 0. intros x Hx. rewrite <- power_opp by assumption. f_equal. ring.
  - replace (Finite 0) with (Rbar_inv p_infty) by reflexivity.
    apply is_lim_inv; [|discriminate]. exact (power_limit_at_infinity (- r) ltac:(lra)).
Qed.

(** ** Hyperbolic functions *)

Lemma cosh_pos x : 0 < cosh x.
Proof. unfold cosh. pose proof (exp_pos x). pose proof (exp_pos (- x)). lra. Qed.

Lemma cosh_ge_1 x : 1 <= cosh x.
Proof.
  unfold cosh. pose proof (exp_ineq1_le x). pose proof (exp_ineq1_le (- x)). lra.
Qed.

Lemma cosh_square x : cosh x ^ 2 - sinh x ^ 2 = 1.
Proof.
  unfold cosh, sinh. assert (E : exp x * exp (- x) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace (((exp x + exp (- x)) / 2) ^ 2 - ((exp x - exp (- x)) / 2) ^ 2) with (exp x * exp (- x)) by field. exact E.
Qed.

Lemma tanh_by_exp x : tanh x = (exp (2 * x) - 1) / (exp (2 * x) + 1).
Proof.
  unfold tanh, sinh, cosh. replace (2 * x) with (x + x) by ring. rewrite exp_plus, exp_Ropp.
  pose proof (exp_pos x). field. split; nra.
Qed.

Lemma tanh_half_by_exp x : tanh (x / 2) = (exp x - 1) / (exp x + 1).
Proof. rewrite tanh_by_exp. replace (2 * (x / 2)) with x by field. reflexivity. Qed.

Lemma tanh_bounds x : -1 < tanh x < 1.
Proof.
  rewrite tanh_by_exp. pose proof (exp_pos (2 * x)) as P. set (e := exp (2 * x)) in *.
  split; apply (Rmult_lt_reg_r (e + 1)); try lra; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma tanh_0 : tanh 0 = 0.
Proof. rewrite tanh_by_exp, Rmult_0_r, exp_0. field. Qed.

Lemma tanh_odd x : tanh (- x) = - tanh x.
Proof.
  unfold tanh, sinh, cosh. rewrite Ropp_involutive. pose proof (exp_pos x). pose proof (exp_pos (- x)). field. lra.
Qed.

Lemma sinh_derivative (x : R) : is_derive sinh x (cosh x).
Proof. unfold sinh, cosh. auto_derive; [exact I|]. field. Qed.

Lemma cosh_derivative (x : R) : is_derive cosh x (sinh x).
Proof. unfold sinh, cosh. auto_derive; [exact I|]. field. Qed.

Lemma tanh_derivative (x : R) : is_derive tanh x (1 - tanh x ^ 2).
Proof.
  pose proof (cosh_pos x) as P.
  assert (D : is_derive tanh x ((cosh x * cosh x - sinh x * sinh x) / cosh x ^ 2)).
  { apply (is_derive_div sinh cosh x (cosh x) (sinh x)); [apply sinh_derivative|apply cosh_derivative|lra]. }
  replace (1 - tanh x ^ 2) with ((cosh x * cosh x - sinh x * sinh x) / cosh x ^ 2); [exact D|].
  unfold tanh. field. lra.
Qed.

Lemma tanh_increasing x y : x < y -> tanh x < tanh y.
Proof.
  intros H. apply (increasing m_infty p_infty tanh (fun x => 1 - tanh x ^ 2)); try (split; exact I); auto.
  - intros t _. apply tanh_derivative.
  - intros t _. pose proof (tanh_bounds t). nra.
Qed.

(** tanh x <= x for x >= 0. *)
Lemma tanh_below_line x : 0 <= x -> tanh x <= x.
Proof.
  intros [H| <-]; [|rewrite tanh_0; lra].
  assert (G : 0 <= x - tanh x); [|lra].
  apply (monotone_from_below 0 p_infty (fun x => x - tanh x) (fun x => tanh x ^ 2)) with (l := 0).
  - intros y _. replace (tanh y ^ 2) with (minus 1 (1 - tanh y ^ 2)) by (unfold minus, plus, opp; simpl; ring).
    apply (is_derive_minus (fun x => x) tanh); [exact (is_derive_id y)|apply tanh_derivative].
  - intros y _. apply pow2_ge_0.
  - assert (E : 0 - tanh 0 = 0) by (rewrite tanh_0; ring). rewrite <- E at 2.
    apply (limit_at_closed_lower_end (fun x => x - tanh x) 0).
    apply (continuous_minus (fun x : R => x) tanh); [apply continuous_id|].
    apply (ex_derive_continuous tanh). exists (1 - tanh 0 ^ 2). apply tanh_derivative.
  - simpl. lra.
  - split; simpl; auto.
Qed.

Theorem tanh_limit : is_lim tanh p_infty 1.
Proof.
  apply (is_lim_ext (fun x => 1 - 2 * / (exp (2 * x) + 1))).
  { intros x. rewrite tanh_by_exp. pose proof (exp_pos (2 * x)). field. lra. }
  replace (Finite 1) with (Finite (1 - 0)) by (f_equal; ring).
  apply (is_lim_minus' (fun _ => 1) (fun x => 2 * / (exp (2 * x) + 1)) p_infty 1 0); [apply is_lim_const|].
  replace (Finite 0) with (Rbar_mult 2 0) by (simpl; f_equal; ring).
  apply (is_lim_scal_l (fun x => / (exp (2 * x) + 1)) 2 p_infty 0).
  replace (Finite 0) with (Rbar_inv p_infty) by reflexivity. apply is_lim_inv; [|discriminate].
  (* exp (2 x) + 1 > 2 x *)
  intros P [M HM]. exists (Rmax 0 M). intros x Hx. apply HM.
  pose proof (Rmax_l 0 M). pose proof (Rmax_r 0 M). pose proof (exp_ineq1_le (2 * x)). lra.
Qed.

Theorem tanh_limit_below : is_lim tanh m_infty (-1).
Proof.
  apply (is_lim_ext (fun x => - tanh (- x))); [intros; rewrite tanh_odd; ring|].
  replace (Finite (-1)) with (Rbar_opp 1) by (simpl; f_equal; ring).
  apply (is_lim_opp (fun x => tanh (- x)) m_infty 1).
  apply (is_lim_comp tanh (fun x => - x) m_infty 1 p_infty).
  - apply tanh_limit.
  - apply (is_lim_opp (fun x => x) m_infty m_infty). apply is_lim_id.
  - exists 0. intros x _. discriminate.
Qed.
