(** * Domination: every private pair of laws is made from randomised response

    If P and Q are (eps, delta)-indistinguishable laws on a finite set, one kernel makes P from the first law of
    randomised response and Q from the second (Kairouz, Oh and Viswanath, Section 6, where this follows from
    a theorem of Blackwell). The kernel is written down here.

    First P is cut down to at most e^eps Q, and Q to at most e^eps P. What is cut off has at most the mass delta on
    either side. Then both are made smaller until exactly 1 - delta is left of each, keeping the ratios: the one
    of which less was left is scaled, and the other moves towards e^-eps times it. The two parts that are left
    are mixtures, with the weights of pure randomised response, of two laws; what was taken away is
    what the answers 0 and 3 are turned into. *)

From Coq Require Import Reals List Lra Psatz.
From SymDP Require Import Sums Laws RandomisedResponse.
Import ListNotations.
Open Scope R_scope.

Section Simulation.

Context {A : Type}.
Variables (eps delta : R) (Y : list A).
Implicit Types (P Q : A -> R).

(** P, cut down to e^eps Q. *)
Definition trimmed P Q (y : A) : R := Rmin (P y) (exp eps * Q y).

(** The mass that is left. *)
Definition kept P Q : R := total Y (trimmed P Q).

(** How far to stay away from e^-eps times the other law, if masses u > v were left. *)
Definition weight (u v : R) : R := (v - exp (- eps) * v) / (u - exp (- eps) * v).

(** The part of P, of mass 1 - delta, of which pure randomised response is responsible. *)
Definition shared P Q (y : A) : R :=
  let u := kept P Q in
  let v := kept Q P in
  if Rle_dec u v
  then (1 - delta) / u * trimmed P Q y
  else (1 - delta) / v * (weight u v * trimmed P Q y + (1 - weight u v) * (exp (- eps) * trimmed Q P y)).

(** What is not shared, as a law. *)
Definition revealing P Q (y : A) : R :=
  if Req_EM_T delta 0 then P y else (P y - shared P Q y) / delta.

(** The law that an answer pointing to P is turned into. *)
Definition pointing P Q (y : A) : R :=
  if Req_EM_T delta 1 then P y
  else if Req_EM_T eps 0 then shared P Q y / (1 - delta)
  else (exp eps * shared P Q y - shared Q P y) / ((exp eps - 1) * (1 - delta)).

(** The kernel that turns answers into outcomes of P and Q. *)
Definition simulation P Q (x : answer) : A -> R :=
  match x with
  | answer0 => revealing P Q
  | answer1 => pointing P Q
  | answer2 => pointing Q P
  | answer3 => revealing Q P
  end.

Hypothesis eps_nonneg : 0 <= eps.
Hypothesis delta_unit : 0 <= delta <= 1.

Lemma exp_eps_ge_1 : 1 <= exp eps.
Proof. apply exp_ge_1. assumption. Qed.

Lemma trimmed_nonneg P Q y : 0 <= P y -> 0 <= Q y -> 0 <= trimmed P Q y.
Proof. intros. pose proof exp_eps_ge_1. apply Rmin_glb; nra. Qed.

Lemma trimmed_le P Q y : trimmed P Q y <= P y.
Proof. apply Rmin_l. Qed.

Lemma trimmed_ratio P Q y : 0 <= P y -> 0 <= Q y -> trimmed P Q y <= exp eps * trimmed Q P y.
Proof.
  intros HP HQ. pose proof exp_eps_ge_1.
  destruct (Rle_dec (Q y) (exp eps * P y)) as [H'|H'].
  - unfold trimmed at 2. rewrite Rmin_left by lra. apply Rmin_r.
  - unfold trimmed at 2. rewrite Rmin_right by lra.
    apply Rle_trans with (P y); [apply Rmin_l|].
    assert (P y <= exp eps * P y) by nra. nra.
Qed.

Lemma kept_ge P Q : is_law Y P -> close eps delta Y P Q -> 1 - delta <= kept P Q.
Proof.
  intros [_ H1] H. apply close_iff_excess in H.
  assert (E : kept P Q = total Y P - excess eps Y P Q).
  { unfold kept, excess. rewrite <- total_minus. apply total_ext. intros y _. unfold trimmed.
    destruct (Rle_dec (P y) (exp eps * Q y)).
    - rewrite Rmin_left, Rmax_left; lra.
    - rewrite Rmin_right, Rmax_right; lra. }
  lra.
Qed.

