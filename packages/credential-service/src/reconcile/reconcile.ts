/**
 * The way out for a service whose ledger is not the one it was: what the ledger lacks is told, recorded again, and then
 * the ledger is accepted as it is. Accepting comes last, so a service that runs meanwhile records nothing that would
 * take the numbers of what is to be handed in again. Whatever breaks off can be begun again.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { OperatorError } from '@symbolon/core/faults/operator-errors';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { type Clock, systemClock } from '@symbolon/host/work/clock';
import { sha256 } from '@symbolon/host/work/sha256';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Queries } from '../database/schema.ts';
import { createResolver } from '../identity/resolver.ts';
import {
  type BlockGuard,
  type BlockQuestions,
  createBlockQuestions,
  inOneRequest,
  reachBlock,
  readChain,
  type SeenChain,
} from '../ledger/at-block.ts';
import { findLedgerAccount } from '../ledger/chain-terms.ts';
import { type CredentialLedger, createCredentialLedger } from '../ledger/credential-ledger.ts';
import { deployRegistries, isDeployed, type Registries } from '../ledger/deploy-registries.ts';
import { guardClient } from '../ledger/guarded-client.ts';
import { orFault } from '../ledger/ledger-faults.ts';
import { type ChainChange, changeOf, changeText } from '../ledger/own-chain.ts';
import { acceptChain, type KnownBlock, type KnownChain, readKnownChain } from '../ledger/own-chain-rows.ts';
import { Registrar } from '../ledger/registrar.ts';
import { createRegistrarIntents } from '../ledger/registrar-intent-rows.ts';
import { forgetSigned } from '../ledger/signed-transaction-rows.ts';
import { oweChange, oweTemplate, payOwedTemplate, takeStatus } from '../status/owed-rows.ts';
import { knownRegistries } from '../wiring/open-parts.ts';
import type { Records } from '../wiring/open-records.ts';
import { type ComparisonSources, findLacking, type Lacking } from './lacking.ts';
import { lostTemplatesOf, type Stuck, tellLeft, tellOwed, waitingIn } from './left-for-owners.ts';
import { forgetTemplateVersion, leaveChain } from './reconcile-rows.ts';
import { type RecordedAgain, recordAgain } from './record-again.ts';

/** Not a defect: somebody has to decide or do what the message says first. */
export class ReconcileRefused extends OperatorError {
  override readonly name = 'ReconcileRefused';
}

export interface ReconcileParts {
  readonly records: Pick<Records, 'database' | 'registrarSigner' | 'audit'>;
  readonly client: LedgerClient;
  readonly clock?: Clock;
}

export interface Situation {
  /** Nothing where the ledger is the one that is known. */
  readonly change?: ChainChange;
  readonly words: string;
  readonly known: KnownChain;
  /** All of it was said by nodes that have this newest block. */
  readonly seen: SeenChain;
  readonly registries: Registries;
  /** What of them has to be put on the ledger again. */
  readonly lostRegistries: readonly (keyof Registries)[];
  readonly lacking: Lacking;
  /** What earlier runs have left to its owners, and is still not there. */
  readonly owed: readonly Stuck[];
}

const profile = zetrixProfile;
const keys = createKeyFormat(profile, sha256);

/** Reads everything, changes nothing. */
export async function compareWithLedger(parts: ReconcileParts): Promise<Situation> {
  const { kysely: queries } = parts.records.database;
  const [known, addresses] = [await readKnownChain(queries), await knownRegistries(queries)];
  const { templates, credentials, unbound } = addresses;
  if (!known || !templates || !credentials)
    throw new ReconcileRefused('This service has recorded nothing yet: there is nothing to bring back.');
  const registries = { templates, credentials, ...(unbound !== undefined && { unbound }) };
  const seen = await inOneRequest(parts.client, (one) => readChain(one, known));
  const { head } = seen;
  const client = guardClient(parts.client, guardOf(parts.client, head));
  const change = changeOf(known, seen);
  const words = change
    ? `${changeText(change, known, head)}.`
    : `The ledger is the one that the service has recorded to, at block ${head.seq}.`;
  const there = await Promise.all([isDeployed(client, templates), isDeployed(client, credentials)]);
  const lostRegistries = (['templates', 'credentials'] as const).filter((_, index) => !there[index]);
  const lacking = await findLacking(comparedOf(queries, client, { registries, since: known.since }));
  const owed = tellOwed(lacking);
  return { ...(change && { change }), words, known, seen, registries, lostRegistries, lacking, owed };
}

