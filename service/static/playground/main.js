// The page: what is on it, and what its parts may ask for.

import { board } from "./board.js";
import { drawDecision } from "./decision.js";
import { sign } from "./dice.js";
import { button, el, icon, redraw } from "./element.js";
import { Game } from "./game.js";
import { Keep } from "./keep.js";
import { drawLog } from "./log.js";
import { cardPage, exchangePage, Panel, rulingPage, withRulings, rulingChips } from "./panel.js";
import * as service from "./service.js";
import { Setup } from "./setup.js";
import { choose, NAMES, preferred, speak, t } from "./words.js";

const SAVED = "kaijudge.state";
const place = (id) => document.getElementById(id);

class App {
  game = null;
  editions = [];
  standing = ""; // the edition a game is of when none is asked for
  cards = new Map(); // of the edition and the language at hand
  learnt = new Map(); // editions with their switches
  picked = new Set(); // dice, by index
  entered = []; // faces of real dice
  moreOpen = false;
  busy = false;
  again = null; // what was to be done when a key was asked for
  language = preferred();
  setup = new Setup(this, place("setup"));
  panel = new Panel(place("panel"));

  async begin() {
    speak(this.language);
    service.speak(this.language);
    this.drawFrame();
    this.setup.draw();
    await this.attempt(() => this.learn());
  }

  /** Everything the page knows of the catalogue, in the language at hand. */
  async learn() {
    const { answer } = await service.ask("GET", "v1/editions");
    this.editions = answer.editions;
    this.standing = answer.default;
    this.setup.asked.edition ||= this.standing;
    this.learnt.clear();
    await this.learnEdition(this.setup.asked.edition);
    await this.learnCards();
    this.draw(true);
  }

  async learnEdition(id) {
    if (!this.learnt.has(id)) this.learnt.set(id, (await service.ask("GET", `v1/editions/${id}`)).answer);
  }

  async learnCards() {
    const { answer } = await service.ask("GET", `v1/cards?edition=${this.edition()}`);
    this.cards = new Map(answer.cards.map((each) => [each.id, each]));
  }

  edition() {
    return this.game?.state.edition ?? this.setup.asked.edition ?? this.standing;
  }

  editionTitle(id) {
    return this.editions.find((each) => each.id === id)?.title ?? id;
  }

  /** What an edition says of the Bay. */
  bayTold(id) {
    return this.learnt.get(id)?.switches.find((each) => each.name === "bay")?.value;
  }

  card(id) {
    return this.cards.get(id) ?? { name: id };
  }

  cardName(id) {
    return this.card(id).name;
  }

  playerName(id) {
    return this.game.state.players.find((each) => each.id === id)?.name || id;
  }

  // Asking the service

  /** Do what moves on; a refusal of what was before is of no interest any more. */
  attempt(what) {
    if (!this.busy) place("notice").replaceChildren();
    return this.look(what);
  }

  /** Do what asks the service; one thing at a time, and a refusal is shown. */
  async look(what) {
    if (this.busy) return;
    this.busy = true;
    document.body.classList.add("busy");
    try {
      await what();
      this.again = null;
    } catch (error) {
      if (!(error instanceof service.Refused)) throw error;
      this.again = what;
      this.showRefusal(error);
    } finally {
      this.busy = false;
      document.body.classList.remove("busy");
    }
  }

  create(asked) {
    return this.attempt(async () => this.enter(await Game.create(asked)));
  }

  load(state) {
    return this.attempt(async () => this.enter(await Game.from(state)));
  }

  async enter(game) {
    this.game = game;
    await this.learnCards();
    this.settle(true);
    window.scrollTo(0, 0);
  }

  play(action) {
    return this.attempt(async () => {
      await this.game.play(action);
      this.settle();
    });
  }

  travel(at) {
    if (this.busy) return;
    place("notice").replaceChildren();
    this.game.travel(at);
    this.settle();
  }

  leave() {
    this.game = null;
    place("notice").replaceChildren();
    this.draw();
    place("quick").focus();
  }

  /** The game stands elsewhere: nothing is picked any more, and it is kept for another day. */
  settle(again = false) {
    this.picked.clear();
    this.entered = [];
    Keep.write(SAVED, JSON.stringify(this.game.state));
    this.draw(again);
  }

  /** The state that was kept. */
  saved() {
    try {
      return JSON.parse(Keep.read(SAVED));
    } catch {
      return null;
    }
  }

  /** JSON that somebody wrote. */
  read(text) {
    try {
      return JSON.parse(text);
    } catch {
      this.notify(el("p", {}, t("not_json")));
      return undefined;
    }
  }

