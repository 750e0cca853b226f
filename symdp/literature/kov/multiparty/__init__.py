"""Section 5 and Appendix D: private computation by many parties."""
