/**
 * Accounts whose keys the service holds for others: making one, signing with it, changing its password and what it may
 * sign. Every signature is counted against the owner's policy before it is made, in one step with its line in the
 * audit log; a crash afterwards costs the owner a signature of the day, never a cap.
 */
import { dayOf } from '@symbolon/core/basics/calendar';
import {
  type Allowed,
  type CustodyPolicy,
  type CustodyUse,
  countUse,
  defaultPolicy,
  isRefused,
  judgeMessage,
  judgeTransaction,
  noUse,
  type Refused,
} from '@symbolon/core/custody/custody-policy';
import { loosenedBy } from '@symbolon/core/custody/policy-change';
import { classifyBytes, isPlainMessage } from '@symbolon/core/custody/signable-bytes';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { addressCaller, type RateLimiter } from '@symbolon/host/http/rate-limit';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { within } from '@symbolon/host/work/within';
import type { MadeAccount, MadeSignature, PolicyInUse } from '@symbolon/wire/custody/replies';
import { approvalHeader } from '@symbolon/wire/custody/requests';
import type { Queries } from '../database/schema.ts';
import { custodyWorkLimits } from '../limits/service-limits.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import type { Activations } from './activation.ts';
import type { CustodyKeys, NewCustodyKey } from './custody-keys.ts';
import type { CustodyCounts, CustodyParts } from './custody-parts.ts';
import {
  addCustodyAccount,
  type CustodyAccountRow,
  changeCustodyAccount,
  findCustodyAccount,
  readAccountUse,
  readCustodyUse,
  readPolicy,
  sweepCustody,
  writeAccountUse,
  writeCustodyUse,
  writePolicy,
} from './custody-rows.ts';
import type { Knock, PasswordGate } from './password-gate.ts';
import type { PasswordHash } from './passwords.ts';

export interface CustodyOptions extends CustodyParts {
  readonly addresses: KeyFormat;
  readonly keys: CustodyKeys;
  readonly gate: PasswordGate;
  readonly activations: Activations;
  readonly newAccounts: RateLimiter;
  /** Accounts that are paid for in a day; 0 for none. */
  readonly activationsPerDay: number;
  /** Whose API key approves what a password alone cannot do; throws `notAllowed`. */
  readonly approverOf: (token: string) => Promise<string>;
  readonly crashPoint: (name: string) => void;
}

export interface NewAccountOrder {
  readonly password: string;
  readonly label?: string;
  readonly purpose?: string;
  readonly from: string;
}

export interface Custody {
  readonly counts: Readonly<CustodyCounts>;
  create(order: NewAccountOrder): Promise<MadeAccount>;
  /** A transaction of the account, or data that no ledger takes for one. */
  signBlob(knock: Knock, blob: Uint8Array): Promise<MadeSignature>;
  signMessage(
    knock: Knock,
    message: { readonly text: string; readonly bytes: Uint8Array },
  ): Promise<MadeSignature>;
  /** The public key of an account, encoded, for who knows its password. */
  ownKey(knock: Knock): Promise<string>;
  changePassword(knock: Knock, newPassword: string): Promise<void>;
  policyOf(knock: Knock): Promise<PolicyInUse>;
  changePolicy(knock: Knock, change: Partial<CustodyPolicy>): Promise<PolicyInUse>;
  isActivated(address: string): Promise<boolean>;
  /** Goes on with activations that broke off, and forgets what is long over. */
  tidy(leaseMs?: number): Promise<void>;
  /** Resolves when no activation is under way. */
  idle(): Promise<void>;
}

/** Counted beside the accounts; no address looks like this. */
const activationSubject = '*activations';

