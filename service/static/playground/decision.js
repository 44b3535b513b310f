// Whose decision it is and of what kind, the dice it is about, and what may be done.

import { badge } from "./board.js";
import { tray } from "./dice.js";
import { el, redraw } from "./element.js";
import { moves } from "./moves.js";
import { rulingChips } from "./panel.js";
import { known, t } from "./words.js";

export function drawDecision(app, place) {
  const { state } = app.game;
  place.className = `sheet kind-${state.decision?.kind ?? "over"}`;
  redraw(place, status(app, state), heading(app, state), tray(app), state.decision ? el("div", { id: "moves" }, moves(app)) : null);
}

function status(app, { turn, phase, edition }) {
  return el("div", { class: "status" },
    el("span", { class: "pill" }, t("turn", { number: turn.number })),
    el("span", { class: "pill phase" }, t(`phase_${phase}`)),
    phase === "roll" && el("span", { class: "pill" }, t("rolls", { used: turn.rolls_used, allowed: turn.rolls_allowed })),
    el("span", { class: "quiet edition" }, app.editionTitle(edition)),
  );
}

function heading(app, state) {
  const { decision, outcome } = state;
  if (outcome) return ended(app, state);
  const player = state.players.find((each) => each.id === decision.player);
  const kind = `kind_${decision.kind}`;
  return el("div", { class: "asking", role: "status" },
    badge(state, player),
    el("div", {},
      el("p", { class: "who" }, t("decides", { name: app.playerName(player.id) })),
      el("h2", {}, known(kind) ? t(kind, decision) : decision.kind),
    ),
    el("div", { class: "chips" }, rulingChips(app, decision.rulings)),
  );
}

function ended(app, state) {
  const { result, winners, rulings } = state.outcome;
  const names = winners.map((each) => app.playerName(each)).join(", ");
  return el("div", { class: "asking over", role: "status" },
    winners.map((id) => badge(state, { id })),
    el("div", {}, el("p", { class: "who" }, t("phase_over")), el("h2", {}, t(`outcome_${result}`, { names }))),
    el("div", { class: "chips" }, rulingChips(app, rulings)),
  );
}
