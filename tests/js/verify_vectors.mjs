// Recomputes the published vectors of chance, and what chance did in revealed games: node verify_vectors.mjs [FILE…]
// Written from SECURITY.md, "How chance is computed", alone. A FILE is a revealed game, or a file of vectors.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const FACES = ["1", "2", "3", "energy", "claw", "heart"];
const GOLDEN = new URL("../golden/", import.meta.url);
const failures = [];
let compared = 0;

function* bytesOf(seed, purpose, draw) {
  for (let block = 0; ; block += 1) yield* blockOf(seed, purpose, draw, block);
}

function blockOf(seed, purpose, draw, block) {
  const key = Buffer.from(seed, "utf8");
  return createHmac("sha256", key).update(`kaijudge/1 ${purpose} ${draw} ${block}`, "utf8").digest();
}

function dice(seed, draw, count) {
  const bytes = bytesOf(seed, "dice", draw);
  return Array.from({ length: count }, () => FACES[remainder(bytes, 6)]);
}

function shuffled(seed, draw, pile) {
  const bytes = bytesOf(seed, "shuffle", draw);
  const cards = [...pile];
  for (let i = cards.length - 1; i >= 1; i -= 1) {
    const j = remainder(bytes, i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

// The remainder of the first byte that is below the largest multiple of `by` up to 256.
function remainder(bytes, by) {
  const fair = Math.floor(256 / by) * by;
  let { value } = bytes.next();
  while (value >= fair) ({ value } = bytes.next());
  return value % by;
}

function commitment(server) {
  return createHash("sha256").update(`kaijudge/commit/1 ${server}`, "utf8").digest("hex");
}

function seedOf(server, client) {
  return client === undefined || client === null ? server : `${server}:${client}`;
}

function compare(what, told, computed) {
  compared += 1;
  if (JSON.stringify(told) === JSON.stringify(computed)) return;
  failures.push(`${what}: told ${JSON.stringify(told)}, computed ${JSON.stringify(computed)}`);
}

function verifyVectors(file, told) {
  for (const [n, each] of told.blocks.entries()) {
    compare(`${file} block ${n}`, each.hex, blockOf(each.seed, each.purpose, each.draw, each.block).toString("hex"));
  }
  for (const [n, each] of told.dice.entries()) {
    compare(`${file} dice ${n}`, each.dice, dice(each.seed, each.draw, each.dice.length));
  }
  for (const [n, each] of told.shuffles.entries()) {
    compare(`${file} shuffle ${n}`, each.cards, shuffled(each.seed, each.draw, each.pile));
  }
  for (const [n, each] of told.commitments.entries()) {
    compare(`${file} commitment ${n}`, each.commitment, commitment(each.seed));
  }
  for (const [n, each] of told.seeds.entries()) {
    compare(`${file} seed ${n}`, each.seed, seedOf(each.server, each.client_seed));
  }
}

function verifyGame(file, told) {
  const seed = seedOf(told.seed, told.client_seed);
  compare(`${file} commitment`, told.commitment, commitment(told.seed));
  compare(`${file} deck`, told.deck, shuffled(seed, 0, [...told.deck].sort(byBytes)));
  for (const [n, each] of told.rolls.entries()) {
    compare(`${file} roll ${n}`, each.dice, dice(seed, each.draw, each.dice.length));
  }
  for (const [n, each] of told.reshuffles.entries()) {
    compare(`${file} reshuffle ${n}`, each.cards, shuffled(seed, each.draw, each.pile));
  }
  // No draw is left out, none made twice: dice nobody liked cannot have been thrown away.
  const draws = [...told.rolls, ...told.reshuffles].map((each) => each.draw).sort((a, b) => a - b);
  compare(`${file} numbers of the draws`, draws, Array.from(draws, (_, n) => n + 1));
}

function byBytes(one, other) {
  return Buffer.compare(Buffer.from(one, "utf8"), Buffer.from(other, "utf8"));
}

const named = process.argv.slice(2);
const files = named.length ? named : [new URL("rng_vectors.json", GOLDEN), new URL("revealed.json", GOLDEN)];
for (const file of files) {
  const told = JSON.parse(readFileSync(file, "utf8"));
  ("blocks" in told ? verifyVectors : verifyGame)(String(file), told);
}
for (const failure of failures) console.error(failure);
console.log(`${compared} compared, ${failures.length} wrong`);
process.exitCode = failures.length ? 1 : 0;
