(** What the theorems rest on. The build compares the axioms that Coq prints here with allowed_axioms.txt. (A tuple of
    many theorems is searched once, which is faster than one search for each of them.) *)

From SymDP Require Import Laws HypothesisTesting Domination Composition WorstCase SimplifiedComposition
  AdvancedComposition ConcentratedLoss RulesCalculus RulesFunctions RulesGauss RulesDerivatives
  RulesLimits RulesOrders RulesSums RulesPrivacy Lemmas Gamma.
From SymDP Require Theorem34.

Print Assumptions Theorem34.theorem_3_4.

Definition main_theorems :=
  (@data_processing, @privacy_is_hypothesis_testing, @domination_iff, @composition_preserves_domination,
   @domination_of_compositions, composed_mechanism, adversary_with_coins, exact_composition,
   exact_composition_of_equal_steps,
   optimal_composition, heterogeneous_composition, simplified_composition, basic_composition,
   basic_composition_of_pure_steps, advanced_composition, composition_in_high_privacy,
   advanced_composition_of_unequal_steps, advanced_composition_of_pure_steps,
   advanced_composition_with_eps_under_the_root).

Print Assumptions main_theorems.

Definition rules_of_calculus :=
  ((monotone_from_below, monotone_from_above, monotone_from_below_strict, monotone_from_above_strict,
    monotone_from_below_by_slope, monotone_from_above_by_slope),
   (convex_inside, convex_at_lower_end, convex_at_upper_end, concave, concave_nonneg, concave_pos,
    concave_pos_by_bend),
   (limit_at_closed_lower_end, limit_at_closed_upper_end, limit_at_infinity, limit_at_minus_infinity)).

Definition rules_of_functions :=
  ((exp_le_iff, exp_lt_iff, ln_le_iff, ln_lt_iff, sqrt_le_iff, sqrt_lt_iff, square_le_iff, square_lt_iff,
    inverse_le_iff, max_branches, min_branches, abs_branches),
   (power_plus_nonneg, power_of_power, power_of_power_nonneg, power_of_product, power_of_nat, power_half, power_le,
    power_lt, power_le_exponent, power_le_exponent_below_1, power_derivative, power_derivative_in_exponent,
    power_continuous_at_0, power_limit_at_0, power_limit_at_infinity, power_limit_at_infinity_neg),
   (cosh_square, tanh_bounds, sinh_derivative, cosh_derivative, tanh_derivative, tanh_increasing, tanh_limit,
    tanh_limit_below, gaussian_integral, erf_derivative, erfc_derivative, Phi_derivative, erf_limit, erf_limit_below,
    erfc_limit, erfc_limit_below, Phi_limit, Phi_limit_below, erf_bounds, erfc_decreasing, Phi_increasing)).

Definition rules_of_limits :=
  ((tends_const, tends_ext, tends_plus, tends_opp, tends_minus, tends_mult, tends_scal, tends_inv, tends_div,
    tends_inv_0, tends_continuous, tends_pow, tends_squeeze, tends_above, tends_id_upper, tends_id_lower),
   (tends_exp, tends_exp_p_infty, tends_exp_m_infty, tends_ln, tends_ln_p_infty, tends_ln_0, tends_sqrt,
    tends_sqrt_p_infty, tends_power_p_infty, tends_power_0, exp_beats_power, exp_beats_power_along, power_beats_log,
    power_beats_log_at_0)).

Definition rules_of_orders :=
  (@O_by_factor, @o_by_factor, @asymptotic_by_factor, @Theta_by_both, @O_sum, @o_sum, @O_product, @Theta_product,
   @asymptotic_product, @O_chain, @Theta_chain, @o_O_chain, @O_o_chain, @asymptotic_chain, @O_fails, @o_fails,
   @asymptotic_fails).

Definition rules_of_sums :=
  ((induction_from, parted, product_parted, constant_sum, constant_product, termwise_eq, termwise_le, termwise_lt,
    reversed_sum, reversed_product, termwise_product_eq, termwise_product_le, termwise_product_lt),
   (sum_plus, sum_scal, sum_minus, sum_nonneg, sum_pos, product_nonneg, product_pos, exchange, exchange_triangle,
    telescope_eq, telescope_le, telescope_ge, telescope_lt, product_mult, product_pow, product_inv,
    product_of_exponentials, log_of_product, binomial_theorem)).

Definition rules_of_privacy :=
  (certain, relax, by_share, by_share_union, linear, linear_union, moments, moments_half, concentrated, tilted,
   worst_case, one_step, @finite_laws).

Definition lemmas :=
  ((Lemmas.exp_increasing, by_log, by_exp, by_sqrt, by_square, exp_increasing_strictly, by_log_strictly,
    by_exp_strictly, by_sqrt_strictly, by_square_strictly, power_of_fraction, power_of_large, power_sign,
    choose_positive),
   (Lemmas.exp_tangent, exp_quadratic, log_tangent, log_chord, log_root, erfc_chernoff, mills_upper, mills_lower,
    mills_birnbaum, normal_chernoff, normal_mills, cosh_gauss, log_concave, exp_convex),
   (circle, sine_of_sum, cosine_of_sum, half_step_lower, half_step_upper, step_lower, step_upper),
   (digamma_upper, digamma_lower, digamma_half, digamma_twelfth, loggamma_rise_lower, loggamma_rise_upper,
    stirling_falls, stirling_grows, stirling_near_lower, stirling_near_upper, duplication_lower, duplication_upper),
   (loggamma_at_1, loggamma_at_half, loggamma_next, loggamma_above_tangent, digamma_is_derivative)).

Definition rules :=
  (rules_of_calculus, rules_of_functions, rules_of_limits, rules_of_orders, rules_of_sums, rules_of_privacy, lemmas).

Print Assumptions rules.
