"""Golden games: the exact bytes of states and events, one game an edition. Format and commands: __main__.py."""