/** The ledger as it was seen at this block, and later: between nodes that differ, what one lacks is not lost. */
function guardOf(client: LedgerClient, head: KnownBlock): BlockGuard {
  let newest = head;
  const questions = createBlockQuestions(client, async () => newest);
  const guarded =
    (kind: keyof BlockQuestions): BlockGuard['ask'] =>
    async (question) => {
      const found = await questions[kind](question);
      if (found) return found.answer;
      throw new ReconcileRefused(
        `The nodes at the ledger's address differ: one that answered does not have block ${newest.seq}. Name the one that counts with --node.`,
      );
    };
  const ask = guarded('ask');
  const look = async (): Promise<void> => {
    const from = newest;
    const { head: now } = await ask((one) => readChain(one));
    if (newest === from && now.seq > newest.seq) newest = now;
  };
  return {
    ask,
    lookUp: guarded('lookUp'),
    async confirm({ from, to }, seq) {
      if (newest !== from || seq > BigInt(Math.max(from.seq, to.seq))) return false;
      if (seq > BigInt(from.seq)) newest = to;
      return true;
    },
    reach: (seq) => reachBlock(seq, async () => newest, look),
  };
}

const comparedOf = (
  queries: Queries,
  client: LedgerClient,
  { registries, since }: { readonly registries: Registries; readonly since: number },
): ComparisonSources => ({ queries, ledger: createCredentialLedger(client, registries), keys, since });

/** How much was recorded again, and what is left. */
export type Reconciled = Omit<RecordedAgain, 'held'>;

/** Records again what the ledger lacks, and accepts it then. */
export async function reconcile(asked: ReconcileParts, situation: Situation): Promise<Reconciled> {
  const { records, clock = systemClock } = asked;
  const { registries, known, change, seen } = situation;
  const guard = guardOf(asked.client, seen.head);
  const client = guardClient(asked.client, guard);
  const parts = { ...asked, client };
  if (change === 'replaced')
    throw new ReconcileRefused(`${situation.words}\nWhat was signed for one chain is not handed to another.`);
  await putRegistriesBack(parts, situation);
  const ledger = createCredentialLedger(client, registries);
  const registrar = new Registrar({
    client,
    signer: records.registrarSigner,
    registry: registries.credentials,
    intents: createRegistrarIntents(records.database.kysely, clock),
    profile,
  });
  try {
    const resolver = createResolver({ client, profile, now: () => clock.nowMs() });
    const again = await recordAgain({ client, ledger, registrar, resolver }, situation.lacking);
    const stuck = [...again.stuck, ...(await anchorAgain(parts, { ledger, registrar }))];
    const compared = comparedOf(records.database.kysely, client, { registries, since: known.since });
    const { head: before } = await guard.ask((one) => readChain(one));
    const lacking = await findLacking(compared);
    const isTaken = await takenOf(client, lacking);
    const now = await guard.ask((one) => readChain(one));
    await accept(parts, { lacking, isTaken, again, seen: now, seq: before.seq });
    const { held, ...recorded } = again;
    return { ...recorded, stuck: [...stuck, ...tellLeft(lacking, held, isTaken)] };
  } finally {
    await registrar.close();
  }
}

