"""Sections 1, 3 and 8: basic, advanced and heterogeneous composition."""