export function createCustody(options: CustodyOptions): Custody {
  const { database, clock, gate, activations, counts, audit } = options;
  const todayOf = (queries: Queries, subject: string, policy: CustodyPolicy): Promise<CustodyUse> =>
    readAccountUse(queries, { subject, day: dayOf(clock.nowMs()) }, namedAssets(policy));
  /** The password first: nobody without it finds out which API keys there are. */
  const enter = async (knock: Knock): Promise<Entered> => {
    const account = await gate.enter(knock);
    const { approval } = knock;
    return { account, approver: approval === undefined ? undefined : await options.approverOf(approval) };
  };

  return {
    counts,
    create: (order) => createAccount(options, order),

    async signBlob(knock, bytes) {
      const { account, approver } = await enter(knock);
      const signable = classifyBytes(bytes);
      if (signable.kind !== 'transaction') {
        const judge = signable.kind === 'data' ? judgeMessage : passesForTransaction;
        return signCounted(options, { account, approver, bytes, judge });
      }
      const { address } = account;
      const isApproved = approver !== undefined;
      const judge: Judge = (policy, nowMs) =>
        judgeTransaction(signable.transaction, { address, policy, nowMs, isApproved });
      return signCounted(options, { account, approver, bytes, judge, txHash: sha256Hex(bytes) });
    },

    async signMessage(knock, { text, bytes }) {
      const { account } = await enter(knock);
      const judge = isPlainMessage(text, bytes) ? judgeMessage : passesForTransaction;
      return signCounted(options, { account, approver: undefined, bytes, judge });
    },

    ownKey: async (knock) => (await enter(knock)).account.publicKey,

    async changePassword(knock, newPassword) {
      const { address } = (await enter(knock)).account;
      const password = await gate.encrypt(address, await gate.hash(newPassword, knock.from));
      await database.transaction(async (queries) => {
        await changeCustodyAccount(queries, { address, password, now: clock.nowMs() });
        await audit.record({ action: 'custody.password', subject: address }, queries);
      });
    },

    async policyOf(knock) {
      const { address, policy: text } = (await enter(knock)).account;
      const policy = readPolicy(text);
      return { policy, today: await todayOf(database.kysely, address, policy) };
    },

    async changePolicy(knock, change) {
      const { account, approver } = await enter(knock);
      const { address } = account;
      return database.transaction(async (queries) => {
        const before = readPolicy((await accountOf(queries, address)).policy);
        const policy = { ...before, ...change };
        const loosened = loosenedBy(before, policy);
        if (loosened !== undefined && approver === undefined) throw needsApproval(loosened);
        await changeCustodyAccount(queries, { address, policy: writePolicy(policy), now: clock.nowMs() });
        await audit.record({ actor: actorOf(approver), action: 'custody.policy', subject: address }, queries);
        return { policy, today: await todayOf(queries, address, policy) };
      });
    },

    isActivated: (address) => activations.isActivated(address),
    async tidy(leaseMs) {
      const now = clock.nowMs();
      await sweepCustody(database.kysely, now, dayOf(now));
      await activations.recover(leaseMs);
    },
    idle: () => activations.idle(),
  };
}

interface Entered {
  readonly account: CustodyAccountRow;
  /** The API key that approves, where one does. */
  readonly approver: string | undefined;
}

const actorOf = (approver: string | undefined) => (approver === undefined ? {} : { keyId: approver });

const namedAssets = ({ dailyAssetMax }: CustodyPolicy): string[] => Object.keys(dailyAssetMax ?? {});

const needsApproval = (member: string): Fault =>
  new Fault('policyForbids', {
    detail: `The password alone does not loosen ${member}: give an API key of scope admin in the header ${approvalHeader} too`,
  });

type Judge = (policy: CustodyPolicy, nowMs: number) => Allowed | Refused;

const passesForTransaction = (): Refused => ({
  kind: 'forbidden',
  why: 'it may be taken for a transaction, and is none to the letter',
});

interface SigningOrder extends Entered {
  readonly bytes: Uint8Array;
  readonly judge: Judge;
  /** Of a transaction. What else is signed leaves no trace of itself. */
  readonly txHash?: string;
}

const faultOfRefusal: Readonly<Record<Refused['kind'], FaultName>> = {
  forbidden: 'policyForbids',
  capReached: 'dailyCapReached',
};

async function signCounted(
  { database, clock, audit, keys, counts, crashPoint }: CustodyOptions,
  { account, bytes, judge, approver, txHash }: SigningOrder,
): Promise<MadeSignature> {
  const { address: subject, publicKey } = account;
  const known = txHash === undefined ? {} : { txHash };
  const event = { actor: actorOf(approver), action: 'custody.sign', subject } as const;
  const refusal = await database.transaction(async (queries) => {
    const verdict = await count(queries, { subject, judge, nowMs: clock.nowMs() });
    const details = { ...known, ...(verdict && { fault: faultOfRefusal[verdict.kind] }) };
    await audit.record({ ...event, outcome: verdict ? 'refused' : 'done', details }, queries);
    return verdict;
  });
  if (refusal) {
    counts.refusals += 1;
    throw new Fault(faultOfRefusal[refusal.kind], { detail: `Not signed: ${refusal.why}` });
  }
  crashPoint('custodyCounted');
  try {
    const signature = await keys.sign(account, bytes);
    counts.signatures += 1;
    return { signature, publicKey };
  } catch (error) {
    await audit.record({ ...event, outcome: 'failed', details: known });
    throw error;
  }
}

