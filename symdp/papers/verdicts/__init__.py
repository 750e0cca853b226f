"""A relation of a paper with what is in force at it -> its verdict."""
