"""Random play with everything checked that is promised of every game (design §7.3)."""
