"""Privacy losses on a lattice: their laws, convolutions and profiles."""
