/**
 * What takes something away from whoever signs, and is easily overlooked: control of an account, nearly all of its coins
 * or of a token, what is said in its name for good, or what the page cannot show. Told before anybody signs, whoever has written the draft. Pure.
 */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import type { KnownRegistries } from '@symbolon/sdk/sentences/teller';
import {
  type AccountControl,
  type ControlChange,
  controlAfter,
} from '@symbolon/sdk/transactions/control-after';
import { type LastingAct, lastingActs } from '@symbolon/sdk/transactions/lasting-acts';
import { actingAccounts, type ShownAccount } from '@symbolon/sdk/transactions/required-weights';
import { unseenCodes } from '../../../text/foreign-text.ts';
import { trialChanges } from './changes.ts';
import { type Holding, keyOfHolding, type TakenHolding, takenHoldings } from './holdings.ts';
import { signedNotes } from './notes.ts';

export type Danger =
  /** `alone`: who then can sign without anybody else. */
  | {
      readonly kind: 'lost' | 'shared' | 'joined';
      readonly address: string;
      readonly alone: readonly string[];
    }
  /** Anybody's signature is enough, or nobody's will ever be. */
  | { readonly kind: 'open' | 'locked'; readonly address: string }
  /** Some operations can never be signed again; or others can sign together, without the owner. */
  | { readonly kind: 'stuck' | 'ruled'; readonly address: string }
  | { readonly kind: 'emptied'; readonly address: string; readonly paid: bigint; readonly balance: bigint }
  /** Handed over, or for others to take: nearly all that the account has of it. */
  | {
      readonly kind: 'tokensTaken';
      readonly address: string;
      readonly holding: Holding;
      readonly paid: readonly TokenShare[];
      readonly allowed: readonly TokenShare[];
      readonly balance: bigint;
    }
  /** How much that is of what there is, nobody can say. */
  | { readonly kind: 'tokensUnknown'; readonly address: string; readonly holding: Holding }
  /** Characters that turn a text around, or are not seen; `U+202E`. */
  | { readonly kind: 'unseenText'; readonly address: string; readonly codes: readonly string[] }
  | { readonly kind: 'noteBytes'; readonly address: string; readonly hex: string }
  | LastingAct;

export interface TokenShare {
  readonly address: string;
  readonly amount: bigint;
}

/** Whoever pays more than nine tenths of what there is should know. */
const keptTenth = 10n;
const isMost = (taken: bigint, balance: bigint): boolean =>
  taken > 0n && (balance - taken) * keptTenth < balance;

/** What accounts have, by `keyOfHolding`; nothing for what could not be found out. */
export type Balances = ReadonlyMap<string, bigint>;

export function dangersOf(
  transaction: Transaction,
  accounts: ReadonlyMap<string, ShownAccount>,
  registries: KnownRegistries | undefined,
  balances: Balances,
): readonly Danger[] {
  const losses = actingAccounts(transaction).flatMap((address): Danger[] => {
    const shown = accounts.get(address);
    if (!shown) return [];
    const change = controlAfter(transaction, shown);
    return [
      ...(change ? controlDangers(address, change) : []),
      ...emptied(transaction, address, BigInt(shown.balance ?? 0)),
    ];
  });
  const tokens = takenHoldings(transaction).flatMap((one): Danger[] => tokenDangers(one, balances));
  return [...losses, ...tokens, ...lastingActs(transaction, registries), ...textDangers(transaction)];
}

/** How an account is ruled, as far as its own key is concerned. */
function ruleOf(address: string, { needed, leastNeeded, mostNeeded, signers }: AccountControl) {
  const total = signers.reduce((sum, { weight }) => sum + weight, 0n);
  const own = signers.find((signer) => signer.address === address)?.weight ?? 0n;
  const alone = signers
    .filter((signer) => signer.address !== address && signer.weight >= leastNeeded)
    .map((signer) => signer.address);
  const power = own === 0n ? 'none' : own < needed ? 'some' : 'full';
  const isLocked = total < leastNeeded;
  const isStuck = total < mostNeeded;
  const isRuled = total - own >= leastNeeded;
  return { isOpen: leastNeeded === 0n, isLocked, isStuck, isRuled, power, alone } as const;
}

/** What is as before is no danger of this transaction. */
function controlDangers(address: string, change: ControlChange): readonly Danger[] {
  const [before, after] = [ruleOf(address, change.before), ruleOf(address, change.after)];
  if (after.isOpen) return before.isOpen ? [] : [{ kind: 'open', address }];
  if (after.isLocked) return before.isLocked ? [] : [{ kind: 'locked', address }];
  const { alone } = after;
  if (after.isStuck && !before.isStuck) return [{ kind: 'stuck', address }];
  if (after.power === 'none' && before.power !== 'none') return [{ kind: 'lost', address, alone }];
  if (after.power === 'some' && before.power === 'full') return [{ kind: 'shared', address, alone }];
  const added = alone.filter((one) => !before.alone.includes(one));
  if (added.length > 0) return [{ kind: 'joined', address, alone: added }];
  return after.isRuled && !before.isRuled ? [{ kind: 'ruled', address }] : [];
}

function emptied(transaction: Transaction, address: string, balance: bigint): readonly Danger[] {
  const change = trialChanges([transaction], transaction.feeLimit).find(
    (one) => one.kind === 'coins' && one.address === address,
  );
  const paid = change?.kind === 'coins' ? -change.change : 0n;
  // What cannot be paid at all is told as that: `shortfall.ts`.
  return paid <= balance && isMost(paid, balance) ? [{ kind: 'emptied', address, paid, balance }] : [];
}

function tokenDangers(
  { address, holding, paid, allowed, issued }: TakenHolding,
  balances: Balances,
): Danger[] {
  const had = balances.get(keyOfHolding(address, holding));
  const [given, allowance] = [sharesOf(paid), sharesOf(allowed)];
  if (had === undefined || !given || !allowance) return [{ kind: 'tokensUnknown', address, holding }];
  const balance = had + issued;
  return isMost(sumOf([...given, ...allowance]), balance)
    ? [{ kind: 'tokensTaken', address, holding, paid: given, allowed: allowance, balance }]
    : [];
}

/** Undefined where one of them is not known. */
function sharesOf(shares: TakenHolding['paid']): readonly TokenShare[] | undefined {
  const known = [...shares].flatMap(([address, amount]) =>
    amount === undefined ? [] : [{ address, amount }],
  );
  return known.length === shares.size ? known : undefined;
}

export const sumOf = (shares: readonly TokenShare[]): bigint =>
  shares.reduce((sum, { amount }) => sum + amount, 0n);

function textDangers(transaction: Transaction): readonly Danger[] {
  const address = transaction.sourceAddress;
  const notes = signedNotes(transaction);
  const texts = [...textsIn(transaction), ...notes.flatMap(({ text = [] }) => text)];
  const codes = [...new Set(texts.flatMap(unseenCodes))];
  return [
    ...(codes.length > 0 ? [{ kind: 'unseenText', address, codes } as const] : []),
    ...notes.flatMap(({ text, hex }): Danger[] =>
      text === undefined ? [{ kind: 'noteBytes', address, hex }] : [],
    ),
  ];
}

/** Every text in it, at whatever depth. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const isOpen = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
  return isOpen ? Object.values(value).flatMap(textsIn) : [];
}
