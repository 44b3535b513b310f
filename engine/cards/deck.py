"""The two decks: 64 different cards, 66 in all (COMP-3)."""

from __future__ import annotations

from engine.cards.model import Card, card
from engine.state import CardId

KEEP = True
DISCARD = False

FIRST_DECK: dict[CardId, Card] = {
    each.id: each
    for each in (
        card("acid_attack", 6, KEEP),
        card("alien_metabolism", 3, KEEP),
        card("alpha_monster", 5, KEEP),
        card("armor_plating", 4, KEEP),
        card("background_dweller", 4, KEEP),
        card("burrowing", 5, KEEP),
        card("camouflage", 3, KEEP),
        card("complete_destruction", 3, KEEP),
        card("dedicated_news_team", 3, KEEP),
        card("eater_of_the_dead", 4, KEEP),
        card("energy_hoarder", 3, KEEP),
        card("even_bigger", 4, KEEP),
        card("extra_head", 7, KEEP, copies=2),
        card("fire_breathing", 4, KEEP),
        card("freeze_time", 5, KEEP),
        card("friend_of_children", 3, KEEP),
        card("giant_brain", 5, KEEP),
        card("gourmet", 4, KEEP),
        card("healing_ray", 4, KEEP),
        card("herbivore", 5, KEEP),
        card("herd_culler", 3, KEEP),
        card("it_has_a_child", 7, KEEP),
        card("jets", 5, KEEP),
        card("made_in_a_lab", 2, KEEP),
        card("metamorph", 3, KEEP),
        card("mimic", 8, KEEP),
        card("monster_batteries", 2, KEEP),
        card("nova_breath", 7, KEEP),
        card("omnivore", 4, KEEP),
        card("opportunist", 3, KEEP),
        card("parasitic_tentacles", 4, KEEP),
        card("plot_twist", 3, KEEP),
        card("poison_quills", 3, KEEP),
        card("poison_spit", 4, KEEP),
        card("psychic_probe", 3, KEEP),
        card("rapid_healing", 3, KEEP),
        card("regeneration", 4, KEEP),
        card("rooting_for_the_underdog", 3, KEEP),
        card("shrink_ray", 6, KEEP),
        card("smoke_cloud", 4, KEEP),
        card("solar_powered", 2, KEEP),
        card("spiked_tail", 5, KEEP),
        card("stretchy", 3, KEEP),
        card("telepath", 4, KEEP),
        card("urbavore", 4, KEEP),
        card("were_only_making_it_stronger", 3, KEEP),
        card("wings", 6, KEEP),
        card("apartment_building", 5, DISCARD),
        card("commuter_train", 4, DISCARD),
        card("corner_store", 3, DISCARD),
        card("skyscraper", 6, DISCARD),
        card("drop_from_high_altitude", 5, DISCARD),
        card("energize", 8, DISCARD),
        card("evacuation_orders", 7, DISCARD, copies=2),
        card("fire_blast", 3, DISCARD),
        card("gas_refinery", 6, DISCARD),
        card("high_altitude_bombing", 4, DISCARD),
        card("frenzy", 7, DISCARD),
        card("heal", 3, DISCARD),
        card("nuclear_power_plant", 6, DISCARD),
        card("jet_fighters", 5, DISCARD),
        card("national_guard", 3, DISCARD),
        card("tanks", 4, DISCARD),
        card("vast_storm", 6, DISCARD),
    )
}

SECOND_DECK: dict[CardId, Card] = {**FIRST_DECK, "monster_batteries": FIRST_DECK["monster_batteries"].but(cost=3)}


def all_cards(deck: dict[CardId, Card]) -> tuple[CardId, ...]:
    """Every card of a deck, as often as it is in it."""
    return tuple(each.id for each in deck.values() for _ in range(each.copies))
