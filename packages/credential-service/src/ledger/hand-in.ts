/**
 * Handing signed transactions in and finding out what became of them. No outcome is guessed: a transaction that broke
 * off on its way is unknown until the ledger itself says otherwise, and handing in the same bytes again cannot make
 * it run twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '@symbolon/core/faults/faults';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { submitLimits } from '@symbolon/core/limits/waiting';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { within } from '@symbolon/host/work/within';
import { type LedgerClient, LedgerError, type Receipt, SdkError } from '@symbolon/sdk/index';
import { findReceipt } from '@symbolon/sdk/ledger/receipts';
import { registryLimits } from '../limits/service-limits.ts';
import { findLedgerAccount } from './chain-terms.ts';
import { isLedgerTrouble } from './ledger-faults.ts';

/** A transaction's bytes with the signature over them; all in hex, the key encoded. */
export interface SignedBlob {
  readonly blob: string;
  readonly publicKey: string;
  readonly signature: string;
  /** Of whoever pays the fee, where that is somebody else. */
  readonly coSignature?: { readonly publicKey: string; readonly signature: string };
}

export interface ExecutedOutcome {
  readonly kind: 'executed';
  readonly hash: string;
  readonly ledgerSeq: bigint;
  readonly closeTimeMicros: bigint;
}
export interface FailedOutcome {
  readonly kind: 'failed';
  readonly hash: string;
  readonly code: number;
  readonly description: string;
  /** False when the ledger refused it at the door: it cost nothing, its nonce is unused, and later it may be taken. */
  readonly isRecorded: boolean;
}
export type HandInOutcome =
  | ExecutedOutcome
  | FailedOutcome
  /** Another transaction of the account came first: this one can never be executed. */
  | { readonly kind: 'stale'; readonly hash: string }
  /** It may be executed or not; `outcomeOf` tells as soon as the ledger does. */
  | { readonly kind: 'unknown'; readonly hash: string };

export type LookedUpOutcome =
  | ExecutedOutcome
  | FailedOutcome
  | { readonly kind: 'waiting' | 'missing' | 'unknown'; readonly hash: string };

export const hashOfBlob = (blob: string): string => sha256Hex(Buffer.from(blob, 'hex'));

/** Hands in and waits. Never rejects for what the ledger or the way to it does. */
export async function handInSigned(
  client: LedgerClient,
  signed: SignedBlob,
  signal?: AbortSignal,
): Promise<HandInOutcome> {
  const hash = hashOfBlob(signed.blob);
  // A ledger that stalls may have got it all the same: whoever waits for it finds out.
  const refusal = (await within(submitLimits.handInMs, handIn(client, signed)))?.answer;
  const isTaken = !refusal || refusal.code === codes.alreadyExists;
  return isTaken ? waitForOutcome(client, hash, signal) : ifRefused(client, signed.blob, { refusal, signal });
}

/**
 * Asked for when a block can have closed, then whenever a quarter more time has passed; trouble is no answer. In between
 * it is seen whether the ledger has lost it.
 */
async function waitForOutcome(
  client: LedgerClient,
  hash: string,
  signal: AbortSignal | undefined,
): Promise<HandInOutcome> {
  const { receiptWaitMs, receiptTurnMs, pollMs } = registryLimits;
  const begunAtMs = performance.now();
  let turn = 1;
  let pauseMs: number = pollMs;
  for (let passedMs = 0; passedMs < receiptWaitMs; pauseMs = Math.min(passedMs / 4, receiptTurnMs)) {
    await pause(pauseMs, signal);
    if (signal?.aborted) break;
    const found = await within(receiptTurnMs, findReceipt(client, hash).catch(unlessTrouble));
    if (found?.answer) return outcomeOfReceipt(found.answer);
    passedMs = performance.now() - begunAtMs;
    if (passedMs < turn * receiptTurnMs) continue;
    turn = Math.floor(passedMs / receiptTurnMs) + 1;
    if ((await within(receiptTurnMs, whereabouts(client, hash)))?.answer === 'missing') break;
  }
  return { kind: 'unknown', hash };
}

/** No longer than until the signal. */
const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

function unlessTrouble(error: unknown): undefined {
  if (!isLedgerTrouble(error)) throw error;
}

/** What the ledger knows of a transaction, without waiting. */
export async function outcomeOf(client: LedgerClient, hash: string): Promise<LookedUpOutcome> {
  try {
    const receipt = await findReceipt(client, hash);
    if (receipt) return outcomeOfReceipt(receipt);
  } catch (error) {
    if (!isLedgerTrouble(error)) throw error;
    return { kind: 'unknown', hash };
  }
  return { kind: await whereabouts(client, hash), hash };
}

