"""Keep cards that prevent damage, answer it, or outlive it."""

from __future__ import annotations

from typing import Final

from engine.actions import Action, ChangeDie, Dice, Pass, Reroll, Use, Yield
from engine.belongings import discard_all
from engine.cards.model import KEEP, Ability, Card, card, if_allowed
from engine.damage import Hit, prevent, sheltered
from engine.death import vacate
from engine.dice import card_changes_dice, card_rerolls, swap, throw
from engine.draft import Draft, Rulings
from engine.errors import Violation
from engine.frames import listener, question, step
from engine.market import pay
from engine.resolve import gain_energy, gain_hearts
from engine.state import HEARTS, CardId, Face, Seat, State
from engine.tokyo import leave
from engine.windows import adjusted

USE_PRICE: Final = 2


def armor(state: State, seat: Seat, amount: int) -> int:
    """A loss of exactly one heart is ignored."""
    return 0 if amount == 1 else amount


def armor_cites(state: State, seat: Seat, what: str) -> tuple[str, ...]:
    """The rulings behind ignoring it; in Tokyo on another's turn it also bears on leaving."""
    attacked = state.players[seat].in_tokyo and state.phase == "resolve" and seat != state.active
    return ("CARD-ARMOR-PLATING-2", "CARD-ARMOR-PLATING-3") if attacked else ("CARD-ARMOR-PLATING-2",)


def too_poor(state: State, seat: Seat, ruling: str) -> Violation | None:
    """Why the price cannot be paid; a monster at 0 hearts is past paying for anything (DEATH-1)."""
    if not state.players[seat].hearts:
        return Violation("too_late", "DEATH-1", "/card", "a monster with no hearts left does nothing more")
    energy = state.players[seat].energy
    if energy < USE_PRICE:
        return Violation("too_expensive", ruling, "/card", f"using it costs {USE_PRICE}, there are {energy} energy")
    return None


# Wings


def wings(player: str) -> Use:
    return Use(player, "wings")


def wings_refusal(state: State, seat: Seat, action: Use) -> Violation | None:
    if str(seat) in state.marks.get("shields", {}):
        return Violation("already_safe", "CARD-WINGS", "/card", "no more hearts can be lost this turn")
    return too_poor(state, seat, "CARD-WINGS")


def wings_act(g: Draft, seat: Seat, action: Use) -> None:
    """Two energy: no damage for the rest of this turn."""
    pay(g, ("CARD-WINGS",), seat, USE_PRICE)
    g.mark("shields", {**g.marks.get("shields", {}), str(seat): "CARD-WINGS"})
    g.emit("shielded", ("CARD-WINGS", "CARD-WINGS-2", "CARD-WINGS-3"), player=action.player)


def wings_saves(state: State, seat: Seat, amount: int) -> bool:
    return wings_refusal(state, seat, wings("")) is None


# Rapid Healing


def healing(player: str) -> Use:
    return Use(player, "rapid_healing")


def healing_refusal(state: State, seat: Seat, action: Use) -> Violation | None:
    player = state.players[seat]
    if player.hearts >= player.max_hearts:
        return Violation("hearts_full", "RESOLVE-HEART-4", "/card", f"{player.hearts} hearts are the maximum")
    return too_poor(state, seat, "CARD-RAPID-HEALING")


def healing_act(g: Draft, seat: Seat, action: Use) -> None:
    """Two energy: one heart, at any time (CARD-STRETCHY-2)."""
    pay(g, ("CARD-RAPID-HEALING",), seat, USE_PRICE)
    gain_hearts(g, ("CARD-RAPID-HEALING", "CARD-STRETCHY-2", "RESOLVE-HEART-3"), seat, 1)


def healing_saves(state: State, seat: Seat, amount: int) -> bool:
    """Whether healing first, as often as can be paid, keeps a lethal loss from being one."""
    player = state.players[seat]
    times = player.energy // USE_PRICE
    hearts = min(player.max_hearts, player.hearts + times * adjusted(state, "heart_gain", seat, 1))
    return player.hearts <= amount < hearts