Lemma exp_neg_eps : 0 < exp (- eps) <= 1.
Proof.
  split; [apply exp_pos|]. rewrite exp_Ropp. pose proof exp_eps_ge_1.
  rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

Lemma weight_unit u v : 0 < v -> v < u -> 0 <= weight u v <= 1.
Proof.
  intros Hv Hu. unfold weight. pose proof exp_neg_eps.
  assert (exp (- eps) * v <= v) by nra.
  assert (0 < u - exp (- eps) * v) by lra. split.
  - apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
  - apply (Rmult_le_reg_r (u - exp (- eps) * v)); [lra|]. field_simplify; lra.
Qed.

Lemma scale_unit u : 1 - delta <= u -> 0 <= (1 - delta) / u <= 1.
Proof.
  intros H. destruct (Req_dec u 0) as [->|Hu].
  - unfold Rdiv. assert (1 - delta = 0) as -> by lra. rewrite Rmult_0_l. lra.
  - assert (0 < u) by lra. split.
    + apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
    + apply (Rmult_le_reg_r u); [lra|]. field_simplify; lra.
Qed.

(** The shares of mass 1 - delta: not negative, at most the law, of bounded ratio, and of the same mass. *)
Section Shares.

Variables P Q : A -> R.
Hypothesis P_law : is_law Y P.
Hypothesis Q_law : is_law Y Q.
Hypothesis private : indistinguishable eps delta Y P Q.

Lemma shared_bounds y : In y Y -> 0 <= shared P Q y <= P y.
Proof.
  intros Hy. destruct P_law as [HP _], Q_law as [HQ _].
  pose proof (kept_ge P Q P_law (proj1 private)) as Hu. pose proof (kept_ge Q P Q_law (proj2 private)) as Hv.
  pose proof (trimmed_nonneg P Q y (HP y Hy) (HQ y Hy)) as p0.
  pose proof (trimmed_nonneg Q P y (HQ y Hy) (HP y Hy)) as q0.
  pose proof (trimmed_le P Q y) as pP. pose proof (trimmed_ratio Q P y (HQ y Hy) (HP y Hy)) as qp.
  unfold shared. destruct (Rle_dec (kept P Q) (kept Q P)) as [H|H].
  - pose proof (scale_unit _ Hu). nra.
  - pose proof (scale_unit _ Hv) as Hs. destruct (Req_dec (1 - delta) 0) as [E|E].
    + rewrite E. unfold Rdiv. rewrite !Rmult_0_l. split; [lra|auto].
    + assert (0 < kept Q P) by lra. pose proof (weight_unit (kept P Q) (kept Q P)) as W.
      destruct W as [W0 W1]; try lra. pose proof exp_neg_eps as [E0 E1].
      set (t := weight _ _) in *. set (s := (1 - delta) / _) in *.
      set (p := trimmed P Q y) in *. set (q := trimmed Q P y) in *.
      assert (exp (- eps) * q <= p).
      { apply (Rmult_le_reg_l (exp eps)); [apply exp_pos|]. rewrite <- Rmult_assoc, <- exp_plus.
        replace (eps + - eps) with 0 by ring. rewrite exp_0. lra. }
      assert (0 <= exp (- eps) * q) by nra.
      assert (0 <= t * p + (1 - t) * (exp (- eps) * q) <= p) by nra. nra.
Qed.

