"""Two laws of an output: their loss, their divergences, their trade-off."""
