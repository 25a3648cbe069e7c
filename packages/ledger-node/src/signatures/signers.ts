/**
 * Who really signed a transaction, and which signatures of its envelope are kept: those that count, or may come to
 * count, for an account that the transaction acts for (docs/ledger.md, "Checks"). The source pays for the bytes, but
 * whoever submits the transaction makes its envelope. So signatures that somebody added are taken out before size and
 * fee are computed.
 */
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { sourceOf } from '@symbolon/core/ledger/checks/check-transaction';
import type { VerifiedTransaction } from '@symbolon/core/ledger/execution/apply-transaction';
import { isAuthorized } from '@symbolon/core/ledger/terms/authorize';
import { type SignedTransaction, withSignatures } from '@symbolon/core/ledger/terms/transaction';
import type { Account, Signature, Transaction } from '@symbolon/core/proto/ledger_pb';
import { signatureBytes } from './ed25519.ts';

/** One Ed25519 verdict; undefined when the verifier is overloaded. */
export type VerifySignature = (
  publicKey: Uint8Array,
  signature: Uint8Array,
  message: Uint8Array,
) => Promise<boolean | undefined>;

/**
 * The signer of each signature, in their order; undefined where it does not verify, which is no error: the weights
 * decide. Nothing at all when the verifier could not take the work.
 */
export async function signerOfEach(
  { blob, signatures }: SignedTransaction,
  keys: KeyFormat,
  verify: VerifySignature,
): Promise<readonly (string | undefined)[] | undefined> {
  const claimed = signatures.map(({ publicKey, signData }) =>
    signData.length === signatureBytes ? keys.signerOf(publicKey) : undefined,
  );
  const verdicts = await Promise.all(
    claimed.map((signer, index) => {
      const signData = signatures[index]?.signData;
      return signer && signData ? verify(signer.publicKey, signData, blob) : false;
    }),
  );
  if (verdicts.includes(undefined)) return undefined;
  return claimed.map((signer, index) => (verdicts[index] ? signer?.address : undefined));
}

/** With its signers by name, one for each signature and in their order. */
export interface NamedSigners extends VerifiedTransaction {
  readonly signedBy: ReadonlySet<string>;
}

/** What there is to know of an account before the next block. */
export interface SigningFacts {
  accountOf(address: string): Account | undefined;
  /** What waits to be executed in its name. */
  waitingOf(address: string): Iterable<Transaction>;
}

/**
 * Takes out what does not count for an account that acts here. `signers` says of each signature who made it; undefined
 * if it does not verify.
 */
export function dropForeignSignatures(
  signed: SignedTransaction,
  signers: readonly (string | undefined)[],
  facts: SigningFacts,
): NamedSigners {
  const verified = oncePerSigner(signed, signers);
  const mayCount = countingAddresses(signed.transaction, verified, facts);
  const counting = new Map([...verified].filter(([address]) => mayCount.has(address)));
  // A transaction that is not submitted yet may give rights before this one is executed: without enough weight today
  // it keeps every signature that verifies.
  const kept = isAuthorizedToday(signed.transaction, counting, facts) ? counting : verified;
  return { signed: withSignatures(signed, [...kept.values()]), signedBy: new Set(kept.keys()) };
}

function oncePerSigner(
  { signatures }: SignedTransaction,
  signers: readonly (string | undefined)[],
): ReadonlyMap<string, Signature> {
  const verified = new Map<string, Signature>();
  for (const [index, signature] of signatures.entries()) {
    const address = signers[index];
    if (address !== undefined && !verified.has(address)) verified.set(address, signature);
  }
  return verified;
}

/** The accounts themselves and their signers, and, if that is not everybody, whom this or what waits makes a signer. */
function countingAddresses(
  transaction: Transaction,
  verified: ReadonlyMap<string, Signature>,
  { accountOf, waitingOf }: SigningFacts,
): ReadonlySet<string> {
  const accounts = actingAccounts(transaction);
  const counting = new Set(accounts);
  for (const address of accounts) {
    for (const signer of accountOf(address)?.priv?.signers ?? []) counting.add(signer.address);
  }
  if ([...verified.keys()].every((address) => counting.has(address))) return counting;
  for (const address of namedSigners(transaction)) counting.add(address);
  for (const account of accounts) {
    for (const waiting of waitingOf(account)) {
      for (const address of namedSigners(waiting)) counting.add(address);
    }
  }
  return counting;
}

const actingAccounts = (transaction: Transaction): ReadonlySet<string> =>
  new Set([
    transaction.sourceAddress,
    ...transaction.operations.map((operation) => sourceOf(operation, transaction)),
  ]);

const namedSigners = ({ operations }: Transaction): string[] =>
  operations
    .flatMap(({ createAccount, setPrivilege }) => [
      ...(createAccount?.priv?.signers ?? []),
      ...(setPrivilege?.signers ?? []),
    ])
    .map(({ address }) => address);

const isAuthorizedToday = (
  transaction: Transaction,
  signedBy: ReadonlyMap<string, Signature>,
  { accountOf }: SigningFacts,
): boolean =>
  transaction.operations.every((operation) => {
    const account = accountOf(sourceOf(operation, transaction));
    return account !== undefined && isAuthorized(account, signedBy, operation.type);
  });
