"""Kaijudge over HTTP: a thin shell around the engine. No rule of the game lives here."""

__version__ = "0.1.0"
