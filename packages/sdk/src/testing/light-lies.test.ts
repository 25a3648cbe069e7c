/**
 * What nodes that lie tell a light client, and what it says to that: a table of answers as they come over the wire, each
 * with one thing in it that is not to be believed, and the one function that puts a client to a row of it, in Node and in
 * a browser. It has the ending of a test, though it holds none, because only tests may know the node.
 */
import type { TestContext } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { LightBlock } from '@symbolon/core/light/light-block';
import type { LightRefusalName } from '@symbolon/core/light/light-verification';
import {
  falseAnchors,
  forgedBlocks,
  four,
  honestChain,
  terms,
  trusted,
} from '@symbolon/core/light/testing/forged-blocks';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import type { SdkErrorCode } from '../errors/error-words.ts';
import { createLightClient } from '../light/light-client.ts';
import type { TrustAnchor } from '../light/trust-anchor.ts';
import type { Transport } from '../transport/transport.ts';
import { lightBlockJson } from './light-block-json.ts';
import { anchorOf, openTestNetwork, showing } from './test-network.test.ts';

/** A question to a node, every answer of that node, and what the light client makes of them. Nothing in it but JSON. */
export interface LightCase {
  readonly what: string;
  /** A block with this number, or an account. */
  readonly asks: { readonly header: string } | { readonly account: string };
  readonly anchor: { readonly chainId: string; readonly seq: string; readonly hash: string };
  readonly trustingPeriodMs: number;
  readonly nowMs: number;
  /** By path and query; whatever is not here the node does not know. */
  readonly answers: Readonly<Record<string, JsonValue>>;
  /** The name of a block's refusal, the code of another error, or that it was believed. */
  readonly says: LightRefusalName | SdkErrorCode | 'believed';
}

/** Asks a node, and answers what the light client says. It runs in browsers too, so it knows nothing of its surroundings. */
export async function putLightClientTo(
  create: typeof createLightClient,
  node: Transport,
  { asks, anchor, trustingPeriodMs, nowMs }: LightCase,
): Promise<string> {
  const trust = { anchor: { ...anchor, seq: BigInt(anchor.seq) }, trustingPeriodMs, now: () => nowMs };
  const light = create({ ...trust, nodes: [node], waitMs: 10, pollIntervalMs: 5 });
  try {
    await ('account' in asks ? light.account(asks.account) : light.header(BigInt(asks.header)));
    return 'believed';
  } catch (error) {
    const { code, refusal } = error as { code?: string; refusal?: { name: string } };
    return refusal?.name ?? code ?? String(error);
  }
}

/** What a node says of what it does not know. */
export const unknownToNode: JsonObject = { error_code: 4, error_desc: 'not known' };

/** The node of a row. */
export const nodeOfCase =
  ({ answers }: LightCase): Transport =>
  async (_, path) =>
    path in answers ? (answers[path] as JsonValue) : unknownToNode;

const blockPath = (seq: bigint): string => `/getLightBlock?seq=${seq}`;
const blockAnswer = (block: LightBlock): JsonObject => ({ error_code: 0, result: lightBlockJson(block) });
const answersOf = (blocks: readonly LightBlock[]): Record<string, JsonValue> =>
  Object.fromEntries(blocks.map((block) => [blockPath(block.header.height), blockAnswer(block)]));

const textOfAnchor = ({ chainId, seq, hash }: TrustAnchor) => ({
  chainId,
  seq: String(seq),
  hash,
});

const honestHeader: LightCase = {
  what: 'a block far away',
  asks: { header: String(honestChain.at(-1)?.header.height) },
  anchor: textOfAnchor(anchorOf(trusted)),
  trustingPeriodMs: terms.trustingPeriodMs,
  nowMs: terms.nowMs,
  answers: answersOf(honestChain),
  says: 'believed',
};

/** What a client finds before it comes to what is wrong with the block: it has asked for a number, and reads text. */
const foundBefore: Readonly<Record<string, LightCase['says']>> = {
  'a block of the same height': 'unexpectedReply',
  'a block of a lower height': 'unexpectedReply',
  'a block without validators': 'unexpectedReply',
  'a block with a validator without power': 'unexpectedReply',
  'an anchor that is another block': 'unexpectedReply',
  'an anchor that is another height': 'unexpectedReply',
  // It halves the way, until only the block before is left.
  'a block of strangers, far away': 'otherNextValidators',
  'a block with exactly a third in common': 'otherNextValidators',
};
const refusal = (what: string, name: LightRefusalName) => ({ what, says: foundBefore[what] ?? name });

/** Each forged block in the place of the one that is asked for. */
const blockLies: readonly LightCase[] = forgedBlocks.map(([what, block, name]) => {
  const first = trusted.header.height + 1n;
  const seq = block.header.height > first ? block.header.height : first;
  return {
    ...honestHeader,
    ...refusal(`a block ${what}`, name),
    asks: { header: String(seq) },
    answers: { ...honestHeader.answers, [blockPath(seq)]: blockAnswer(block) },
  };
});

