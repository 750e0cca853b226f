"""Notions of privacy and what converts one into another, in our own words, from several papers."""

from symdp.sources.statement import Source

notions = Source(key="notions", title="Notions of privacy and conversions in use", cite="canonne2020discrete")
