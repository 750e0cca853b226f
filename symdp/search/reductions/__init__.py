"""Untrusted: ideas that turn a goal of the kernel into others, with the steps around their proofs."""
