/**
 * The ways a call can end badly: the ledger said no (`LedgerError`), the service did (`ServiceError`), or there is no
 * answer to work with (`SdkError`). Texts name hosts, routes and the members of answers that they are about, never
 * parameters: those may carry a private key.
 */
import { codeHint, codeRows, codes } from '@symbolon/core/ledger/terms/codes';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { SdkErrorCode } from './error-words.ts';

/** Of whoever orders: what an offer was compared with, and differs from. */
export interface HeldAgainst {
  /** A pin, `registry` of the order, or `signer`, whose DID is expected of the template that is offered. */
  readonly name: 'chainId' | 'templateRegistry' | 'credentialRegistry' | 'registry' | 'signer';
  readonly expected: string;
  readonly offered: string;
}

/** What an `SdkError` says beside its code and its message. */
export interface SdkErrorDetails {
  /** What the caller can do about it. */
  readonly hint: string;
  readonly cause?: unknown;
  /**
   * The members of answers that the error is about, as paths: one, or those that contradict each other, because then
   * nobody can tell which of them is wrong. They end the message.
   */
  readonly members?: readonly string[];
  /** The transaction that the error is about. */
  readonly transactionHash?: string;
  /** Of `notAsOrdered`, where it was held against something of the caller's own, which may be the mistake. */
  readonly against?: HeldAgainst;
  /** Of `unreachable`: where nobody answers. */
  readonly address?: string;
}

/** Words, and the members that they are about. */
export const withMembers = (words: string, members: readonly string[]): string =>
  members.length === 0 ? words : `${words}: ${members.join(' or ')}`;

/** There is no answer to work with, or an argument cannot be used. */
export class SdkError extends Error {
  override readonly name = 'SdkError';
  readonly code: SdkErrorCode;
  readonly hint: string;
  readonly transactionHash: string | undefined;
  readonly against: HeldAgainst | undefined;
  readonly address: string | undefined;
  /** The members of answers that it is about, as paths: `result.header.chain_id`. */
  readonly members: readonly string[];
  /** The message without them. */
  readonly reason: string;

  constructor(code: SdkErrorCode, message: string, details: SdkErrorDetails) {
    const { hint, cause, transactionHash, against, address, members = [] } = details;
    super(withMembers(message, members), { cause });
    this.against = against;
    this.address = address;
    this.code = code;
    this.hint = hint;
    this.transactionHash = transactionHash;
    this.members = members;
    this.reason = message;
  }
}

/** The ledger refused: its code, the code's name in the error table, and what exactly it objected to. */
export class LedgerError extends Error {
  override readonly name: string;
  readonly code: number;
  readonly description: string;
  /** What the caller can do about it. */
  readonly hint: string;
  /** What the node sent, whole. */
  readonly reply: JsonObject;
  /** What the node was asked, where it is known. */
  readonly route: string | undefined;

  constructor(code: number, description: string, reply: JsonObject, route?: string) {
    const row = codeRows.find((known) => known.code === code);
    const said = description || row?.meaning || `the ledger answered code ${code}`;
    super(said);
    this.name = row?.name ?? 'LedgerError';
    this.code = code;
    this.description = said;
    this.hint = codeHint(code);
    this.reply = reply;
    this.route = route;
  }
}

/** The reply, or undefined where the ledger says that there is no such thing. */
export async function unlessNotFound<Reply>(request: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof LedgerError && error.code === codes.notFound) return undefined;
    throw error;
  }
}

/** For an answer that no node gives. `members` are the paths of what is wrong in it; none where it is the whole. */
export function unexpectedReply(route: string, members: readonly string[]): SdkError {
  const hint = 'Is this a node, and one of this version?';
  return new SdkError('unexpectedReply', `the reply to ${route} is not what a node replies`, {
    hint,
    members,
  });
}
