/**
 * Contract programs made up by chance, the same for the same seed: what computes, what recurses, what asks the ledger
 * and what calls contracts made before, in every mixture. All pass the syntax check; how they end is not foreseen.
 */
import { keyFormat, richest } from '@symbolon/ledger-node/testing/people';
import type { Random } from '../crash/seeded-random.ts';
import { createRandom } from '../crash/seeded-random.ts';
import { builtInCalls } from './built-in-calls.ts';
import { addressOfContract } from './contracts-in-state.ts';
import { contractGoingDown, waysOfRecursing } from './ways-of-recursing.ts';

export interface Program {
  readonly code: string;
  readonly input: string;
}

const wayNames = Object.keys(waysOfRecursing);

/** Statements that change `x`, a text or a number, and never end by themselves alone. */
const computing: readonly ((random: Random) => string)[] = [
  (random) => `x = [3, 1, ${random.below(99)}, x].sort().join();`,
  (random) =>
    `x = JSON.stringify({ a: [x, ${random.below(9)}], b: { c: x } }).slice(0, ${random.below(400)});`,
  (random) => `x = String(x).replace(/(\\d)\\1?/g, "<$1>").slice(0, ${random.below(300)});`,
  (random) =>
    `x = String(x).split("").map(function (c) { return c.charCodeAt(0) % ${1 + random.below(90)}; }).join("");`,
  (random) =>
    `i = 0; while (i < ${random.below(300)}) { i += 1; x = (String(x) + i * 7919 % 1000).slice(-200); }`,
  (random) =>
    `x = new Map([[1, x], [2, ${random.below(50)}]]).size + String(x).length * ${random.below(7)}.5;`,
  (random) =>
    `x = "${'ab\\u00e9\\ud83d\\ude00'.repeat(1 + random.below(3))}".normalize().repeat(${random.below(200)}).length + ":" + x;`,
  (random) => `x = Number(String(x).length) / ${random.below(12)} + 0.1 * ${random.below(9)};`,
  (random) =>
    `x = [..."${'word '.repeat(1 + random.below(5))}"].reverse().join("") + String(x).slice(0, 20);`,
  (random) => `x = /^(a+)+$/.test("a".repeat(${random.below(26)}) + "b") + String(x).slice(0, 30);`,
  (random) => `x = "y".repeat(${random.pick([10, 1_000, 100_000, 20_000_000])}).length;`,
  () => `x = Object.entries({ b: x, a: 1, 2: 3 }).flat().join("|");`,
  () => `x = [1.5, -0, NaN, 1e21, x].map(String).join();`,
];

/** Where the contracts of the programs are, by their number. */
type AddressOf = (index: number) => string;

interface Making {
  readonly random: Random;
  readonly addressOf: AddressOf;
  readonly asking: readonly string[];
}

function statement({ random, addressOf, asking }: Making, index: number): string {
  const kind = random.below(10);
  if (kind < 6) return random.pick(computing)(random);
  if (kind < 8) return `x = String(x).slice(0, 50) + JSON.stringify([${random.pick(asking)}]);`;
  if (index === 0 || kind === 8) return `Chain.store("k${random.below(3)}", String(x).slice(0, 900) + "!");`;
  const other = addressOf(random.below(index));
  const input = `${random.below(900)} x`;
  return random.chance(0.5)
    ? `x = JSON.stringify(Chain.contractQuery("${other}", "${input}"));`
    : `x = String(Chain.contractCall("${other}", true, "0", "${input}"));`;
}

function program(making: Making, index: number): Program {
  const { random, addressOf, asking } = making;
  if (index > 0 && random.chance(0.3)) {
    const leaf = random.chance(0.6)
      ? `Chain.contractCall("${addressOf(random.below(index))}", true, "0", "${random.below(850)} x")`
      : random.pick(asking);
    const code = contractGoingDown(waysOfRecursing[random.pick(wayNames)], leaf);
    return { code, input: `${random.pick([1, 30, 60, 200, 400, 840, 900])} x` };
  }
  const body = Array.from({ length: 1 + random.below(6) }, () => statement(making, index)).join('\n  ');
  const code = `"use strict";
function run(input) {
  let x = input;
  let i = 0;
  ${body}
  return String(x).slice(0, 500) + i;
}
function init(input) { return true; }
function main(input) { return run(input); }
function query(input) { return String(input).length > ${random.below(9)} ? run(input) : "short"; }
`;
  return {
    code,
    input: random.pick(['', '5', 'text', '120 x', 'gr\u00fc\u00dfe', keyFormat.addressOfText('x')]),
  };
}

export function randomPrograms(
  seed: number,
  count: number,
  addressOf: AddressOf = addressOfContract,
): readonly Program[] {
  const asking = builtInCalls({ target: addressOf(0), publicKey: richest.publicKey });
  const making = { random: createRandom(seed), addressOf, asking };
  return Array.from({ length: count }, (_, index) => program(making, index));
}
