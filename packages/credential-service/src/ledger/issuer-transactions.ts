/**
 * Transactions that an issuer signs with the key of its own ledger account: registering a template, and changing the
 * status of credentials. They are tried out before they are handed out, so that what would fail is refused at once
 * and costs nothing.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import {
  type RegistryCall,
  type StatusCall,
  type StatusChange,
  statusCall,
  type TemplateRegistration,
  templateCall,
} from '@symbolon/core/credential/registry-calls';
import { Fault } from '@symbolon/core/faults/faults';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { sha256 } from '@symbolon/host/work/sha256';
import { buildTransaction, type LedgerClient, LedgerError } from '@symbolon/sdk/index';
import { findLedgerAccount, readChainTerms, uncapped } from './chain-terms.ts';
import { hashOfBlob } from './hand-in.ts';
import { withFaults } from './ledger-faults.ts';

/** Bytes to sign, in hex; the hash is the transaction's. */
export interface UnsignedTransaction {
  readonly blob: string;
  readonly hash: string;
  readonly nonce: bigint;
}

/** From the issuer's account. */
type FromIssuer<Order> = Order & { readonly issuerAddress: string };
export type RegistrationOrder = FromIssuer<TemplateRegistration>;
export type StatusOrder = FromIssuer<StatusCall> & {
  /** What the ledger has lost and has to have before; by the same transaction. */
  readonly before?: StatusChange;
};

export function registerTemplateTransaction(
  client: LedgerClient,
  registry: string,
  { issuerAddress, ...registration }: RegistrationOrder,
): Promise<UnsignedTransaction> {
  return prepare(client, { source: issuerAddress, registry, inputs: [templateCall(registration, sha256)] });
}

export function statusTransaction(
  client: LedgerClient,
  registry: string,
  { issuerAddress, before, ...change }: StatusOrder,
): Promise<UnsignedTransaction> {
  const { credentials } = change;
  const first = before ? [statusCall({ change: before, credentials })] : [];
  return prepare(client, { source: issuerAddress, registry, inputs: [...first, statusCall(change)] });
}

interface Call {
  readonly source: string;
  readonly registry: string;
  readonly inputs: readonly RegistryCall[];
}

/** As often as another transaction of the account is executed between asking for its number and trying it out. */
function prepare(client: LedgerClient, call: Call): Promise<UnsignedTransaction> {
  return withFaults(async () => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await prepareOnce(client, call);
      } catch (error) {
        const isOvertaken = error instanceof LedgerError && error.code === codes.badNonce;
        if (!isOvertaken || attempt >= overtakenMax) throw error;
      }
    }
  });
}

const overtakenMax = 20;

async function prepareOnce(
  client: LedgerClient,
  { source, registry, inputs }: Call,
): Promise<UnsignedTransaction> {
  const { chainId, baseReserve } = await readChainTerms(client);
  const account = await findLedgerAccount(client, source);
  if (!account)
    throw new Fault('issuerAccountMissing', { detail: `There is no account ${source} on the ledger.` });
  const { nonce, balance } = account;
  const operations = inputs.map((input) => ({
    payCoin: { destAddress: registry, amount: 0n, input: JSON.stringify(input) },
  }));
  const order = { ...uncapped, source, operations, nonce: nonce + 1n, chainId };
  const transaction = await buildTransaction(client, { ...order, withRoom: true });
  const { feeLimit } = transaction;
  if (balance - baseReserve < feeLimit) {
    const detail = `The account ${source} needs ${feeLimit} above its reserve of ${baseReserve}, and has ${balance}.`;
    throw new Fault('issuerAccountMissing', { detail });
  }
  const blob = encodeHex(encodeTransaction(transaction));
  return { blob, hash: hashOfBlob(blob), nonce: transaction.nonce };
}
