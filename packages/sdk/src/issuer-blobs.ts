/**
 * What an issuer looks at before signing a transaction that a service has prepared: it must be one call of a contract,
 * from the issuer's own account, that pays nothing and says what was ordered. A service that lies gets no signature.
 * Which contract it calls is the service's word unless the issuer names the registry.
 */
import { parseHex } from '@symbolon/core/bytes';
import { operationTypes } from '@symbolon/core/ledger/operations/index';
import { decodeTransaction } from '@symbolon/core/ledger/transaction';
import { isJsonObject, type JsonObject, parseJson } from '@symbolon/wire/json';
import { SdkError } from './errors.ts';

export interface ExpectedCall {
  /** The issuer's account. */
  readonly source: string;
  readonly method: string;
  /** Whether the parameters are those of the order. */
  readonly isOrdered: (params: JsonObject) => boolean;
  /** The registry's address, where the issuer knows it. */
  readonly registry?: string;
  /** The most that the transaction may cost; a failing one costs its whole limit. */
  readonly feeLimitMax: bigint;
}

/** The bytes to sign. Throws `SdkError` `unexpectedReply` for anything but the expected call. */
export function readOfferedCall(blob: string, expected: ExpectedCall): Uint8Array {
  const bytes = parseHex(blob);
  const transaction = bytes && decodeTransaction(bytes);
  if (!bytes || !transaction) throw refusal('is not a transaction');
  const { sourceAddress, operations, feeLimit } = transaction;
  if (sourceAddress !== expected.source) throw refusal("is of another account than the signer's");
  if (feeLimit > expected.feeLimitMax) {
    throw refusal(`may cost ${feeLimit}, more than the ${expected.feeLimitMax} allowed`);
  }
  const [operation, ...others] = operations;
  const payment = operation?.payCoin;
  if (!payment || others.length > 0 || operation.type !== operationTypes.payCoin) {
    throw refusal('does something else than one call of a contract');
  }
  const isOwn = operation.sourceAddress === '' || operation.sourceAddress === expected.source;
  if (!isOwn || payment.amount !== 0n) throw refusal('pays, or acts for another account');
  if (expected.registry !== undefined && payment.destAddress !== expected.registry) {
    throw refusal('calls another contract than the registry');
  }
  const call = readCall(payment.input);
  if (call?.method !== expected.method || !isJsonObject(call.params) || !expected.isOrdered(call.params)) {
    throw refusal('does not say what was ordered');
  }
  return bytes;
}

function readCall(input: string): JsonObject | undefined {
  try {
    const call = parseJson(input);
    return isJsonObject(call) ? call : undefined;
  } catch {
    // Not JSON: no call of a registry.
    return undefined;
  }
}

const refusal = (what: string): SdkError =>
  new SdkError('unexpectedReply', `the service offers a transaction that ${what}`, {
    hint: 'Nothing was signed. Do not use this service before you know why.',
  });
