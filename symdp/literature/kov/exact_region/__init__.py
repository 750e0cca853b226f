"""Section 6: the exact region, achieved and never exceeded."""
