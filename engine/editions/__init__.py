"""The four rulebooks, each a record of switches. Nothing outside this folder knows an edition by its id."""

from engine.editions.cs_2012 import CS_2012
from engine.editions.cs_2016 import CS_2016
from engine.editions.hu_2014 import HU_2014
from engine.editions.pl import PL
from engine.editions.ruleset import Ruleset

EDITIONS: dict[str, Ruleset] = {each.id: each for each in (CS_2012, HU_2014, PL, CS_2016)}
DEFAULT_EDITION = CS_2016.id

__all__ = ["DEFAULT_EDITION", "EDITIONS", "Ruleset"]