CARDS: tuple[Card, ...] = (
    card("armor_plating", 4, KEEP, adjust={"damage": armor}, cites=armor_cites),
    card("camouflage", 3, KEEP, on={"struck": "camouflage.roll"}),
    card("it_has_a_child", 7, KEEP, on={"dying": "it_has_a_child.rise"}),
    card("jets", 5, KEEP, on={"targeted": "jets.offer"}),
    card(
        "rapid_healing", 3, KEEP,
        can={"use": Ability(healing_refusal, if_allowed(healing, healing_refusal), healing_act, healing_saves)},
        cites=lambda state, seat, what: ("CARD-RAPID-HEALING-2",),
    ),
    card("were_only_making_it_stronger", 3, KEEP, on={"hurt": "were_only_making_it_stronger.gain"}),
    card(
        "wings", 6, KEEP,
        can={"use": Ability(wings_refusal, if_allowed(wings, wings_refusal), wings_act, wings_saves)},
        cites=lambda state, seat, what: ("CARD-WINGS-2",),
    ),
)  # fmt: skip


@listener("were_only_making_it_stronger.gain")
def stronger_gain(
    g: Draft, seat: Seat, card: CardId, victim: Seat, dealer: Seat | None, amount: int, claw: bool
) -> None:
    """Losing two hearts or more at once is worth one energy, to a survivor."""
    if victim == seat and amount >= 2 and g.players[seat].hearts:
        gain_energy(
            g, ("CARD-WERE-ONLY-MAKING-IT-STRONGER", "CARD-WERE-ONLY-MAKING-IT-STRONGER-2"), seat, 1
        )


# Camouflage


@listener("camouflage.roll")
def camouflage_roll(g: Draft, seat: Seat, card: CardId, hit: Hit) -> None:
    """Roll a die for each heart about to be lost."""
    g.push(("camouflage.wait", {"seat": seat, "hit": hit}))


def moot(g: Draft, seat: Seat, hit: Hit) -> bool:
    """Whoever leaves the game or is shielded meanwhile needs these dice no more (CARD-WINGS-2)."""
    if g.players[seat].eliminated:
        return True
    if str(seat) not in g.marks.get("shields", {}):
        return False
    g.push(("damage.hit", {"hit": hit}))
    return True


@question("camouflage.wait", then="camouflage.thrown")
def camouflage_wait(g: Draft, seat: Seat, hit: Hit) -> None:
    """Roll the dice; where the table rolls, wait for the faces its dice show (ROLL-1)."""
    if moot(g, seat, hit):
        return
    if g.options.dice == "client":
        g.ask(seat, "dice", ("CARD-CAMOUFLAGE", "ROLL-1"), count=hit["amount"])
    else:
        throw(g, seat, hit["amount"], None, ("camouflage.shown", {"seat": seat, "hit": hit}))


@step("camouflage.thrown")
def camouflage_thrown(g: Draft, answer: Action, seat: Seat, hit: Hit) -> None:
    assert isinstance(answer, Dice)
    camouflage_shown(g, seat, hit, [*(answer.faces or ())])


@step("camouflage.shown")
def camouflage_shown(g: Draft, seat: Seat, hit: Hit, faces: list[Face]) -> None:
    show_camouflage(g, seat, hit, faces, ())


def show_camouflage(g: Draft, seat: Seat, hit: Hit, faces: list[Face], helped: Rulings) -> None:
    """The dice lie so; `helped` are the rulings of another card that had its say on them (CARD-CAMOUFLAGE-2)."""
    cites = ("CARD-CAMOUFLAGE", "CARD-CAMOUFLAGE-2", *helped)
    g.emit("camouflage_rolled", cites, player=g.players[seat].id, dice=[*faces])
    g.push(("camouflage.look", {"seat": seat, "hit": hit, "faces": faces}))


@question("camouflage.look", then="camouflage.answer")
def camouflage_look(g: Draft, seat: Seat, hit: Hit, faces: list[Face]) -> None:
    """Other cards may still change these dice; then each heart among them cancels one damage."""
    if moot(g, seat, hit):
        return
    dice = [{"face": face} for face in faces]
    g.ask(seat, "camouflage", ("CARD-CAMOUFLAGE", "CARD-CAMOUFLAGE-2"), dice=dice, amount=hit["amount"])
    if card_rerolls(g, seat) or card_changes_dice(g, seat):
        return
    g.decision = None
    camouflage_done(g, seat, hit, faces)


