// Requests to the service that the page came from. Each is kept with its answer, for the page can show it.

import { Keep } from "./keep.js";

const KEY = "kaijudge.key";
const TAB = "sessionStorage"; // a key is kept for as long as the tab is open, and no longer
const PLACEHOLDER = "$KAIJUDGE_KEY"; // what is copied goes anywhere, so no key is in it

let language = "en";
let key = Keep.read(KEY, TAB) ?? "";

export function speak(asked) {
  language = asked;
}

export function useKey(told) {
  key = told;
  Keep.write(KEY, told, TAB);
}

/** A problem document (RFC 9457), or what stands for one when there was no answer. */
export class Refused extends Error {
  constructor(problem, exchange) {
    super(problem.title);
    this.problem = problem;
    this.exchange = exchange;
  }
}

/** Ask, and give the exchange: the request and the answer. */
export async function ask(method, path, body) {
  const exchange = { method, path, language, body, keyed: key !== "", status: 0, answer: null };
  const headers = { Accept: "application/json, application/problem+json", "Accept-Language": language };
  if (key) headers.Authorization = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    exchange.answer = await response.json();
  } catch {
    throw new Refused({ status: response?.status ?? 0, title: "", detail: "" }, exchange);
  }
  exchange.status = response.status;
  if (!response.ok) throw new Refused(exchange.answer, exchange);
  return exchange;
}

/** The same request as a line for a shell. */
export function curl(exchange) {
  const parts = [`curl ${quoted(new URL(exchange.path, document.baseURI).href)}`];
  parts.push(`-H ${quoted(`Accept-Language: ${exchange.language}`)}`);
  if (exchange.keyed) parts.push(`-H "Authorization: Bearer ${PLACEHOLDER}"`);
  if (exchange.body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `--data-raw ${quoted(JSON.stringify(exchange.body))}`);
  }
  return parts.join(" \\\n  ");
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
