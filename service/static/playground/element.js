// Elements are made here, and text gets into the page by text nodes only: names come from anywhere.

/** An element; `on…` properties listen, true and false set and leave out, everything else is an attribute. */
export function el(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== false));
  return made;
}

/** A button; `key` is what it is known by when the page is drawn again, so that the focus stays. */
export function button(label, press, { key, ...properties } = {}) {
  return el("button", { type: "button", onclick: press, "data-key": key, ...properties }, label);
}

const PATHS = {
  heart: "M12 21C5 15.5 2 12 2 8.2 2 5.2 4.3 3 7.1 3 9 3 10.900 4 12 5.800 13.100 4 15 3 16.900 3 19.700 3 22 5.200 22 8.200c0 3.800-3 7.300-10 12.800z",
  energy: "M14 1L4 14h6l-2 9 11-14h-6.500z",
  claw: "M4.500 21C4 14 5.500 7.500 9 2c.5 6.500-.7 13-4.500 19zm6 1C10 15 11.500 8 15 2.500c.5 6.500-.7 13.500-4.500 19.500zm6-1c-.5-6 1-11.500 4.500-16.500.5 6-.9 11.500-4.500 16.500z",
  star: "M12 1.800l3.100 6.600 7.100.9-5.200 5 1.300 7.200L12 18l-6.300 3.500L7 14.300l-5.200-5 7.100-.9z",
  poison: "M12 2c4 5.500 7 9 7 13a7 7 0 0 1-14 0c0-4 3-7.500 7-13z",
  shrink: "M3 4.400L4.400 3 9 7.600V4h2v7H4V9h3.600zm18 15.200L19.600 21 15 16.400V20h-2v-7h7v2h-3.600z",
  city: "M3 22V9h5V3h7v7h6v12zm3-10v2h2v-2zm0 4v2h2v-2zm5-10v2h2V6zm0 4v2h2v-2zm0 4v2h2v-2zm5 0v2h2v-2z",
  bay: "M2 9c2.500-2 4.200-2 6.700 0s4.100 2 6.600 0 4.200-2 6.700 0v3c-2.500-2-4.200-2-6.700 0s-4.100 2-6.600 0-4.200-2-6.700 0zm0 7c2.500-2 4.200-2 6.700 0s4.100 2 6.600 0 4.200-2 6.700 0v3c-2.500-2-4.200-2-6.700 0s-4.100 2-6.600 0-4.200-2-6.700 0z",
  outside: "M1 20L8.500 7l4 6.500L15 10l8 10z",
  undo: "M9 4v4h5a6.500 6.500 0 0 1 0 13H6v-3h8a3.500 3.500 0 0 0 0-7H9v4L2 9.500z",
  redo: "M15 4v4h-5a6.500 6.500 0 0 0 0 13h8v-3h-8a3.500 3.500 0 0 1 0-7h5v4l7-5.500z",
  close: "M5 3l7 7 7-7 2 2-7 7 7 7-2 2-7-7-7 7-2-2 7-7-7-7z",
  code: "M8 5l2 2-5 5 5 5-2 2-7-7zm8 0l7 7-7 7-2-2 5-5-5-5z",
  crown: "M2 6l5.500 5L12 3l4.500 8L22 6l-2 14H4z",
};
const SVG = "http://www.w3.org/2000/svg";

/** A sign; the words beside it say what it means, so readers of the screen are spared it. */
export function icon(name) {
  const drawn = document.createElementNS(SVG, "svg");
  for (const [key, value] of [["viewBox", "0 0 24 24"], ["class", `icon icon-${name}`], ["aria-hidden", "true"]]) {
    drawn.setAttribute(key, value);
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  drawn.append(path);
  return drawn;
}

/** Draw a part of the page again; what had the focus gets it back, or else the main button there. */
export function redraw(place, ...children) {
  const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const held = focused !== null;
  place.replaceChildren(...children.flat().filter(Boolean));
  if (!held) return;
  const same = focused && [...place.querySelectorAll("[data-key]")].find((each) => each.dataset.key === focused);
  (same || place.querySelector("button.main:not([disabled])") || place.querySelector("button:not([disabled])"))?.focus({ preventScroll: true });
}
