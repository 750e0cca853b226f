(** * Adaptive composition of finite mechanisms

    In k steps an adversary receives k outcomes. What is asked at a step may depend on all outcomes before: the law
    of a step is a function of the history. A history is the list of outcomes so far, *the last one first*, so that
    a longer history is made by putting an outcome in front. *)

From Coq Require Import Reals List Lra Lia Arith.
From SymDP Require Import Sums Laws RandomisedResponse Domination.
Import ListNotations.
Open Scope R_scope.

(** All histories of length k with outcomes in Y. *)
Fixpoint words {A : Type} (Y : list A) (k : nat) : list (list A) :=
  match k with
  | O => [[]]
  | S k => flat_map (fun past => map (fun y => y :: past) Y) (words Y k)
  end.

(** The probability of a history, if a step after the history [past] has the law [step past]. *)
Fixpoint view {A : Type} (step : list A -> A -> R) (history : list A) : R :=
  match history with
  | [] => 1
  | y :: past => view step past * step past y
  end.

(** A property of the step number j (counted from 0) after any history, for the first k steps. *)
Definition at_every_step {A : Type} (Y : list A) (k : nat) (property : nat -> list A -> Prop) : Prop :=
  forall j past, (j < k)%nat -> In past (words Y j) -> property j past.

(** k randomised responses, independent of each other: that of step j has the parameters eps j and delta j. *)
Definition responses0 (eps delta : nat -> R) : list answer -> R :=
  view (fun past => response0 (eps (length past)) (delta (length past))).
Definition responses1 (eps delta : nat -> R) : list answer -> R :=
  view (fun past => response1 (eps (length past)) (delta (length past))).

(** ** The composition experiment

    At each step the adversary, knowing the history, requests a mechanism and a pair of neighbouring databases;
    the outcome is that of the mechanism on the first of them under hypothesis 0, on the second under
    hypothesis 1. *)

Record request (D A : Type) := Request { database0 : D; database1 : D; mechanism : D -> A -> R }.
Arguments database0 {D A}. Arguments database1 {D A}. Arguments mechanism {D A}.

(** What may be requested: a mechanism with outcomes in Y that is (eps, delta)-differentially private. *)
Definition allowed {D A : Type} (neighbours : D -> D -> Prop) (Y : list A) (eps delta : R) (q : request D A) :=
  neighbours (database0 q) (database1 q) /\
  (forall d, is_law Y (mechanism q d)) /\
  differentially_private neighbours eps delta Y (mechanism q).

Definition experiment0 {D A : Type} (adversary : list A -> request D A) : list A -> R :=
  view (fun past => mechanism (adversary past) (database0 (adversary past))).
Definition experiment1 {D A : Type} (adversary : list A -> request D A) : list A -> R :=
  view (fun past => mechanism (adversary past) (database1 (adversary past))).

(** ** Words and views *)

Section Words.

Context {A : Type}.

Lemma total_words_S (Y : list A) k (f : list A -> R) :
  total (words Y (S k)) f = total (words Y k) (fun past => total Y (fun y => f (y :: past))).
Proof.
  simpl. rewrite total_flat_map. apply total_ext. intros past _. apply total_map.
Qed.

Lemma in_words_S (Y : list A) k w :
  In w (words Y (S k)) -> exists y past, w = y :: past /\ In y Y /\ In past (words Y k).
Proof.
  simpl. intros H. apply in_flat_map in H. destruct H as (past & Hpast & H).
  apply in_map_iff in H. destruct H as (y & <- & Hy). exists y, past. auto.
Qed.

Lemma words_length (Y : list A) k w : In w (words Y k) -> length w = k.
Proof.
  revert w. induction k as [|k IH]; intros w H.
  - destruct H as [<-|[]]. reflexivity.
  - apply in_words_S in H. destruct H as (y & past & -> & _ & H). simpl. auto.
Qed.

Lemma at_every_step_S (Y : list A) k property :
  at_every_step Y (S k) property <->
  at_every_step Y k property /\ (forall past, In past (words Y k) -> property k past).
