(** * Privacy as hypothesis testing

    Theorem 2.1 of Kairouz, Oh and Viswanath: privacy is a bound on the two errors of every test. A test rejects
    hypothesis 0 on the event S; a false alarm is S under hypothesis 0, a missed detection its complement under 1. *)

From Coq Require Import Reals List Lra.
From SymDP Require Import Sums Laws.
Open Scope R_scope.

Definition false_alarm {A : Type} (Y : list A) (P : A -> R) (S : A -> bool) : R := prob Y P S.
Definition missed_detection {A : Type} (Y : list A) (Q : A -> R) (S : A -> bool) : R :=
  prob Y Q (fun y => negb (S y)).

Lemma prob_complement {A : Type} (Y : list A) (P : A -> R) (S : A -> bool) : is_law Y P ->
  prob Y P (fun y => negb (S y)) = 1 - prob Y P S.
Proof.
  intros [_ <-]. unfold prob. rewrite <- total_minus. apply total_ext. intros y _. destruct (S y); simpl; ring.
Qed.

Theorem privacy_is_hypothesis_testing {A : Type} (eps delta : R) (Y : list A) (P Q : A -> R) :
  is_law Y P -> is_law Y Q ->
  (indistinguishable eps delta Y P Q <->
   forall S, 1 - delta <= false_alarm Y P S + exp eps * missed_detection Y Q S /\
             1 - delta <= exp eps * false_alarm Y P S + missed_detection Y Q S).
Proof.
  intros HP HQ. unfold false_alarm, missed_detection. split.
  - intros [H0 H1] S. specialize (H0 (fun y => negb (S y))). specialize (H1 S).
    rewrite !prob_complement in * by assumption. lra.
  - intros H. split; intros S.
    + destruct (H (fun y => negb (S y))) as [H0 _].
      rewrite (prob_complement Y P S HP) in H0.
      rewrite (prob_complement Y Q (fun y => negb (S y)) HQ), (prob_complement Y Q S HQ) in H0. lra.
    + destruct (H S) as [_ H1]. rewrite (prob_complement Y Q S HQ) in H1. lra.
Qed.
