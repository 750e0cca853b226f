"""A claim to the tool that settles it: its formal goal, its derivation, its instances, how sharp it is."""
