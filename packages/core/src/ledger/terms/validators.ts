/**
 * The validators of a network as state (docs/ledger.md, "Networks"): the `validators` entry of the council's account,
 * a JSON text with one spelling for each set, and what is derived from it. Every validator reads the same text, so a
 * text that two readers could read differently is refused.
 */
import { create } from '@bufbuild/protobuf';
import { assert } from '../../basics/assert.ts';
import { encodeHex, equalBytes, parseHex, type Sha256 } from '../../basics/bytes.ts';
import type { KeyFormat } from '../../keys/keys.ts';
import { validatorLimits } from '../../limits/consensus.ts';
import {
  type MetadataEntry,
  type Misbehavior,
  type Validator,
  type ValidatorSet,
  ValidatorSetSchema,
} from '../../proto/ledger_pb.ts';
import type { LedgerRules } from './chain-parameters.ts';
import { type StateReader, stateKeys } from './state.ts';

/** The key of the entry. */
export const validatorsKey = 'validators';

/** What validators are jailed for, by CometBFT's numbers. */
const jailKinds = new Map([
  [1, 'duplicateVote'],
  [2, 'lightClientAttack'],
] as const);

export type JailKind = 'duplicateVote' | 'lightClientAttack';

export interface Jailing {
  /** The height at which it misbehaved. */
  readonly height: number;
  readonly kind: JailKind;
}

export interface ValidatorEntry {
  /** Raw Ed25519, 64 lower-case hex digits. */
  readonly publicKey: string;
  readonly power: number;
  /** The account that gets the fees of the blocks it proposes. */
  readonly payTo: string;
  /** It misbehaved: its power counts as 0 until the council takes the mark away. */
  readonly jailed?: Jailing | undefined;
}

/** A change to hand to CometBFT: the power from now on, 0 of one that leaves. */
export interface ValidatorUpdate {
  /** Raw Ed25519. */
  readonly publicKey: Uint8Array;
  readonly power: bigint;
}

const members = ['publicKey', 'power', 'payTo', 'jailed'] as const;
const jailMembers = ['height', 'kind'] as const;

/** In every list of validators: by key, ascending. */
export const sortValidators = <Entry extends Pick<ValidatorEntry, 'publicKey'>>(
  entries: readonly Entry[],
): Entry[] => entries.toSorted((left, right) => (left.publicKey < right.publicKey ? -1 : 1));

/** The one spelling: in order, members in theirs, no blanks. */
export function encodeValidators(entries: readonly ValidatorEntry[]): string {
  return JSON.stringify(
    sortValidators(entries).map(({ publicKey, power, payTo, jailed }) => ({
      publicKey,
      power,
      payTo,
      ...(jailed && { jailed: { height: jailed.height, kind: jailed.kind } }),
    })),
  );
}

/** The entries of a text, or the first thing that is wrong with it, in words that history keeps: they stay as they are. */
export function parseValidators(
  text: string,
  keys: Pick<KeyFormat, 'isAddress'>,
): { readonly entries: readonly ValidatorEntry[] } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'the validators are not JSON' };
  }
  if (!Array.isArray(value)) return { problem: 'the validators are not a list' };
  const { countMax } = validatorLimits;
  if (value.length > countMax) return { problem: `a network has at most ${countMax} validators` };
  for (const [index, entry] of value.entries()) {
    const problem = memberProblem(entry) ?? validatorProblem(entry, keys) ?? jailProblem(entry.jailed);
    if (problem) return { problem: `validators[${index}]${problem}` };
  }
  const entries = value as ValidatorEntry[];
  if (new Set(entries.map(({ publicKey }) => publicKey)).size !== entries.length)
    return { problem: 'the validators name a publicKey twice' };
  if (entries.every(({ jailed }) => jailed))
    return { problem: 'a network needs a validator that is not jailed' };
  return text === encodeValidators(entries)
    ? { entries }
    : {
        problem: `the validators are not in their one spelling: by publicKey in ascending order, members in the order ${members.join(', ')}, no blanks`,
      };
}

/** What is wrong with a validator's key, power or account, beginning with the member; nothing if all is well. */
export function validatorProblem(
  { publicKey, power, payTo }: { publicKey: unknown; power: unknown; payTo: unknown },
  keys: Pick<KeyFormat, 'isAddress'>,
): string | undefined {
  const { powerMax } = validatorLimits;
  if (typeof publicKey !== 'string' || !/^[0-9a-f]{64}$/.test(publicKey))
    return '.publicKey is not a raw Ed25519 key in 64 lower-case hex digits';
  if (!Number.isInteger(power) || (power as number) < 1 || (power as number) > powerMax)
    return `.power is not a whole number from 1 to ${powerMax}`;
  return typeof payTo === 'string' && keys.isAddress(payTo) ? undefined : '.payTo is not a valid address';
}

