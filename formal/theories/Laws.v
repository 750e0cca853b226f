(** * Finite laws and what it means that they can hardly be told apart

    A finite set of outcomes is a list [Y]; a law on it is a function [P] that is not negative on [Y] and adds up
    to 1. (Nothing here asks for [Y] to be free of repetitions: an outcome that is listed twice counts twice.)
    An event is any function from outcomes to booleans.

    [close eps delta Y P Q] is the condition of (eps, delta)-differential privacy for one pair of laws, in one
    direction: P(S) <= e^eps Q(S) + delta for every event S. *)

From Coq Require Import Reals List Lra.
From SymDP Require Import Sums.
Import ListNotations.
Open Scope R_scope.

Definition is_law {A : Type} (Y : list A) (P : A -> R) : Prop :=
  (forall y, In y Y -> 0 <= P y) /\ total Y P = 1.

(** The probability of an event. *)
Definition prob {A : Type} (Y : list A) (P : A -> R) (S : A -> bool) : R :=
  total Y (fun y => if S y then P y else 0).

Definition close {A : Type} (eps delta : R) (Y : list A) (P Q : A -> R) : Prop :=
  forall S : A -> bool, prob Y P S <= exp eps * prob Y Q S + delta.

(** Two laws are (eps, delta)-indistinguishable if each is close to the other. *)
Definition indistinguishable {A : Type} (eps delta : R) (Y : list A) (P Q : A -> R) : Prop :=
  close eps delta Y P Q /\ close eps delta Y Q P.

(** A mechanism has a law for every database. It is (eps, delta)-differentially private if its laws on
    neighbouring databases are indistinguishable. What databases and neighbours are is left open. *)
Definition differentially_private {D A : Type} (neighbours : D -> D -> Prop) (eps delta : R) (Y : list A)
    (M : D -> A -> R) : Prop :=
  forall d d' : D, neighbours d d' -> indistinguishable eps delta Y (M d) (M d').

(** What the best event shows: the smallest delta with which P is close to Q at this eps. *)
Definition excess {A : Type} (eps : R) (Y : list A) (P Q : A -> R) : R :=
  total Y (fun y => Rmax 0 (P y - exp eps * Q y)).

(** What comes out if an outcome x with law P is given to a kernel, that is a law [K x] for each x. *)
Definition processed {X A : Type} (outcomes : list X) (P : X -> R) (K : X -> A -> R) (y : A) : R :=
  total outcomes (fun x => P x * K x y).

(** The pair (P0, P1) dominates (Q0, Q1): one kernel makes both Q0 from P0 and Q1 from P1. *)
Definition dominates {X A : Type} (outcomes : list X) (P0 P1 : X -> R) (Y : list A) (Q0 Q1 : A -> R) : Prop :=
  exists K : X -> A -> R,
    (forall x, In x outcomes -> is_law Y (K x)) /\
    (forall y, In y Y -> Q0 y = processed outcomes P0 K y) /\
    (forall y, In y Y -> Q1 y = processed outcomes P1 K y).

(** ** First consequences *)

Section First_consequences.

Context {A : Type}.
Implicit Types (Y : list A) (P Q : A -> R).

Lemma prob_nonneg Y P S : is_law Y P -> 0 <= prob Y P S.
Proof.
  intros [H _]. apply total_nonneg. intros y Hy. destruct (S y); [auto|lra].
Qed.

Lemma prob_le_1 Y P S : is_law Y P -> prob Y P S <= 1.
Proof.
  intros [H <-]. apply total_le. intros y Hy. destruct (S y); [lra|auto].
Qed.

Lemma prob_everything Y P : is_law Y P -> prob Y P (fun _ => true) = 1.
Proof. intros [_ H]. exact H. Qed.

Lemma excess_nonneg eps Y P Q : 0 <= excess eps Y P Q.
Proof. apply total_nonneg. intros. apply Rmax_l. Qed.

Lemma close_iff_excess eps delta Y P Q : close eps delta Y P Q <-> excess eps Y P Q <= delta.
Proof.
  split.
  - intros H.
    set (S := fun y => if Rle_dec 0 (P y - exp eps * Q y) then true else false).
    specialize (H S). unfold prob in H.
    assert (E : excess eps Y P Q
                = total Y (fun y => if S y then P y else 0) - exp eps * total Y (fun y => if S y then Q y else 0)).
    { unfold excess. rewrite <- total_scal, <- total_minus. apply total_ext. intros y _. unfold S.
      destruct (Rle_dec 0 (P y - exp eps * Q y)).
      - rewrite Rmax_right; lra.
      - rewrite Rmax_left; lra. }
    lra.
  - intros H S. unfold prob.
    assert (E : total Y (fun y => if S y then P y else 0) - exp eps * total Y (fun y => if S y then Q y else 0)
                <= excess eps Y P Q).
    { unfold excess. rewrite <- total_scal, <- total_minus. apply total_le. intros y _.
      destruct (S y); [apply Rmax_r|]. replace (0 - exp eps * 0) with 0 by ring. apply Rmax_l. }
    lra.
Qed.

Lemma close_weaken eps eps' delta delta' Y P Q :
  (forall y, In y Y -> 0 <= Q y) -> eps <= eps' -> delta <= delta' ->
  close eps delta Y P Q -> close eps' delta' Y P Q.
Proof.
  intros HQ He Hd H S. specialize (H S).
  assert (0 <= prob Y Q S) by (apply total_nonneg; intros y Hy; destruct (S y); [auto|lra]).
  assert (exp eps <= exp eps') by (destruct (Req_dec eps eps') as [->|]; [lra|left; apply exp_increasing; lra]).
  nra.
