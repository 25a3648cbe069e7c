/**
 * What an issuer looks at before signing a transaction that a service has prepared: it must be the call of a registry,
 * from the issuer's own account, that pays nothing and says what was ordered, to the last member. A service that lies
 * gets no signature, and the first member that differs is named. Costs are the service's word up to a limit; so are
 * contract and chain unless they are pinned, and the nonce unless the ledger is asked.
 */
import { create, toJson } from '@bufbuild/protobuf';
import { parseHex } from '@symbolon/core/basics/bytes';
import type { RegistryCall } from '@symbolon/core/credential/registry-calls';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import { decodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { type Transaction, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonOrNothing,
  stringifyJson,
} from '@symbolon/wire/json/json';
import { assertAsOrdered, notAsOrdered, type OwnTerms } from '../comparison/order-comparison.ts';
import { type HeldAgainst, unlessNotFound } from '../errors/errors.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import type { Pins } from '../ledger/pins.ts';
import { assertWithinCaps } from '../transactions/transaction-caps.ts';

export interface OrderedCall {
  /** The issuer's account. */
  readonly source: string;
  readonly call: RegistryCall;
  /** What may go before it, where the ledger has lost it: in the end all is as ordered. */
  readonly before?: RegistryCall;
  /** The registry's address and from where it is known, where the issuer knows it. */
  readonly registry?: Pick<HeldAgainst, 'name' | 'expected'> | undefined;
  readonly pins?: Pins;
  /** Asked for the account's nonce: a service cannot keep what is signed until other transactions have gone before. */
  readonly ledger?: NonceSource;
}

export type NonceSource = Pick<LedgerClient, 'getAccountBase'>;

const what = 'the transaction';

/**
 * The bytes to sign. Throws `SdkError` `notAsOrdered` for anything but the ordered call, and `FeeTooHigh` above the
 * caps.
 */
export async function readOfferedCall(blob: string, ordered: OrderedCall): Promise<Uint8Array> {
  const bytes = parseHex(blob);
  const offered = bytes && decodeTransaction(bytes);
  if (!bytes || !offered) throw notAsOrdered(what, ['blob']);
  assertWithinCaps(offered, ordered.pins ?? {}, []);
  const derivedFrom = {
    [`operations[${offered.operations.length - 1}].payCoin.input.params.remarkHashes`]: 'remarkSalt',
  };
  const callerTerms = ownTerms(offered, ordered);
  assertAsOrdered(
    { what, rootMember: 'blob', derivedFrom, callerTerms },
    shown(expectedTransaction(offered, ordered)),
    shown(offered),
  );
  // Asked last, so that what the account has sent meanwhile counts.
  const { source, ledger } = ordered;
  if (ledger && offered.nonce > (await nonceOf(ledger, source)) + 1n)
    throw notAsOrdered(what, ['nonce', 'result.nonce']);
  return bytes;
}

/** How many transactions an account has sent; one that does not exist has sent none. */
async function nonceOf(ledger: NonceSource, address: string): Promise<bigint> {
  const reply = await unlessNotFound(ledger.getAccountBase({ address }));
  return BigInt(reply?.result?.nonce ?? 0);
}

/** What of the issuer's own the offer is compared with. */
function ownTerms({ chainId, operations }: Transaction, { registry, pins }: OrderedCall): OwnTerms {
  const offered = operations[0]?.payCoin?.destAddress ?? '';
  const pinned = pins?.chainId;
  return {
    'operations[0].payCoin.destAddress': registry && { ...registry, offered },
    chainId:
      pinned === undefined
        ? undefined
        : { name: 'chainId', expected: String(pinned), offered: String(chainId) },
  };
}

/** What the issuer would have made of its order itself, with the terms that are left to the service. */
function expectedTransaction(
  { nonce, feeLimit, gasPrice, chainId, operations }: Transaction,
  { source, call, before, registry, pins }: OrderedCall,
): Transaction {
  const destAddress = registry?.expected ?? operations[0]?.payCoin?.destAddress ?? '';
  const inputOf = (one: RegistryCall): string => stringifyJson(one as unknown as JsonObject);
  const isAfter = before && operations.length > 1 && operations[0]?.payCoin?.input === inputOf(before);
  const calls = isAfter ? [before, call] : [call];
  const payCoins = calls.map((one) => ({ destAddress, input: inputOf(one) }));
  return create(TransactionSchema, {
    sourceAddress: source,
    nonce,
    feeLimit,
    gasPrice,
    chainId: pins?.chainId ?? chainId,
    operations: payCoins.map((payCoin) => ({ type: operationTypes.payCoin, payCoin })),
  });
}

/** A transaction as it is compared: what is JSON inside of its texts is taken apart, so that differences have names. */
function shown(transaction: Transaction): JsonValue {
  const plain = toJson(TransactionSchema, transaction) as JsonObject;
  const operations = Array.isArray(plain.operations) ? plain.operations : [];
  return {
    ...plain,
    operations: operations.map((operation) => shownOperation(operation, transaction.sourceAddress)),
  };
}

function shownOperation(operation: JsonValue, ownAddress: string): JsonValue {
  if (!isJsonObject(operation)) return operation;
  const { sourceAddress, payCoin, ...others } = operation;
  return {
    ...others,
    // An operation of the transaction's own account may say so.
    ...(sourceAddress !== undefined && sourceAddress !== ownAddress && { sourceAddress }),
    ...(isJsonObject(payCoin) && {
      payCoin: { ...payCoin, ...(typeof payCoin.input === 'string' && { input: openedCall(payCoin.input) }) },
    }),
  };
}

/** The members of a call that are texts of JSON themselves. */
const innerTexts = ['applyFormat', 'metadata'] as const;

function openedCall(input: string): JsonValue {
  const call = opened(input);
  if (!isJsonObject(call) || !isJsonObject(call.params)) return call;
  const params = { ...call.params };
  for (const name of innerTexts) {
    if (!Object.hasOwn(params, name)) continue;
    const text = params[name];
    // What should be a text and is none must not look like one that was taken apart.
    params[name] = typeof text === 'string' ? opened(text) : stringifyJson(text);
  }
  return { ...call, params };
}

/** What is not JSON is not what was ordered: it is compared as it is. */
function opened(text: string): JsonValue {
  const value = parseJsonOrNothing(text);
  return value === undefined ? text : value;
}
