r"""Theorem 3.4, simplified composition: the theorem, what it gains, and its proof in Section 7, part by part."""
