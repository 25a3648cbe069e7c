/**
 * What a node says of the ledger, checked in this browser, step by step. A step holds, does not hold, or waits for blocks
 * that are still to come; after one that does not hold nothing is looked at any more, and nothing counts as proven. What
 * it all rests on is who the validators are: that is the node's word, so the reader is told whom to compare it with.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { SdkError, unlessNotFound } from '@symbolon/sdk/errors/errors';
import type { LedgerClient, LedgerReply } from '@symbolon/sdk/ledger/ledger-client';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type AccountEntry, contractText, controlText } from './account-entry.ts';

export type StepName = 'entry' | 'header' | 'signature' | 'contents' | 'member';

/** Steps that need blocks which may still be to come. */
type LateStep = 'signature' | 'contents';

export type ProofStep = StepFacts &
  (
    | { readonly name: StepName; readonly state: 'holds' | 'fails' }
    | { readonly name: LateStep; readonly state: 'waits' }
  );

interface StepFacts {
  /** The block that the step is about. */
  readonly block: number;
  /** Whose signature it is. */
  readonly signer?: string;
  /** The hash that was made anew. */
  readonly hash?: string;
}

export interface CheckedSteps {
  readonly steps: readonly ProofStep[];
  /** Addresses that the node names as validators. */
  readonly validators: readonly string[];
}

export interface ProofPins {
  readonly chainId: bigint | undefined;
}

export const isProven = ({ steps }: CheckedSteps): boolean => steps.every(({ state }) => state === 'holds');
export const hasFailedStep = ({ steps }: CheckedSteps): boolean =>
  steps.some(({ state }) => state === 'fails');

async function readValidators(ledger: LedgerClient): Promise<readonly string[]> {
  return (await ledger.getLedger({ with_validator: true })).result?.validators ?? [];
}

const isThere = async (ledger: LedgerClient, seq: number): Promise<boolean> => {
  return (await unlessNotFound(ledger.getLedger({ seq }))) !== undefined;
};

const readsMax = 5;

export interface ProofRead<Shown> {
  readonly reply: LedgerReply<'getStateProof'>;
  /** What the page's own route answers. */
  readonly answered: Shown;
  /** Whether both are of one block. */
  readonly isSameBlock: boolean;
  /** Whether the proof is of a block before one that was told of before it was asked for: what was so then may be over. */
  readonly isOutdated: boolean;
}

export interface ShownReading<Shown> {
  readonly readShown: () => Promise<Shown>;
  /** The newest block that the page has heard of. */
  readonly seen: number;
}

/** A proof, and what the page shows of the same block; read again as long as blocks come in between. */
export async function readProof<Shown>(
  ledger: LedgerClient,
  asked: { readonly address: string; readonly key?: string },
  { readShown, seen }: ShownReading<Shown>,
): Promise<ProofRead<Shown>> {
  let known = seen;
  for (let reads = 1; ; reads += 1) {
    const reply = await ledger.getStateProof(asked);
    const answered = await readShown();
    const newest = Number((await ledger.getLedger()).result?.header?.seq ?? 0);
    const proven = Number(reply.result?.header?.seq ?? 0);
    const [isSameBlock, isOutdated] = [newest === proven, proven < known];
    if ((isSameBlock && !isOutdated) || reads === readsMax)
      return { reply, answered, isSameBlock, isOutdated };
    known = Math.max(known, newest);
  }
}

export interface StateQuestion {
  readonly reply: LedgerReply<'getStateProof'>;
  /** Which entry is meant: made here, and never taken from the reply. */
  readonly stateKey: string;
}

/** What the state is proven to hold, read from the reply itself. */
export interface CheckedState extends CheckedSteps {
  /** Undefined where it is proven to hold nothing, or nothing is proven. */
  readonly entry: ProvenEntry | undefined;
}

export type ProvenEntry =
  | AccountEntry
  | { readonly kind: 'metadata'; readonly value: string; readonly version: bigint }
  | { readonly kind: 'asset'; readonly amount: bigint };

