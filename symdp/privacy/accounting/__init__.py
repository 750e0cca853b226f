"""Closed bounds, calibration, and the experiment of composition."""
