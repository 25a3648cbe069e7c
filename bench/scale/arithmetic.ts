/** What docs/scale.md reckons from its figures: pure, each formula once. Rates are a second's unless a name says otherwise. */
import { type FigureName, figures } from './figures.ts';

export type Numbers = Readonly<Record<FigureName, number>>;

export const numbers = Object.fromEntries(
  Object.entries(figures).map(([name, { value }]) => [name, value]),
) as Numbers;

const secondsADay = 86_400;
const secondsAYear = 365 * secondsADay;

export function ofCredentials(count: number, n: Numbers = numbers) {
  const entries = count * n.entriesEach;
  const proofBytes = n.proofNodeBytes * (Math.log2(entries) + n.proofLevelsMore);
  const stateBytes = count * n.stateBytes;
  return {
    databaseBytes: count * n.databaseBytes,
    ledgerBytes: count * n.ledgerBytes,
    ledgerBytesAlone: count * n.ledgerBytesAlone,
    stateBytes,
    snapshotSeconds: stateBytes / n.snapshotBytesPerSecond,
    proofBytes,
    /** Of proofs and light block, for one credential, by somebody who was there at the block before. */
    lightBytes: (validators: number): number => n.entriesProven * proofBytes + lightBlockBytes(validators, n),
    issueCoreSeconds: (count * n.issueMs) / 1_000,
    soloSeconds: count / registrarRate(n.soloTurnMs, n),
    networkSeconds: count / registrarRate(n.networkTurnMs, n),
  };
}

/** Credentials that one registrar records: a full transaction at a time. */
export const registrarRate = (turnMs: number, n: Numbers = numbers): number =>
  (n.perTransaction * 1_000) / turnMs;

/** Credentials that the blocks of one network have room for. */
export const blockRoomRate = (n: Numbers = numbers): number =>
  (Math.floor(n.blockSteps / n.registrarSteps) * n.perTransaction * 1_000) / n.blockMs;

/** Transactions that they have room for. */
export const transactionRoomRate = (n: Numbers = numbers): number =>
  (n.blockTransactions * 1_000) / n.blockMs;

const coresFor = (rate: number, cpuMs: number, n: Numbers): number => (rate * cpuMs) / 1_000 / n.busyShare;

/** What one process does until its main thread is busy. */
export const processRate = (mainMs: number, n: Numbers = numbers): number => (1_000 / mainMs) * n.busyShare;

/** Machines with a replica each: whichever is scarce first, all of its cores or its one main thread. */
const replicasFor = (
  rate: number,
  { cpuMs, mainMs }: { cpuMs: number; mainMs: number },
  n: Numbers,
): number => wholeFor(Math.max(coresFor(rate, cpuMs, n) / n.coresEach, rate / processRate(mainMs, n)));

/** The next whole number: fractions of binary numbers make no eighty-first of what is eighty. */
const wholeFor = (many: number): number => Math.ceil(many - 1e-9);

export function ofVerifications(rate: number, n: Numbers = numbers) {
  const mainMs = n.verifyMs * n.verifyMainShare;
  const replicas = replicasFor(rate, { cpuMs: n.verifyMs, mainMs }, n);
  const cpuMs = n.verifyMs + n.rangeMs;
  return {
    cores: coresFor(rate, n.verifyMs, n),
    replicas,
    connections: replicas * n.connectionsEach,
    coresWithRange: coresFor(rate, cpuMs, n),
    replicasWithRange: replicasFor(rate, { cpuMs, mainMs }, n),
  };
}

export function ofIssues(rate: number, n: Numbers = numbers) {
  const replicas = replicasFor(rate, { cpuMs: n.issueMs, mainMs: n.issueMainMs }, n);
  return {
    cores: coresFor(rate, n.issueMs, n),
    replicas,
    connections: replicas * n.connectionsEach,
    registrarsSolo: wholeFor(rate / registrarRate(n.soloTurnMs, n)),
    registrarsNetwork: wholeFor(rate / registrarRate(n.networkTurnMs, n)),
    ledgers: wholeFor(rate / blockRoomRate(n)),
    coresAValidator: coresFor(rate, n.recordUs / 1_000, n),
    databaseBytesADay: rate * n.databaseBytes * secondsADay,
    ledgerBytesADay: rate * n.ledgerBytes * secondsADay,
  };
}

export const lightBlockBytes = (validators: number, n: Numbers = numbers): number =>
  n.lightBaseBytes + n.lightEachBytes * validators;

/** As many validators as blockBytes was measured with. */
const measuredValidators = 4;

export function ofValidators(validators: number, n: Numbers = numbers) {
  const blocks = 1_000 / n.blockMs;
  const votes = 2 * (validators - 1);
  const blockBytes = n.blockBytes + (validators - measuredValidators) * n.commitSigBytes;
  return {
    mayFail: Math.floor((validators - 1) / 3),
    /** That every validator hears of the others, once each, for a block; and all of them together. */
    votes,
    votesOfAll: votes * validators,
    voteBytesASecond: votes * n.voteBytes * blocks,
    /** Checked as they come, and once more in the next block. */
    checkMs: ((votes + validators) * n.voteCheckUs) / 1_000,
    blockBytesAYear: blockBytes * blocks * secondsAYear,
    lightBytes: lightBlockBytes(validators, n),
    transferUsOfAll: validators * n.transferUs,
  };
}

/** Coin transfers that validators of so many cores execute, whatever their number. */
export const transferRate = (cores: number, n: Numbers = numbers): number =>
  (cores * 1_000_000 * n.busyShare) / n.transferUs;