/** Takes one signature from what the account may make today; nothing, or why it may not. */
async function count(
  queries: Queries,
  { subject, judge, nowMs }: { subject: string; judge: Judge; nowMs: number },
): Promise<Refused | undefined> {
  // Read again: the policy may have changed while the password was checked.
  const policy = readPolicy((await accountOf(queries, subject)).policy);
  const verdict = judge(policy, nowMs);
  if (isRefused(verdict)) return verdict;
  const today = { subject, day: dayOf(nowMs) };
  const assets = namedAssets(policy).filter((asset) => verdict.assets.has(asset));
  const next = countUse(policy, await readAccountUse(queries, today, assets), verdict);
  if (isRefused(next)) return next;
  await writeAccountUse(queries, today, next);
  return undefined;
}

async function accountOf(queries: Queries, address: string): Promise<CustodyAccountRow> {
  const account = await findCustodyAccount(queries, address);
  if (!account) throw new Fault('passwordWrong');
  return account;
}

async function createAccount(options: CustodyOptions, order: NewAccountOrder): Promise<MadeAccount> {
  const { newAccounts, keys, gate, addresses, activations, counts, crashPoint } = options;
  const taken = newAccounts.take(addressCaller(order.from));
  if (!taken.isAllowed) throw new Fault('tooManyRequests', { retryAfterSeconds: taken.resetSeconds });
  // First, so that nobody makes keys by asking faster than passwords can be hashed.
  const hash = await gate.hash(order.password, order.from);
  const key = await keys.create();
  crashPoint('custodyKeyMade');
  let isPaidFor: boolean;
  try {
    isPaidFor = await keepAccount(options, key, { ...order, hash });
  } catch (error) {
    await keys.discard(key);
    throw error;
  }
  counts.accounts += 1;
  crashPoint('custodyKept');
  const { address } = key;
  // The hash of the payment, if the ledger is quick. What fails now is tried again from the account's row.
  const paid = isPaidFor ? activations.activate(address).catch(() => undefined) : undefined;
  const activationTx = paid && (await within(custodyWorkLimits.activationWaitMs, paid))?.answer;
  return {
    address,
    publicKey: addresses.encodePublicKey(key.publicKey),
    isActivated: activationTx !== undefined,
    activationTx: activationTx ?? null,
  };
}

/** Keeps the account and, if today's payments reach for it, that it is to be activated; answers whether. */
async function keepAccount(
  { database, vault, gate, audit, clock, addresses, activationsPerDay }: CustodyOptions,
  { publicKey, ...key }: NewCustodyKey,
  { hash, label, purpose }: Omit<NewAccountOrder, 'password'> & { readonly hash: PasswordHash },
): Promise<boolean> {
  const { address } = key;
  const password = await gate.encrypt(address, hash);
  const hasNote = label !== undefined || purpose !== undefined;
  const note = hasNote
    ? await vault.encryptDocument({ label, purpose }, contexts.custodyNote(address))
    : null;
  return database.transaction(async (queries) => {
    const now = clock.nowMs();
    const use = { subject: activationSubject, day: dayOf(now) };
    const { count } = (await readCustodyUse(queries, use)) ?? noUse;
    const isPaidFor = count < activationsPerDay;
    if (isPaidFor) await writeCustodyUse(queries, { ...use, amount: 0n, count: count + 1 });
    await addCustodyAccount(queries, {
      ...key,
      publicKey: addresses.encodePublicKey(publicKey),
      password,
      note,
      policy: writePolicy(defaultPolicy),
      activation: isPaidFor ? 'pending' : 'none',
      activationTx: null,
      createdAt: now,
      updatedAt: now,
    });
    await audit.record({ action: 'custody.create', subject: address }, queries);
    return isPaidFor;
  });
}