/** The address of a contract follows from its maker's account and the number of the transaction. */
async function putRegistriesBack(
  { records: { registrarSigner: signer }, client }: ReconcileParts,
  { registries, lostRegistries }: Situation,
): Promise<void> {
  if (lostRegistries.length === 0) return;
  const { address } = signer;
  const account = await findLedgerAccount(client, address);
  if (!account)
    throw new ReconcileRefused(
      `The registries are to be put on the ledger again, and the registrar's account is not there: pay into ${address} first.`,
    );
  const isSame = lostRegistries.every((name, index) => {
    const maker = `${address}-${account.nonce + 1n + BigInt(index)}-0`;
    return keys.addressOfText(maker) === registries[name];
  });
  if (!isSame)
    throw new ReconcileRefused(
      `The registries cannot be put back at their addresses: the account ${address} has sent other transactions on this ledger.`,
    );
  const known = lostRegistries.includes('templates') ? {} : { templates: registries.templates };
  await deployRegistries(client, { signer, didMethod: profile.didMethod, known });
}

/** The newest anchor of the audit log. */
async function anchorAgain(
  { records: { audit } }: ReconcileParts,
  { ledger, registrar }: { readonly ledger: CredentialLedger; readonly registrar: Registrar },
): Promise<readonly Stuck[]> {
  const anchor = await audit.latestAnchor();
  if (!anchor || ((await ledger.readAuditAnchor())?.count ?? 0) >= anchor.sequence) return [];
  const anchored = await orFault(() => registrar.anchorAuditHead(anchor.hash, anchor.sequence));
  return anchored instanceof Fault
    ? [{ what: 'the anchor of the audit log', owner: 'registrar', why: anchored.message }]
    : [];
}

interface Acceptance {
  readonly lacking: Lacking;
  readonly isTaken: ReadonlySet<string>;
  readonly again: RecordedAgain;
  readonly seen: SeenChain;
  /** The newest block before what is lacking was looked for. */
  readonly seq: number;
}

/** From now on the ledger counts as it is; what it still lacks is owed. */
async function accept(
  { records, clock = systemClock }: Omit<ReconcileParts, 'client'>,
  { lacking, isTaken, again, seen: { genesis, head }, seq }: Acceptance,
): Promise<void> {
  const { database, audit } = records;
  const now = clock.nowMs();
  const isWaiting = waitingIn(lacking.transactions.filter(({ hash }) => !isTaken.has(hash)));
  await database.transaction(async (queries) => {
    for (const { vcId, onLedger } of lacking.newer) await takeStatus(queries, { vcId, status: onLedger });
    for (const { vcId, change: kind, onLedger } of lacking.statuses)
      await oweChange(queries, { vcIds: [vcId], kind, status: onLedger, seq });
    for (const { id, version, name, issuer } of lostTemplatesOf(lacking.templates, isWaiting)) {
      await forgetTemplateVersion(queries, { id, version });
      await oweTemplate(queries, { templateId: id, version, name, owner: issuer, createdAt: now });
    }
    for (const paid of lacking.paidTemplates) await payOwedTemplate(queries, paid);
    await forgetSigned(queries, [...isTaken]);
    await acceptChain(queries, { genesis: genesis ?? head.hash, block: head, now });
    const count = again.entries + again.templates + again.statusChanges;
    await audit.record({ action: 'ledger.reconcile', details: { count } }, queries);
  });
}

/** Hashes of what can never be executed any more. */
async function takenOf(client: LedgerClient, { transactions }: Lacking): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (const { hash, source, nonce } of transactions)
    if (nonce <= ((await findLedgerAccount(client, source))?.nonce ?? 0n)) taken.add(hash);
  return taken;
}

/** A service that goes on with another chain: what it has recorded stays behind, and its registries are made anew. */
export async function acceptOtherChain(
  { records, clock = systemClock }: Pick<ReconcileParts, 'records' | 'clock'>,
  { seen: { genesis, head } }: Pick<Situation, 'seen'>,
): Promise<void> {
  const now = clock.nowMs();
  await records.database.transaction(async (queries) => {
    await leaveChain(queries, now);
    await acceptChain(queries, { genesis: genesis ?? head.hash, block: head, now, since: now });
    await records.audit.record({ action: 'ledger.accept' }, queries);
  });
}
