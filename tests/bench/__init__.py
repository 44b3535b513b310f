"""Benchmarks, each beside its reference in the same run; never part of the tests."""