  async speak(language) {
    this.language = language;
    choose(language);
    service.speak(language);
    this.drawFrame();
    await this.attempt(async () => {
      await this.learn();
      if (this.game) await this.game.retell();
      this.draw(true);
    });
    this.panel.close();
  }

  // The panel

  showRuling(id) {
    return this.look(async () => {
      const { answer } = await service.ask("GET", `v1/rulings/${encodeURIComponent(id)}`);
      this.panel.open(() => rulingPage(this, answer));
    });
  }

  showCard(id) {
    return this.look(async () => {
      const { answer } = await service.ask("GET", `v1/cards/${encodeURIComponent(id)}?edition=${this.edition()}`);
      this.panel.open(() => cardPage(this, answer));
    });
  }

  showExchange(exchange) {
    this.panel.open(() => exchangePage(exchange));
  }

  // Notices

  notify(...children) {
    const dismiss = () => place("notice").replaceChildren();
    place("notice").replaceChildren(
      el("div", { class: "notice sheet" }, ...children, button(icon("close"), dismiss, { class: "quiet-button closing", "aria-label": t("dismiss") })),
    );
    place("notice").scrollIntoView({ block: "nearest" });
  }

  /** A refusal with all its reasons, and the rulings behind them. */
  showRefusal({ problem, exchange }) {
    if (problem.status === 401) return this.askKey(problem);
    const reasons = problem.violations ?? problem.errors ?? [];
    const told = reasons.map((each) => el("li", {}, each.ruling ? rulingChips(this, [each.ruling]) : null, ` ${each.pointer} `, withRulings(this, each.detail)));
    return this.notify(
      el("p", {}, el("b", {}, `${t("refused")}: ${problem.title || t("offline")}`)),
      told.length ? el("ul", { class: "reasons" }, told) : el("p", {}, withRulings(this, problem.detail ?? "")),
      exchange.status > 0 && button(t("show_exchange"), () => this.showExchange(exchange)),
    );
  }

  askKey(problem) {
    const input = el("input", { type: "password", id: "key", autocomplete: "off" });
    const again = this.again;
    const submit = (event) => {
      event.preventDefault();
      service.useKey(input.value.trim());
      this.attempt(again);
    };
    this.notify(
      el("p", {}, el("b", {}, t("key_wanted")), ` ${problem.detail}`),
      el("form", { class: "line", onsubmit: submit }, el("label", { for: "key" }, t("key")), input, el("button", { type: "submit", class: "main" }, t("key_use"))),
    );
    input.focus();
  }

  // Drawing

  draw(again = false) {
    place("setup").hidden = this.game !== null;
    place("game").hidden = this.game === null;
    this.drawFrame();
    if (!this.game) return this.setup.draw();
    this.drawDecision();
    redraw(place("board"), ...board(this));
    drawLog(this, place("log"), again);
    return undefined;
  }

  drawDecision() {
    drawDecision(this, place("decision"));
  }

  drawFrame() {
    const options = Object.entries(NAMES).map(([id, name]) => el("option", { value: id, lang: id, selected: id === this.language }, name));
    const change = (event) => this.speak(event.target.value);
    redraw(place("top"),
      el("a", { class: "brand", href: "./" }, el("img", { src: "static/playground/kaiju.svg", alt: "", width: 34, height: 34 }), el("span", {}, "Kaijudge"), el("small", {}, t("playground"))),
      el("nav", {},
        this.game && button(t("new_game"), () => this.leave(), { key: "new-game", id: "new-game" }),
        el("a", { href: "docs" }, t("api")),
        el("a", { href: "openapi.yaml" }, "openapi.yaml"),
        el("label", { class: "language" }, el("span", { class: "unseen" }, t("language")), el("select", { id: "language", "data-key": "language", onchange: change }, options)),
      ),
    );
    place("record-title").textContent = t("log");
    if (!this.game) return;
    const { at, steps } = this.game;
    redraw(place("travel"),
      button([icon("undo"), t("undo")], () => this.travel(at - 1), { key: "undo", id: "undo", disabled: at === 0 }),
      button([icon("redo"), t("redo")], () => this.travel(at + 1), { key: "redo", id: "redo", disabled: at === steps.length - 1 }),
    );
  }

  /** Dice for the eye alone. */
  showDice() {
    return ["claw", "3", "heart", "energy", "1", "claw"].map((face, index) => el("span", { class: `die face-${face}${index === 5 ? " green" : ""}` }, sign(face)));
  }
}

new App().begin();
