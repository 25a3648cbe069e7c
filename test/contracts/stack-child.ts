/**
 * Measures, in a process that was started with flags of the compiler, what contracts take of the host's stack: every way
 * of going down at four levels, with functions of the ledger innermost. Started by `host-stack.test.ts`, which judges.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import type { BuiltIn, ContractEngine, ContractValue } from '@symbolon/core/ledger/terms/engine';
import { hostStackBytes } from '@symbolon/ledger-node/contracts/host-stack';
import { richest } from '@symbolon/ledger-node/testing/people';
import { builtInCalls, nameOfCall } from './built-in-calls.ts';
import { contractsInState } from './contracts-in-state.ts';
import { tellParent } from './tell-parent.ts';
import { contractGoingDown, type Way, waysOfRecursing } from './ways-of-recursing.ts';

export interface StackReport {
  /** What the process has. */
  readonly stackBytes: number;
  /** Of each way: how deep it goes, and what four levels of it take. */
  readonly ways: readonly { readonly name: string; readonly depth: number; readonly bytes: number }[];
  /** How each call ended when little lay above it, and at the bottom of the ways that take most. */
  readonly calls: readonly {
    readonly call: string;
    readonly shallow: string;
    readonly three: readonly string[];
    readonly four: readonly string[];
  }[];
  /** If every way was asked for: all that came of each call at the bottom of each, with its gas. */
  readonly receipts: readonly string[];
  /** Functions that a contract has and no call is made of. */
  readonly missing: readonly string[];
}

/** Besides the way that takes most: the usual one, and the one that goes through the host itself. */
const waysForCalls = ['a function', 'arguments of the ledger'];
/** Makes the calls at the bottom of all of them, too. */
const isEveryWay = process.argv.includes('--every-way');
/** Finds out anew how deep each way goes: a number of the protocol, the same on every machine. */
const isRecording = process.argv.includes('--record');
const depthsFile = new URL('./deepest-ways.json', import.meta.url);
const depthsOfWays = isRecording
  ? {}
  : (JSON.parse(readFileSync(depthsFile, 'utf8')) as Record<string, number>);

let bytesLeft = Number.POSITIVE_INFINITY;
const measure: BuiltIn = (): ContractValue => {
  bytesLeft = Math.min(bytesLeft, hostStackBytes());
  return true;
};

const names = new Set<string>();
const watched = (engine: ContractEngine): ContractEngine => ({
  run: (given) => {
    for (const name of given.builtIns) names.add(name);
    return engine.run(given);
  },
});
const { deploy, call: callWithGas } = await contractsInState(({ utils, engine }) => ({
  utils: new Map([...utils, ['Utils.hexToDec', measure]]),
  engine: watched(engine),
}));
const call = (address: string, input: string): string => callWithGas(address, input).text;

const answering = deploy(contractGoingDown({ body: 'leaf();' }, '"answer"'));
const publicKey = richest.publicKey;
const calls = builtInCalls({ target: answering, publicKey });
/** Says in its exception what the call gave. */
const table = `const calls = [${calls.map((text) => `function () { return ${text}; }`).join(',\n')}];`;
const tellingLeaf = 'Utils.assert(false, "gave " + JSON.stringify([calls[Number(word)]()]))';

const measuringLeaf = 'Utils.hexToDec("1")';

const bottomOf = (way: Way) => deploy(contractGoingDown({ ...way, before: table }, tellingLeaf));

const callOf = (address: string, input: string) =>
  `Chain.contractCall("${address}", true, "0", ${JSON.stringify(input)} + word)`;

/** The deepest at which every call still finds what it needs of the contract's own stack. */
function deepest(address: string, word: string): number {
  let [low, high] = [1, 4_000];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (call(address, `${middle} ${word}`).startsWith('155')) high = middle;
    else low = middle;
  }
  return low;
}

function findDepth(way: Way): number {
  const hungriest = calls.findIndex((text) => text.startsWith('Utils.log('));
  const bottom = deepest(bottomOf(way), String(hungriest));
  return Math.min(bottom, deepest(deploy(contractGoingDown(way, callOf(answering, '1 '))), 'x'));
}

/** Contracts of one way on top of each other; the uppermost of each height. */
function tower(way: Way, bottom: string, depth: number): Readonly<Record<2 | 3 | 4, string>> {
  const on = (below: string) => deploy(contractGoingDown(way, callOf(below, `${depth} `)));
  const second = on(bottom);
  const third = on(second);
  return { 2: second, 3: third, 4: on(third) };
}

const stackBytes = hostStackBytes();
const ways: { name: string; depth: number; bytes: number }[] = [];
for (const [name, way] of Object.entries(waysOfRecursing)) {
  const depth = isRecording ? findDepth(way) : depthsOfWays[name];
  const { 4: uppermost } = tower(way, deploy(contractGoingDown(way, measuringLeaf)), depth);
  bytesLeft = Number.POSITIVE_INFINITY;
  const outcome = call(uppermost, `${depth} measure`);
  if (!outcome.startsWith('0 ')) throw new Error(`${name}: ${outcome}`);
  ways.push({ name, depth, bytes: stackBytes - bytesLeft });
}
if (isRecording) {
  const table = Object.fromEntries(ways.map(({ name, depth }) => [name, depth]));
  writeFileSync(depthsFile, `${JSON.stringify(table, undefined, 2)}\n`);
}

const withoutPlaces = (text: string) => text.replace(/ZTX3\w+/g, 'ZTX3').replace(/"linenum":\d+/, '');
const shallow = bottomOf({ body: 'leaf();' });
const [most] = ways.toSorted((left, right) => right.bytes - left.bytes);
const towerOf = ({ name, depth }: { name: string; depth: number }) => {
  const way = waysOfRecursing[name];
  return { depth, ...tower(way, bottomOf(way), depth) };
};
const towers = ways.filter((way) => way === most || waysForCalls.includes(way.name)).map(towerOf);
const told = calls.map((text, index) => {
  const under = (height: 3 | 4) =>
    towers.map(({ depth, [height]: at }) => withoutPlaces(call(at, `${depth} ${index}`)));
  // The deepest first: nothing must have been found out, or compiled, before.
  const four = under(4);
  const three = under(3);
  return { call: text, shallow: withoutPlaces(call(shallow, `1 ${index}`)), three, four };
});

/** A tower after the other, because only so many contracts are kept compiled. */
const receiptsOf = (way: { name: string; depth: number }): string[] => {
  const { depth, 4: uppermost } = towerOf(way);
  return calls.map((text, index) => {
    const { text: outcome, gas } = callWithGas(uppermost, `${depth} ${index}`);
    return `${way.name} · ${text} · ${outcome} · ${gas}`;
  });
};
const receipts = isEveryWay ? ways.flatMap(receiptsOf) : [];

const called = new Set(calls.map(nameOfCall));
const missing = [...names].filter((name) => name.includes('.') && !called.has(name));
tellParent({ stackBytes, ways, calls: told, receipts, missing } satisfies StackReport);
