// Dice: what they show, which are picked, and the faces of real ones as they are entered.

import { button, el, icon } from "./element.js";
import { known, t } from "./words.js";

export const FACES = ["1", "2", "3", "energy", "claw", "heart"];
const DRAWN = new Set(["energy", "claw", "heart"]);

export function faceName(face) {
  return known(`face_${face}`) ? t(`face_${face}`) : face;
}

/** What a face shows. */
export function sign(face) {
  return DRAWN.has(face) ? icon(face) : el("b", { "aria-hidden": "true" }, face === "blank" ? "?" : face);
}

/** A small die, in a line of text. */
export function small(face) {
  return el("span", { class: `die small face-${face}` }, sign(face));
}

/** The indexes of dice that some offered action changes. */
export function changeable(legal) {
  const found = new Set();
  for (const action of legal) {
    if (action.type === "reroll") action.dice.forEach((each) => found.add(each));
    if (action.die !== undefined) found.add(action.die);
  }
  return found;
}

export function tray(app) {
  const { state } = app.game;
  const dice = state.decision?.dice ?? state.dice; // those that the decision is about
  const free = state.decision ? changeable(app.game.step.legal) : new Set();
  const drawn = dice.map((die, index) => dieOf(app, die, index, free.has(index)));
  return el("div", { class: "tray", role: "group", "aria-label": t("dice") },
    drawn.length || state.decision?.kind === "dice" ? drawn : el("p", { class: "quiet" }, t("dice_none")),
  );
}

function dieOf(app, { face, green }, index, free) {
  const name = t("die", { number: index + 1, face: faceName(face) }) + (green ? ` (${t("die_green")})` : "");
  const look = `die face-${face}${green ? " green" : ""}`;
  if (!free) return el("span", { class: look, role: "img", "aria-label": name }, sign(face));
  const picked = app.picked.has(index);
  const press = () => {
    if (!app.picked.delete(index)) app.picked.add(index);
    app.drawDecision();
  };
  const options = { key: `die-${index}`, class: look, "aria-pressed": String(picked), "aria-label": name };
  return button(sign(face), press, options);
}

/** The six faces to press, one for each die on the real table. */
export function entry(app, action) {
  const { count } = app.game.state.decision;
  const enter = (face) => () => {
    app.entered.push(face);
    app.drawDecision();
  };
  const full = app.entered.length >= count;
  const entered = Array.from({ length: count }, (_, index) => ({ face: app.entered[index] ?? "blank" }));
  const faces = FACES.map((face) =>
    button(sign(face), enter(face), { key: `face-${face}`, class: `die face-${face}`, "aria-label": faceName(face), disabled: full }),
  );
  const back = () => {
    app.entered.pop();
    app.drawDecision();
  };
  const send = () => app.play({ ...action, faces: [...app.entered] });
  return [
    el("div", { class: "tray entered" }, entered.map((die, index) => dieOf(app, die, index, false))),
    el("div", { class: "tray entry" }, faces),
    el("div", { class: "buttons" },
      button(t("dice_send"), send, { key: "dice-send", class: "main", disabled: app.entered.length !== count }),
      button(t("dice_back"), back, { key: "dice-back", disabled: app.entered.length === 0 }),
    ),
  ];
}
