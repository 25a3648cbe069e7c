/**
 * Records credentials on the ledger for whoever has an issuer's signature: entries of many callers go into one
 * transaction of the registrar's account at a time (`registrar-account.ts`). Recording is idempotent, so a caller
 * that gave up may come again with the same entry.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RegistryEntryTerms } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { sha256 } from '@symbolon/host/work/sha256';
import { within } from '@symbolon/host/work/within';
import { readEntry } from '@symbolon/sdk/ledger/registries';
import { registryLimits } from '../limits/service-limits.ts';
import type { ExecutedOutcome } from './hand-in.ts';
import { faultOfError, faultOfFailure, isVerdict, orFault, withFaults } from './ledger-faults.ts';
import {
  RegistrarAccount,
  type RegistrarAccountOptions,
  type RegistrarCall,
  type RegistrarPayment,
  type SettledOutcome,
} from './registrar-account.ts';

/** An element of the registry's `entries`: the terms, and the issuer's signature over them. */
export interface CredentialEntry extends RegistryEntryTerms {
  /** Encoded. */
  readonly issuerKey: string;
  readonly created: string;
  /** SHA-256 in hex of the canonical credential without proof, and its salt. */
  readonly digest: string;
  /** Hex. */
  readonly commitment: string;
  /** Hex. */
  readonly signature: string;
}

export type RegistrarReceipt = Pick<ExecutedOutcome, 'hash' | 'ledgerSeq' | 'closeTimeMicros'>;

export interface RegistrarOptions extends Omit<RegistrarAccountOptions, 'signal'> {
  readonly profile?: NetworkProfile;
  readonly recordWaitMs?: number;
  readonly waitingEntriesMax?: number;
}

interface Job {
  readonly entry: CredentialEntry;
  readonly begunAtMs: number;
  readonly done: Promise<RegistrarReceipt>;
  resolve(receipt: RegistrarReceipt): void;
  reject(error: unknown): void;
}

/** Failures that one entry brings upon all others of its transaction. */
const sharedFailures: readonly number[] = [
  codes.contractFailed,
  codes.contractExpired,
  codes.transactionTooBig,
  codes.feeTooLow,
];

/** The entry was not taken on, so that it can be given again at any time. */
export class RegistrarFull extends Fault {}

export class Registrar {
  readonly #options: RegistrarOptions;
  readonly #account: RegistrarAccount;
  readonly #ending = new AbortController();
  readonly #waiting: Job[] = [];
  /** Waiting or under way, so that the same entry is not sent twice at once. */
  readonly #jobs = new Map<string, Job>();
  #worker: Promise<void> | undefined;

  constructor(options: RegistrarOptions) {
    this.#options = options;
    this.#account = new RegistrarAccount({ ...options, signal: this.#ending.signal });
  }

  /**
   * Resolves when the entry is on the ledger, whatever time that takes. Faults: what the registry objects to
   * (stateForbids, templateUnknown, signatureInvalid, …), `RegistrarFull` when it was not taken on at all, overloaded
   * when the service ends.
   */
  async record(entry: CredentialEntry): Promise<RegistrarReceipt> {
    return this.#enqueue(entry).done;
  }