export async function proveEntry(
  ledger: LedgerClient,
  { reply, stateKey }: StateQuestion,
  pins: ProofPins,
): Promise<CheckedState> {
  const { verifyStateProof } = await import('@symbolon/sdk/ledger/state-proofs');
  const { blockHashAnew, signedBlock } = await import('@symbolon/sdk/ledger/block-proofs');
  const validators = await readValidators(ledger);
  const header = reply.result?.header;
  const block = Number(header?.seq ?? 0);
  const steps: ProofStep[] = [];
  const end = (entry?: ProvenEntry): CheckedState => ({ steps, validators, entry });

  let found: ReturnType<typeof verifyStateProof>;
  try {
    const trustedRoot = header?.account_tree_hash ?? '';
    found = verifyStateProof(reply, { trustedRoot, stateKey });
  } catch (error) {
    if (!(error instanceof SdkError)) throw error;
    steps.push({ name: 'entry', state: 'fails', block });
    return end();
  }
  steps.push({ name: 'entry', state: 'holds', block, hash: reply.result?.root ?? '' });

  const hash = await blockHashAnew(ledger, header as JsonObject);
  const isSame = hash !== undefined && hash === header?.hash;
  steps.push({ name: 'header', state: isSame ? 'holds' : 'fails', block, ...(hash && { hash }) });
  if (!isSame) return end();

  const next = block + 1;
  if (!(await isThere(ledger, next + 1))) {
    steps.push({ name: 'signature', state: 'waits', block: next });
    return end(readEntry(found));
  }
  const signed = await signedBlock(ledger, BigInt(next), pinsOf(validators, pins));
  const isBuiltOnIt = signed !== undefined && encodeHex(signed.value.previousLedgerHash) === hash;
  steps.push({
    name: 'signature',
    state: isBuiltOnIt ? 'holds' : 'fails',
    block: next,
    ...(isBuiltOnIt && { signer: signed.signer }),
  });
  return end(isBuiltOnIt ? readEntry(found) : undefined);
}

const pinsOf = (validators: readonly string[], { chainId }: ProofPins) => ({
  validators,
  ...(chainId !== undefined && { chainId }),
});

type StateAccount = Extract<FoundEntry, { $typeName: 'symbolon.ledger.v1.Account' }>;

function accountEntry({ address, balance, nonce, priv, contract }: StateAccount): AccountEntry {
  const own = priv?.masterWeight ?? 0n;
  const types = priv?.thresholds?.typeThresholds ?? [];
  const control = controlText({
    signers: [...(own > 0n ? [{ address, weight: own }] : []), ...(priv?.signers ?? [])],
    needed: priv?.thresholds?.txThreshold ?? 0n,
    types: types.map(({ type, threshold }) => ({ type, needed: threshold })),
  });
  const { payload, owner } = contract ?? {};
  return {
    kind: 'account',
    balance,
    nonce,
    control,
    contract: contractText({ ...(payload && { code: payload }), ...(owner && { owner }) }),
  };
}

type FoundEntry = ReturnType<typeof import('@symbolon/sdk/ledger/state-proofs').verifyStateProof>;

function readEntry(found: FoundEntry): ProvenEntry | undefined {
  if (!found) return undefined;
  if (found.$typeName === 'symbolon.ledger.v1.Account') return accountEntry(found);
  if (found.$typeName === 'symbolon.ledger.v1.MetadataEntry')
    return { kind: 'metadata', value: found.value, version: found.version };
  return { kind: 'asset', amount: found.amount };
}

export interface TransactionQuestion {
  readonly hash: string;
  readonly block: number;
  /** As the page shows it. */
  readonly hasFailed: boolean;
  /** The hash of the transaction that the page shows, made anew from what the node says is in it. */
  readonly shownHash: string | undefined;
}

export async function proveExecution(
  ledger: LedgerClient,
  { hash, block, hasFailed, shownHash }: TransactionQuestion,
  pins: ProofPins,
): Promise<CheckedSteps> {
  const { signedBlock, signedTransactions } = await import('@symbolon/sdk/ledger/block-proofs');
  const validators = await readValidators(ledger);
  if (!(await isThere(ledger, block + 1)))
    return { steps: [{ name: 'contents', state: 'waits', block }], validators };
  const signed = await signedBlock(ledger, BigInt(block), pinsOf(validators, pins));
  if (!signed) return { steps: [{ name: 'contents', state: 'fails', block }], validators };
  const contents = { name: 'contents', state: 'holds', block, signer: signed.signer } as const;
  const member = signedTransactions(signed.value)?.find((one) => one.hash === hash);
  const isAsShown = member !== undefined && member.hasFailed === hasFailed && shownHash === hash;
  return {
    steps: [contents, { name: 'member', state: isAsShown ? 'holds' : 'fails', block, hash }],
    validators,
  };
}
