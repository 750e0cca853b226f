"""Orders of growth: O, o, Theta and ~ decided, regimes, crossovers."""
