/**
 * What of all that a service hands over is kept: credentials that are genuine by the word of the ledger, and only
 * those. A forgery is not kept, so that it never stands where the genuine one belongs; one that an older wallet kept
 * gives way to it.
 */
import { SdkError } from '@symbolon/sdk/errors/errors';
import { assertBought, type BoughtTerms } from '@symbolon/sdk/orders/purchase-order';
import {
  type CredentialExpectation,
  type CredentialProblemName,
  type CredentialVerdict,
  verifyCredential,
} from '@symbolon/sdk/verification/verify-credential';
import type { JsonObject } from '@symbolon/wire/json/json';
import { CommandFailure } from '../terminal/failure.ts';
import { quoted } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

/** Of what was asked for. */
type Expected = Pick<CredentialExpectation, 'vcId' | 'templateId' | 'attributes'>;

/** What the wallet finds out about a credential of its holder. */
export const judgeCredential = async (
  { ledger, pins, did, proofEngine }: Wallet,
  document: JsonObject,
  expected: Expected = {},
): Promise<CredentialVerdict> =>
  verifyCredential(document, { ...expected, ledger, pins, holder: did, engine: await proofEngine() });

export interface WalletRefusal {
  readonly credential: string;
  readonly name: CredentialProblemName | 'revoked' | 'notAsOrdered' | 'notNew';
  readonly detail: string;
}

export type Kept = { readonly isNew: boolean } | { readonly refusal: WalletRefusal };

/**
 * Keeps a credential if it is genuine and not revoked. One that is kept already is not looked at again, unless it is to be
 * the one that was asked for.
 */
export async function keepGenuine(wallet: Wallet, document: JsonObject, expected?: Expected): Promise<Kept> {
  if (!expected && wallet.credentials.has(document)) return { isNew: false };
  const { problem, status } = await judgeCredential(wallet, document, expected);
  const found =
    problem ?? (status === 'revoked' ? ({ name: 'revoked', detail: 'is revoked' } as const) : undefined);
  if (found) return { refusal: { ...found, credential: quoted(document.id, 128) } };
  return { isNew: wallet.credentials.keep(document) };
}

export interface Purchased extends Omit<BoughtTerms, 'holder' | 'pins' | 'profile'> {
  /** Ids of what the wallet had before it paid: none of it was paid for. */
  readonly heldBefore: ReadonlySet<unknown>;
}

/** As `keepGenuine`, of what was applied for; of what is something else, genuine or not, it says so. */
export async function keepBought(
  wallet: Wallet,
  document: JsonObject,
  { heldBefore, ...terms }: Purchased,
): Promise<Kept> {
  const refused = (name: WalletRefusal['name'], detail: string): Kept => ({
    refusal: { name, detail, credential: quoted(document.id, 128) },
  });
  if (heldBefore.has(document.id)) return refused('notNew', 'was in the wallet before the payment');
  const { did: holder, pins } = wallet;
  try {
    assertBought(document, { ...terms, holder, pins });
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    return refused('notAsOrdered', `is not the one that was applied for: ${quoted(error.message)}`);
  }
  const { vcId, templateId, attributes } = terms;
  return keepGenuine(wallet, document, { vcId, templateId, attributes });
}

export const notKept = ({ detail }: WalletRefusal): CommandFailure =>
  new CommandFailure(
    `The credential that the service handed over is not kept.\nIt ${detail}.\nTell the owner: what this service says is not to be relied upon.`,
  );
