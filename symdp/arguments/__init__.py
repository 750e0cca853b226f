"""Arguments of more than one step: derivations, guarantees, orders, series, constructions."""
