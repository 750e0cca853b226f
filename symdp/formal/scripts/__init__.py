"""Proofs of the kernel as scripts of Coq, rule by rule."""
