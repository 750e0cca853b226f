(** * Derivatives that [auto_derive] is taught

    After this file the tactic [auto_derive] also differentiates erf, erfc, Phi, tanh, and real powers, where a power
    of x is written [power_to r x], which is [power x r]. *)

From Coq Require Import Reals.
From Coquelicot Require Import Coquelicot.
From SymDP Require Import RulesFunctions RulesGauss.
Open Scope R_scope.

Global Instance erf_unary : UnaryDiff erf :=
  Build_UnaryDiff erf (fun x => 2 / sqrt PI * exp (- x ^ 2)) erf_derivative.

Global Instance erfc_unary : UnaryDiff erfc :=
  Build_UnaryDiff erfc (fun x => - (2 / sqrt PI * exp (- x ^ 2))) erfc_derivative.

Global Instance Phi_unary : UnaryDiff Phi :=
  Build_UnaryDiff Phi (fun x => exp (- x ^ 2 / 2) / sqrt (2 * PI)) Phi_derivative.

Global Instance tanh_unary : UnaryDiff tanh := Build_UnaryDiff tanh (fun x => 1 - tanh x ^ 2) tanh_derivative.

Definition power_to (r x : R) : R := power x r.

Global Instance power_to_unary r : UnaryDiff' (power_to r) :=
  Build_UnaryDiff' (power_to r) (fun x => r * power x (r - 1)) (fun x => 0 < x) (fun x => power_derivative x r).

(** Examples. *)

Example slope_of_a_tail (x : R) : is_derive (fun x => erfc (2 * x) + tanh (x ^ 2)) x
  (- (4 / sqrt PI * exp (- (2 * x) ^ 2)) + (1 - tanh (x ^ 2) ^ 2) * (2 * x)).
Proof. auto_derive; [repeat split|]. simpl. field. apply Rgt_not_eq, sqrt_PI_pos. Qed.

Example slope_of_a_power (x : R) : 0 < x ->
  is_derive (fun x => power_to (/ 3) (x + 1)) x (/ 3 * power (x + 1) (/ 3 - 1)).
Proof. intros H. auto_derive; [apply Rplus_lt_0_compat; [assumption|apply Rlt_0_1]|ring]. Qed.
