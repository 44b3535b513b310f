// A game: where it started, and every step since. The service keeps nothing for us; each step has its whole state.

import { ask } from "./service.js";

const TOLD = "?include=legal_actions&messages=true";

export class Game {
  /** `start` is what a replay begins with: the game as asked for, or a state. */
  constructor(start, first) {
    this.start = start;
    this.steps = [first];
    this.at = 0;
  }

  static async create(asked) {
    const exchange = await ask("POST", `v1/games${TOLD}`, asked);
    const seed = exchange.answer.state.secrets?.seed;
    return new Game({ game: seed ? { ...asked, seed } : asked }, stepOf(null, exchange));
  }

  /** A game that goes on from a state, of which nothing is known but that. */
  static async from(state) {
    const exchange = await ask("POST", "v1/legal-actions", { state });
    const first = { action: null, state, legal: exchange.answer.actions, events: [], exchange };
    return new Game({ state }, first);
  }

  get step() {
    return this.steps[this.at];
  }

  get state() {
    return this.step.state;
  }

  /** Send an action; steps that were taken back before are forgotten. */
  async play(action) {
    const { at } = this;
    const exchange = await ask("POST", `v1/adjudicate${TOLD}`, { state: this.state, action });
    this.steps.splice(at + 1, Infinity, stepOf(action, exchange));
    this.at = at + 1;
  }

  /** Be at another step; the state there is all that is needed to go on from it. */
  travel(at) {
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
  }

  /** Have all that happened told in another language: the same game again gives the same events. */
  async retell() {
    const actions = this.steps.slice(1).map((each) => each.action);
    const { answer } = await ask("POST", "v1/replay?messages=true", { ...this.start, actions });
    let from = 0;
    for (const step of this.steps) {
      const count = step.events.length;
      step.events = answer.events.slice(from, from + count);
      from += count;
    }
  }
}

function stepOf(action, exchange) {
  const { state, events, legal_actions: legal } = exchange.answer;
  return { action, state, legal, events, exchange };
}
