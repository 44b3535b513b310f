// What happened: a step for each action, with its events and the rulings behind them.

import { badge } from "./board.js";
import { small } from "./dice.js";
import { button, el, icon } from "./element.js";
import { told } from "./moves.js";
import { rulingChips } from "./panel.js";
import { t } from "./words.js";

const SIGNS = {
  hearts: "heart", max_hearts: "heart", vp: "star", energy: "energy", charges: "energy", poison: "poison", shrink: "shrink",
  place: "city",
};

/** Draw the log: steps that are there stay, or a reader of the screen would hear all of them again. */
export function drawLog(app, place, again = false) {
  const { steps, at } = app.game;
  if (again) place.replaceChildren();
  const drawn = [...place.children];
  const kept = drawn.findIndex((each, index) => each.step !== steps[index]);
  drawn.slice(kept < 0 ? steps.length : kept).forEach((each) => each.remove());
  for (let index = place.children.length; index < steps.length; index += 1) place.append(stepOf(app, steps[index], index));
  [...place.children].forEach((each, index) => {
    each.classList.toggle("undone", index > at);
    each.classList.toggle("here", index === at);
  });
  const here = place.children[at];
  // Only the log is scrolled, not the page. A step longer than the log is shown from its beginning.
  place.scrollTop = Math.min(here.offsetTop, here.offsetTop + here.offsetHeight - place.clientHeight);
}

function stepOf(app, step, index) {
  const { action, state, events } = step;
  const line = el("li", { class: "step" },
    el("div", { class: "step-head" },
      action ? badge(state, { id: action.player }) : null,
      el("b", {}, action ? `${app.playerName(action.player)}: ${told(app, action)}` : t("log_start")),
      button(icon("code"), () => app.showExchange(step.exchange), { class: "quiet-button", "aria-label": t("show_exchange"), title: t("show_exchange") }),
      button(icon("undo"), () => app.travel(index), { class: "quiet-button", "aria-label": t("return_here"), title: t("return_here") }),
    ),
    el("ul", {}, events.map((each) => eventOf(app, each))),
  );
  line.step = step; // what it was drawn from
  return line;
}

function eventOf(app, event) {
  const sign = SIGNS[event.field];
  const change = typeof event.to === "number" && typeof event.from === "number" ? event.to - event.from : 0;
  const look = `event${change > 0 ? " up" : ""}${change < 0 ? " down" : ""}`;
  const words = [
    el("p", {}, event.message ?? event.type),
    event.dice && el("span", { class: "rolled", "aria-hidden": "true" }, event.dice.map(small)), // the message says them, too
  ];
  const names = event.visible_to?.map((each) => app.playerName(each)).join(", ");
  return el("li", { class: look, "data-type": event.type },
    el("span", { class: "sign" }, sign ? icon(sign) : null),
    el("div", {},
      names ? el("details", { class: "private" }, el("summary", {}, t("private", { names })), words) : words,
      el("div", { class: "chips" }, rulingChips(app, event.rulings)),
    ),
  );
}