Lemma shared_ratio y : In y Y -> shared P Q y <= exp eps * shared Q P y.
Proof.
  intros Hy. destruct P_law as [HP _], Q_law as [HQ _].
  pose proof (kept_ge P Q P_law (proj1 private)) as Hu. pose proof (kept_ge Q P Q_law (proj2 private)) as Hv.
  pose proof (trimmed_nonneg P Q y (HP y Hy) (HQ y Hy)) as p0.
  pose proof (trimmed_nonneg Q P y (HQ y Hy) (HP y Hy)) as q0.
  pose proof (trimmed_ratio P Q y (HP y Hy) (HQ y Hy)) as pq. pose proof exp_eps_ge_1 as e1.
  pose proof (scale_unit _ Hu) as [su _]. pose proof (scale_unit _ Hv) as [sv _].
  assert (inverse : exp eps * exp (- eps) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  pose proof exp_neg_eps as [n0 n1].
  destruct (Req_dec (1 - delta) 0) as [E|E].
  { unfold shared. rewrite E. unfold Rdiv. rewrite !Rmult_0_l.
    destruct (Rle_dec _ _), (Rle_dec _ _); lra. }
  unfold shared. set (p := trimmed P Q y) in *. set (q := trimmed Q P y) in *.
  set (e := exp eps) in *. set (n := exp (- eps)) in *.
  destruct (Rle_dec (kept P Q) (kept Q P)) as [H|H], (Rle_dec (kept Q P) (kept P Q)) as [H'|H']; try lra.
  - assert (kept P Q = kept Q P) as -> by lra. nra.
  - destruct (weight_unit (kept Q P) (kept P Q)) as [W0 W1]; try lra.
    set (t := weight _ _) in *. set (s := (1 - delta) / _) in *.
    replace (e * (s * (t * q + (1 - t) * (n * p)))) with (s * (t * (e * q) + (1 - t) * (e * n) * p)) by ring.
    rewrite inverse. apply Rmult_le_compat_l; auto. nra.
  - destruct (weight_unit (kept P Q) (kept Q P)) as [W0 W1]; try lra.
    set (t := weight _ _) in *. set (s := (1 - delta) / kept Q P) in *.
    replace (e * (s * q)) with (s * (e * q)) by ring. apply Rmult_le_compat_l; auto.
    assert (n * q <= q) by nra. assert (q <= e * q) by nra. nra.
Qed.

Lemma shared_mass : total Y (shared P Q) = 1 - delta.
Proof.
  pose proof (kept_ge P Q P_law (proj1 private)) as Hu. pose proof (kept_ge Q P Q_law (proj2 private)) as Hv.
  unfold shared. destruct (Req_dec (1 - delta) 0) as [E|E].
  { rewrite E. transitivity (total Y (fun _ => 0)); [|apply total_zero]. apply total_ext. intros y _. unfold Rdiv.
    rewrite !Rmult_0_l.
    destruct (Rle_dec _ _); lra. }
  destruct (Rle_dec (kept P Q) (kept Q P)) as [H|H].
  - rewrite total_scal. fold (kept P Q). field. lra.
  - rewrite total_scal, total_plus, !total_scal. fold (kept P Q). fold (kept Q P).
    unfold weight. pose proof exp_neg_eps.
    assert (0 < kept P Q - exp (- eps) * kept Q P) by nra. field. split; lra.
Qed.

End Shares.

(** The laws of the kernel. *)

Lemma revealing_is_law P Q : is_law Y P -> is_law Y Q -> indistinguishable eps delta Y P Q ->
  is_law Y (revealing P Q).
Proof.
  intros HP HQ H. unfold revealing. destruct (Req_EM_T delta 0) as [E|E]; [assumption|]. split.
  - intros y Hy. pose proof (shared_bounds P Q HP HQ H y Hy). apply Rmult_le_pos; [lra|].
    left. apply Rinv_0_lt_compat. lra.
  - unfold Rdiv. rewrite total_scal_r, total_minus, (shared_mass P Q HP HQ H). destruct HP as [_ ->]. field. lra.
Qed.

Lemma pointing_is_law P Q : is_law Y P -> is_law Y Q -> indistinguishable eps delta Y P Q ->
  is_law Y (pointing P Q).
Proof.
  intros HP HQ H. pose proof (indistinguishable_sym _ _ _ _ _ H) as H'.
  unfold pointing. destruct (Req_EM_T delta 1) as [E|E]; [assumption|].
  destruct (Req_EM_T eps 0) as [E'|E'].
  - split.
    + intros y Hy. pose proof (shared_bounds P Q HP HQ H y Hy). apply Rmult_le_pos; [lra|].
      left. apply Rinv_0_lt_compat. lra.
    + unfold Rdiv. rewrite total_scal_r, (shared_mass P Q HP HQ H). field. lra.
  - assert (1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; lra). split.
    + intros y Hy. pose proof (shared_ratio Q P HQ HP H' y Hy). apply Rmult_le_pos; [lra|].
      left. apply Rinv_0_lt_compat. nra.
    + unfold Rdiv. rewrite total_scal_r, total_minus, total_scal.
      rewrite (shared_mass P Q HP HQ H), (shared_mass Q P HQ HP H'). field. lra.
Qed.

(** What is shared is the mixture of the two pointing laws with the weights of pure randomised response. *)
Lemma shared_is_mixture P Q y : is_law Y P -> is_law Y Q -> indistinguishable eps delta Y P Q -> In y Y ->
  shared P Q y = (1 - delta) * truth eps * pointing P Q y + (1 - delta) * lie eps * pointing Q P y.
Proof.
  intros HP HQ H Hy. pose proof (indistinguishable_sym _ _ _ _ _ H) as H'.
  pose proof (shared_bounds P Q HP HQ H y Hy) as B.
  unfold pointing. destruct (Req_EM_T delta 1) as [E|E].
  - assert (shared P Q y = 0); [|rewrite E; lra].
    unfold shared. assert (1 - delta = 0) as -> by lra. unfold Rdiv. rewrite !Rmult_0_l. destruct (Rle_dec _ _); lra.
  - destruct (Req_EM_T eps 0) as [E'|E'].
    + pose proof (shared_ratio P Q HP HQ H y Hy) as R1. pose proof (shared_ratio Q P HQ HP H' y Hy) as R2.
      revert R1 R2. unfold truth, lie. rewrite E'. rewrite exp_0. intros R1 R2.
      assert (shared Q P y = shared P Q y) as -> by lra. field. lra.
    + assert (1 < exp eps) by (rewrite <- exp_0; apply exp_increasing; lra).
      unfold truth, lie. field. repeat split; lra.
Qed.

Lemma law_is_revealing_and_shared P Q y : is_law Y P -> is_law Y Q -> indistinguishable eps delta Y P Q ->
  In y Y -> P y = delta * revealing P Q y + shared P Q y.
Proof.
  intros HP HQ H Hy. unfold revealing. destruct (Req_EM_T delta 0) as [E|E]; [|field; assumption].
  rewrite E, Rmult_0_l, Rplus_0_l.
  assert (D : P y - shared P Q y = 0); [|lra].
  apply (total_zero_inv Y (fun z => P z - shared P Q z)); auto.
  - intros z Hz. pose proof (shared_bounds P Q HP HQ H z Hz). lra.
  - rewrite total_minus, (shared_mass P Q HP HQ H). destruct HP as [_ ->]. lra.
Qed.

Lemma simulation_is_kernel P Q x : is_law Y P -> is_law Y Q -> indistinguishable eps delta Y P Q ->
  is_law Y (simulation P Q x).
Proof.
  intros HP HQ H. pose proof (indistinguishable_sym _ _ _ _ _ H).
  destruct x; simpl; auto using revealing_is_law, pointing_is_law.
Qed.

Lemma simulation_of_first P Q y : is_law Y P -> is_law Y Q -> indistinguishable eps delta Y P Q -> In y Y ->
  P y = processed answers (response0 eps delta) (simulation P Q) y.
Proof.
  intros HP HQ H Hy. unfold processed. simpl.
  rewrite (law_is_revealing_and_shared P Q y) at 1 by auto.
  rewrite (shared_is_mixture P Q y) by auto. ring.
Qed.

Lemma simulation_of_second P Q y : is_law Y P -> is_law Y Q -> indistinguishable eps delta Y P Q -> In y Y ->
  Q y = processed answers (response1 eps delta) (simulation P Q) y.
Proof.
  intros HP HQ H Hy. pose proof (indistinguishable_sym _ _ _ _ _ H). unfold processed. simpl.
  rewrite (law_is_revealing_and_shared Q P y) at 1 by auto.
  rewrite (shared_is_mixture Q P y) by auto. ring.
Qed.

End Simulation.

(** ** The theorem *)

Theorem domination {A : Type} (eps delta : R) (Y : list A) (P Q : A -> R) :
  0 <= eps -> 0 <= delta <= 1 -> is_law Y P -> is_law Y Q ->
  indistinguishable eps delta Y P Q ->
  dominates answers (response0 eps delta) (response1 eps delta) Y P Q.
Proof.
  intros He Hd HP HQ H. exists (simulation eps delta Y P Q). repeat split.
  - apply simulation_is_kernel; auto.
  - apply simulation_is_kernel; auto.
  - intros y Hy. apply simulation_of_first; auto.
  - intros y Hy. apply simulation_of_second; auto.
Qed.

(** And only those: whatever is made from randomised response is private. *)
Corollary domination_iff {A : Type} (eps delta : R) (Y : list A) (P Q : A -> R) :
  0 <= eps -> 0 <= delta <= 1 -> is_law Y P -> is_law Y Q ->
  (indistinguishable eps delta Y P Q <->
   dominates answers (response0 eps delta) (response1 eps delta) Y P Q).
Proof.
  intros He Hd HP HQ. split.
  - apply domination; auto.
  - intros H. apply (dominated_is_indistinguishable _ _ _ _ _ _ _ _ H).
    apply responses_are_indistinguishable; auto.
Qed.
