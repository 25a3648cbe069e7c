/**
 * What the ledger says of the credentials of a list, for all of them at once, and as of which block. What is stored here
 * of their status is a memory: it finds them, and it is what is told where the ledger does not answer, with a word that
 * says so. Where the ledger's word is the newer one it is remembered.
 */
import { unixMsOf } from '@symbolon/core/basics/calendar';
import type { RecordedStatus } from '@symbolon/core/credential/application-states';
import { Fault } from '@symbolon/core/faults/faults';
import { within } from '@symbolon/host/work/within';
import {
  type CountingEntry,
  type RegistryEntry,
  statusWords,
} from '@symbolon/wire/credentials/registry-records';
import type { IssuedState } from '@symbolon/wire/desks/schemas';
import { ledgerFaults } from '@symbolon/wire/http/service-route';
import { addressOfIssuer } from '../access/signatures.ts';
import { type CredentialSummary, keepLedgersWord } from '../issuance/credential-rows.ts';
import { readKnownChain } from '../ledger/own-chain-rows.ts';
import { deskLimits } from '../limits/service-limits.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import { compareStatus } from '../status/compare-status.ts';
import { countAsOwed } from '../status/ledger-facts.ts';

type AskingParts = Pick<ServiceParts, 'database' | 'ledger' | 'keys'>;

/** On whose word statuses are told. */
export type StatusBasis =
  | { readonly source: 'ledger'; readonly ledgerSeq: string }
  | { readonly source: 'records'; readonly ledgerSeq: null; readonly detail: string };

export interface StandingCredential {
  readonly stored: CredentialSummary;
  /** What the ledger has of it; undefined where it did not answer, or has none. */
  readonly entry: CountingEntry | undefined;
  readonly state: IssuedState;
  readonly validFrom: number | null;
  readonly validUntil: number | null;
}

export interface Standing {
  readonly credentials: readonly StandingCredential[];
  readonly basis: StatusBasis;
}

export async function standingOf(
  parts: AskingParts,
  stored: readonly CredentialSummary[],
  now: number,
): Promise<Standing> {
  const asked = await askLedger(parts, stored);
  if ('detail' in asked) return { credentials: stored.map((one) => byRecord(one, now)), basis: asked };
  const { entries, ...basis } = asked;
  const credentials = await Promise.all(
    stored.map((one, place) => byLedger(parts, { stored: one, entry: entries[place], now })),
  );
  return { credentials, basis };
}

type Answered = Extract<StatusBasis, { source: 'ledger' }> & {
  readonly entries: readonly (RegistryEntry | undefined)[];
};

/** A ledger that is late is taken for one that does not answer: whoever looks at a list does not wait for it. */
async function askLedger(
  { database, ledger, keys }: AskingParts,
  stored: readonly CredentialSummary[],
): Promise<Answered | Extract<StatusBasis, { source: 'records' }>> {
  try {
    // Read first: whatever is answered is the word of a node that has this block.
    const known = await readKnownChain(database.kysely);
    const reading = Promise.all(
      stored.map(({ issuer, vcId }) => ledger.readEntry(addressOfIssuer(issuer, keys), vcId)),
    );
    const answered = await within(deskLimits.ledgerWaitMs, reading);
    if (answered && known)
      return { source: 'ledger', ledgerSeq: String(known.seq), entries: answered.answer };
    return unanswered('The ledger does not answer in time');
  } catch (error) {
    if (error instanceof Fault && (ledgerFaults as readonly string[]).includes(error.code))
      return unanswered(error.message);
    throw error;
  }
}

const unanswered = (detail: string) => ({ source: 'records', ledgerSeq: null, detail }) as const;

function byRecord(stored: CredentialSummary, now: number): StandingCredential {
  const { status, validFrom, validUntil } = stored;
  return { stored, entry: undefined, state: stateOf(status, validUntil, now), validFrom, validUntil };
}

async function byLedger(
  parts: AskingParts,
  { stored, entry: found, now }: { stored: CredentialSummary; entry: RegistryEntry | undefined; now: number },
): Promise<StandingCredential> {
  if (!found)
    // A revocation is for good, whatever a ledger has lost.
    return stored.status === 'revoked'
      ? byRecord(stored, now)
      : { ...byRecord(stored, now), state: 'Missing' };
  const queries = parts.database.kysely;
  const entry = await countAsOwed(queries, stored, found);
  const [validFrom, validUntil] = [found.validFrom, found.validUntil].map((text) => unixMsOf(text) ?? null);
  await remember(parts, { stored, found, validFrom, validUntil });
  return { stored, entry, state: stateOf(entry.status, validUntil, now), validFrom, validUntil };
}

/** A failure to find out which of the two is newer keeps nobody from the list. */
async function remember(
  { database, ledger }: AskingParts,
  {
    stored,
    found,
    ...validity
  }: Pick<StandingCredential, 'stored' | 'validFrom' | 'validUntil'> & { readonly found: RegistryEntry },
): Promise<void> {
  const { vcId, status: from, validUntil, owedChange } = stored;
  if ((from === found.status && validUntil === validity.validUntil) || owedChange !== null) return;
  const queries = database.kysely;
  const compared = await compareStatus({ queries, ledger }, stored, found).catch((error: unknown) => {
    if (error instanceof Fault) return { onLedger: from, lost: 'revoke' as const };
    throw error;
  });
  const status = compared && !compared.lost ? compared.onLedger : from;
  await keepLedgersWord(queries, { vcId, from, status, ...validity });
}

function stateOf(status: RecordedStatus, validUntil: number | null, now: number): IssuedState {
  const hasEnded = validUntil !== null && validUntil <= now;
  return status !== 'revoked' && hasEnded ? 'Expired' : statusWords[status];
}
