/**
 * Those who call the service, in a process of their own. Two kinds of load: closed, where each connection asks again as
 * soon as it was answered, and paced, where requests come at a rate whether or not earlier ones were answered; then
 * the time that one waits for a free connection counts as well.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { didOfPublicKey } from '@symbolon/core/did/did';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import type { DemoDocument } from '@symbolon/demo/file';
import { answerCalls } from '../child.ts';
import { benchKeys, seedOf, senderOf } from '../ledger/people.ts';
import { cpuMs, nowMs } from '../statistics.ts';
import * as journeys from './journeys.ts';

export interface CallersOrder {
  readonly url: string;
  readonly demo: DemoDocument;
  /** A key for each of `holderDids`. */
  readonly apiKeys: readonly string[];
}

export interface LoadOrder {
  readonly journey: journeys.JourneyName;
  readonly connections: number;
  readonly seconds: number;
  /** Ends after so many, if that is earlier. */
  readonly count?: number;
  /** Requests a second; without one every connection is always busy. */
  readonly rate?: number;
}

export interface LoadResult {
  /** Of each journey, from its beginning, or from when it was due, to its last answer. */
  readonly times: Float64Array;
  /** From the first to the last. */
  readonly ms: number;
  readonly cpuMs: number;
}

/** Each may have one application of a template pending, so every connection has a holder of its own. */
const holdersCount = 64;
/** Credentials that are shown, and presentations that are verified, in turn. */
const shownCount = 8;

const holderKeys = Array.from({ length: holdersCount }, (_, index) => senderOf(seedOf(`holder ${index}`)));

const didOf = ({ publicKey }: { readonly publicKey: string }): string =>
  didOfPublicKey(benchKeys.parsePublicKey(publicKey) as Uint8Array, zetrixProfile);

interface World {
  readonly port: number;
  readonly issueOrder: Omit<journeys.IssueOrder, 'holder'>;
  readonly holders: readonly journeys.Party[];
  readonly verifier: { readonly apiKey: string };
  readonly shown: readonly {
    readonly holder: journeys.Party;
    readonly credential: unknown;
    readonly presentation: unknown;
  }[];
}
let world: World;

async function prepare({ url, demo, apiKeys }: CallersOrder): Promise<void> {
  const port = Number(new URL(url).port);
  const holders = holderKeys.map((person, index) => ({ ...person, apiKey: apiKeys[index] }));
  const seed = benchKeys.parsePrivateKey(demo.issuer.privateKey) as Uint8Array;
  const { apiKey, bbsPublicKeyMultibase: bbsPublicKey } = demo.issuer;
  const issuer = { ...senderOf(seed), apiKey, bbsPublicKey };
  const line = await journeys.openLine(port);
  const templateId = await journeys.registerTemplate(line, issuer, demo.issuer.did);
  line.close();
  const issueOrder = { issuer, templateId, audience: url };
  const shown = await Promise.all(
    holders.slice(0, shownCount).map(async (holder) => {
      const own = await journeys.openLine(port);
      const { credential } = await journeys.issue(own, { ...issueOrder, holder });
      const presentation = await journeys.derive(own, holder, credential);
      own.close();
      return { holder, credential, presentation };
    }),
  );
  world = { port, issueOrder, holders, verifier: demo.verifier, shown };
}

const takers: Record<
  journeys.JourneyName,
  (line: journeys.Line, place: number, count: number) => Promise<unknown>
> = {
  issue: (line, place) => journeys.issue(line, { ...world.issueOrder, holder: world.holders[place] }),
  derive: (line, _, count) => {
    const { holder, credential } = world.shown[count % shownCount];
    return journeys.derive(line, holder, credential);
  },
  verify: (line, _, count) =>
    journeys.verify(line, world.verifier, world.shown[count % shownCount].presentation),
};

async function run({
  journey,
  connections,
  seconds,
  count: countMax = Number.POSITIVE_INFINITY,
  rate,
}: LoadOrder): Promise<LoadResult> {
  const lines = await Promise.all(Array.from({ length: connections }, () => journeys.openLine(world.port)));
  const take = takers[journey];
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  const began = nowMs();
  const isOver = (at: number): boolean => at - began >= seconds * 1_000;
  let count = 0;
  const drive = async (line: journeys.Line, place: number): Promise<void> => {
    for (;;) {
      const turn = count++;
      const dueAt = rate === undefined ? nowMs() : began + (turn * 1_000) / rate;
      if (turn >= countMax || isOver(dueAt)) return;
      const early = dueAt - nowMs();
      if (early > 0) await sleep(early);
      await take(line, place, turn);
      times.push(nowMs() - dueAt);
    }
  };
  await Promise.all(lines.map(drive));
  for (const line of lines) line.close();
  return { times: Float64Array.from(times), ms: nowMs() - began, cpuMs: cpuMs(cpuBefore) };
}

answerCalls({ holderDids: () => holderKeys.map(didOf), prepare, run });