Proof.
  split.
  - intros H. split; intros; [intros j past Hj Hp|]; apply H; auto; lia.
  - intros [H H'] j past Hj Hp. destruct (Nat.eq_dec j k) as [->|]; auto. apply H; auto; lia.
Qed.

Lemma view_is_law (Y : list A) k (step : list A -> A -> R) :
  at_every_step Y k (fun _ past => is_law Y (step past)) -> is_law (words Y k) (view step).
Proof.
  induction k as [|k IH]; intros H.
  - split; [intros w [<-|[]]|]; simpl; lra.
  - apply at_every_step_S in H. destruct H as [H H']. destruct (IH H) as [N T]. split.
    + intros w Hw. apply in_words_S in Hw. destruct Hw as (y & past & -> & Hy & Hp).
      simpl. apply Rmult_le_pos; [auto|]. apply H'; auto.
    + rewrite total_words_S, <- T. apply total_ext. intros past Hp. simpl.
      rewrite total_scal. destruct (H' past Hp) as [_ ->]. ring.
Qed.

End Words.

Lemma view_ext {A : Type} (Y : list A) k (f g : list A -> A -> R) :
  at_every_step Y k (fun _ past => forall y, In y Y -> f past y = g past y) ->
  forall w, In w (words Y k) -> view f w = view g w.
Proof.
  induction k as [|k IH]; intros H w Hw.
  - destruct Hw as [<-|[]]. reflexivity.
  - apply at_every_step_S in H. destruct H as [H H'].
    apply in_words_S in Hw. destruct Hw as (y & past & -> & Hy & Hp).
    simpl. rewrite IH, H'; auto.
Qed.

(** ** Composition preserves domination *)

Section Composition_preserves_domination.

Context {X A : Type}.
Variables (letters : list X) (Y : list A).
(** The dominating pairs, step by step; the dominated steps; and the kernels, which may depend on the history. *)
Variables (R0 R1 : nat -> X -> R) (P Q : list A -> A -> R) (K : list A -> X -> A -> R).

(** All steps are simulated, one after the other: v are the letters so far, w the outcomes made from them. *)
Fixpoint simulated (v : list X) (w : list A) : R :=
  match v, w with
  | [], [] => 1
  | x :: v, y :: w => simulated v w * K w x y
  | _, _ => 0
  end.

Definition simulated_step (j : nat) (past : list A) : Prop :=
  (forall x, In x letters -> is_law Y (K past x)) /\
  (forall y, In y Y -> P past y = processed letters (R0 j) (K past) y) /\
  (forall y, In y Y -> Q past y = processed letters (R1 j) (K past) y).

Lemma simulated_is_law k : at_every_step Y k simulated_step ->
  forall v, In v (words letters k) -> is_law (words Y k) (simulated v).
Proof.
  induction k as [|k IH]; intros H v Hv.
  - destruct Hv as [<-|[]]. split; [intros w [<-|[]]|]; simpl; lra.
  - apply at_every_step_S in H. destruct H as [H H'].
    apply in_words_S in Hv. destruct Hv as (x & v' & -> & Hx & Hv).
    destruct (IH H v' Hv) as [N T]. split.
    + intros w Hw. apply in_words_S in Hw. destruct Hw as (y & past & -> & Hy & Hp).
      simpl. apply Rmult_le_pos; auto. destruct (H' past Hp) as [L _]. apply (L x Hx); auto.
    + rewrite total_words_S, <- T. apply total_ext. intros past Hp. simpl. rewrite total_scal.
      destruct (H' past Hp) as [L _]. destruct (L x Hx) as [_ ->]. ring.
Qed.

Lemma view_is_simulated k (L : nat -> X -> R) (step : list A -> A -> R) :
  at_every_step Y k (fun j past => forall y, In y Y -> step past y = processed letters (L j) (K past) y) ->
  forall w, In w (words Y k) -> view step w = processed (words letters k) (view (fun v => L (length v))) simulated w.
Proof.
  induction k as [|k IH]; intros H w Hw.
  - destruct Hw as [<-|[]]. unfold processed. simpl. ring.
  - apply at_every_step_S in H. destruct H as [H H'].
    apply in_words_S in Hw. destruct Hw as (y & past & -> & Hy & Hp).
    change (view step (y :: past)) with (view step past * step past y).
    rewrite (IH H past Hp), (H' past Hp y Hy). unfold processed at 3. rewrite total_words_S.
    unfold processed. rewrite <- total_product. apply total_ext. intros v Hv. apply total_ext. intros x Hx.
    simpl. rewrite (words_length _ _ _ Hv). ring.
Qed.

Theorem composition_preserves_domination k : at_every_step Y k simulated_step ->
  dominates (words letters k) (view (fun v => R0 (length v))) (view (fun v => R1 (length v)))
            (words Y k) (view P) (view Q).
Proof.
  intros H. exists simulated. split; [|split].
  - apply simulated_is_law. assumption.
  - apply view_is_simulated. intros j past Hj Hp. apply (H j past Hj Hp).
  - apply view_is_simulated. intros j past Hj Hp. apply (H j past Hj Hp).
Qed.

End Composition_preserves_domination.

(** Any adaptive composition of private steps is made from as many randomised responses. *)
Theorem domination_of_compositions {A : Type} (Y : list A) (k : nat) (eps delta : nat -> R)
    (P Q : list A -> A -> R) :
  (forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1) ->
  at_every_step Y k (fun j past => is_law Y (P past) /\ is_law Y (Q past) /\
                                   indistinguishable (eps j) (delta j) Y (P past) (Q past)) ->
  dominates (words answers k) (responses0 eps delta) (responses1 eps delta) (words Y k) (view P) (view Q).
Proof.
  intros range H.
  apply (composition_preserves_domination answers Y
           (fun j => response0 (eps j) (delta j)) (fun j => response1 (eps j) (delta j)) P Q
           (fun past => simulation (eps (length past)) (delta (length past)) Y (P past) (Q past))).
  intros j past Hj Hp. destruct (range j Hj) as [He Hd]. destruct (H j past Hj Hp) as (HP & HQ & Hc).
  unfold simulated_step. rewrite (words_length _ _ _ Hp). repeat split.
  - apply simulation_is_kernel; auto.
  - apply simulation_is_kernel; auto.
  - intros. apply simulation_of_first; auto.
  - intros. apply simulation_of_second; auto.
Qed.

(** So randomised responses are the worst case: what holds of k of them holds of every composition. *)
Theorem worst_case_of_composition {A : Type} (Y : list A) (k : nat) (eps delta : nat -> R)
    (P Q : list A -> A -> R) (eps' delta' : R) :
  (forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1) ->
  at_every_step Y k (fun j past => is_law Y (P past) /\ is_law Y (Q past) /\
                                   indistinguishable (eps j) (delta j) Y (P past) (Q past)) ->
  indistinguishable eps' delta' (words answers k) (responses0 eps delta) (responses1 eps delta) ->
  indistinguishable eps' delta' (words Y k) (view P) (view Q).
Proof.
  intros range H C.
  apply (dominated_is_indistinguishable _ _ (words answers k) (responses0 eps delta) (responses1 eps delta)); auto.
  apply domination_of_compositions; auto.
Qed.

(** The same for the composition experiment. *)
Definition private_composition (k : nat) (eps delta : nat -> R) (eps' delta' : R) : Prop :=
  forall (D A : Type) (neighbours : D -> D -> Prop) (Y : list A) (adversary : list A -> request D A),
    at_every_step Y k (fun j past => allowed neighbours Y (eps j) (delta j) (adversary past)) ->
    indistinguishable eps' delta' (words Y k) (experiment0 adversary) (experiment1 adversary).

Theorem worst_case_of_experiment (k : nat) (eps delta : nat -> R) (eps' delta' : R) :
  (forall j, (j < k)%nat -> 0 <= eps j /\ 0 <= delta j <= 1) ->
  indistinguishable eps' delta' (words answers k) (responses0 eps delta) (responses1 eps delta) ->
  private_composition k eps delta eps' delta'.
Proof.
  intros range C D A neighbours Y adversary H. unfold experiment0, experiment1.
  apply (worst_case_of_composition Y k eps delta); auto.
  intros j past Hj Hp. destruct (H j past Hj Hp) as (Hn & HL & Hc). auto.
Qed.

(** ** Two variations on the experiment *)

(** A mechanism that is composed of k private ones, on one database: the steps may look at earlier outcomes. *)
Theorem composed_mechanism (k : nat) (eps delta : nat -> R) (eps' delta' : R) :
  private_composition k eps delta eps' delta' ->
  forall (D A : Type) (neighbours : D -> D -> Prop) (Y : list A) (M : list A -> D -> A -> R),
    (forall past d, is_law Y (M past d)) ->
    at_every_step Y k (fun j past => differentially_private neighbours (eps j) (delta j) Y (M past)) ->
    differentially_private neighbours eps' delta' (words Y k) (fun d => view (fun past => M past d)).
Proof.
  intros C D A neighbours Y M HL H d d' Hn.
  apply (C D A neighbours Y (fun past => Request D A d d' (M past))).
  intros j past Hj Hp. split; [|split]; simpl; auto.
Qed.

(** An adversary with coins of its own, which are part of what it sees. *)
Theorem adversary_with_coins (k : nat) (eps delta : nat -> R) (eps' delta' : R) :
  private_composition k eps delta eps' delta' ->
  forall (C D A : Type) (coins : list C) (draw : C -> R) (neighbours : D -> D -> Prop) (Y : list A)
         (adversary : C -> list A -> request D A),
    is_law coins draw ->
    (forall c, In c coins ->
       at_every_step Y k (fun j past => allowed neighbours Y (eps j) (delta j) (adversary c past))) ->
    indistinguishable eps' delta' (list_prod coins (words Y k))
      (fun seen => draw (fst seen) * experiment0 (adversary (fst seen)) (snd seen))
      (fun seen => draw (fst seen) * experiment1 (adversary (fst seen)) (snd seen)).
Proof.
  intros G C D A coins draw neighbours Y adversary Hd H.
  apply (indistinguishable_after_draw eps' delta' coins draw (words Y k)
           (fun c => experiment0 (adversary c)) (fun c => experiment1 (adversary c))); auto.
  intros c Hc. apply (G D A neighbours Y (adversary c)). auto.
Qed.