const anchorLies: readonly LightCase[] = falseAnchors.map(
  ([what, { chainId, height, hash }, block, name]) => ({
    ...honestHeader,
    ...refusal(`an anchor that is ${what}`, name),
    anchor: { chainId, seq: String(height), hash: encodeHex(hash) },
    answers: { ...honestHeader.answers, [blockPath(height)]: blockAnswer(block) },
  }),
);

const { seconds, nanos } = trusted.header.time;
const anchorMs = Number(seconds) * 1_000 + Math.ceil(nanos / 1_000_000);
const staleTrust: readonly LightCase[] = [
  ['the moment after the trusting period', anchorMs + terms.trustingPeriodMs],
  ['a day after the trusting period', anchorMs + terms.trustingPeriodMs + 86_400_000],
].map(([when, nowMs]) => ({
  ...honestHeader,
  what: `trust ${when}`,
  nowMs: Number(nowMs),
  says: 'trustExpired',
}));

type Change = (result: JsonObject) => JsonValue;

const changeHeader =
  (change: JsonObject): Change =>
  (result) => ({ ...result, header: { ...(result.header as JsonObject), ...change } });

/** What is said in the place of a state proof. */
const proofLies: readonly [what: string, Change, LightCase['says']][] = [
  ['another value', (result) => ({ ...result, value: `${result.value}00` }), 'proofInvalid'],
  ['no value', (result) => ({ ...result, value: null }), 'proofInvalid'],
  ['another proof', (result) => ({ ...result, proof: 'AQAA' }), 'proofInvalid'],
  ['another entry', (result) => ({ ...result, state_key: 'account/nobody' }), 'proofInvalid'],
  ['a header with another root', changeHeader({ account_tree_hash: '11'.repeat(32) }), 'proofInvalid'],
  ['a header with another hash', changeHeader({ hash: '11'.repeat(32) }), 'proofInvalid'],
  ['a header of another time', changeHeader({ close_time: 1 }), 'proofInvalid'],
  ['a header of another block', changeHeader({ seq: 3 }), 'proofInvalid'],
  ['another root beside the header', (result) => ({ ...result, root: '11'.repeat(32) }), 'otherRoot'],
  ['an earlier block', (result) => ({ ...result, ledger_seq: 3 }), 'proofInvalid'],
  ['a block that is not there', (result) => ({ ...result, ledger_seq: 3_000 }), 'notYetProven'],
  ['no number of a block', (result) => ({ ...result, ledger_seq: 'many' }), 'unexpectedReply'],
];

/** What is said in the place of a block. */
const replyLies: readonly [what: string, JsonValue][] = [
  ['nothing', null],
  ['an answer without a block', { error_code: 0 }],
  ['an empty block', { error_code: 0, result: {} }],
  ['the block after it', blockAnswer(honestChain[2] as LightBlock)],
];

const blockReplyLies: readonly LightCase[] = replyLies.map(([what, reply]) => ({
  ...honestHeader,
  what: `${what} in the place of a block`,
  answers: { ...honestHeader.answers, [blockPath(trusted.header.height)]: reply },
  says: 'unexpectedReply',
}));

/** An account of a real ledger whose blocks a made-up network has signed, as an honest node proves it. */
async function honestAccount(t: TestContext): Promise<LightCase> {
  const network = await openTestNetwork(t, { setAt: () => four });
  const { address } = await network.fund();
  for (let more = 0; more < 3; more += 1) await network.fund(1n);
  const blocks = await network.sign();
  const answers: Record<string, JsonValue> = answersOf(blocks);
  const honest = showing(network.transport, () => blocks);
  const honestCase: LightCase = {
    what: 'an account',
    asks: { account: address },
    anchor: textOfAnchor(anchorOf(blocks[0] as LightBlock)),
    trustingPeriodMs: 7_200_000,
    nowMs: network.nowMs,
    answers,
    says: 'believed',
  };
  const recording: Transport = async (method, path, body) => {
    const reply = await honest(method, path, body);
    answers[path] = reply;
    return reply;
  };
  await putLightClientTo(createLightClient, recording, honestCase);
  return honestCase;
}

/** What an honest node answers, which is believed; and every kind of lie, each with exactly one thing wrong. */
export async function lightCases(
  t: TestContext,
): Promise<{ readonly honest: readonly LightCase[]; readonly lies: readonly LightCase[] }> {
  const account = await honestAccount(t);
  const [path, proof] = Object.entries(account.answers).find(([name]) =>
    name.startsWith('/getStateProof'),
  ) as [string, JsonObject];
  const stateLies = proofLies.map(
    ([what, change, says]): LightCase => ({
      ...account,
      what: `a state proof with ${what}`,
      answers: { ...account.answers, [path]: { ...proof, result: change(proof.result as JsonObject) } },
      says,
    }),
  );
  return {
    honest: [honestHeader, account],
    lies: [...blockLies, ...anchorLies, ...staleTrust, ...blockReplyLies, ...stateLies],
  };
}
