"""The power cards: one record each (model.py), grouped by when they act."""