/** The signature by this key that the ledger holds of a transaction, in hex. */
export async function signatureOf(
  client: LedgerClient,
  hash: string,
  publicKey: string,
): Promise<string | undefined> {
  const receipt = await findReceipt(client, hash);
  return receipt?.record.signatures?.find((signature) => signature.public_key === publicKey)?.sign_data;
}

/**
 * It is not there, or has left the queue: too old, overtaken, or refused when a block was made. Busy nodes say nothing.
 */
const isMissing = (code: number): boolean =>
  !isPassing(code) || code === codes.timeout || code === codes.queueRefused;

async function whereabouts(client: LedgerClient, hash: string): Promise<'waiting' | 'missing' | 'unknown'> {
  try {
    await client.getTransactionCache({ hash });
    return 'waiting';
  } catch (error) {
    if (error instanceof LedgerError && isMissing(error.code)) return 'missing';
    if (!isLedgerTrouble(error)) throw error;
    return 'unknown';
  }
}

async function handIn(client: LedgerClient, signed: SignedBlob): Promise<LedgerError | undefined> {
  const signers = signed.coSignature ? [signed, signed.coSignature] : [signed];
  const signatures = signers.map(({ publicKey, signature }) => ({
    public_key: publicKey,
    sign_data: signature,
  }));
  try {
    await client.submitTransaction({ items: [{ transaction_blob: signed.blob, signatures }] });
  } catch (error) {
    if (error instanceof LedgerError) return error;
    // It may have arrived all the same: whoever waits for it finds out.
    if (!(error instanceof SdkError)) throw error;
  }
  return undefined;
}

/**
 * What a refusal means depends on what the ledger knows of the transaction: it may have taken it before. Whoever refused
 * may be another ledger's node, or one that is behind, so the nonce is checked at a node that has the newest known block.
 */
async function ifRefused(
  client: LedgerClient,
  blob: string,
  { refusal, signal }: { readonly refusal: LedgerError; readonly signal: AbortSignal | undefined },
): Promise<HandInOutcome> {
  const { code, description } = refusal;
  const hash = hashOfBlob(blob);
  // The number before the transaction: what is executed in between is found.
  const isOutOfTurn = (await within(submitLimits.handInMs, isOvertaken(client, blob, { code, signal })))
    ?.answer;
  const found = await outcomeOf(client, hash);
  if (found.kind === 'executed' || found.kind === 'failed') return found;
  if (found.kind === 'missing' && isOutOfTurn) return { kind: 'stale', hash };
  if (found.kind !== 'missing' || code === codes.badNonce || isPassing(code))
    return { kind: 'unknown', hash };
  return { kind: 'failed', hash, code, description, isRecorded: false };
}

/**
 * Whether another transaction of the account came first. One that waits with the same number is only in the way, so its
 * end is waited for: replicas share an account, and who knows at once that it was overtaken builds the next one while
 * the others still do, instead of coming again when they have taken that number as well.
 */
async function isOvertaken(
  client: LedgerClient,
  blob: string,
  { code, signal }: { readonly code: number; readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  const transaction = decodeTransaction(Buffer.from(blob, 'hex'));
  if (!transaction || (code !== codes.badNonce && code !== codes.queueRefused)) return false;
  const { sourceAddress, nonce } = transaction;
  if (code === codes.badNonce)
    return ((await lastNumber(client, sourceAddress)) ?? nonce - 1n) + 1n !== nonce;
  const begunAtMs = performance.now();
  for (let passedMs = 0; passedMs < submitLimits.handInMs; passedMs = performance.now() - begunAtMs) {
    await pause(Math.max(registryLimits.pollMs, passedMs / 4), signal);
    if (signal?.aborted) break;
    const last = await lastNumber(client, sourceAddress);
    if (last !== undefined && last >= nonce) return true;
  }
  return false;
}

/** Of an account; undefined when the ledger does not tell. */
async function lastNumber(client: LedgerClient, address: string): Promise<bigint | undefined> {
  try {
    return (await findLedgerAccount(client, address))?.nonce;
  } catch (error) {
    if (isLedgerTrouble(error) || error instanceof Fault) return undefined;
    throw error;
  }
}

/** Refusals that may be none a moment later. */
const isPassing = (code: number): boolean =>
  ([codes.timeout, codes.queueFull, codes.queueRefused, codes.internalError] as number[]).includes(code);

function outcomeOfReceipt(receipt: Receipt): ExecutedOutcome | FailedOutcome {
  const { hash, code, description, ledgerSeq, closeTimeMicros } = receipt;
  return code === 0
    ? { kind: 'executed', hash, ledgerSeq, closeTimeMicros }
    : { kind: 'failed', hash, code, description, isRecorded: true };
}
