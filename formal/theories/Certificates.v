(** * Tactics for exported certificates

    A certificate of the toolkit's kernel becomes a Coq file that uses the lemmas of this library and the tactics of
    this file. Nothing here has to be believed: a tactic only looks for a proof, which Coq's kernel then checks. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From SymDP Require Import RulesCalculus RulesFunctions RulesGauss Positivity RulesDerivatives RulesLimits.
From SymDP Require Lemmas.
Open Scope R_scope.

(** ** Words of statements *)

(** The real number x is an integer. *)
Definition integer (x : R) : Prop := exists n : Z, x = IZR n.

(** Where a power with a real exponent means what it says: x^r for x > 0, or x = 0 and r not negative (0^0 = 1). *)
Definition has_power (x r : R) : Prop := 0 < x \/ (x = 0 /\ 0 <= r).

Lemma integer_number n : integer (IZR n).
Proof. exists n. reflexivity. Qed.

Lemma integer_plus x y : integer x -> integer y -> integer (x + y).
Proof. intros [n ->] [m ->]. exists (n + m)%Z. symmetry. apply plus_IZR. Qed.

Lemma integer_minus x y : integer x -> integer y -> integer (x - y).
Proof. intros [n ->] [m ->]. exists (n - m)%Z. symmetry. apply minus_IZR. Qed.

Lemma integer_mult x y : integer x -> integer y -> integer (x * y).
Proof. intros [n ->] [m ->]. exists (n * m)%Z. symmetry. apply mult_IZR. Qed.

Lemma integer_opp x : integer x -> integer (- x).
Proof. intros [n ->]. exists (- n)%Z. symmetry. apply opp_IZR. Qed.

Lemma integer_pow x n : integer x -> integer (x ^ n).
Proof. intros H. induction n; simpl; [apply (integer_number 1)|apply integer_mult; assumption]. Qed.

Lemma integer_abs x : integer x -> integer (Rabs x).
Proof. intros H. unfold Rabs. destruct (Rcase_abs x); [apply integer_opp|]; assumption. Qed.

Lemma integer_max x y : integer x -> integer y -> integer (Rmax x y).
Proof. intros H G. unfold Rmax. destruct (Rle_dec x y); assumption. Qed.

Lemma integer_min x y : integer x -> integer y -> integer (Rmin x y).
Proof. intros H G. unfold Rmin. destruct (Rle_dec x y); assumption. Qed.

(** A number that is visibly an integer is one. *)
Ltac whole :=
  first
  [ assumption
  | apply integer_number
  | apply integer_plus; whole
  | apply integer_minus; whole
  | apply integer_mult; whole
  | apply integer_opp; whole
  | apply integer_pow; whole
  | apply integer_abs; whole
  | apply integer_max; whole
  | apply integer_min; whole ].

(** Between two integers that follow each other there is none. *)
Lemma integer_above x n : integer x -> IZR n < x -> IZR (n + 1) <= x.
Proof. intros [m ->] H. apply lt_IZR in H. apply IZR_le. Lia.lia. Qed.

Lemma integer_below x n : integer x -> x < IZR n -> x <= IZR (n - 1).
Proof. intros [m ->] H. apply lt_IZR in H. apply IZR_le. Lia.lia. Qed.

Lemma has_power_pos x r : 0 < x -> has_power x r.
Proof. left. assumption. Qed.

Lemma has_power_nonneg x r : 0 <= x -> 0 <= r -> has_power x r.
Proof. intros [H|H] G; [left; assumption|right; auto]. Qed.

(** ** Signs and enclosures *)

Ltac relations :=
  repeat match goal with
  | H : _ >= _ |- _ => apply Rge_le in H
  | H : _ > _ |- _ => apply Rgt_lt in H
  | |- _ >= _ => apply Rle_ge
  | |- _ > _ => apply Rlt_gt
  end.

Lemma above_by_ln c x : exp c < x -> c < ln x.
Proof.
  intros H. rewrite <- (ln_exp c). apply ln_increasing; [apply exp_pos|assumption].
Qed.

Lemma above_by_ln_weakly c x : exp c <= x -> c <= ln x.
Proof. intros [H| <-]; [left; apply above_by_ln; assumption|rewrite ln_exp; lra]. Qed.

Lemma below_by_ln c x : 0 < x -> x < exp c -> ln x < c.
Proof. intros P H. rewrite <- (ln_exp c). apply ln_increasing; assumption. Qed.

Lemma below_by_ln_weakly c x : 0 < x -> x <= exp c -> ln x <= c.
Proof. intros P [H| ->]; [left; apply below_by_ln; assumption|rewrite ln_exp; lra]. Qed.

Lemma exp_below_1 x : x < 0 -> exp x < 1.
Proof. intros H. rewrite <- exp_0. apply exp_increasing. assumption. Qed.

Lemma exp_at_most_1 x : x <= 0 -> exp x <= 1.
Proof. intros H. rewrite <- exp_0. apply exp_le_iff. assumption. Qed.

Lemma product_below_1 x y : 0 <= x <= 1 -> 0 <= y <= 1 -> x * y <= 1.
Proof. intros. nra. Qed.

Lemma power_at_most_1 x r : 0 <= x <= 1 -> 0 <= r -> power x r <= 1.
Proof. intros H G. rewrite <- (power_base_1 r). apply power_le; lra. Qed.

Lemma power_below_1 x r : 0 <= x < 1 -> 0 < r -> power x r < 1.
Proof. intros H G. rewrite <- (power_base_1 r). apply power_lt; lra. Qed.

Lemma power_above_1 x r : 1 < x -> 0 < r -> 1 < power x r.
Proof. intros H G. rewrite <- (power_base_1 r) at 1. apply power_lt; lra. Qed.

(** [settle] shows an inequality by the signs of its parts, or by enclosures on the box of the hypotheses. *)
Lemma power_whole x n : 0 <= x -> (0 <= n)%Z -> power x (IZR n) = x ^ Z.to_nat n.
Proof.
  intros H N. rewrite <- power_of_nat by assumption. f_equal.
  rewrite INR_IZR_INZ, Znat.Z2Nat.id by assumption. reflexivity.
Qed.

Lemma ln_inverse_nonneg x : 0 < x <= 1 -> 0 <= ln (1 / x).
Proof.
  intros H. rewrite <- ln_1. apply ln_le_iff; [lra| |].
  - apply Rdiv_lt_0_compat; lra.
  - unfold Rdiv. rewrite Rmult_1_l, <- Rinv_1 at 1. apply Rinv_le_contravar; lra.
Qed.

Lemma ln_inverse_pos x : 0 < x < 1 -> 0 < ln (1 / x).
Proof.
  intros H. rewrite <- ln_1. apply ln_lt_iff; [lra| |].
  - apply Rdiv_lt_0_compat; lra.
  - unfold Rdiv. rewrite Rmult_1_l, <- Rinv_1 at 1. apply Rinv_lt_contravar; lra.
Qed.

(** A maximum, a minimum or an absolute value is replaced by what it is, where numbers tell. *)
Ltac by_numbers := first [lra | interval with (i_prec 64)].
Ltac extremes :=
  repeat match goal with
  | |- context [Rmax ?a ?b] => first [rewrite (Rmax_left a b) by by_numbers | rewrite (Rmax_right a b) by by_numbers]
  | |- context [Rmin ?a ?b] => first [rewrite (Rmin_left a b) by by_numbers | rewrite (Rmin_right a b) by by_numbers]
  | |- context [power ?x (IZR ?n)] => rewrite (power_whole x n) by first [by_numbers | Lia.lia]; simpl Z.to_nat
  end.

Ltac powers :=
  extremes;
  repeat match goal with
  | |- context [power ?x ?r] => rewrite (power_of_pos x r) by first [lra | positive]
  end.

Lemma ln_below_bound x c : 0 < x -> x <= c -> ln x <= ln c.
Proof. intros P H. apply ln_le_iff; lra. Qed.

(** A variable between 0 and a bound that stands in denominators or logarithms: its inverse, or its logarithm, is
    enclosed in its place. *)
Ltac invert :=
  unfold Rdiv in *;
  repeat match goal with
  | P : 0 < ?d, Q : ?d <= ?c |- context [ln ?d] =>
      is_var d; let u := fresh in
      pose proof (ln_below_bound d c P Q); generalize dependent (ln d); intros u; intros
  | P : 0 < ?d, Q : ?d < ?c |- context [ln ?d] =>
      is_var d; let u := fresh in
      pose proof (ln_below_bound d c P (Rlt_le _ _ Q)); generalize dependent (ln d); intros u; intros
  | P : 0 < ?d, Q : ?d <= ?c |- context [/ ?d] =>
      is_var d; let u := fresh in
      assert (/ c <= / d) by (apply Rinv_le_contravar; [exact P|exact Q]);
      assert (0 < / d) by (apply Rinv_0_lt_compat; exact P);
      generalize dependent (/ d); intros u; intros
  | P : 0 < ?d, Q : ?d < ?c |- context [/ ?d] =>
      is_var d; let u := fresh in
      assert (/ c <= / d) by (apply Rinv_le_contravar; [exact P|left; exact Q]);
      assert (0 < / d) by (apply Rinv_0_lt_compat; exact P);
      generalize dependent (/ d); intros u; intros
  end.

Ltac enclose :=
  powers;
  first
  [ interval with (i_prec 64)
  | progress invert; interval with (i_prec 64)
  | match goal with
    | x : R |- _ => interval with (i_prec 64, i_bisect x, i_depth 12)
    end ].

Lemma e_bounds : 27 / 10 < exp 1 < 28 / 10.
Proof. split; interval with (i_prec 64). Qed.

(** log(e + u) is at least 1, wherever it occurs. *)
Ltac learn :=
  pose proof e_bounds;
  repeat match goal with
  | |- context [ln (exp 1 + ?u)] =>
      lazymatch goal with
      | _ : 1 <= ln (exp 1 + u) |- _ => fail
      | _ =>
          first
          [ assert (0 < u) by positive; assert (1 < ln (exp 1 + u)) by (apply above_by_ln; lra)
          | assert (0 <= u) by positive ];
          assert (1 < exp 1 + u) by lra;
          assert (1 <= ln (exp 1 + u)) by (apply above_by_ln_weakly; lra);
          assert (0 < ln (exp 1 + u)) by lra
      end
  | |- context [ln (1 / ?d)] =>
      lazymatch goal with
      | _ : 0 <= ln (1 / d) |- _ => fail
      | _ => try assert (0 < ln (1 / d)) by (apply ln_positive; positive);
             assert (0 <= ln (1 / d)) by (apply ln_nonnegative; positive)
      end
  | |- context [ln ?a] =>
      lazymatch goal with
      | _ : 0 <= ln a |- _ => fail
      | _ : ln a <= 0 |- _ => fail
      | _ =>
          first
          [ assert (1 <= a) by first [lra | positive]; assert (0 <= ln a) by (apply ln_nonnegative; assumption);
            try assert (0 < ln a) by (apply ln_positive; first [lra | positive])
          | assert (0 < a) by first [lra | positive]; assert (a <= 1) by first [lra | positive];
            assert (ln a <= 0) by (rewrite <- ln_1; apply ln_le_iff; lra);
            try assert (ln a < 0) by (rewrite <- ln_1; apply ln_lt_iff; lra) ]
      end
  | |- context [exp ?u] =>
      lazymatch u with 1 => fail | _ => idtac end;
      lazymatch goal with
      | _ : 1 <= exp u |- _ => fail
      | _ : exp u <= 1 |- _ => fail
      | _ =>
          first
          [ assert (1 <= exp u) by (apply exp_at_least_1; first [lra | positive]);
            try assert (1 < exp u) by (apply exp_above_1; first [lra | positive])
          | assert (0 < exp u) by apply exp_pos;
            assert (exp u <= 1) by (apply exp_at_most_1; first [lra | positive]);
            try assert (exp u < 1) by (apply exp_below_1; first [lra | positive]) ]
      end
  end.

Ltac settle :=
  relations;
  first
  [ assumption
  | solve [lra]
  | solve [positive]
  | solve [compare]
  | solve [learn; first [lra | positive | compare]]
  | solve [timeout 200 enclose]
  | solve [timeout 60 nra] ]
with compare :=
  lazymatch goal with
  | |- 0 < ?a - ?b => apply Rlt_0_minus; compare
  | |- 0 <= ?a - ?b => apply Rle_0_minus; compare
  | |- 0 < - ?a => apply Ropp_0_gt_lt_contravar; apply Rlt_gt; compare
  | |- 0 <= - ?a => apply Ropp_0_ge_le_contravar; apply Rle_ge; compare
  | |- 0 < ?a => first [solve [lra] | solve [positive]]
  | |- 0 <= ?a => first [solve [lra] | solve [positive]]
  | |- 1 < sqrt ?a => apply sqrt_above_1; compare
  | |- 1 <= sqrt ?a => apply sqrt_at_least_1; compare
  | |- ?c < ln ?a => apply above_by_ln; compare
  | |- ?c <= ln ?a => apply above_by_ln_weakly; compare
  | |- exp ?c < exp ?a => apply exp_lt_iff; compare
  | |- exp ?c <= exp ?a => apply exp_le_iff; compare
  | |- exp ?a < 1 => apply exp_below_1; compare
  | |- exp ?a <= 1 => apply exp_at_most_1; compare
  | |- 1 < exp ?a => apply exp_above_1; compare
  | |- 1 <= exp ?a => apply exp_at_least_1; compare
  | |- power _ _ <= 1 => apply power_at_most_1; [split; compare|compare]
  | |- power _ _ < 1 => apply power_below_1; [split; compare|compare]
  | |- 1 < power _ _ => apply power_above_1; compare
  | |- ?a < ?a + ?b => apply (Rplus_lt_reg_l (- a)); ring_simplify; positive
  | |- ?b <= ?a => first [solve [lra] | solve [positive] | apply Rminus_le_0; positive]
  | |- ?b < ?a => first [solve [lra] | solve [positive] | apply Rminus_lt_0; positive]
  end.

(** A number is not zero. *)
Ltac nonzero :=
  first
  [ assumption
  | solve [positive]
  | solve [learn; positive]
  | solve [apply Rgt_not_eq, Rlt_gt; ring_simplify; learn; positive]
  | solve [apply Rgt_not_eq; settle]
  | solve [apply Rlt_not_eq; settle]
  | solve [apply Rmult_integral_contrapositive_currified; nonzero] ].

(** What has to hold for a term to have a value. *)
Ltac defined :=
  lazymatch goal with
  | |- _ /\ _ => split; defined
  | |- _ <> 0 => nonzero
  | |- has_power _ _ => first [solve [apply has_power_pos; settle] | apply has_power_nonneg; settle]
  | |- _ => settle
  end.

(** ** Algebra *)

(** Maxima, minima and absolute values are compared branch by branch. *)
Ltac by_branches :=
  first
  [ reflexivity
  | solve [unfold Rmax, Rmin; repeat destruct (Rle_dec _ _); lra]
  | solve [unfold Rmax, Rmin, Rabs; repeat first [destruct (Rle_dec _ _) | destruct (Rcase_abs _)]; lra] ].

(** What [field] leaves behind. *)
Ltac sides := repeat split; nonzero.

(** ** Bounds of a term, part by part *)

Lemma Phi_le x y : x <= y -> Phi x <= Phi y.
Proof. intros [H| ->]; [left; apply Phi_increasing; exact H|lra]. Qed.

Lemma erf_le x y : x <= y -> erf x <= erf y.
Proof. intros [H| ->]; [left; apply erf_increasing; exact H|lra]. Qed.

Lemma erfc_le x y : x <= y -> erfc y <= erfc x.
Proof. intros [H| ->]; [left; apply erfc_decreasing; exact H|lra]. Qed.

(** Numbers of the Gaussian functions, by integration. *)
Ltac gauss_number :=
  unfold Phi, erfc, erf, bell;
  repeat match goal with
  | |- context [RInt ?f ?a ?b] =>
      let H := fresh in let u := fresh in
      integral_intro (RInt f a b) with (i_prec 64) as H; set (u := RInt f a b) in *; clearbody u
  end;
  interval with (i_prec 64).

(** What tactics see without search. *)
Ltac at_once :=
  relations;
  first
  [ assumption
  | solve [lra]
  | solve [positive]
  | solve [compare]
  | solve [powers; interval with (i_prec 64)] ].

(** One operation on numbers with known bounds. *)
Ltac one_step :=
  first
  [ solve [lra]
  | solve [positive]
  | solve [compare]
  | solve [powers; interval with (i_prec 100)]
  | solve [invert; interval with (i_prec 100)]
  | solve [unfold Rmax, Rmin, Rabs; repeat first [destruct (Rle_dec _ _) | destruct (Rcase_abs _)]; lra]
  | solve [step_of_function] ]
with step_of_function :=
  lazymatch goal with
  | |- context [tanh ?u] =>
      pose proof (tanh_bounds u); first [lra | rewrite (tanh_by_exp u); interval with (i_prec 100)]
  | |- context [sinh ?u] => unfold sinh; interval with (i_prec 100)
  | |- context [cosh ?u] => unfold cosh; interval with (i_prec 100)
  | |- context [Phi ?u] => pose proof (Phi_bounds u); first [lra | gauss_step]
  | |- context [erfc ?u] => first [lra | gauss_step]
  | |- context [erf ?u] => pose proof (erf_bounds u); first [lra | gauss_step]
  end
with gauss_step :=
  lazymatch goal with
  | H : ?a <= ?u |- ?c <= Phi ?u => apply (Rle_trans _ (Phi a)); [gauss_number|apply Phi_le; exact H]
  | H : ?u <= ?b |- Phi ?u <= ?c => apply (Rle_trans _ (Phi b)); [apply Phi_le; exact H|gauss_number]
  | H : ?a <= ?u |- ?c <= erf ?u => apply (Rle_trans _ (erf a)); [gauss_number|apply erf_le; exact H]
  | H : ?u <= ?b |- erf ?u <= ?c => apply (Rle_trans _ (erf b)); [apply erf_le; exact H|gauss_number]
  | H : ?u <= ?b |- ?c <= erfc ?u => apply (Rle_trans _ (erfc b)); [gauss_number|apply erfc_le; exact H]
  | H : ?a <= ?u |- erfc ?u <= ?c => apply (Rle_trans _ (erfc a)); [apply erfc_le; exact H|gauss_number]
  end.

(** A part of a term in the place of which a number is put. *)
Ltac as_number a := let u := fresh "part" in set (u := a) in *; clearbody u.

Ltac bound P W q := first [assert (q : P) by one_step | assert (q : W) by one_step | idtac].
Ltac bound_of_one P W q a :=
  first [ assert (q : P) by first [lra | solve [compare] | as_number a; one_step]
        | assert (q : W) by first [lra | solve [compare] | as_number a; one_step] | idtac ].
Ltac bound_of_two P W q a b :=
  first [ assert (q : P) by first [lra | solve [compare] | as_number a; as_number b; one_step]
        | assert (q : W) by first [lra | solve [compare] | as_number a; as_number b; one_step] | idtac ].

(** A part that has one value. *)
Ltac valued P q :=
  first [assert (q : P) by first
           [ lra | solve [field; sides]
           | repeat match goal with H : _ = ?c |- _ => lazymatch type of c with R => progress rewrite H end end;
             rewrite ?sqrt_0, ?sqrt_1, ?exp_0, ?ln_1, ?erf_0, ?tanh_0; first [lra | field; sides] ]
        | idtac].

Lemma sinh_by_exp u : sinh u = (exp u - exp (- u)) / 2.
Proof. reflexivity. Qed.

Lemma cosh_by_exp u : cosh u = (exp u + exp (- u)) / 2.
Proof. reflexivity. Qed.

Lemma erf_by_erfc u : erf u = 1 - erfc u.
Proof. unfold erfc. ring. Qed.

Lemma Phi_by_tail u : Phi u = erfc (- u / sqrt 2) / 2.
Proof. rewrite Phi_by_erfc. f_equal. f_equal. unfold Rdiv. ring. Qed.

Lemma exp_is u v : 0 < v -> ln v = u -> exp u = v.
Proof. intros H <-. apply exp_ln. assumption. Qed.

Lemma sqrt_is u v : 0 <= v -> v * v = u -> sqrt u = v.
Proof. intros H <-. apply sqrt_square. assumption. Qed.

Lemma square_of_sqrt u : 0 <= u -> sqrt u ^ 2 = u.
Proof. intros H. simpl. rewrite Rmult_1_r. apply sqrt_sqrt. assumption. Qed.

Lemma power_of_root x r n : 0 <= x -> 0 < r -> r * INR n = 1 -> power x r ^ n = x.
Proof.
  intros H P E. rewrite <- power_of_nat by apply power_nonneg.
  rewrite power_of_power_nonneg by (try lra; apply pos_INR). rewrite E. apply power_exponent_1. assumption.
Qed.

Lemma power_by_root x r s n : 0 <= x -> 0 <= s -> r = s * INR n -> power x r = power x s ^ n.
Proof.
  intros H P ->. rewrite <- power_of_nat by apply power_nonneg. symmetry.
  apply power_of_power_nonneg; try lra. apply pos_INR.
Qed.

Lemma power_by_root_below x r s n : 0 < x -> 0 <= s -> r = - (s * INR n) -> power x r = / power x s ^ n.
Proof. intros H P ->. rewrite power_opp by assumption. f_equal. apply power_by_root; lra. Qed.

Lemma ln_inverse x : 0 < x -> ln (/ x) = - ln x.
Proof. apply ln_Rinv. Qed.

Lemma ln_whole_power x n c : 0 < x -> INR n = c -> ln (x ^ n) = c * ln x.
Proof. intros H <-. rewrite <- Rpower_pow by assumption. unfold Rpower. apply ln_exp. Qed.

Lemma ln_root x : 0 < x -> ln (sqrt x) = ln x / 2.
Proof.
  intros H. assert (P : 0 < sqrt x) by (apply sqrt_lt_R0; assumption).
  rewrite <- (sqrt_sqrt x) at 2 by lra. rewrite ln_mult by assumption. field.
Qed.

Lemma ln_quotient x y : 0 < x -> 0 < y -> ln (x / y) = ln x - ln y.
Proof.
  intros Hx Hy. unfold Rdiv. rewrite ln_mult by (try apply Rinv_0_lt_compat; assumption).
  rewrite ln_Rinv by assumption. ring.
Qed.

(** The logarithm of a product of powers, taken apart. *)
Ltac ln_apart :=
  repeat match goal with
  | |- context [ln (exp ?a)] => rewrite (ln_exp a)
  | |- context [ln 1] => rewrite ln_1
  | |- context [ln (?a * ?b)] => rewrite (ln_mult a b) by settle
  | |- context [ln (?a / ?b)] => rewrite (ln_quotient a b) by settle
  | |- context [ln (/ ?a)] => rewrite (ln_inverse a) by settle
  | |- context [ln (sqrt ?a)] => rewrite (ln_root a) by settle
  | |- context [ln (?a ^ ?n)] =>
      erewrite (ln_whole_power a n) by first [settle | (simpl; reflexivity)]
  | |- context [ln (power ?a ?r)] => rewrite (ln_power a r) by settle
  end.

(** ** The kernel's lemmas on powers, for real exponents *)

Lemma power_of_fraction x n : 1 <= n -> 0 <= x -> x <= 1 -> power x n <= x.
Proof.
  intros Hn [P| <-] H; [|rewrite power_at_0 by lra; lra].
  rewrite <- (power_exponent_1 x) at 2 by lra. apply power_le_exponent_below_1; lra.
Qed.

Lemma power_of_large x n : 1 <= n -> 1 <= x -> x <= power x n.
Proof. intros Hn H. rewrite <- (power_exponent_1 x) at 1 by lra. apply power_le_exponent; assumption. Qed.

Lemma power_sign x n : 0 <= n -> 0 <= x -> 0 <= power x n.
Proof. intros _ _. apply power_nonneg. Qed.

(** ** Derivatives by structure *)

Lemma derive_as (f : R -> R) (x d e : R) : is_derive f x d -> d = e -> is_derive f x e.
Proof. intros H <-. exact H. Qed.

Section Derivatives.
Variables (f g : R -> R) (x df dg : R).
Hypothesis F : is_derive f x df.

Lemma d_plus : is_derive g x dg -> is_derive (fun x => f x + g x) x (df + dg).
Proof. intros G. apply (is_derive_plus f g x df dg F G). Qed.

Lemma d_minus : is_derive g x dg -> is_derive (fun x => f x - g x) x (df - dg).
Proof. intros G. apply (is_derive_minus f g x df dg F G). Qed.

Lemma d_opp : is_derive (fun x => - f x) x (- df).
Proof. apply (is_derive_opp f x df F). Qed.

Lemma d_mult : is_derive g x dg -> is_derive (fun x => f x * g x) x (df * g x + f x * dg).
Proof. intros G. apply (is_derive_mult f g x df dg F G). intros; apply Rmult_comm. Qed.

Lemma d_div : is_derive g x dg -> g x <> 0 -> is_derive (fun x => f x / g x) x ((df * g x - f x * dg) / g x ^ 2).
Proof. intros G N. apply (is_derive_div f g x df dg F G N). Qed.

Lemma d_inv : f x <> 0 -> is_derive (fun x => / f x) x (- df / f x ^ 2).
Proof. intros N. apply (is_derive_inv f x df F N). Qed.

Lemma d_pow n c : INR (S n) = c -> is_derive (fun x => f x ^ S n) x (c * f x ^ n * df).
Proof. intros <-. eapply derive_as; [apply (is_derive_pow f (S n) x df F)|]. simpl pred. ring. Qed.

Lemma d_outer (h : R -> R) dh : is_derive h (f x) dh -> is_derive (fun x => h (f x)) x (dh * df).
Proof.
  intros H. eapply derive_as; [apply (is_derive_comp h f x dh df H F)|]. apply Rmult_comm.
Qed.

Lemma d_exp : is_derive (fun x => exp (f x)) x (exp (f x) * df).
Proof. apply (d_outer exp). apply is_derive_exp. Qed.

Lemma d_ln : 0 < f x -> is_derive (fun x => ln (f x)) x (df / f x).
Proof.
  intros P. eapply derive_as; [apply (d_outer ln (/ f x)); apply is_derive_ln; exact P|]. unfold Rdiv. ring.
Qed.

Lemma d_sqrt : 0 < f x -> is_derive (fun x => sqrt (f x)) x (df / (2 * sqrt (f x))).
Proof.
  intros P. eapply derive_as; [apply (is_derive_sqrt f x df F P)|]. reflexivity.
Qed.

Lemma d_tanh : is_derive (fun x => tanh (f x)) x ((1 - tanh (f x) ^ 2) * df).
Proof. apply (d_outer tanh). apply tanh_derivative. Qed.

Lemma d_sinh : is_derive (fun x => sinh (f x)) x (cosh (f x) * df).
Proof. apply (d_outer sinh). apply sinh_derivative. Qed.

Lemma d_cosh : is_derive (fun x => cosh (f x)) x (sinh (f x) * df).
Proof. apply (d_outer cosh). apply cosh_derivative. Qed.

Lemma d_erf : is_derive (fun x => erf (f x)) x (2 / sqrt PI * exp (- f x ^ 2) * df).
Proof. apply (d_outer erf). apply erf_derivative. Qed.

Lemma d_erfc : is_derive (fun x => erfc (f x)) x (- (2 / sqrt PI * exp (- f x ^ 2)) * df).
Proof. apply (d_outer erfc). apply erfc_derivative. Qed.

Lemma d_Phi : is_derive (fun x => Phi (f x)) x (exp (- f x ^ 2 / 2) / sqrt (2 * PI) * df).
Proof. apply (d_outer Phi). apply Phi_derivative. Qed.

Lemma d_power r : 0 < f x -> is_derive (fun x => power (f x) r) x (r * power (f x) (r - 1) * df).
Proof. intros P. apply (d_outer (fun y => power y r)). apply power_derivative. exact P. Qed.

Lemma d_power_exponent b : 0 < b -> is_derive (fun x => power b (f x)) x (power b (f x) * ln b * df).
Proof. intros P. apply (d_outer (power b)). apply power_derivative_in_exponent. exact P. Qed.

End Derivatives.

Lemma d_const (c x : R) : is_derive (fun _ => c) x 0.
Proof. exact (is_derive_const c x). Qed.

Lemma d_id (x : R) : is_derive (fun x => x) x 1.
Proof. exact (is_derive_id x). Qed.

(** The derivative of a term; conditions (a denominator is not zero, a logarithm's argument positive) by [defined]. *)
Ltac derive :=
  lazymatch goal with
  | |- is_derive (fun _ => ?c) _ _ => apply d_const
  | |- is_derive (fun x => x) _ _ => apply d_id
  | |- is_derive (fun x => @?f x + @?g x) _ _ => eapply (d_plus f g); [derive|derive]
  | |- is_derive (fun x => @?f x - @?g x) _ _ => eapply (d_minus f g); [derive|derive]
  | |- is_derive (fun x => - @?f x) _ _ => eapply (d_opp f); derive
  | |- is_derive (fun x => @?f x * @?g x) _ _ => eapply (d_mult f g); [derive|derive]
  | |- is_derive (fun x => @?f x / @?g x) _ _ => eapply (d_div f g); [derive|derive|cbv beta; defined]
  | |- is_derive (fun x => / @?f x) _ _ => eapply (d_inv f); [derive|cbv beta; defined]
  | |- is_derive (fun x => @?f x ^ S ?n) _ _ => eapply (d_pow f); [derive|simpl; ring]
  | |- is_derive (fun x => exp (@?f x)) _ _ => eapply (d_exp f); derive
  | |- is_derive (fun x => ln (@?f x)) _ _ => eapply (d_ln f); [derive|cbv beta; defined]
  | |- is_derive (fun x => sqrt (@?f x)) _ _ => eapply (d_sqrt f); [derive|cbv beta; defined]
  | |- is_derive (fun x => tanh (@?f x)) _ _ => eapply (d_tanh f); derive
  | |- is_derive (fun x => sinh (@?f x)) _ _ => eapply (d_sinh f); derive
  | |- is_derive (fun x => cosh (@?f x)) _ _ => eapply (d_cosh f); derive
  | |- is_derive (fun x => erf (@?f x)) _ _ => eapply (d_erf f); derive
  | |- is_derive (fun x => erfc (@?f x)) _ _ => eapply (d_erfc f); derive
  | |- is_derive (fun x => Phi (@?f x)) _ _ => eapply (d_Phi f); derive
  | |- is_derive (fun x => power (@?f x) (@?r x)) _ _ =>
      first [eapply (d_power f); [derive|cbv beta; defined] | eapply (d_power_exponent r); [derive|defined]]
  end.

(** ** Continuity by structure: also where there is no derivative *)

Section Continuity.
Variables (f g : R -> R) (x : R).
Hypothesis F : continuous f x.

Lemma c_outer (h : R -> R) : continuous h (f x) -> continuous (fun x => h (f x)) x.
Proof. intros H. apply (continuous_comp f h); assumption. Qed.

Lemma c_plus : continuous g x -> continuous (fun x => f x + g x) x.
Proof. intros G. apply (continuous_plus f g x F G). Qed.

Lemma c_minus : continuous g x -> continuous (fun x => f x - g x) x.
Proof. intros G. apply (continuous_minus f g x F G). Qed.

Lemma c_opp : continuous (fun x => - f x) x.
Proof. apply (continuous_opp f x F). Qed.

Lemma c_mult : continuous g x -> continuous (fun x => f x * g x) x.
Proof. intros G. apply (continuous_mult f g x F G). Qed.

Lemma c_inv : f x <> 0 -> continuous (fun x => / f x) x.
Proof. intros N. apply (c_outer Rinv). apply (ex_derive_continuous Rinv). auto_derive. exact N. Qed.

Lemma c_div : continuous g x -> g x <> 0 -> continuous (fun x => f x / g x) x.
Proof.
  intros G N. apply (continuous_mult f (fun x => / g x) x F).
  apply (continuous_comp g Rinv); [exact G|]. apply (ex_derive_continuous Rinv). auto_derive. exact N.
Qed.

Lemma c_pow n : continuous (fun x => f x ^ n) x.
Proof. apply (c_outer (fun y => y ^ n)). apply (ex_derive_continuous (fun y : R => y ^ n)). auto_derive. exact I. Qed.

Lemma c_exp : continuous (fun x => exp (f x)) x.
Proof. apply (c_outer exp). apply (ex_derive_continuous exp). auto_derive. exact I. Qed.

Lemma c_ln : 0 < f x -> continuous (fun x => ln (f x)) x.
Proof. intros P. apply (c_outer ln). apply (ex_derive_continuous ln). auto_derive. exact P. Qed.

Lemma c_sqrt : continuous (fun x => sqrt (f x)) x.
Proof. apply (c_outer sqrt). apply continuous_sqrt. Qed.

Lemma c_power_pos r : 0 < f x -> continuous (fun x => power (f x) r) x.
Proof. intros P. apply (c_outer (fun y => power y r)). apply power_continuous. exact P. Qed.

Lemma c_power_nonneg r : 0 <= f x -> 0 < r -> continuous (fun x => power (f x) r) x.
Proof.
  intros [P|P] H; [apply c_power_pos; exact P|]. apply (c_outer (fun y => power y r)).
  rewrite <- P. apply power_continuous_at_0. exact H.
Qed.

Lemma c_derive df : is_derive f x df -> continuous f x.
Proof. intros D. apply (ex_derive_continuous f). exists df. exact D. Qed.
End Continuity.

Lemma c_const (c x : R) : continuous (fun _ : R => c) x.
Proof. apply continuous_const. Qed.

Lemma c_id (x : R) : continuous (fun x : R => x) x.
Proof. apply continuous_id. Qed.

Ltac goes_on :=
  lazymatch goal with
  | |- continuous (fun _ => ?c) _ => apply c_const
  | |- continuous (fun x => x) _ => apply c_id
  | |- continuous (fun x => @?f x + @?g x) _ => apply (c_plus f g); goes_on
  | |- continuous (fun x => @?f x - @?g x) _ => apply (c_minus f g); goes_on
  | |- continuous (fun x => - @?f x) _ => apply (c_opp f); goes_on
  | |- continuous (fun x => @?f x * @?g x) _ => apply (c_mult f g); goes_on
  | |- continuous (fun x => @?f x / @?g x) _ => apply (c_div f g); [goes_on|goes_on|cbv beta; defined]
  | |- continuous (fun x => / @?f x) _ => apply (c_inv f); [goes_on|cbv beta; defined]
  | |- continuous (fun x => @?f x ^ ?n) _ => apply (c_pow f); goes_on
  | |- continuous (fun x => exp (@?f x)) _ => apply (c_exp f); goes_on
  | |- continuous (fun x => ln (@?f x)) _ => apply (c_ln f); [goes_on|cbv beta; defined]
  | |- continuous (fun x => sqrt (@?f x)) _ => apply (c_sqrt f); goes_on
  | |- continuous (fun x => power (@?f x) ?r) _ =>
      first [apply (c_power_pos f); [goes_on|cbv beta; settle] | apply (c_power_nonneg f); [goes_on|cbv beta; settle|settle]]
  | |- continuous _ _ => eapply c_derive; derive
  end.

(** ** Growth along a variable, up to ends at which the function goes on *)

Lemma MVT_open (f df : R -> R) (a x : R) : a < x -> (forall t, a < t < x -> is_derive f t (df t)) ->
  continuous f a -> continuous f x -> exists c, a < c < x /\ f x - f a = df c * (x - a).
Proof.
  intros H D Ca Cx.
  assert (P : forall t, a < t < x -> derivable_pt f t).
  { intros t Ht. exists (df t). apply is_derive_Reals. apply D. exact Ht. }
  destruct (MVT f id a x P (fun t _ => derivable_pt_id t) H) as (c & Hc & E).
  - intros t Ht. apply continuity_pt_filterlim.
    destruct (Req_dec t a) as [->|Na]; [exact Ca|]. destruct (Req_dec t x) as [->|Nx]; [exact Cx|].
    apply (ex_derive_continuous f). exists (df t). apply D. lra.
  - intros t _. apply derivable_continuous_pt. apply derivable_pt_id.
  - exists c. split; [exact Hc|]. rewrite derive_pt_id in E. unfold id in E.
    assert (Dc : derive_pt f c (P c Hc) = df c).
    { apply derive_pt_eq_0. apply is_derive_Reals. apply D. exact Hc. }
    rewrite Dc in E. lra.
Qed.

Lemma rises (f df : R -> R) (a x : R) : a <= x ->
  (forall t, a < t < x -> is_derive f t (df t)) -> (forall t, a < t < x -> 0 <= df t) ->
  continuous f a -> continuous f x -> f a <= f x.
Proof.
  intros [H| ->] D N Ca Cx; [|lra].
  destruct (MVT_open f df a x H D Ca Cx) as (c & Hc & E). specialize (N c Hc). nra.
Qed.

Lemma rises_strictly (f df : R -> R) (a x : R) : a < x ->
  (forall t, a < t < x -> is_derive f t (df t)) -> (forall t, a < t < x -> 0 < df t) ->
  continuous f a -> continuous f x -> f a < f x.
Proof.
  intros H D N Ca Cx. destruct (MVT_open f df a x H D Ca Cx) as (c & Hc & E). specialize (N c Hc). nra.
Qed.

Lemma falls (f df : R -> R) (x b : R) : x <= b ->
  (forall t, x < t < b -> is_derive f t (df t)) -> (forall t, x < t < b -> df t <= 0) ->
  continuous f x -> continuous f b -> f b <= f x.
Proof.
  intros [H| ->] D N Cx Cb; [|lra].
  destruct (MVT_open f df x b H D Cx Cb) as (c & Hc & E). specialize (N c Hc). nra.
Qed.

Lemma falls_strictly (f df : R -> R) (x b : R) : x < b ->
  (forall t, x < t < b -> is_derive f t (df t)) -> (forall t, x < t < b -> df t < 0) ->
  continuous f x -> continuous f b -> f b < f x.
Proof.
  intros H D N Cx Cb. destruct (MVT_open f df x b H D Cx Cb) as (c & Hc & E). specialize (N c Hc). nra.
Qed.

(** The slope is a positive weight times a core that grows, and the core is zero at c: the function is least there.
    [inside] are the points at which derivatives are known; all between c and x are among them. *)
Lemma least_where_flat (inside : R -> Prop) (f weight core bend : R -> R) (c x : R) :
  (forall t, (c < t < x \/ x < t < c) -> inside t) ->
  (forall t, inside t -> is_derive f t (weight t * core t)) -> (forall t, inside t -> is_derive core t (bend t)) ->
  (forall t, inside t -> 0 < weight t) -> (forall t, inside t -> 0 <= bend t) ->
  core c = 0 -> continuous core c -> continuous f c -> continuous f x -> f c <= f x.
Proof.
  intros I Df Dc W B Z Cc Fc Fx. destruct (Rtotal_order c x) as [H|[->|H]]; [|lra|].
  - apply (rises f (fun t => weight t * core t)); try assumption; [lra| |].
    { intros t Ht. apply Df, I. left. exact Ht. }
    intros t Ht. apply Rmult_le_pos; [left; apply W, I; left; exact Ht|]. rewrite <- Z.
    apply (rises core bend); try assumption; [lra| | |].
    + intros s Hs. apply Dc, I. left. lra.
    + intros s Hs. apply B, I. left. lra.
    + apply (ex_derive_continuous core). exists (bend t). apply Dc, I. left. exact Ht.
  - apply (falls f (fun t => weight t * core t)); try assumption; [lra| |].
    { intros t Ht. apply Df, I. right. exact Ht. }
    intros t Ht. assert (0 < weight t) by (apply W, I; right; exact Ht).
    enough (core t <= 0) by nra. rewrite <- Z.
    apply (rises core bend); try assumption; [lra| | |].
    + intros s Hs. apply Dc, I. right. lra.
    + intros s Hs. apply B, I. right. lra.
    + apply (ex_derive_continuous core). exists (bend t). apply Dc, I. right. exact Ht.
Qed.

(** The core shrinks: the function is least at one of the ends. *)
Lemma least_at_an_end (inside : R -> Prop) (f weight core bend : R -> R) (a b x : R) :
  a <= x <= b -> (forall t, a < t < b -> inside t) ->
  (forall t, inside t -> is_derive f t (weight t * core t)) -> (forall t, inside t -> is_derive core t (bend t)) ->
  (forall t, inside t -> 0 < weight t) -> (forall t, inside t -> bend t <= 0) ->
  continuous f a -> continuous f b -> f a <= f x \/ f b <= f x.
Proof.
  intros Hx I Df Dc W B Fa Fb.
  destruct (Req_dec x a) as [->|Na]; [left; lra|]. destruct (Req_dec x b) as [->|Nb]; [right; lra|].
  assert (Hi : a < x < b) by lra.
  assert (Fx : continuous f x).
  { apply (ex_derive_continuous f). exists (weight x * core x). apply Df, I, Hi. }
  assert (G : forall s t, a < s -> s <= t -> t < b -> core t <= core s).
  { intros s t Hs Hst Ht. enough (- core s <= - core t) by lra.
    apply (rises (fun t => - core t) (fun t => - bend t)); [exact Hst| | | |].
    - intros u Hu. apply d_opp. apply Dc, I. lra.
    - intros u Hu. assert (bend u <= 0) by (apply B, I; lra). lra.
    - apply c_opp. apply (ex_derive_continuous core). exists (bend s). apply Dc, I. lra.
    - apply c_opp. apply (ex_derive_continuous core). exists (bend t). apply Dc, I. lra. }
  destruct (Rle_dec 0 (core x)) as [P|P].
  - left. apply (rises f (fun t => weight t * core t)); try assumption; [lra| |].
    + intros t Ht. apply Df, I. lra.
    + intros t Ht. assert (core x <= core t) by (apply G; lra). assert (0 < weight t) by (apply W, I; lra). nra.
  - right. apply (falls f (fun t => weight t * core t)); try assumption; [lra| |].
    + intros t Ht. apply Df, I. lra.
    + intros t Ht. assert (core t <= core x) by (apply G; lra). assert (0 < weight t) by (apply W, I; lra). nra.
Qed.

(** ** A point at which a claim fails *)

Ltac settle_numbers :=
  relations;
  lazymatch goal with
  | |- context [Phi _] => gauss_number
  | |- context [erfc _] => gauss_number
  | |- context [erf _] => gauss_number
  | |- _ => settle
  end.

Ltac refuted_here :=
  lazymatch goal with
  | |- integer (IZR ?n) => apply integer_number
  | |- ~ (_ <= _) => apply Rlt_not_le; settle_numbers
  | |- ~ (_ < _) => apply Rle_not_lt; settle_numbers
  | |- ~ (_ >= _) => apply Rlt_not_ge; settle_numbers
  | |- ~ (_ > _) => apply Rle_not_gt; settle_numbers
  | |- ~ (_ = _) => first [apply Rlt_not_eq; settle_numbers | apply Rgt_not_eq; settle_numbers]
  | |- _ <> 0 => first [defined | apply Rgt_not_eq; settle_numbers | apply Rlt_not_eq; settle_numbers]
  | |- _ => first [defined | settle_numbers]
  end.
