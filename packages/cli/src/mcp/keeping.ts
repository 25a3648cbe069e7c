/**
 * What of all that a service hands over is kept: credentials that are genuine by the word of the ledger, and only those.
 * A forgery is not kept, so that it never stands where the genuine one belongs; one that an older wallet kept gives way to
 * it.
 */
import {
  type CredentialExpectation,
  type CredentialProblemName,
  type CredentialVerdict,
  verifyCredential,
} from '@symbolon/sdk/orders/verify-credential';
import type { JsonObject } from '@symbolon/wire/json';
import { CommandFailure } from '../failure.ts';
import { quoted } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

/** What the wallet finds out about a credential of its holder. */
export const judgeCredential = async (
  { ledger, pins, did, proofEngine }: Wallet,
  document: JsonObject,
  expected: Pick<CredentialExpectation, 'templateId' | 'attributes'> = {},
): Promise<CredentialVerdict> =>
  verifyCredential(document, { ...expected, ledger, pins, holder: did, engine: await proofEngine() });

export interface Refusal {
  readonly credential: string;
  readonly name: CredentialProblemName | 'revoked';
  readonly detail: string;
}

export type Kept = { readonly isNew: boolean } | { readonly refusal: Refusal };

/** Keeps a credential if it is genuine and not revoked; one that is kept already is not looked at again. */
export async function keepGenuine(
  wallet: Wallet,
  document: JsonObject,
  expected: Pick<CredentialExpectation, 'templateId' | 'attributes'> = {},
): Promise<Kept> {
  if (wallet.credentials.has(document)) return { isNew: false };
  const { problem, status } = await judgeCredential(wallet, document, expected);
  const found =
    problem ?? (status === 'revoked' ? ({ name: 'revoked', detail: 'is revoked' } as const) : undefined);
  if (found) return { refusal: { ...found, credential: quoted(document.id, 128) } };
  return { isNew: wallet.credentials.keep(document) };
}

export const notKept = ({ detail }: Refusal): CommandFailure =>
  new CommandFailure(
    `The credential that the service handed over is not kept.\nIt ${detail}.\nTell the owner: what this service says is not to be relied upon.`,
  );
