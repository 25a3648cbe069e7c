/**
 * Measures, in a process that was started with flags of the compiler, what contracts take of the host's stack: every way
 * of going down at four levels, with functions of the ledger innermost. Started by `host-stack.test.ts`, which judges.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { create } from '@bufbuild/protobuf';
import type { BuiltIn, ContractEngine, ContractValue } from '@symbolon/core/ledger/contracts/engine';
import { newAccount, StateLayer } from '@symbolon/core/ledger/state';
import { ContractSchema } from '@symbolon/core/proto/ledger_pb';
import type { Chain } from '@symbolon/ledger-node/chain';
import { hostStackBytes } from '@symbolon/ledger-node/host-stack';
import { callContract } from '@symbolon/ledger-node/sandbox/contract-sandbox';
import { keyFormat, richest } from '@symbolon/ledger-node/testing/people';
import { openTestChain, testRules } from '@symbolon/ledger-node/testing/test-chain';
import { builtInCalls, nameOfCall } from './built-in-calls.ts';
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
  /** Functions that a contract has and no call is made of. */
  readonly missing: readonly string[];
}

/** Besides the way that takes most: the usual one, and the one that goes through the host itself. */
const waysForCalls = ['a function', 'arguments of the ledger'];
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

const rules = testRules();
const { engine } = rules.contracts;
const names = new Set<string>();
const watched: ContractEngine = {
  run: (given) => {
    for (const name of given.builtIns.keys()) names.add(name);
    return engine.run(given);
  },
};
const utils = new Map([...rules.contracts.utils, ['Utils.hexToDec', measure]]);
const made = await openTestChain();
/** Contracts are put into the state as if they had been made: what making them takes is not measured here. */
const state = new StateLayer(made.state);
const chain = {
  rules: { ...rules, contracts: { ...rules.contracts, utils, engine: watched } },
  head: made.head,
  state,
  nextBlock: (closeTime: bigint) => made.nextBlock(closeTime),
} as unknown as Chain;
let contracts = 0;

function deploy(code: string): string {
  const findings = chain.rules.contracts.checkSyntax(code);
  if (findings.length > 0) throw new Error(JSON.stringify(findings));
  contracts += 1;
  const address = keyFormat.addressOfText(`contract ${contracts}`);
  state.putAccount({
    ...newAccount(address, 1_000_000n),
    contract: create(ContractSchema, { payload: code }),
  });
  return address;
}

/** How a call ends: its code, and the exception or whatever else it says. */
function call(contractAddress: string, input: string): string {
  const request = {
    contractAddress,
    code: '',
    input,
    entry: 'main',
    sourceAddress: richest.address,
  } as const;
  const run = callContract({ ...request, contractBalance: 0n, feeLimit: 0n, gasPrice: 0n }, chain);
  if ('refusal' in run) return `${run.refusal.code} ${run.refusal.description}`;
  const failure = run.simulated?.failure;
  return failure ? `${failure.code} ${failure.description}` : '0';
}

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
  if (outcome !== '0') throw new Error(`${name}: ${outcome}`);
  ways.push({ name, depth, bytes: stackBytes - bytesLeft });
}
if (isRecording) {
  const table = Object.fromEntries(ways.map(({ name, depth }) => [name, depth]));
  writeFileSync(depthsFile, `${JSON.stringify(table, undefined, 2)}\n`);
}

const withoutPlaces = (text: string) => text.replace(/ZTX3\w+/g, 'ZTX3').replace(/"linenum":\d+/, '');
const shallow = bottomOf({ body: 'leaf();' });
const [most] = ways.toSorted((left, right) => right.bytes - left.bytes);
const chosen = ways.filter((way) => way === most || waysForCalls.includes(way.name));
const towers: ({ readonly depth: number } & Readonly<Record<2 | 3 | 4, string>>)[] = [];
for (const { name, depth } of chosen) {
  const way = waysOfRecursing[name];
  towers.push({ depth, ...tower(way, bottomOf(way), depth) });
}
const told = calls.map((text, index) => {
  const under = (height: 3 | 4) =>
    towers.map(({ depth, [height]: at }) => withoutPlaces(call(at, `${depth} ${index}`)));
  // The deepest first: nothing must have been found out, or compiled, before.
  const four = under(4);
  const three = under(3);
  return { call: text, shallow: withoutPlaces(call(shallow, `1 ${index}`)), three, four };
});

const called = new Set(calls.map(nameOfCall));
const missing = [...names].filter((name) => name.includes('.') && !called.has(name));
process.send?.({ stackBytes, ways, calls: told, missing } satisfies StackReport);
process.disconnect?.();
