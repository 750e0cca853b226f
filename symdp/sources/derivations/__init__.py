"""What a source proves, as data: derivations line by line, and whole proofs as printed and repaired."""
