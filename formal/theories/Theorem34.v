(** * Theorem 3.4, with all that has to be believed on one page

    P. Kairouz, S. Oh, P. Viswanath, The Composition Theorem for Differential Privacy. This file repeats the
    definitions, so that nothing else has to be read to know what is stated: only Coq's standard library comes
    before the statement. (The rest of the library is used in the proof, which Coq checks.) *)

From Coq Require Import Reals List.
From SymDP Require Laws Composition SimplifiedComposition.
Import ListNotations.
Open Scope R_scope.

(** The sum of f over a list. *)
Fixpoint sum {A : Type} (Y : list A) (f : A -> R) : R :=
  match Y with
  | [] => 0
  | y :: rest => f y + sum rest f
  end.

(** A law on the finite set of outcomes Y, and the probability of an event. *)
Definition law {A : Type} (Y : list A) (P : A -> R) : Prop := (forall y, In y Y -> 0 <= P y) /\ sum Y P = 1.

Definition probability {A : Type} (Y : list A) (P : A -> R) (event : A -> bool) : R :=
  sum Y (fun y => if event y then P y else 0).

(** Definition 1.1: a mechanism M, which has a law on Y for every database, is (eps, delta)-differentially private. *)
Definition differentially_private {Database A : Type} (neighbours : Database -> Database -> Prop)
    (eps delta : R) (Y : list A) (M : Database -> A -> R) : Prop :=
  forall D D', neighbours D D' -> forall event,
    probability Y (M D) event <= exp eps * probability Y (M D') event + delta.

(** All histories of k outcomes, the last one first. *)
Fixpoint histories {A : Type} (Y : list A) (k : nat) : list (list A) :=
  match k with
  | O => [[]]
  | S k => flat_map (fun past => map (fun y => y :: past) Y) (histories Y k)
  end.

(** The probability of a history if the next outcome has the law [step past] after the history [past]. *)
Fixpoint view {A : Type} (step : list A -> A -> R) (history : list A) : R :=
  match history with
  | [] => 1
  | y :: past => view step past * step past y
  end.

(** ** Theorem 3.4

    In each of k steps the adversary, who knows all outcomes so far ([past]), chooses a mechanism and two neighbouring
    databases; the mechanism is run on the database of hypothesis b. Then the views of the two hypotheses are as
    close as (7) of the paper says, each to the other. *)

Theorem theorem_3_4 :
  forall (Database Outcome : Type) (neighbours : Database -> Database -> Prop) (outcomes : list Outcome)
         (mechanism : list Outcome -> Database -> Outcome -> R) (database : bool -> list Outcome -> Database)
         (k : nat) (eps delta slack : R),
    0 < eps -> 0 <= delta <= 1 -> 0 < slack <= 1 ->
    (forall D D', neighbours D D' -> neighbours D' D) ->
    (forall past, (length past < k)%nat ->
       (forall D, law outcomes (mechanism past D)) /\
       differentially_private neighbours eps delta outcomes (mechanism past) /\
       neighbours (database false past) (database true past)) ->
    let mean := (exp eps - 1) * eps * INR k / (exp eps + 1) in
    let eps' := Rmin (INR k * eps)
               (Rmin (mean + eps * sqrt (2 * INR k * ln (exp 1 + sqrt (INR k * eps ^ 2) / slack)))
                     (mean + eps * sqrt (2 * INR k * ln (1 / slack)))) in
    let delta' := 1 - (1 - delta) ^ k * (1 - slack) in
    let V b := view (fun past => mechanism past (database b past)) in
    forall (b : bool) (event : list Outcome -> bool),
      probability (histories outcomes k) (V b) event
      <= exp eps' * probability (histories outcomes k) (V (negb b)) event + delta'.
Proof.
  intros Database Outcome neighbours outcomes mechanism database k eps delta slack He Hd Hs symmetric H
    mean eps' delta' V.
  pose (adversary := fun past =>
    Composition.Request Database Outcome (database false past) (database true past) (mechanism past)).
  assert (G : Laws.indistinguishable eps' delta' (Composition.words outcomes k)
                (Composition.experiment0 adversary) (Composition.experiment1 adversary)).
  { apply (SimplifiedComposition.simplified_composition k eps delta slack (Rlt_le _ _ He) Hd Hs
             Database Outcome neighbours).
    intros j past Hj Hp. rewrite <- (Composition.words_length _ _ _ Hp) in Hj.
    destruct (H past Hj) as (L & P & N). split; [exact N|]. split; [exact L|].
    intros D D' Hn. split; [exact (P D D' Hn)|exact (P D' D (symmetric D D' Hn))]. }
  destruct G as [G0 G1]. intros [] event; [exact (G1 event)|exact (G0 event)].
Qed.
