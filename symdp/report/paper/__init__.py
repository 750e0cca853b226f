"""LaTeX documents: statements, proofs, derivations, tables."""
