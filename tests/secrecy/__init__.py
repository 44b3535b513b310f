"""Sealed games at random, with a search through all that the service says for what it must not tell."""
