"""Sums of a variable number of terms in derivations, and their laws."""
