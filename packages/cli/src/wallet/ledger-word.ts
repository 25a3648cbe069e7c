/**
 * What the ledger says of credentials that are kept: whether they still count, and what their issuers call themselves.
 * Where the node gives no answer nothing is known, and that is what is said: a revoked credential must not look good
 * because a node is away.
 */
import { resolveSubject } from '@symbolon/core/did/did-document';
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { LedgerError, SdkError } from '@symbolon/sdk/errors/errors';
import { readSubject } from '@symbolon/sdk/ledger/published-keys';
import { findEntry, registryOf } from '@symbolon/sdk/ledger/registries';
import { walletLimits } from '../limits/command-limits.ts';
import { keyFormat } from '../profile/key-format.ts';
import type { Wallet } from './wallet.ts';

/** Expired by this machine's clock, all else by the ledger's word. */
export type KeptStatus = 'active' | 'suspended' | 'revoked' | 'expired' | 'not known';

/** Of each credential, in their order. */
export async function statusesOf(
  wallet: Pick<Wallet, 'ledger' | 'pins'>,
  credentials: readonly UnsignedCredential[],
  now = Date.now(),
): Promise<readonly KeptStatus[]> {
  const ask = unlessAway();
  const statuses: KeptStatus[] = [];
  for (let first = 0; first < credentials.length; first += walletLimits.statusesAtOnce) {
    const some = credentials.slice(first, first + walletLimits.statusesAtOnce);
    statuses.push(...(await Promise.all(some.map((one) => statusOf(wallet, one, { now, ask })))));
  }
  return statuses;
}

type Ask = <Value>(question: () => Promise<Value>) => Promise<Value | undefined>;

/** A node that did not answer once is not asked again: whoever waits would wait for every single question. */
function unlessAway(): Ask {
  let isAway = false;
  return async (question) => {
    if (isAway) return undefined;
    try {
      return await question();
    } catch (error) {
      // A node that answers something else than a ledger's answer knows nothing, either.
      if (!(error instanceof SdkError || error instanceof LedgerError || error instanceof Fault)) throw error;
      isAway ||= error instanceof SdkError && (error.code === 'unreachable' || error.code === 'timedOut');
      return undefined;
    }
  };
}

async function statusOf(
  { ledger, pins }: Pick<Wallet, 'ledger' | 'pins'>,
  credential: UnsignedCredential,
  { now, ask }: { readonly now: number; readonly ask: Ask },
): Promise<KeptStatus> {
  const registry = registryOf(credential, { pins, profile: zetrixProfile });
  const source = { ledger, pins, profile: zetrixProfile, now };
  const entry = registry === undefined ? undefined : await ask(() => findEntry(source, credential, registry));
  if (entry?.status === 'revoked') return 'revoked';
  if (Date.parse(credential.validUntil) <= now) return 'expired';
  return entry?.status === 'active' || entry?.status === 'suspended' ? entry.status : 'not known';
}

/** By DID, what issuers call themselves: their own word, which says nothing about who they are. */
export async function ownNamesOf(
  { ledger, pins }: Pick<Wallet, 'ledger' | 'pins'>,
  issuers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ask = unlessAway();
  const names = new Map<string, string>();
  const nowSeconds = Math.floor(Date.now() / 1_000);
  for (const issuer of new Set(issuers)) {
    const subject = await ask(() => readSubject({ ledger, pins, profile: zetrixProfile }, issuer));
    const name = subject && resolveSubject(subject, { nowSeconds }, keyFormat)?.metadata.name;
    if (name !== undefined) names.set(issuer, name);
  }
  return names;
}