  /** The same for whoever does not wait longer than `recordWaitMs`: ledgerFailed when the outcome is not known then. */
  async recordInTime(entry: CredentialEntry): Promise<RegistrarReceipt> {
    const job = this.#enqueue(entry);
    const done = await within(this.#options.recordWaitMs ?? registryLimits.anchorWaitMs, job.done);
    if (!done) throw this.#giveUp(job);
    return done.answer;
  }

  /** Entries on their way, for the metrics. */
  get pending(): number {
    return this.#jobs.size;
  }

  /** Of these, how many have been on their way for longer than this. */
  stuck(olderThanMs: number): number {
    const before = performance.now() - olderThanMs;
    return [...this.#jobs.values()].filter(({ begunAtMs }) => begunAtMs <= before).length;
  }

  /** Anchors the head of the audit log and how many records it stands for. */
  anchorAuditHead(head: string, count: number): Promise<RegistrarReceipt> {
    return this.#send({ input: { method: 'anchorAudit', params: { head, count } }, entries: [] });
  }

  /** Pays from the registrar's account; faults like `recordInTime`. */
  pay(payment: RegistrarPayment): Promise<RegistrarReceipt> {
    return this.#send(payment);
  }

  async #send(call: RegistrarCall | RegistrarPayment): Promise<RegistrarReceipt> {
    this.#assertOpen();
    try {
      return receiptOf(await this.#account.send(call));
    } catch (error) {
      throw this.#reasonOf(error);
    }
  }

  async balance(): Promise<bigint> {
    const { client, signer } = this.#options;
    const { result } = await withFaults(() => client.getAccountBase({ address: signer.address }));
    return BigInt(result?.balance ?? 0);
  }

  /** To be called once, before anything is recorded: settles what an earlier run has left behind. */
  async recover(): Promise<void> {
    for (const intent of await this.#options.intents.unsettled()) {
      const outcome = await this.#account.recover(intent);
      if (outcome?.kind === 'executed') continue;
      const entries: CredentialEntry[] = JSON.parse(intent.entries);
      // What is refused or not confirmed is asked for again by whoever submitted it.
      await Promise.all(entries.map((entry) => orFault(() => this.#recoverEntry(entry))));
    }
  }

  /** Ends waiting and lets what is being written finish. Callers that still wait are told `overloaded`. */
  async close(): Promise<void> {
    this.#ending.abort();
    for (const job of this.#waiting.splice(0)) job.reject(closed());
    await this.#worker;
    await this.#account.idle();
  }

  /** The transaction failed or never ran: the entry may be on the ledger by another one, or is sent again. */
  async #recoverEntry(entry: CredentialEntry): Promise<void> {
    const { client, registry, profile = zetrixProfile } = this.#options;
    const issuer = createKeyFormat(profile, sha256).signerOf(entry.issuerKey)?.address;
    const { credential } = entry;
    const found = issuer && (await withFaults(() => readEntry(client, registry, { issuer, credential })));
    const isRecorded = found && found.digest === entry.digest && found.commitment === entry.commitment;
    if (!isRecorded) await this.recordInTime(entry);
  }

  #enqueue(entry: CredentialEntry): Job {
    this.#assertOpen();
    const key = JSON.stringify(entry);
    const known = this.#jobs.get(key);
    if (known) return known;
    if (this.#jobs.size >= (this.#options.waitingEntriesMax ?? registryLimits.waitingEntriesMax)) {
      throw new RegistrarFull('overloaded', { detail: 'Too many credentials wait to be registered' });
    }
    const { promise: done, ...ends } = Promise.withResolvers<RegistrarReceipt>();
    // Whoever waits hears of it after this; a job that nobody waits for any more must not end the process.
    const forget = () => this.#jobs.delete(key);
    done.then(forget, forget);
    const job = { entry, begunAtMs: performance.now(), done, ...ends };
    this.#jobs.set(key, job);
    this.#waiting.push(job);
    this.#worker ??= this.#work().finally(() => {
      this.#worker = undefined;
    });
    return job;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const [{ begunAtMs }] = this.#waiting;
      // Whoever waited for the transaction before has waited for others long enough.
      const gatherMs = begunAtMs + registryLimits.gatherMs - performance.now();
      if (this.#waiting.length < registryLimits.entriesMax && gatherMs > 0) await sleep(gatherMs);
      const batch = this.#waiting.splice(0, registryLimits.entriesMax);
      if (batch.length > 0) await this.#record(batch);
    }
  }

  /** One wrong entry must not sink the others: a list that fails is halved until the wrong one stands alone. */
  async #record(jobs: readonly Job[]): Promise<void> {
    try {
      const entries = jobs.map(({ entry }) => entry);
      const outcome = await this.#account.send({ input: { method: 'issue', params: { entries } }, entries });
      if (outcome.kind === 'failed' && jobs.length > 1 && sharedFailures.includes(outcome.code)) {
        const middle = jobs.length >> 1;
        await this.#record(jobs.slice(0, middle));
        await this.#record(jobs.slice(middle));
        return;
      }
      const receipt = receiptOf(outcome);
      for (const job of jobs) job.resolve(receipt);
    } catch (error) {
      const reason = this.#reasonOf(error);
      for (const job of jobs) job.reject(reason);
    }
  }

  /** A job that nobody has sent yet can be taken back; any other one goes on. */
  #giveUp(job: Job): Fault {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) {
      this.#waiting.splice(index, 1);
      const fault = new RegistrarFull('overloaded', {
        detail: 'The ledger did not take the credential in time',
      });
      job.reject(fault);
      return fault;
    }
    return new Fault('ledgerFailed', {
      detail: 'The ledger has not confirmed the credential yet; try again',
    });
  }

  #reasonOf(error: unknown): unknown {
    return this.#ending.signal.aborted && !(error instanceof Fault) ? closed() : faultOfError(error);
  }

  #assertOpen(): void {
    if (this.#ending.signal.aborted) throw closed();
  }
}

const closed = (): Fault => new Fault('overloaded', { detail: 'The service is ending' });

function receiptOf(outcome: SettledOutcome): RegistrarReceipt {
  if (outcome.kind === 'failed') throw registrarFault(outcome.code, outcome.description);
  return outcome;
}

/**
 * Whatever is wrong with the account or the transaction is the registrar's here, which is not the caller's business.
 */
function registrarFault(code: number, description: string): Fault {
  const fault = faultOfFailure(code, description);
  const isCallers = isVerdict(fault) || fault.code === 'overloaded';
  return isCallers ? fault : new Fault('ledgerFailed', { cause: fault });
}
