/**
 * Requests of the ledger node as the wire spells them, read into what a handler works with: parameters and the simple
 * bodies (`docs/ledger.md`, "Requests"). Pure: a function answers a request or a refusal. Names and types come from the
 * tables that document them (`parameters.ts`, `schemas.ts`). Bodies that carry transactions are in
 * `transaction-requests.ts`.
 */
import { unknownName } from '@symbolon/core/basics/known-names';
import { type LedgerRefusal, refuse } from '@symbolon/core/ledger/terms/codes';
import { queryLimits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { invalid, isRefusal } from '../http/envelope.ts';
import { readHash } from '../http/hash-text.ts';
import type { JsonObject } from '../json/json.ts';
import {
  type JsonReading,
  type MemberReader,
  readInt32,
  readInt64,
  readString,
} from '../json/message-json.ts';
import type { QueryOf } from './parameters.ts';
import { callContractBody, int64Input } from './schemas.ts';

export interface AssetName {
  readonly code: string;
  readonly issuer: string;
  readonly type: number;
}

export const readNothing = (): Record<string, never> => ({});

/** The address may be anything: what is not an account is simply not found. */
export const readAddress = ({ address }: QueryOf<'address'>) =>
  address === undefined ? refuse('notFound', 'address is missing') : { address };

export function readAssets(query: QueryOf<'assets'>) {
  const account = readAddress(query);
  if (isRefusal(account)) return account;
  const asset = readAssetName(query);
  return isRefusal(asset) ? asset : { ...account, asset };
}

export function readMetadataQuery(query: QueryOf<'metadata'>) {
  const account = readAddress(query);
  return isRefusal(account) ? account : { ...account, key: query.key };
}

export function readAccount(query: QueryOf<'account'>) {
  const account = readAssets(query);
  return isRefusal(account) ? account : { ...account, key: query.key };
}

/** One asset is named by code and issuer together; who says one of them alone does not ask about all assets. */
function readAssetName(query: Partial<QueryOf<'assets'>>): AssetName | LedgerRefusal | undefined {
  const { code, issuer, type = 0n } = query;
  if ((code === undefined) !== (issuer === undefined)) return invalid('code and issuer belong together');
  if (code !== undefined && issuer !== undefined) return { code, issuer, type: Number(type) };
  return type === 0n ? undefined : invalid('type: goes with code and issuer');
}

/** A metadata entry or an asset balance of the account; without either the account itself. */
export interface StateProofRequest {
  readonly address: string;
  readonly entry: { readonly key: string } | { readonly asset: AssetName } | undefined;
}

export function readStateProof(query: QueryOf<'stateProof'>): StateProofRequest | LedgerRefusal {
  const { address, key } = query;
  if (address === undefined) return invalid('address is missing');
  const asset = readAssetName(query);
  if (isRefusal(asset)) return asset;
  if (key !== undefined && asset) return invalid('ask for a metadata key or an asset, not both');
  if (key !== undefined) return { address, entry: { key } };
  return { address, entry: asset && { asset } };
}

export const readKeyPair = ({ sign_type: signType = 'ed25519' }: QueryOf<'keyPair'>) =>
  signType === 'ed25519' ? { signType } : invalid('sign_type: only ed25519 is supported');

/** One of the two at least. */
export function readAddressOfKey(query: QueryOf<'addressOfKey'>) {
  const { private_key: privateKey, public_key: publicKey } = query;
  return privateKey === undefined && publicKey === undefined
    ? invalid('private_key or public_key is missing')
    : { privateKey, publicKey };
}

export function readHistory(query: QueryOf<'history'>) {
  const hash = readHash(query.hash);
  return isRefusal(hash) ? hash : { hash, ledgerSeq: query.ledger_seq, ...readPageRange(query) };
}

export const readPageRange = ({ start = 0n, limit }: QueryOf<'page'>) => ({
  start: clamp(start, Number.MAX_SAFE_INTEGER),
  limit: rowLimit(limit),
});

export function readCache(query: QueryOf<'cache'>) {
  const hash = readHash(query.hash);
  return isRefusal(hash) ? hash : { hash, limit: rowLimit(query.limit) };
}

const rowLimit = (limit = 0n): number =>
  limit > 0n ? clamp(limit, queryLimits.transactionsMax) : queryLimits.transactionsMax;

const clamp = (value: bigint, max: number): number =>
  value < 0n ? 0 : value > BigInt(max) ? max : Number(value);

export function readLedger(query: QueryOf<'ledger'>) {
  const { seq, ledger_seq: older } = query;
  if (seq !== undefined && older !== undefined && seq !== older)
    return invalid('ledger_seq: seq names another block');
  return {
    seq: seq ?? older,
    withValidators: query.with_validator === true,
    withConsensusValue: query.with_consvalue === true,
    withFees: query.with_fee === true,
    withBlockReward: query.with_block_reward === true,
  };
}

export const readLedgerSeq = ({ seq }: QueryOf<'ledgerSeq'>) => ({ seq });

export interface CallContractRequest {
  readonly contractAddress: string;
  readonly code: string;
  readonly input: string;
  readonly contractBalance: bigint;
  /** 0 means without limit: the sandbox charges nobody. */
  readonly feeLimit: bigint;
  readonly gasPrice: bigint;
  readonly entry: 'init' | 'main' | 'query';
  readonly sourceAddress: string;
}

const contractEntries = ['init', 'main', 'query'] as const;

export function readCallContract(_query: object, body: JsonObject): CallContractRequest | LedgerRefusal {
  const { shape } = callContractBody;
  const members = refuseUnknown(body, Object.keys(shape)) ?? readMembers(body, shape);
  if (isRefusal(members)) return members;
  const { contract_address: contractAddress, code, opt_type: optType } = members;
  const entry = contractEntries[optType];
  if (!entry) return invalid('opt_type: must be 0, 1 or 2');
  for (const name of ['contract_balance', 'fee_limit', 'gas_price'] as const)
    if (members[name] < 0n) return invalid(`${name}: must not be negative`);
  if (contractAddress === '' && code === '')
    return refuse('notFound', 'contract_address and code are both missing');
  return {
    contractAddress,
    code,
    input: members.input,
    contractBalance: members.contract_balance,
    feeLimit: members.fee_limit,
    gasPrice: members.gas_price,
    entry,
    sourceAddress: members.source_address,
  };
}

/** Refuses an object that has a member nobody here knows. */
export function refuseUnknown(object: JsonObject, known: readonly string[]): LedgerRefusal | undefined {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : invalid(unknownName(unknown, known));
}

type MemberValue<Member> =
  Member extends z.ZodOptional<z.ZodString>
    ? string
    : Member extends z.ZodOptional<typeof int64Input>
      ? bigint
      : number;
type MemberValues<Shape> = { readonly [Name in keyof Shape]: MemberValue<Shape[Name]> };

/** How a member is read, by the schema that documents it. */
function readerOf(member: z.ZodOptional): MemberReader {
  const content = member.unwrap();
  if (content instanceof z.ZodString) return readString;
  if (content === int64Input) return readInt64;
  if (content instanceof z.ZodNumber) return readInt32;
  throw new TypeError('a member of this kind has no reader');
}

/** Reads the documented members of an object; an absent one has its reader's blank value. */
export function readMembers<Shape extends Readonly<Record<string, z.ZodOptional>>>(
  object: JsonObject,
  shape: Shape,
): MemberValues<Shape> | LedgerRefusal {
  const reading: JsonReading = { elementsLeft: 0, problem: undefined };
  const members: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(shape)) {
    members[name] = readerOf(member)(object[name] ?? null, reading);
    if (reading.problem) return invalid(`${name}: ${reading.problem.reason}`);
  }
  return members as MemberValues<Shape>;
}
