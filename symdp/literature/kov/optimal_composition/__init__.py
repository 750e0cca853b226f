"""Theorem 3.3, optimal composition: the exact region, and its proof in Section 6, achieved and never exceeded."""
