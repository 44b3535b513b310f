"""Stock effects: what many cards do when they come before a player, as steps with their numbers as args.

`gained=[vp(2), damage_others(3)]` in a record reads like the card.
"""

from __future__ import annotations

from engine.cards.model import Listener
from engine.damage import deal, hit
from engine.draft import Draft, Rulings
from engine.frames import step
from engine.resolve import gain_energy, gain_hearts
from engine.state import WINNING_VP, CardId, Seat


def vp(amount: int) -> Listener:
    return Listener("effect.vp", args={"amount": amount})


def energy(amount: int) -> Listener:
    return Listener("effect.energy", args={"amount": amount})


def heal(amount: int) -> Listener:
    return Listener("effect.heal", args={"amount": amount})


def damage_self(amount: int) -> Listener:
    return Listener("effect.damage", args={"amount": amount, "others": False, "self_too": True})


def damage_others(amount: int) -> Listener:
    return Listener("effect.damage", args={"amount": amount, "others": True, "self_too": False})


def damage_all(amount: int) -> Listener:
    return Listener("effect.damage", args={"amount": amount, "others": True, "self_too": True})


def others_lose_vp(amount: int) -> Listener:
    return Listener("effect.others_lose_vp", args={"amount": amount})


def others_lose_half_energy() -> Listener:
    return Listener("effect.others_lose_half_energy")


def rulings(g: Draft, seat: Seat, card: CardId, what: str) -> Rulings:
    return g.rules.cards[card].rulings(g, seat, what)


@step("effect.vp")
def effect_vp(g: Draft, seat: Seat, card: CardId, amount: int) -> None:
    """Gain points (CARDGEN-1)."""
    if not g.players[seat].eliminated:
        g.gain_vp((*rulings(g, seat, card, "vp"), "CARDGEN-1"), seat, amount)


@step("effect.energy")
def effect_energy(g: Draft, seat: Seat, card: CardId, amount: int) -> None:
    if not g.players[seat].eliminated:
        gain_energy(g, rulings(g, seat, card, "energy"), seat, amount)


@step("effect.heal")
def effect_heal(g: Draft, seat: Seat, card: CardId, amount: int) -> None:
    """Gain hearts, also in Tokyo, up to the maximum (RESOLVE-HEART-3, CARDGEN-2)."""
    player = g.players[seat]
    if player.eliminated:
        return
    cites = (*rulings(g, seat, card, "hearts"), "RESOLVE-HEART-3", "CARDGEN-2")
    if player.hearts == player.max_hearts:
        g.emit("hearts_ignored", cites, player=player.id, count=amount)
    gain_hearts(g, cites, seat, amount)


@step("effect.damage")
def effect_damage(g: Draft, seat: Seat, card: CardId, amount: int, others: bool, self_too: bool) -> None:
    """Damage from a card is no attack: nobody may yield, nothing that makes attacks stronger counts (DEF-ATTACK-4)."""
    cites = (*rulings(g, seat, card, "damage"), "DEF-ATTACK-4", "DEF-ATTACK-5", *(("YIELD-6",) if others else ()))
    victims = [other for other in g.clockwise(seat) if (self_too if other == seat else others)]
    deal(g, [hit(victim, amount, seat, cites) for victim in victims], seat)


@step("effect.others_lose_vp")
def effect_others_lose_vp(g: Draft, seat: Seat, card: CardId, amount: int) -> None:
    """Nobody falls below no points; whoever had enough to win may have them no longer at the end of the turn (G-23)."""
    for other in g.clockwise(seat):
        if other != seat:
            had = g.players[other].vp
            cites = rulings(g, seat, card, "winning_vp" if had >= WINNING_VP else "vp")
            g.change("vp_lost", cites, other, "vp", max(0, had - amount))


@step("effect.others_lose_half_energy")
def effect_others_lose_half_energy(g: Draft, seat: Seat, card: CardId) -> None:
    """One energy of every two is lost, the odd one stays."""
    for other in g.clockwise(seat):
        if other != seat:
            had = g.players[other].energy
            g.change("energy_lost", rulings(g, seat, card, "energy"), other, "energy", had - had // 2)
