"""Reporting: what people read. It shows verdicts and never makes them."""
