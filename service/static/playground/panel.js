// The panel beside the table: a ruling, a card, or a request with its answer.

import { button, el, icon } from "./element.js";
import { curl } from "./service.js";
import { known, t } from "./words.js";

const RULING = /\b[A-Z]+(?:-[A-Z0-9]+)+\b/g;

export function rulingChips(app, rulings) {
  return rulings.map((id) => button(id, () => app.showRuling(id), { class: "chip ruling-chip", "data-ruling": id }));
}

/** A text in which each ruling that it names can be opened. */
export function withRulings(app, text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(RULING)) {
    parts.push(text.slice(from, found.index), ...rulingChips(app, [found[0]]));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)];
}

export class Panel {
  constructor(place) {
    this.place = place;
    this.pages = []; // functions that make them, the one that is shown last
    this.opener = null;
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  open(page) {
    if (this.place.hidden) this.opener = document.activeElement;
    this.pages.push(page);
    this.draw();
    this.place.querySelector("h2").focus();
  }

  back() {
    this.pages.pop();
    this.draw();
    this.place.querySelector("h2").focus();
  }

  close() {
    if (this.place.hidden) return;
    this.place.hidden = true;
    this.pages = [];
    document.body.classList.remove("beside");
    if (this.opener?.isConnected) this.opener.focus();
  }

  /** Show the last page; again, when the language has changed. */
  draw() {
    if (!this.pages.length) return;
    const { kind, title, content } = this.pages.at(-1)();
    this.place.hidden = false;
    document.body.classList.add("beside");
    this.place.replaceChildren(
      el("header", {},
        this.pages.length > 1 && button(icon("undo"), () => this.back(), { class: "quiet-button", "aria-label": t("back") }),
        el("span", { class: "quiet kind" }, kind),
        button(icon("close"), () => this.close(), { class: "quiet-button closing", "aria-label": t("close") }),
      ),
      el("h2", { id: "panel-title", tabindex: -1 }, title),
      ...content.filter(Boolean),
    );
    this.place.scrollTop = 0;
  }
}

export function rulingPage(app, ruling) {
  const edition = app.edition();
  const { [edition]: here, ...others } = ruling.editions;
  const content = [
    el("p", { class: "ruling-text" }, withRulings(app, ruling.text)),
    ruling.card && el("div", { class: "chips" }, button(app.cardName(ruling.card), () => app.showCard(ruling.card), { class: "chip card-chip" })),
    el("h3", {}, t("in_this_edition")),
    here ? source(app, edition, here) : el("p", { class: "quiet" }, t("not_in_edition")),
    Object.keys(others).length > 0 && el("h3", {}, t("other_editions")),
    ...Object.entries(others).map(([id, told]) => source(app, id, told)),
    ...about(t("see_also"), rulingChips(app, ruling.see ?? [])),
  ];
  return { kind: ruling.id, title: ruling.title, content };
}

/** Where an edition has a ruling, and how sure that is. */
function source(app, edition, { status, section, says }) {
  const word = known(`status_${status}`) ? t(`status_${status}`) : status;
  return el("div", { class: "source" },
    el("div", { class: "source-head" }, el("b", {}, app.editionTitle(edition)), el("span", { class: `pill status-${status}` }, word)),
    section && el("p", { class: "section" }, section),
    says && el("p", {}, withRulings(app, says)),
  );
}

export function cardPage(app, card) {
  const content = [
    el("p", { class: "chips" },
      card.type && el("span", { class: "pill" }, t(card.type === "keep" ? "keep" : "keep_discard")),
      card.cost !== undefined && el("span", { class: "pill" }, t("cost", { count: card.cost })),
      card.copies !== undefined && el("span", { class: "pill" }, t("copies_in_deck", { count: card.copies })),
    ),
    el("p", { class: "ruling-text" }, card.text),
    ...about(t("rulings"), rulingChips(app, card.rulings)),
  ];
  return { kind: app.editionTitle(app.edition()), title: card.name, content };
}

function about(title, chips) {
  return chips.length ? [el("h3", {}, title), el("div", { class: "chips" }, chips)] : [];
}

export function exchangePage(exchange) {
  const state = exchange.answer?.state;
  const content = [
    el("div", { class: "buttons" },
      copying(t("copy_curl"), () => curl(exchange)),
      state && copying(t("copy_state"), () => JSON.stringify(state)),
    ),
    el("pre", { class: "curl", tabindex: 0 }, `${exchange.method} /${exchange.path}\nAccept-Language: ${exchange.language}`),
    ...(exchange.body === undefined ? [] : [el("h3", {}, t("request")), written(exchange.body)]),
    el("h3", {}, `${t("answer")} · ${exchange.status}`),
    written(exchange.answer),
  ];
  return { kind: t("api"), title: t("show_exchange"), content };
}

function written(value) {
  return el("pre", { tabindex: 0 }, JSON.stringify(value, null, 2));
}

function copying(label, text) {
  const made = button(label, async () => {
    await copy(text());
    made.textContent = t("copied");
    setTimeout(() => { made.textContent = label; }, 1500);
  });
  return made;
}

async function copy(text) {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch { /* not allowed here: the older way may be */ }
  }
  const area = el("textarea", { class: "hidden-text" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
