/**
 * Transactions that an issuer signs with the key of its own ledger account: registering a template, and changing the
 * status of credentials. They are tried out before they are handed out, so that what would fail is refused at once
 * and costs nothing.
 */
import { encodeHex } from '@symbolon/core/bytes';
import { attributeTypeCodes, type Template } from '@symbolon/core/credential/model';
import { normalisedName } from '@symbolon/core/credential/template-names';
import { Fault } from '@symbolon/core/faults';
import { codes } from '@symbolon/core/ledger/codes';
import { encodeTransaction } from '@symbolon/core/ledger/transaction';
import { buildTransaction, type LedgerClient, LedgerError } from '@symbolon/sdk/index';
import { readChainTerms, uncapped } from './chain-terms.ts';
import { withFaults } from './ledger-faults.ts';
import { hashOfBlob } from './submissions.ts';

/** Bytes to sign, in hex; the hash is the transaction's. */
export interface UnsignedTransaction {
  readonly blob: string;
  readonly hash: string;
  readonly nonce: bigint;
  readonly feeLimit: bigint;
}

export interface TemplateRegistration {
  readonly template: Template;
  readonly issuerAddress: string;
  /** Encoded, of the issuer's DID. */
  readonly issuerKey: string;
  /** Of the remark, which itself stays off the ledger. */
  readonly remarkHash?: string;
  /** Whether entries that bind no contents count for credentials of this template. */
  readonly acceptsUnbound?: boolean;
}

export const statusChanges = ['revoke', 'suspend', 'reinstate'] as const;
export type StatusChange = (typeof statusChanges)[number];

export interface StatusOrder {
  readonly change: StatusChange;
  readonly issuerAddress: string;
  readonly credentials: readonly string[];
  /** None, or one for each credential. */
  readonly remarkHashes?: readonly string[];
}

export function registerTemplateTransaction(
  client: LedgerClient,
  registry: string,
  { template, issuerAddress, issuerKey, remarkHash, acceptsUnbound }: TemplateRegistration,
): Promise<UnsignedTransaction> {
  const params = {
    templateId: template.id,
    templateName: template.name,
    nameKey: normalisedName(template.name),
    version: template.version,
    applyFormat: JSON.stringify(template.attributes.map(attributeToWire)),
    metadata: JSON.stringify(acceptsUnbound ? { acceptsUnbound } : {}),
    remarkHash,
    issuerZid: template.issuer,
    publicKey: issuerKey,
  };
  return prepare(client, { source: issuerAddress, registry, input: { method: 'addTemplate', params } });
}

export function statusTransaction(
  client: LedgerClient,
  registry: string,
  { change, issuerAddress, credentials, remarkHashes }: StatusOrder,
): Promise<UnsignedTransaction> {
  const input = { method: change, params: { credentials, remarkHashes } };
  return prepare(client, { source: issuerAddress, registry, input });
}

/** The form of `credentialFormat` that wallets read on the ledger: `mandatory` is a number there. */
const attributeToWire = ({ key, label, format, type, mandatory }: Template['attributes'][number]) => ({
  key,
  attribute: label,
  format,
  type: attributeTypeCodes[type],
  mandatory: mandatory ? 1 : 0,
});

interface Call {
  readonly source: string;
  readonly registry: string;
  readonly input: object;
}

function prepare(client: LedgerClient, { source, registry, input }: Call): Promise<UnsignedTransaction> {
  return withFaults(async () => {
    const { chainId, baseReserve } = await readChainTerms(client);
    const { nonce, balance } = await accountOf(client, source);
    const payCoin = { destAddress: registry, amount: 0n, input: JSON.stringify(input) };
    const order = { ...uncapped, source, operations: [{ payCoin }], nonce: nonce + 1n, chainId };
    const transaction = await buildTransaction(client, { ...order, withRoom: true });
    const { feeLimit } = transaction;
    if (balance - baseReserve < feeLimit) {
      const detail = `The account ${source} needs ${feeLimit} above its reserve of ${baseReserve}, and has ${balance}.`;
      throw new Fault('issuerAccountMissing', { detail });
    }
    const blob = encodeHex(encodeTransaction(transaction));
    return { blob, hash: hashOfBlob(blob), nonce: transaction.nonce, feeLimit };
  });
}

async function accountOf(client: LedgerClient, address: string) {
  try {
    const { result } = await client.getAccountBase({ address });
    return { nonce: BigInt(result?.nonce ?? 0), balance: BigInt(result?.balance ?? 0) };
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== codes.notFound) throw error;
    throw new Fault('issuerAccountMissing', { detail: `There is no account ${address} on the ledger.` });
  }
}
