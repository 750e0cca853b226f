"""Untrusted search: it proposes steps and points, the kernel judges them."""