Qed.

Lemma indistinguishable_weaken eps eps' delta delta' Y P Q :
  is_law Y P -> is_law Y Q -> eps <= eps' -> delta <= delta' ->
  indistinguishable eps delta Y P Q -> indistinguishable eps' delta' Y P Q.
Proof.
  intros [HP _] [HQ _] He Hd [H1 H2]. split; eapply close_weaken; eauto.
Qed.

Lemma indistinguishable_sym eps delta Y P Q :
  indistinguishable eps delta Y P Q -> indistinguishable eps delta Y Q P.
Proof. intros [H1 H2]. split; assumption. Qed.

(** A delta of at least 1 promises nothing. *)
Lemma indistinguishable_trivially eps delta Y P Q :
  is_law Y P -> is_law Y Q -> 1 <= delta -> indistinguishable eps delta Y P Q.
Proof.
  intros HP HQ Hd. split; intros S;
    pose proof (exp_pos eps); pose proof (prob_nonneg Y P S HP); pose proof (prob_nonneg Y Q S HQ);
    pose proof (prob_le_1 Y P S HP); pose proof (prob_le_1 Y Q S HQ); nra.
Qed.

Lemma close_ext eps delta Y P Q P' Q' :
  (forall y, In y Y -> P y = P' y) -> (forall y, In y Y -> Q y = Q' y) ->
  close eps delta Y P Q -> close eps delta Y P' Q'.
