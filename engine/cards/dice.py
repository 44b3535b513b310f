"""Keep cards that add dice or rolls, reroll dice, or change them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.actions import Action, ChangeDie, Pass, Probe, Reroll
from engine.belongings import change_card, discard_card, lying
from engine.cards.model import KEEP, Ability, Act, Card, Refusal, card
from engine.dice import card_rerolls, dice_in_question, refuse_dice, refuse_faces, rerolls, swap, throw
from engine.draft import Draft, Rulings
from engine.errors import Violation
from engine.frames import question, step
from engine.market import pay
from engine.state import FACES, CardId, Face, Seat, State
from engine.windows import copies_of

STRETCH_PRICE: Final = 2
TELEPATH_PRICE: Final = 1


def holder(state: State, seat: Seat, face: CardId) -> CardId | None:
    """Which card acts as this one and is used up first: a copy before the card itself."""
    found = [each for acting, each in state.players[seat].faces if acting == face]
    return next((each for each in found if each != face), found[0] if found else None)


def rolling(state: State, ruling: str) -> Violation | None:
    """Own dice may be rerolled from the first roll until rolling ends (ROLL-6)."""
    decision = state.decision
    if decision is None or decision.kind != "roll":
        return Violation("not_awaited", ruling, "/with", "only the dice of one's own turn can be rerolled so")
    if not state.rolls_used:
        return Violation("not_rolled", "ROLL-1", "/type", "the first roll comes first")
    if "probed" in state.marks:
        return Violation("rolling_is_over", ruling, "/with", "the turn's own rolls ended with the first resolve")
    return None


def right_dice(state: State, action: Reroll) -> Violation | None:
    count = len(dice_in_question(state))
    return refuse_dice(state, action.dice, count) or refuse_faces(state, action.faces, len(action.dice))


# Smoke Cloud, Telepath


def smoke_holder(state: State, seat: Seat) -> CardId | None:
    """The card whose charge is spent next, the copy's first."""
    cards = [each for acting, each in state.players[seat].faces if acting == "smoke_cloud"]
    charged = [each for each in cards if (found := lying(state, seat, each)) is not None and found.charges]
    return next((each for each in charged if each != "smoke_cloud"), charged[0] if charged else None)


def smoke_refusal(state: State, seat: Seat, action: Reroll) -> Violation | None:
    if smoke_holder(state, seat) is None:
        return Violation("no_charge_left", "CARD-SMOKE-CLOUD", "/with", "no charge is left")
    return rolling(state, "CARD-SMOKE-CLOUD") or right_dice(state, action)


def smoke_act(g: Draft, seat: Seat, action: Reroll) -> None:
    """A charge is spent; without charges the card itself is discarded, a copy stays (CARD-MIMIC-9)."""
    used = smoke_holder(g, seat)
    assert used is not None
    found = lying(g, seat, used)
    assert found is not None
    left = (found.charges or 0) - 1
    copied = used != "smoke_cloud"
    cites: Rulings = ("CARD-SMOKE-CLOUD", "CARD-SMOKE-CLOUD-2") if copied else ("CARD-SMOKE-CLOUD",)
    if copied and not left:
        cites = (*cites, "CARD-MIMIC-9")
    change_card(g, "charge_spent", cites, seat, used, "charges", left)
    if not left and not copied:
        discard_card(g, ("CARD-SMOKE-CLOUD", "CARDTYPE-1"), seat, used)


def telepath_refusal(state: State, seat: Seat, action: Reroll) -> Violation | None:
    energy = state.players[seat].energy
    if energy < TELEPATH_PRICE:
        return Violation(
            "too_expensive", "CARD-TELEPATH", "/with", f"it costs {TELEPATH_PRICE}, there are {energy} energy"
        )
    return rolling(state, "CARD-TELEPATH") or right_dice(state, action)


def telepath_act(g: Draft, seat: Seat, action: Reroll) -> None:
    pay(g, ("CARD-TELEPATH", "CARD-STRETCHY-2"), seat, TELEPATH_PRICE)


def all_rerolls(card: CardId, refusal: Refusal, act: Act) -> Ability:
    """A reroll of any dice."""

    def offers(state: State, seat: Seat) -> Iterable[Action]:
        player = state.players[seat].id
        count = len(dice_in_question(state))
        if not count or refusal(state, seat, Reroll(player, (0,), card)):
            return ()
        return rerolls(player, tuple(range(count)), card)

    return Ability(refusal, offers, act)


# Background Dweller


def threes(state: State) -> tuple[int, ...]:
    """The dice its owner may reroll now: any 3 of one's own, or the one just made on another's turn."""
    decision = state.decision
    if decision is None or decision.kind not in ("roll", "camouflage", "probe"):
        return ()
    if decision.kind == "probe":
        die = decision.extra.get("die")
        return (die,) if die is not None and state.dice[die] == "3" else ()
    return tuple(die for die, face in enumerate(dice_in_question(state)) if face == "3")


