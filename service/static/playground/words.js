// The page's own words. Names of cards, messages and rulings come from the service, in the same language.

import { Keep } from "./keep.js";
import cs from "./words/cs.js";
import en from "./words/en.js";
import hu from "./words/hu.js";
import pl from "./words/pl.js";

export const WORDS = { en, cs, hu, pl };
export const NAMES = { en: "English", cs: "Čeština", hu: "Magyar", pl: "Polski" };
const KEPT = "kaijudge.language";

let spoken = "en";

/** The language chosen before, else the browser's, else English. */
export function preferred() {
  const known = [Keep.read(KEPT), ...navigator.languages].map((each) => each?.slice(0, 2).toLowerCase());
  return known.find((each) => Object.hasOwn(WORDS, each)) ?? "en";
}

export function speak(language) {
  spoken = language;
  document.documentElement.lang = language;
  document.title = t("title");
}

export function choose(language) {
  Keep.write(KEPT, language);
  speak(language);
}

/** A text with its values filled in: t("turn", {number: 3}). */
export function t(name, values = {}) {
  return WORDS[spoken][name].replace(/{(\w+)}/g, (_, each) => values[each] ?? "");
}

/** Whether there is a text of this name: kinds and types may come that this page does not know yet. */
export function known(name) {
  return Object.hasOwn(WORDS[spoken], name);
}
