// The table: Tokyo, the monsters with all they have, and the cards on offer.

import { button, el, icon } from "./element.js";
import { told } from "./moves.js";
import { t } from "./words.js";

export function board(app) {
  const { state } = app.game;
  return [tokyo(app, state), el("div", { class: "players" }, state.players.map((each) => player(app, state, each))), market(app, state)];
}

function tokyo(app, state) {
  const places = state.options.bay ? ["city", "bay"] : ["city"];
  return el("section", { class: "tokyo", "aria-label": t("tokyo") }, places.map((place) => {
    const there = state.players.find((each) => each.place === place);
    return el("div", { class: `place place-${place}` },
      el("span", { class: "place-name" }, icon(place), t(`place_${place}`)),
      there ? el("span", { class: "occupant" }, badge(state, there), app.playerName(there.id)) : el("span", { class: "quiet" }, t("nobody")),
    );
  }));
}

/** A monster's mark: its colour is that of its seat. */
export function badge(state, { id }) {
  const seat = state.players.findIndex((each) => each.id === id);
  return el("span", { class: `badge seat-${seat}`, "aria-hidden": "true" }, initial(state.players[seat]?.name || id));
}

export function initial(name) {
  return [...name.trim()][0]?.toUpperCase() ?? "?";
}

function player(app, state, one) {
  const seat = state.players.indexOf(one);
  const [active, decides] = [state.turn.player === one.id && !state.outcome, state.decision?.player === one.id];
  const won = state.outcome?.winners.includes(one.id);
  const looks = ["player", "sheet", `seat-${seat}`, active && "active", decides && "decides", one.eliminated && "gone", won && "won"];
  return el("article", { class: looks.filter(Boolean).join(" "), "data-player": one.id },
    el("header", {},
      badge(state, one),
      el("h3", {}, app.playerName(one.id)),
      won && icon("crown"),
      active && el("span", { class: "pill turn-pill" }, t("on_turn")),
    ),
    hearts(one),
    el("div", { class: "stats" },
      stat("star", one.vp, t("vp_short"), t("vp", { count: one.vp })),
      stat("energy", one.energy, t("energy_short"), t("energy", { count: one.energy })),
      one.poison > 0 && stat("poison", one.poison, "", t("poison", { count: one.poison })),
      one.shrink > 0 && stat("shrink", one.shrink, "", t("shrink", { count: one.shrink })),
      el("span", { class: `pill at-${one.place}` }, one.eliminated ? t("eliminated") : [icon(one.place), t(`place_${one.place}`)]),
    ),
    one.cards.length > 0 && el("div", { class: "cards" }, one.cards.map((card) => held(app, card))),
  );
}

function hearts({ hearts: count, max_hearts: of }) {
  const drawn = Array.from({ length: Math.max(of, count) }, (_, index) => el("i", { class: index < count ? "full" : "" }, icon("heart")));
  const name = t("hearts", { count, of });
  return el("div", { class: "hearts", role: "img", "aria-label": name, title: name }, el("b", {}, String(count)), el("span", { class: "pips" }, drawn));
}

function stat(sign, count, word, name) {
  return el("span", { class: `stat stat-${sign}`, role: "img", "aria-label": name, title: name }, icon(sign), el("b", {}, String(count)), word && el("small", {}, word));
}

/** A card before a player, with what lies on it and what it copies. */
function held(app, { card, charges, copies }) {
  const notes = [
    charges > 0 && el("span", { class: "charges", title: t("charges", { count: charges }) }, `×${charges}`),
    copies && el("small", {}, t("copies", { card: app.cardName(copies.card) })),
  ];
  return button([app.cardName(card), ...notes], () => app.showCard(card), { class: "chip card-chip", "data-card": card });
}

function market(app, state) {
  const offered = state.decision ? app.game.step.legal.filter((each) => each.type === "buy" && (each.from ?? "market") === "market") : [];
  const cards = state.market.map((card) => onOffer(app, card, offered.find((each) => each.card === card)));
  const gone = state.discard.map((card) => button(app.cardName(card), () => app.showCard(card), { class: "chip card-chip" }));
  return el("section", { class: "market", "aria-labelledby": "market-title" },
    el("div", { class: "sheet-head" },
      el("h2", { id: "market-title" }, t("market")),
      el("span", { class: "pill", "data-deck": state.deck_size }, t("deck", { count: state.deck_size })),
    ),
    el("div", { class: "offer" }, cards.length ? cards : el("p", { class: "quiet" }, t("market_empty"))),
    el("details", { class: "discard" },
      el("summary", {}, t("discard", { count: state.discard.length })), el("div", { class: "cards" }, gone)),
  );
}

function onOffer(app, id, action) {
  const card = app.card(id);
  return el("article", { class: `card sheet kind-${card.type}${action ? " affordable" : ""}`, "data-card": id },
    el("header", {},
      button(card.name, () => app.showCard(id), { class: "card-name", key: `market-${id}` }),
      el("span", { class: "price", title: t("cost", { count: card.cost }) }, String(card.cost ?? "?"), icon("energy")),
    ),
    el("p", {}, card.text ?? ""),
    el("footer", {},
      el("small", {}, card.type ? t(card.type === "keep" ? "keep" : "keep_discard") : ""),
      action && button(t("buy_short"), () => app.play(action), { class: "main", "aria-label": told(app, action), key: `buy-${id}` }),
    ),
  );
}