def dweller_refusal(state: State, seat: Seat, action: Reroll) -> Violation | None:
    refused = right_dice(state, action)
    if refused is not None:
        return refused
    if not set(action.dice) <= set(threes(state)):
        return Violation("not_a_three", "CARD-BACKGROUND-DWELLER", "/dice", "only dice that show 3 can be rerolled so")
    return None


def dweller_cites(state: State, seat: Seat, what: str) -> tuple[str, ...]:
    """After a probe, on another's turn or for another card it is more than an ordinary reroll."""
    ordinary = seat == state.active and "probed" not in state.marks and state.phase == "roll"
    return () if ordinary else ("CARD-BACKGROUND-DWELLER-2",)


def dweller_offers(state: State, seat: Seat) -> Iterable[Action]:
    return rerolls(state.players[seat].id, threes(state), "background_dweller")


# Changing dice


def changing(state: State, action: ChangeDie, ruling: str, anywhere: bool = False) -> Violation | None:
    """Own dice may be changed from the first roll until they are resolved."""
    decision = state.decision
    if decision is None or decision.kind not in (("roll", "camouflage") if anywhere else ("roll",)):
        return Violation("not_awaited", ruling, "/card", "these dice cannot be changed so")
    if decision.kind == "roll" and not state.rolls_used:
        return Violation("not_rolled", "ROLL-1", "/type", "the first roll comes first")
    dice = dice_in_question(state)
    refused = refuse_dice(state, (action.die,), len(dice), "/die")
    if refused is None and dice[action.die] == action.face:
        return Violation("no_change", ruling, "/face", "the die shows that already")
    return refused


def changes(
    state: State, seat: Seat, card: CardId, refusal: Refusal, faces: tuple[Face, ...] = FACES
) -> Iterable[Action]:
    player = state.players[seat].id
    every = (ChangeDie(player, card, die, face) for die in range(len(dice_in_question(state))) for face in faces)
    return tuple(each for each in every if refusal(state, seat, each) is None)


def culler_refusal(state: State, seat: Seat, action: ChangeDie) -> Violation | None:
    if action.face != "1":
        return Violation("wrong_face", "CARD-HERD-CULLER", "/face", "a die can only be changed to 1")
    if state.marks.get("culled", 0) >= copies_of(state, seat, "herd_culler"):
        return Violation("used_up", "CARD-HERD-CULLER", "/card", "it works once a turn")
    return changing(state, action, "CARD-HERD-CULLER")


def culler_act(g: Draft, seat: Seat, action: ChangeDie) -> None:
    g.mark("culled", g.marks.get("culled", 0) + 1)


def twist_refusal(state: State, seat: Seat, action: ChangeDie) -> Violation | None:
    return changing(state, action, "CARD-PLOT-TWIST")


def twist_act(g: Draft, seat: Seat, action: ChangeDie) -> None:
    """The card is used up."""
    used = holder(g, seat, "plot_twist")
    assert used is not None
    cites = ("CARD-PLOT-TWIST", "CARDTYPE-1") if used == "plot_twist" else ("CARD-PLOT-TWIST", "CARD-MIMIC-9")
    discard_card(g, cites, seat, used)


def stretchy_refusal(state: State, seat: Seat, action: ChangeDie) -> Violation | None:
    return _stretchy_price(state, seat) or changing(state, action, "CARD-STRETCHY")


def stretchy_anywhere(state: State, seat: Seat, action: ChangeDie) -> Violation | None:
    """In the first deck it also works on dice rolled for other cards (CARD-STRETCHY-1)."""
    ruling = "CARD-STRETCHY" if state.phase == "roll" else "CARD-STRETCHY-1"
    return _stretchy_price(state, seat) or changing(state, action, ruling, anywhere=True)


def _stretchy_price(state: State, seat: Seat) -> Violation | None:
    energy = state.players[seat].energy
    if energy < STRETCH_PRICE:
        return Violation(
            "too_expensive", "CARD-STRETCHY", "/card", f"it costs {STRETCH_PRICE}, there are {energy} energy"
        )
    return None


def stretchy_act(g: Draft, seat: Seat, action: ChangeDie) -> None:
    pay(g, ("CARD-STRETCHY", *stretchy_cites(g, seat, "change_die"), "CARD-STRETCHY-2"), seat, STRETCH_PRICE)


def stretchy_cites(state: State, seat: Seat, what: str) -> tuple[str, ...]:
    """Dice that are not those of the turn were rolled for another card."""
    return () if state.phase == "roll" else ("CARD-STRETCHY-1",)


def changer(card: CardId, refusal: Refusal, act: Act, faces: tuple[Face, ...] = FACES) -> Ability:
    return Ability(refusal, lambda state, seat: changes(state, seat, card, refusal, faces), act)


# Psychic Probe


def probe_refusal(state: State, seat: Seat, action: Probe) -> Violation | None:
    decision = state.decision
    if decision is None or decision.kind != "probe" or "die" in decision.extra:
        return Violation("not_awaited", "CARD-PSYCHIC-PROBE", "/type", "the probe has been used")
    return refuse_dice(state, (action.die,), len(state.dice), "/die") or refuse_faces(state, action.faces, 1)


