"""Derivations and sums as proofs of the kernel. Nothing here is trusted: the kernel verifies what comes out."""