def camouflage_done(g: Draft, seat: Seat, hit: Hit, faces: list[Face]) -> None:
    """What is left goes on; nothing left is no attack to speak of (CARD-CAMOUFLAGE-1, DEF-ATTACK-3)."""
    left = max(0, hit["amount"] - faces.count("heart"))
    if left != hit["amount"]:
        prevent(g, hit, hit["amount"], left, ("CARD-CAMOUFLAGE", "CARD-CAMOUFLAGE-1"))
    if left:
        g.push(("damage.hit", {"hit": {**hit, "amount": left}}))


@step("camouflage.answer")
def camouflage_answer(g: Draft, answer: Action, seat: Seat, hit: Hit, faces: list[Face]) -> None:
    if isinstance(answer, Pass):
        g.emit("declined", ("CARD-CAMOUFLAGE-2",), player=answer.player)
        camouflage_done(g, seat, hit, faces)
    elif isinstance(answer, ChangeDie):
        record = g.rules.cards[answer.card]
        record.can["change_die"].act(g, seat, answer)
        helped = record.rulings(g, seat, "change_die")
        show_camouflage(g, seat, hit, swap(faces, [answer.die], [answer.face]), helped)
    else:
        assert isinstance(answer, Reroll)
        assert answer.with_ is not None
        g.rules.cards[answer.with_].can["reroll"].act(g, seat, answer)
        again = {"seat": seat, "hit": hit, "before": faces, "dice": [*answer.dice], "by": answer.with_}
        throw(g, seat, len(answer.dice), answer.faces, ("camouflage.again", again))


@step("camouflage.again")
def camouflage_again(
    g: Draft, seat: Seat, hit: Hit, before: list[Face], dice: list[int], by: CardId, faces: list[Face]
) -> None:
    """The dice lie as `by` has rolled some of them again."""
    show_camouflage(g, seat, hit, swap(before, dice, faces), g.rules.cards[by].rulings(g, seat, "reroll"))


# Jets


def threat(g: Draft, seat: Seat) -> int:
    """What the claws now waiting to land would do to this monster, but for what protects it by itself."""
    hits = (args["hit"] for name, args in g.pending if name == "damage.hit")
    return sum(sheltered(g, seat, each["amount"])[0] for each in hits if each["seat"] == seat and each["claw"])


@question("jets.offer", then="jets.answer")
def jets_offer(g: Draft, seat: Seat, card: CardId, dealer: Seat | None) -> None:
    """The owner of Jets decides before any of the attack's damage (YIELD-8)."""
    player = g.players[seat]
    if player.in_tokyo and seat not in g.marks.get("answered", ()) and ("jets", card) in player.faces:
        g.ask(seat, "yield", ("CARD-JETS", "CARD-JETS-2", "YIELD-1"), amount=threat(g, seat))


@step("jets.answer")
def jets_answer(g: Draft, answer: Action, seat: Seat, card: CardId, dealer: Seat | None) -> None:
    """Leaving, the claws miss; staying, they do not, and there is no second question (YIELD-2, YIELD-5)."""
    assert isinstance(answer, Yield)
    g.mark("answered", (*g.marks.get("answered", ()), seat))
    if not answer.leave:
        g.emit("stayed", ("CARD-JETS", "CARD-JETS-2", "YIELD-1"), player=answer.player)
        return
    leave(g, "yielded", ("CARD-JETS", "CARD-JETS-3", "YIELD-5", "DEF-YIELD-1"), seat, "yielded")
    g.mark("left", (*g.marks.get("left", ()), seat))
    g.mark("dodged", {**g.marks.get("dodged", {}), str(seat): "CARD-JETS"})


# It Has a Child


@step("it_has_a_child.rise")
def child_rise(g: Draft, seat: Seat, card: CardId, by_claws: bool) -> None:
    """Instead of being eliminated: no cards, no points, ten hearts, outside Tokyo (CARD-CHILD-1, DEATH-6).

    Who falls together is saved together: a copy works although the card it copies has just been discarded (G-37).
    """
    if g.players[seat].hearts or g.players[seat].eliminated:
        return
    where = ("CARD-IT-HAS-A-CHILD-3",) if by_claws and g.players[seat].in_tokyo else ()
    cites = ("CARD-IT-HAS-A-CHILD", "CARD-CHILD-1", "CARD-IT-HAS-A-CHILD-2", *where, "DEATH-6")
    vacate(g, seat, by_claws)
    g.change("vp_lost", cites, seat, "vp", 0)
    discard_all(g, cites, seat)
    g.change("reborn", cites, seat, "hearts", HEARTS)
