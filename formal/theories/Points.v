(** * Points at which a claim with sums, or a floor, fails

    A counterexample is a point with numbers for all variables. There a sum has finitely many terms, each of which is
    written out, and what is said of every index is said of a few. *)

From Coq Require Import Reals ZArith Lra Lia.
From SymDP Require Import Sums RulesFunctions Positivity Certificates Ranges.
Open Scope R_scope.

(** The largest whole number that is not larger than x. *)
Definition floor (x : R) : R := IZR (Int_part x).

Lemma floor_below x : floor x <= x.
Proof. apply base_Int_part. Qed.

Lemma floor_above x : x < floor x + 1.
Proof. destruct (base_Int_part x). unfold floor. lra. Qed.

Lemma floor_is n x : IZR n <= x < IZR n + 1 -> floor x = IZR n.
Proof.
  intros H. pose proof (floor_below x). pose proof (floor_above x). unfold floor in *.
  apply IZR_eq, Z.le_antisymm; apply Zlt_succ_le, lt_IZR; rewrite succ_IZR; lra.
Qed.

Lemma floor_integer x : integer (floor x).
Proof. apply integer_number. Qed.

(** ** Sums at numbers *)

Lemma sum_by_first low high f : integer low -> integer high -> low <= high ->
  sum_from low high f = f low + sum_from (low + 1) high f.
Proof.
  intros L H N. rewrite (sum_parted low high L H f low) by (assumption || lra).
  rewrite (sum_single_term low low L L) by reflexivity. reflexivity.
Qed.

Ltac sums_here :=
  repeat match goal with
  | |- context [sum_from ?l ?h ?f] =>
      first [rewrite (sum_empty_range l h) by (whole || lra)
            |rewrite (sum_single_term l h) by (whole || lra)
            |rewrite (sum_by_first l h f) by (whole || lra)]; cbv beta
  end.

Lemma binomial_at j n m : m = INR j -> binomial n m = product_below j (fun i => (n - INR i) / (INR i + 1)).
Proof. intros ->. unfold binomial. rewrite binomial_steps. reflexivity. Qed.

Ltac binomial_from n m j :=
  first [rewrite (binomial_at j n m) by (simpl; lra)
        |lazymatch j with 30%nat => fail | _ => binomial_from n m constr:(S j) end].
Ltac binomials_here :=
  repeat match goal with |- context [binomial ?n ?m] => binomial_from n m 0%nat end; cbn [product_below INR].

(** The floor of a number that is not negative, and not large. *)
Ltac floor_from x n :=
  first [rewrite (floor_is n x) by lra
        |lazymatch n with 100%Z => fail | _ => let m := eval vm_compute in (n + 1)%Z in floor_from x m end].
Ltac floors_here := repeat match goal with |- context [floor ?x] => floor_from x 0%Z end.

(** ** What is said of every index *)

(** The cases z = l, l + 1, ... until one is beyond what is known of z; so many at most. *)
Ltac cases_from z l most :=
  first [exfalso; assert (IZR l <= IZR z) by (apply IZR_le; lia); lra
        |lazymatch most with S ?fewer =>
           destruct (Z.eq_dec z l) as [->|];
           [|let m := eval vm_compute in (l + 1)%Z in assert (m <= z)%Z by lia; cases_from z m fewer]
         end].

Ltac every_index :=
  let z := fresh "z" in let A := fresh "A" in let B := fresh "B" in
  intros ? [z ->] A B;
  try match type of B with context [floor ?x] => pose proof (floor_below x) end;
  apply le_IZR in A;
  lazymatch type of A with (?l <= _)%Z => cases_from z l 100%nat end.

Ltac fails_here :=
  lazymatch goal with
  | |- forall i, integer i -> _ => every_index; fails_here
  | |- has_binomial _ => split; [whole|lra]
  | |- _ => clear; floors_here; sums_here; binomials_here; refuted_here
  end.