def probe_offers(state: State, seat: Seat) -> Iterable[Action]:
    if state.decision is None or "die" in state.decision.extra:
        return ()
    return tuple(Probe(state.players[seat].id, die) for die in range(len(state.dice)))


def _nothing(g: Draft, seat: Seat, action: object) -> None:
    """Costs nothing."""


FIRST: tuple[Card, ...] = (
    card(
        "background_dweller", 4, KEEP, can={"reroll": Ability(dweller_refusal, dweller_offers, _nothing)},
        cites=dweller_cites,
    ),
    card(
        "extra_head", 7, KEEP, copies=2, adjust={"pool": lambda state, seat, dice: dice + 1},
        cites=lambda state, seat, what: ("CARD-EXTRA-HEAD-2",),
    ),
    card("giant_brain", 5, KEEP, adjust={"rolls": lambda state, seat, rolls: rolls + 1}),
    card("herd_culler", 3, KEEP, can={"change_die": changer("herd_culler", culler_refusal, culler_act, ("1",))}),
    card("plot_twist", 3, KEEP, can={"change_die": changer("plot_twist", twist_refusal, twist_act)}),
    card(
        "psychic_probe", 3, KEEP, on={"rolling_over": "psychic_probe.offer"},
        can={"probe": Ability(probe_refusal, probe_offers, _nothing)},
    ),
    card("smoke_cloud", 4, KEEP, charges=3, can={"reroll": all_rerolls("smoke_cloud", smoke_refusal, smoke_act)}),
    card(
        "stretchy", 3, KEEP, can={"change_die": changer("stretchy", stretchy_anywhere, stretchy_act)},
        cites=stretchy_cites,
    ),
    card("telepath", 4, KEEP, can={"reroll": all_rerolls("telepath", telepath_refusal, telepath_act)}),
)  # fmt: skip

SECOND: tuple[Card, ...] = (
    next(each for each in FIRST if each.id == "stretchy").but(
        can={"change_die": changer("stretchy", stretchy_refusal, stretchy_act)}
    ),
)


PROBING = ("CARD-PSYCHIC-PROBE", "CARD-PSYCHIC-PROBE-2")


@question("psychic_probe.offer", then="psychic_probe.answer")
def probe_offer(g: Draft, seat: Seat, card: CardId) -> None:
    """Once on each other monster's turn, when its rolling ends: reroll one of its dice."""
    if g.dice and ("psychic_probe", card) in g.players[seat].faces:
        g.ask(seat, "probe", PROBING)


@step("psychic_probe.answer")
def probe_answer(g: Draft, answer: Action, seat: Seat, card: CardId) -> None:
    if isinstance(answer, Pass):
        g.emit("declined", ("CARD-PSYCHIC-PROBE",), player=answer.player)
        return
    assert isinstance(answer, Probe)
    then = {"seat": seat, "card": card, "die": answer.die, "by": "psychic_probe"}
    throw(g, seat, 1, answer.faces, ("psychic_probe.shown", then))


@step("psychic_probe.shown")
def probe_shown(g: Draft, seat: Seat, card: CardId, die: int, by: CardId, faces: list[Face]) -> None:
    """The die lies as `by` has rolled it; the active player is asked once more (CARD-PSYCHIC-PROBE-2)."""
    g.mark("probed", "changed")
    g.dice = tuple(swap([*g.dice], [die], faces))
    cites = PROBING if by == "psychic_probe" else (*PROBING, *g.rules.cards[by].rulings(g, seat, "reroll"))
    g.emit("probed", cites, player=g.players[seat].id, dice=[*g.dice], rolled=[die])
    g.push(("psychic_probe.again", {"seat": seat, "card": card, "die": die}))


@question("psychic_probe.again", then="psychic_probe.reroll")
def probe_again(g: Draft, seat: Seat, card: CardId, die: int) -> None:
    """A 3 just made may be rerolled by a card of the prober; a heart costs the probe, if it still is one."""
    if g.players[seat].eliminated or die >= len(g.dice):
        return
    g.ask(seat, "probe", ("CARD-PSYCHIC-PROBE",), die=die)
    if card_rerolls(g, seat):
        return
    g.decision = None
    if g.dice[die] == "heart" and ("psychic_probe", card) in g.players[seat].faces:
        why = "CARDTYPE-1" if card == "psychic_probe" else "CARD-MIMIC-9"
        discard_card(g, ("CARD-PSYCHIC-PROBE", why), seat, card)


@step("psychic_probe.reroll")
def probe_reroll(g: Draft, answer: Action, seat: Seat, card: CardId, die: int) -> None:
    if isinstance(answer, Pass):
        g.emit("declined", ("CARD-PSYCHIC-PROBE",), player=answer.player)
        return
    assert isinstance(answer, Reroll)
    assert answer.with_ is not None
    then = {"seat": seat, "card": card, "die": die, "by": answer.with_}
    throw(g, seat, 1, answer.faces, ("psychic_probe.shown", then))
