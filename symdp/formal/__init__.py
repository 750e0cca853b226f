"""Certificates as Coq files: nothing in this room is trusted, since Coq accepts or refuses what it writes."""
