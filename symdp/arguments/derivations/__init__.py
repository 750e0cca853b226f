r"""Derivations: a proof as a mathematician writes it, checked line by line.

>>> from symdp.sources.derivations.derivation import Derivation
>>> proof = Derivation("A tail", where=["x >= 0"]).start("1 + x").le("exp(x)").lt("2*exp(x)")
>>> report = proof.check()
>>> report.standing.value, report.shown
('proved', 'x + 1 < 2*exp(x)')
"""
