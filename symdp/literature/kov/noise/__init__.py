"""Section 4 and Appendix C: noise under composition."""
