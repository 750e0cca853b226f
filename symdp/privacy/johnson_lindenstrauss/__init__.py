"""The Johnson-Lindenstrauss mechanism: a random sketch of a graph or a matrix that is private."""