function memberProblem(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return ' is not an object';
  return hasOthers(entry, members) ? ` has a member besides ${members.join(', ')}` : undefined;
}

function jailProblem(jailed: unknown): string | undefined {
  if (jailed === undefined) return undefined;
  if (typeof jailed !== 'object' || jailed === null || Array.isArray(jailed))
    return '.jailed is not an object';
  if (hasOthers(jailed, jailMembers)) return `.jailed has a member besides ${jailMembers.join(', ')}`;
  const { height, kind } = jailed as Partial<Jailing>;
  if (!Number.isSafeInteger(height) || (height as number) < 1)
    return '.jailed.height is not the number of a block';
  return [...jailKinds.values()].includes(kind as JailKind)
    ? undefined
    : `.jailed.kind is not one of ${[...jailKinds.values()].join(', ')}`;
}

const hasOthers = (object: object, known: readonly string[]): boolean =>
  Object.keys(object).some((name) => !known.includes(name));

/** Who signs blocks by these entries, and with which power. */
export const validatorSetOf = (entries: readonly ValidatorEntry[]): ValidatorSet =>
  create(ValidatorSetSchema, {
    validators: entries
      .filter(({ jailed }) => !jailed)
      .map(({ publicKey, power, payTo }) => ({
        address: payTo,
        pledgeCoinAmount: BigInt(power),
        publicKey: parseHex(publicKey) as Uint8Array,
      })),
  });

/** The entries that a set comes from, where nobody is jailed: those of a first block. */
export const entriesOfSet = ({ validators }: ValidatorSet): ValidatorEntry[] =>
  validators.map(({ address, pledgeCoinAmount, publicKey }) => ({
    publicKey: encodeHex(publicKey),
    power: Number(pledgeCoinAmount),
    payTo: address,
  }));

/** The entry of a network's state, read: nothing that cannot be read ever gets there. */
export function validatorsInState(
  state: StateReader,
  council: string,
  { keys }: Pick<LedgerRules, 'keys'>,
): { readonly stored: MetadataEntry; readonly entries: readonly ValidatorEntry[] } {
  const stored = state.read(stateKeys.metadata(council, validatorsKey)) as MetadataEntry | undefined;
  assert(stored, `account ${council} has no entry "${validatorsKey}"`);
  const parsed = parseValidators(stored.value, keys);
  assert('entries' in parsed, `the entry "${validatorsKey}" of account ${council} cannot be read`);
  return { stored, entries: parsed.entries };
}

/** The entries with those marked that misbehaved, in the order given; the last one that is free stays so. */
export function jail(
  entries: readonly ValidatorEntry[],
  misbehavior: readonly Misbehavior[],
  sha256: Sha256,
): readonly ValidatorEntry[] {
  let marked = entries;
  for (const { address, type, height } of misbehavior) {
    const kind = jailKinds.get(type as 1 | 2);
    const free = marked.filter(({ jailed }) => !jailed);
    const found = free.find(({ publicKey }) =>
      equalBytes(consensusAddress(parseHex(publicKey) as Uint8Array, sha256), address),
    );
    if (!kind || !found || free.length === 1) continue;
    marked = marked.map((entry) =>
      entry === found ? { ...entry, jailed: { height: Number(height), kind } } : entry,
    );
  }
  return marked;
}

export const consensusAddressBytes = 20;

/** How CometBFT names a validator: the first bytes of the hash of its key. */
export const consensusAddress = (publicKey: Uint8Array, sha256: Sha256): Uint8Array =>
  sha256(publicKey).slice(0, consensusAddressBytes);

/** The validator of a set that CometBFT names so. */
export const findValidator = (
  { validators }: ValidatorSet,
  address: Uint8Array,
  sha256: Sha256,
): Validator | undefined =>
  validators.find(({ publicKey }) => equalBytes(consensusAddress(publicKey, sha256), address));

/** What makes the second set of the first: changed powers and newcomers, then 0 for those who left. */
export function validatorUpdates(before: ValidatorSet, after: ValidatorSet): ValidatorUpdate[] {
  const powers = new Map(
    before.validators.map(({ publicKey, pledgeCoinAmount }) => [encodeHex(publicKey), pledgeCoinAmount]),
  );
  const changed = after.validators.filter(
    ({ publicKey, pledgeCoinAmount }) => powers.get(encodeHex(publicKey)) !== pledgeCoinAmount,
  );
  for (const { publicKey } of after.validators) powers.delete(encodeHex(publicKey));
  return [
    ...changed.map(({ publicKey, pledgeCoinAmount: power }) => ({ publicKey, power })),
    ...[...powers.keys()].map((key) => ({ publicKey: parseHex(key) as Uint8Array, power: 0n })),
  ];
}
