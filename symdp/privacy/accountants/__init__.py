"""The numbers of other accountants beside our enclosures: cases, adapters, verdicts."""
