// The offered actions as buttons. What is offered, and so every rule, is the service's; here it only gets its words.

import { faceName, sign, entry } from "./dice.js";
import { button, el } from "./element.js";
import { known, t } from "./words.js";

/** An action in words. */
export function told(app, action) {
  const card = action.card && app.cardName(action.card);
  const name = (id) => app.playerName(id);
  const words = {
    reroll: () => action.with
      ? t("reroll_with", { card: app.cardName(action.with), count: action.dice.length })
      : t("reroll", { count: action.dice.length }),
    change_die: () => `${t("change_die", { card })} ${faceName(action.face)}`,
    hearts: () => heartsTold(app, action),
    yield: () => t(action.leave ? "yield_leave" : "yield_stay"),
    buy: () => buyTold(app, action),
    load: () => t("load_amount", { count: action.amount }),
    copy: () => t("copy", { card: app.cardName(action.of.card), name: name(action.of.player) }),
    dice: () => t("dice_sent"),
  };
  if (words[action.type]) return words[action.type]();
  return known(action.type) ? t(action.type, { card }) : action.type;
}

function heartsTold(app, { heal, poison, shrink, others }) {
  const parts = [
    heal && t("hearts_heal", { count: heal }),
    poison && t("hearts_poison", { count: poison }),
    shrink && t("hearts_shrink", { count: shrink }),
    ...Object.entries(others ?? {}).map(([id, count]) => count && t("hearts_other", { name: app.playerName(id), count })),
  ].filter(Boolean);
  return parts.join(" · ") || t("hearts_none");
}

function buyTold(app, action) {
  const from = action.from ?? "market";
  const card = action.card ? app.cardName(action.card) : t("top_card");
  if (from === "market") return t("buy", { card });
  return from === "deck" ? t("buy_deck", { card }) : t("buy_from", { card, name: app.playerName(from) });
}

/** All that may be done now, in groups; what ends a turn or a question comes last. */
export function moves(app) {
  const { decision } = app.game.state;
  const legal = app.game.step.legal;
  const of = (type) => legal.filter((each) => each.type === type);
  const plain = (type) => of(type).map((action) => one(app, action, decision));
  const [dice] = of("dice");
  return [
    dice && entry(app, dice),
    hint(of("reroll")),
    row(plain("roll"), rerolls(app, of("reroll")), resolving(app, of("resolve"), decision)),
    ...changes(app, of("change_die")),
    row(probing(app, of("probe"))),
    ...["hearts", "load", "copy", "yield", "buy", "sell"].map((type) => row(plain(type))),
    row(plain("use"), plain("sweep"), plain("peek"), plain("pass"), plain("end_turn")),
    more(app, of("resolve"), of("concede")),
  ].flat().filter(Boolean);
}

function row(...groups) {
  const buttons = groups.flat().filter(Boolean);
  return buttons.length ? el("div", { class: "buttons" }, buttons) : null;
}

function hint(actions) {
  return actions.length ? el("p", { class: "hint" }, t("pick_dice")) : null;
}

function one(app, action, decision, label = told(app, action)) {
  // Anybody may use some cards while another player is to decide: then it must say who.
  const words = action.player === decision.player ? label : `${app.playerName(action.player)}: ${label}`;
  const main = same(action, decision.default);
  return button(words, () => app.play(action), { key: JSON.stringify(action), class: main ? "main" : "", "data-type": action.type });
}

/** Rerolls of the picked dice: one button for the turn's own roll, one for each card that allows it. */
function rerolls(app, actions) {
  const picked = [...app.picked].sort((a, b) => a - b);
  return [...new Set(actions.map((each) => each.with))].map((with_) => {
    const action = actions.find((each) => each.with === with_ && equal(each.dice, picked));
    const words = told(app, action ?? { type: "reroll", with: with_, dice: picked });
    return button(words, () => app.play(action), { key: `reroll-${with_}`, "data-type": "reroll", disabled: !action });
  });
}

function changes(app, actions) {
  return [...new Set(actions.map((each) => each.card))].map((card) => {
    const name = app.cardName(card);
    const [die] = app.picked;
    const fitting = actions.filter((each) => app.picked.size === 1 && each.card === card && each.die === die);
    if (!fitting.length) return el("p", { class: "hint" }, t("change_die_pick", { card: name }));
    const faces = fitting.map((action) =>
      button(sign(action.face), () => app.play(action), {
        key: `turn-${card}-${action.face}`, class: `die face-${action.face}`, "data-type": "change_die", "aria-label": told(app, action),
      }),
    );
    return el("div", { class: "turning" }, el("span", {}, t("change_die", { card: name })), el("div", { class: "tray" }, faces));
  });
}

function probing(app, actions) {
  if (!actions.length) return [];
  const [die] = app.picked;
  const action = app.picked.size === 1 ? actions.find((each) => each.die === die) : null;
  return [
    button(t("probe"), () => app.play(action), { key: "probe", "data-type": "probe", disabled: !action }),
    action ? null : el("span", { class: "hint" }, t("probe_pick")),
  ];
}

/** The first order offered is the usual one; the others are tucked away. */
function resolving(app, actions, decision) {
  const [usual] = actions;
  if (!usual) return [];
  const main = decision.default?.type === "resolve" ? "main" : "";
  return [button(t("resolve"), () => app.play(usual), { key: "resolve", class: main, "data-type": "resolve" })];
}

function more(app, orders, concessions) {
  const inside = [orders.length > 1 ? ordering(app, orders) : null, own(app), conceding(app, concessions)];
  const toggle = (event) => { app.moreOpen = event.target.open; };
  return el("details", { class: "more", open: app.moreOpen, ontoggle: toggle }, el("summary", { "data-key": "more" }, t("more")), inside);
}

function ordering(app, actions) {
  const words = (action) => action.order.map((each) => t(`group_${each}`)).join(" → ");
  const choice = el("select", { "data-key": "order" }, actions.map((each, index) => el("option", { value: index }, words(each))));
  const press = () => app.play(actions[choice.value]);
  return el("div", { class: "line" }, el("label", {}, `${t("orders")} `, choice), button(t("resolve_so"), press, { key: "resolve-so" }));
}

/** Any action at all, as JSON: to see what is refused, and why. */
function own(app) {
  const text = JSON.stringify(app.game.state.decision.default, null, 1).replace(/\n\s*/g, " ");
  const area = el("textarea", { rows: 2, spellcheck: "false", "aria-label": t("own_action"), "data-key": "own" });
  area.value = text;
  const press = () => {
    const action = app.read(area.value);
    if (action !== undefined) app.play(action);
  };
  return el("div", { class: "own" },
    el("b", {}, t("own_action")), el("p", { class: "hint" }, t("own_hint")), area, button(t("send"), press, { key: "own-send" }),
  );
}

function conceding(app, actions) {
  const buttons = actions.map((action) =>
    button(t("concede_as", { name: app.playerName(action.player) }), () => app.play(action), { key: `concede-${action.player}`, class: "danger" }),
  );
  return el("div", { class: "conceding" }, el("b", {}, t("concede")), el("div", { class: "buttons" }, buttons));
}

/** Whether two actions are the same, in whatever order their keys came. */
function same(one, other) {
  return sorted(one) === sorted(other);
}

function sorted(value) {
  return JSON.stringify(value, (_, each) =>
    each && typeof each === "object" && !Array.isArray(each) ? Object.fromEntries(Object.entries(each).sort()) : each,
  );
}

function equal(one, other) {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}