Proof.
  intros HP HQ H S. specialize (H S). unfold prob in *.
  rewrite (total_ext Y (fun y => if S y then P' y else 0) (fun y => if S y then P y else 0)).
  - rewrite (total_ext Y (fun y => if S y then Q' y else 0) (fun y => if S y then Q y else 0)); auto.
    intros y Hy. destruct (S y); auto. symmetry. auto.
  - intros y Hy. destruct (S y); auto. symmetry. auto.
Qed.

End First_consequences.

(** ** Processing *)

Lemma processed_is_law {X A : Type} (outcomes : list X) (P : X -> R) (Y : list A) (K : X -> A -> R) :
  is_law outcomes P -> (forall x, In x outcomes -> is_law Y (K x)) -> is_law Y (processed outcomes P K).
Proof.
  intros [HP HP1] HK. split.
  - intros y Hy. apply total_nonneg. intros x Hx. apply Rmult_le_pos; auto. apply HK; auto.
  - unfold processed. rewrite total_swap, <- HP1. apply total_ext. intros x Hx.
    rewrite total_scal. destruct (HK x Hx) as [_ ->]. ring.
Qed.

(** Data processing: whoever looks at the result of a kernel sees no more than who looks at what went in. *)
Theorem data_processing {X A : Type} (eps delta : R) (outcomes : list X) (P0 P1 : X -> R) (Y : list A)
    (K : X -> A -> R) :
  (forall x, In x outcomes -> is_law Y (K x)) ->
  close eps delta outcomes P0 P1 ->
  close eps delta Y (processed outcomes P0 K) (processed outcomes P1 K).
Proof.
  intros HK H. apply close_iff_excess in H. apply close_iff_excess. eapply Rle_trans; [|exact H].
  unfold excess.
  apply Rle_trans with
    (total Y (fun y => total outcomes (fun x => Rmax 0 (P0 x - exp eps * P1 x) * K x y))).
  - apply total_le. intros y Hy. apply Rmax_lub.
    + apply total_nonneg. intros x Hx. apply Rmult_le_pos; [apply Rmax_l|]. apply HK; auto.
    + unfold processed. rewrite <- total_scal, <- total_minus. apply total_le. intros x Hx.
      replace (P0 x * K x y - exp eps * (P1 x * K x y)) with ((P0 x - exp eps * P1 x) * K x y) by ring.
      apply Rmult_le_compat_r; [apply HK; auto|apply Rmax_r].
  - rewrite total_swap. apply total_le. intros x Hx. rewrite total_scal.
    destruct (HK x Hx) as [_ ->]. lra.
Qed.

Theorem dominated_is_indistinguishable {X A : Type} (eps delta : R) (outcomes : list X) (P0 P1 : X -> R)
    (Y : list A) (Q0 Q1 : A -> R) :
  dominates outcomes P0 P1 Y Q0 Q1 ->
  indistinguishable eps delta outcomes P0 P1 -> indistinguishable eps delta Y Q0 Q1.
Proof.
  intros (K & HK & H0 & H1) [C0 C1].
  split.
  - apply (close_ext _ _ Y (processed outcomes P0 K) (processed outcomes P1 K)).
    + intros y Hy. symmetry. auto.
    + intros y Hy. symmetry. auto.
    + apply data_processing; assumption.
  - apply (close_ext _ _ Y (processed outcomes P1 K) (processed outcomes P0 K)).
    + intros y Hy. symmetry. auto.
    + intros y Hy. symmetry. auto.
    + apply data_processing; assumption.
Qed.

Lemma dominates_trans {X A B : Type} (outcomes : list X) (P0 P1 : X -> R) (Y : list A) (Q0 Q1 : A -> R)
    (Z : list B) (R0 R1 : B -> R) :
  dominates outcomes P0 P1 Y Q0 Q1 -> dominates Y Q0 Q1 Z R0 R1 -> dominates outcomes P0 P1 Z R0 R1.
Proof.
  intros (K & HK & H0 & H1) (L & HL & G0 & G1).
  exists (fun x z => processed Y (K x) L z). repeat split.
  - intros z Hz. apply (processed_is_law Y (K x) Z L); auto.
  - apply (processed_is_law Y (K x) Z L); auto.
  - intros z Hz. rewrite G0; auto. unfold processed.
    rewrite (total_ext Y _ (fun y => total outcomes (fun x => P0 x * K x y * L y z))).
    + rewrite total_swap. apply total_ext. intros x Hx. rewrite <- total_scal. apply total_ext. intros; ring.
    + intros y Hy. rewrite H0; auto. unfold processed. rewrite <- total_scal_r. reflexivity.
  - intros z Hz. rewrite G1; auto. unfold processed.
    rewrite (total_ext Y _ (fun y => total outcomes (fun x => P1 x * K x y * L y z))).
    + rewrite total_swap. apply total_ext. intros x Hx. rewrite <- total_scal. apply total_ext. intros; ring.
    + intros y Hy. rewrite H1; auto. unfold processed. rewrite <- total_scal_r. reflexivity.
Qed.

(** An independent draw, the same under both hypotheses, tells nothing: if the laws that follow are
    indistinguishable whatever was drawn, so are the laws of the draw and what follows. *)
Lemma indistinguishable_after_draw {C A : Type} (eps delta : R) (coins : list C) (draw : C -> R)
    (Y : list A) (P Q : C -> A -> R) :
  is_law coins draw ->
  (forall c, In c coins -> indistinguishable eps delta Y (P c) (Q c)) ->
  indistinguishable eps delta (list_prod coins Y)
    (fun cy => draw (fst cy) * P (fst cy) (snd cy)) (fun cy => draw (fst cy) * Q (fst cy) (snd cy)).
Proof.
  assert (step : forall F G : C -> A -> R, is_law coins draw ->
    (forall c, In c coins -> close eps delta Y (F c) (G c)) ->
    close eps delta (list_prod coins Y)
      (fun cy => draw (fst cy) * F (fst cy) (snd cy)) (fun cy => draw (fst cy) * G (fst cy) (snd cy))).
  { intros F G [Hd H1] H. apply close_iff_excess. unfold excess. rewrite total_prod. simpl.
    replace delta with (total coins (fun c => draw c * delta)) by (rewrite total_scal_r, H1; ring).
    apply total_le. intros c Hc. specialize (H c Hc). apply close_iff_excess in H.
    apply Rle_trans with (draw c * excess eps Y (F c) (G c)); [|apply Rmult_le_compat_l; auto].
    unfold excess. rewrite <- total_scal. apply total_le. intros y Hy.
    rewrite <- RmaxRmult; auto. rewrite Rmult_0_r. right. f_equal. ring. }
  intros Hd H. split; apply step; auto; intros c Hc; apply H; auto.
Qed.
