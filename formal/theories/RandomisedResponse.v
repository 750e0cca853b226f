(** * Randomised response with four answers

    The pair of laws (17), (18) of Kairouz, Oh and Viswanath. With probability delta the answer gives the
    hypothesis away; otherwise it points to the truth with the odds e^eps to 1.

<<
                     answer 0          answer 1                     answer 2             answer 3
    hypothesis 0      delta    (1-delta) e^eps/(1+e^eps)     (1-delta)/(1+e^eps)             0
    hypothesis 1        0          (1-delta)/(1+e^eps)     (1-delta) e^eps/(1+e^eps)       delta
>>
*)

From Coq Require Import Reals List Lra.
From SymDP Require Import Sums Laws.
Import ListNotations.
Open Scope R_scope.

Inductive answer := answer0 | answer1 | answer2 | answer3.

Definition answers : list answer := [answer0; answer1; answer2; answer3].

(** The two probabilities of pure randomised response: to tell the truth, and to lie. *)
Definition truth (eps : R) : R := exp eps / (1 + exp eps).
Definition lie (eps : R) : R := 1 / (1 + exp eps).

Definition response0 (eps delta : R) (x : answer) : R :=
  match x with
  | answer0 => delta
  | answer1 => (1 - delta) * truth eps
  | answer2 => (1 - delta) * lie eps
  | answer3 => 0
  end.

Definition response1 (eps delta : R) (x : answer) : R :=
  match x with
  | answer0 => 0
  | answer1 => (1 - delta) * lie eps
  | answer2 => (1 - delta) * truth eps
  | answer3 => delta
  end.

(** The mirror image of an answer exchanges the two hypotheses. *)
Definition mirrored (x : answer) : answer :=
  match x with answer0 => answer3 | answer1 => answer2 | answer2 => answer1 | answer3 => answer0 end.

Lemma truth_plus_lie eps : truth eps + lie eps = 1.
Proof. unfold truth, lie. pose proof (exp_pos eps). field. lra. Qed.

Lemma truth_is_odds_times_lie eps : truth eps = exp eps * lie eps.
Proof. unfold truth, lie. pose proof (exp_pos eps). field. lra. Qed.

Lemma truth_pos eps : 0 < truth eps.
Proof. unfold truth. pose proof (exp_pos eps). apply Rdiv_lt_0_compat; lra. Qed.

Lemma lie_pos eps : 0 < lie eps.
Proof. unfold lie. pose proof (exp_pos eps). apply Rdiv_lt_0_compat; lra. Qed.

Lemma exp_ge_1 x : 0 <= x -> 1 <= exp x.
Proof.
  intros H. rewrite <- exp_0. destruct (Req_dec 0 x) as [<-|]; [lra|]. left. apply exp_increasing. lra.
Qed.

Lemma lie_le_truth eps : 0 <= eps -> lie eps <= truth eps.
Proof.
  intros H. rewrite truth_is_odds_times_lie. pose proof (exp_ge_1 eps H). pose proof (lie_pos eps). nra.
Qed.

Lemma response1_mirrored eps delta x : response1 eps delta (mirrored x) = response0 eps delta x.
Proof. destruct x; reflexivity. Qed.

Lemma response0_is_law eps delta : 0 <= delta <= 1 -> is_law answers (response0 eps delta).
Proof.
  intros H. pose proof (truth_pos eps). pose proof (lie_pos eps). pose proof (truth_plus_lie eps). split.
  - intros [] _; simpl; nra.
  - simpl. nra.
Qed.

Lemma response1_is_law eps delta : 0 <= delta <= 1 -> is_law answers (response1 eps delta).
Proof.
  intros H. pose proof (truth_pos eps). pose proof (lie_pos eps). pose proof (truth_plus_lie eps). split.
  - intros [] _; simpl; nra.
  - simpl. nra.
Qed.

(** Randomised response is itself (eps, delta)-private: it belongs to the class that it dominates. *)
Lemma responses_are_indistinguishable eps delta :
  0 <= eps -> 0 <= delta <= 1 ->
  indistinguishable eps delta answers (response0 eps delta) (response1 eps delta).
Proof.
  intros He Hd. pose proof (truth_is_odds_times_lie eps) as T. pose proof (lie_pos eps). pose proof (exp_ge_1 eps He).
  set (e := exp eps) in *. set (m := (1 - delta) * lie eps).
  assert (Hm : 0 <= m) by (unfold m; nra).
  assert (E : (1 - delta) * (e * lie eps) = e * m) by (unfold m; ring).
  assert (0 <= (e - 1) * m) by nra. assert (0 <= (e - 1) * (e * m)) by nra. assert (0 <= e * delta) by nra.
  split; apply close_iff_excess; unfold excess; simpl; fold e; rewrite T; fold m; rewrite E.
  - rewrite (Rmax_right 0 (delta - _)), !Rmax_left; lra.
  - rewrite (Rmax_right 0 (delta - _)), !Rmax_left; lra.
Qed.
