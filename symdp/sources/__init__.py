"""What a source says, as data: sources, statements, claims, derivations, and the register of them."""
