/**
 * Gives a ledger again what it lacks. Transactions of issuers are handed in as they were signed, each account's in the
 * order of their numbers; entries of credentials are recorded anew by the registrar. A change of a status waits for its
 * entry, an entry for its template and for the issuer's key: recorded before the key is published, it would never
 * verify. What cannot be done is left, with what its owner has to do.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { Turns } from '@symbolon/host/work/turns';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Resolver } from '../identity/resolver.ts';
import { findLedgerAccount } from '../ledger/chain-terms.ts';
import type { CredentialLedger } from '../ledger/credential-ledger.ts';
import { orFault } from '../ledger/ledger-faults.ts';
import type { Registrar } from '../ledger/registrar.ts';
import { ownChainLimits, registryLimits } from '../limits/service-limits.ts';
import type { Lacking, LackingEntry, LackingTransaction, SignedAct } from './lacking.ts';
import { againWords, type HeldTransaction, type Stuck } from './left-for-owners.ts';

export interface RecordedAgain {
  readonly entries: number;
  readonly templates: number;
  readonly statusChanges: number;
  readonly payments: number;
  /** Entries that could not be recorded. */
  readonly stuck: readonly Stuck[];
  readonly held: readonly HeldTransaction[];
}

export interface RecordingParts {
  readonly client: LedgerClient;
  readonly ledger: CredentialLedger;
  readonly registrar: Pick<Registrar, 'recordInTime'>;
  readonly resolver: Resolver;
}

type Stop = { readonly isTaken: boolean; readonly why: string };

export async function recordAgain(parts: RecordingParts, lacking: Lacking): Promise<RecordedAgain> {
  const done = { entries: 0, templates: 0, statusChanges: 0, payments: 0 };
  const held: HeldTransaction[] = [];
  /** As many as fit into one transaction of the registrar. */
  const turns = new Turns(registryLimits.entriesMax);
  const queues = queuesOf(lacking.transactions);
  let left = lacking.entries.map((one) => ({ ...one, why: 'it was not tried' }));

  const sendFrom = async (queue: LackingTransaction[]): Promise<boolean> => {
    let isProgress = false;
    for (let next = queue[0]; next; next = queue[0]) {
      const stop = await whatStops(parts, next);
      if (stop && !stop.isTaken) break;
      const why = stop?.why ?? (await handIn(parts, next));
      queue.shift();
      isProgress = true;
      if (why !== undefined) held.push({ transaction: next, why });
      else done[countOf(next.act)] += 1;
    }
    return isProgress;
  };
  const recordEntries = async (): Promise<boolean> => {
    const whys = await Promise.all(left.map((one) => turns.run(() => recordEntry(parts, one))));
    const still = left.flatMap((one, index) => {
      const why = whys[index];
      return why === undefined ? [] : [{ ...one, why }];
    });
    const count = left.length - still.length;
    done.entries += count;
    left = still;
    return count > 0;
  };

  for (let isProgress = true; isProgress; ) {
    isProgress = false;
    for (const queue of queues) if (await sendFrom(queue)) isProgress = true;
    if (left.length > 0 && (await recordEntries())) isProgress = true;
  }
  for (const one of queues.flat()) {
    const stop = await whatStops(parts, one);
    held.push({ transaction: one, why: stop?.why ?? 'what comes before it is not on the ledger' });
  }
  const stuck = left.map(({ vcId, issuer, why }) => ({ what: `credential ${vcId}`, owner: issuer, why }));
  return { ...done, stuck, held };
}

/** Of each account by their numbers. */
function queuesOf(transactions: readonly LackingTransaction[]): LackingTransaction[][] {
  const bySource = new Map<string, LackingTransaction[]>();
  for (const one of transactions) bySource.set(one.source, [...(bySource.get(one.source) ?? []), one]);
  return [...bySource.values()].map((queue) =>
    queue.sort((left, right) => (left.nonce < right.nonce ? -1 : left.nonce > right.nonce ? 1 : 0)),
  );
}

const countOf = ({ kind }: SignedAct): 'templates' | 'payments' | 'statusChanges' =>
  kind === 'template' ? 'templates' : kind === 'payment' ? 'payments' : 'statusChanges';

/** Why it cannot be handed in now; taken: nor ever. */
async function whatStops(
  { client, ledger }: RecordingParts,
  one: LackingTransaction,
): Promise<Stop | undefined> {
  const { source, nonce, act } = one;
  const account = await findLedgerAccount(client, source);
  if (!account)
    return { isTaken: false, why: `the account ${source} is not on the ledger: pay into it again` };
  const { nonce: used } = account;
  if (nonce <= used)
    return {
      isTaken: true,
      why: `the account has sent another transaction with its number: ${againWords(act.kind)}`,
    };
  if (nonce > used + 1n) {
    const numbers = nonce === used + 2n ? `${used + 1n}` : `${used + 1n} to ${nonce - 1n}`;
    return {
      isTaken: false,
      why: `the account's transactions ${numbers} are lost and not kept here: send them again, published keys for one`,
    };
  }
  if (act.kind === 'template' || act.kind === 'payment') return undefined;
  const found = await Promise.all(act.vcIds.map((vcId) => ledger.readEntry(source, vcId)));
  return found.every((entry) => entry)
    ? undefined
    : { isTaken: false, why: 'the entry of the credential is not on the ledger' };
}

/** Nothing when it was executed, else why not. */
async function handIn(
  { ledger }: RecordingParts,
  { signed }: LackingTransaction,
): Promise<string | undefined> {
  for (let attempt = 0; attempt < ownChainLimits.looksMax; attempt++) {
    const outcome = await ledger.submitSigned(signed);
    if (outcome.kind === 'executed') return undefined;
    if (outcome.kind === 'stale') return 'another transaction of the account came first';
    if (outcome.kind === 'failed') return `the ledger refused it with code ${outcome.code}`;
  }
  throw new Fault('ledgerUnconfirmed');
}

/** Nothing when it is on the ledger now, else why not. */
async function recordEntry(
  { ledger, registrar, resolver }: RecordingParts,
  { issuer, entry, verificationMethod }: LackingEntry,
): Promise<string | undefined> {
  if (!entry) return 'it was recorded by a registry of an older version: issue it anew';
  if (!(await ledger.readTemplate(entry.template, entry.templateVersion)))
    return `its template ${entry.template} ${entry.templateVersion} is not on the ledger`;
  if (!(await isPublished(resolver, issuer, verificationMethod)))
    return `its issuer's key ${verificationMethod ?? 'for BBS+'} is not published: symbolon did publish-key`;
  const recorded = await orFault(() => registrar.recordInTime(entry));
  if (!(recorded instanceof Fault)) return undefined;
  const { code, message } = recorded;
  return code === 'ledgerFailed' ? `${message}: does the registrar's account have money?` : message;
}

async function isPublished(resolver: Resolver, issuer: string, method: string | null): Promise<boolean> {
  if (method === null) {
    const resolution = await resolver.resolveDid(issuer);
    return (
      typeof resolution === 'object' && JSON.stringify(resolution.document).includes('Bls12381G2Key2020')
    );
  }
  const key = await orFault(async () => (await resolver.readDid(issuer)).issuerKey(method));
  if (!(key instanceof Fault)) return key.keyType === 'bls12381g2';
  if (key.status < 500) return false;
  throw key;
}
