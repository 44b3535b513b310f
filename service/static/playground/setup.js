// A game to be set up: what is asked for, and the form that asks.

import { initial } from "./board.js";
import { button, el, redraw } from "./element.js";
import { t } from "./words.js";

const NAMES = ["Ann", "Bob", "Cora", "Dan", "Eva", "Fred"];
const MOST = NAMES.length;
const LEAST = 2;

export class Setup {
  constructor(app, place) {
    this.app = app;
    this.place = place;
    this.asked = { edition: "", names: NAMES.slice(0, LEAST), dice: "server", bay: "", first: "", seed: "" };
  }

  /** What is sent: only what differs from what the service does by itself. */
  request() {
    const { edition, names, dice, bay, first, seed } = this.asked;
    const options = { ...(dice === "client" && { dice }), ...(bay && { bay: bay === "on" }) };
    // Nobody can roll for the first turn before the game is there, so real dice need somebody who begins.
    const begins = first || (dice === "client" ? "p1" : "");
    return {
      ...(edition && { edition }),
      players: names.map((name, index) => ({ id: `p${index + 1}`, ...(name.trim() && { name: name.trim() }) })),
      ...(begins && { first_player: begins }),
      ...(seed && { seed }),
      ...(Object.keys(options).length && { options }),
    };
  }

  draw() {
    const { app } = this;
    const quick = { players: NAMES.slice(0, LEAST).map((name, index) => ({ id: `p${index + 1}`, name })) };
    redraw(this.place,
      el("section", { class: "hero" },
        el("div", { class: "hero-words" },
          el("h1", {}, t("welcome")), el("p", {}, t("about")),
          el("div", { class: "buttons" },
            button(t("quick"), () => app.create(quick), { key: "quick", class: "main big", id: "quick" }),
            app.saved() && button(t("continue"), () => app.load(app.saved()), { key: "continue", class: "big", id: "continue" }),
          ),
        ),
        el("div", { class: "hero-dice", "aria-hidden": "true" }, app.showDice()),
      ),
      this.form(),
      this.fromState(),
    );
  }

  form() {
    const submit = (event) => {
      event.preventDefault();
      this.app.create(this.request());
    };
    return el("form", { class: "sheet", id: "own-table", onsubmit: submit },
      el("h2", {}, t("own_table")),
      el("div", { class: "fields" },
        el("div", { class: "field players-field" }, el("span", { class: "label" }, t("players")), this.players()),
        el("div", { class: "field" },
          this.choice("edition", t("edition"), this.app.editions.map((each) => [each.id, each.title])),
          this.choice("dice", t("dice_by"), [["server", t("dice_server")], ["client", t("dice_client")]]),
        ),
        el("div", { class: "field" },
          this.choice("bay", t("bay"), [["", t("bay_default")], ["on", t("bay_on")], ["off", t("bay_off")]], this.app.bayTold(this.asked.edition)),
          this.choice("first", t("begins"), [
            ...(this.asked.dice === "client" ? [] : [["", t("begins_rules")]]),
            ...this.asked.names.map((name, index) => [`p${index + 1}`, name || `p${index + 1}`]),
          ]),
          this.seed(),
        ),
      ),
      el("div", { class: "buttons" }, el("button", { type: "submit", class: "main", "data-key": "start" }, t("start"))),
    );
  }

  players() {
    const { names } = this.asked;
    const rows = names.map((name, index) => {
      const label = t("player_name", { number: index + 1 });
      const input = el("input", { value: name, maxlength: 64, autocomplete: "off", "aria-label": label, "data-key": `name-${index}` });
      const mark = el("span", { class: `badge seat-${index}`, "aria-hidden": "true" }, initial(name));
      input.addEventListener("input", () => {
        names[index] = input.value;
        mark.textContent = initial(input.value);
        const option = this.place.querySelector(`select[name=first] option[value=p${index + 1}]`);
        option.textContent = input.value || option.value;
      });
      const remove = () => {
        names.splice(index, 1);
        this.drawForm();
      };
      const removing = button("×", remove, { class: "quiet-button", "aria-label": t("remove_player", { name: name || label }) });
      return el("div", { class: "name-row" }, mark, input, names.length > LEAST && removing);
    });
    const add = () => {
      names.push(NAMES.find((each) => !names.includes(each)) ?? "");
      this.drawForm();
    };
    return [...rows, names.length < MOST && button(t("add_player"), add, { key: "add-player", class: "add" })];
  }

  choice(name, label, options, hint) {
    const given = options.map(([value, words]) => el("option", { value, selected: value === this.asked[name] }, words));
    const choose = (event) => {
      this.asked[name] = event.target.value;
      if (name === "edition") this.app.learnEdition(this.asked.edition).then(() => this.drawForm());
      this.drawForm();
    };
    return el("label", {}, el("span", { class: "label" }, label),
      el("select", { name, onchange: choose, "data-key": name }, given), hint && el("small", { class: "hint" }, hint));
  }

  seed() {
    const input = el("input", { name: "seed", value: this.asked.seed, autocomplete: "off", "data-key": "seed" });
    input.addEventListener("input", () => { this.asked.seed = input.value; });
    return el("label", {}, el("span", { class: "label" }, t("seed")), input, el("small", { class: "hint" }, t("seed_hint")));
  }

  drawForm() {
    const { first, names } = this.asked;
    if (Number(first.slice(1)) > names.length) this.asked.first = "";
    redraw(this.place.querySelector("#own-table"), ...this.form().childNodes);
  }

  fromState() {
    const area = el("textarea", { rows: 4, spellcheck: "false", "aria-label": t("state_hint") });
    const load = () => {
      const state = this.app.read(area.value);
      if (state !== undefined) this.app.load(state);
    };
    return el("details", { class: "sheet from-state" }, el("summary", {}, t("from_state")),
      el("p", { class: "hint" }, t("state_hint")), area, el("div", { class: "buttons" }, button(t("load"), load)));
  }
}
