"""Mechanisms with finitely many outcomes, or given by the law of their loss."""
