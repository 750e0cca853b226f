"""Sections 7 and 8: the proofs of the closed forms, by Chernoff's bound on the loss."""
