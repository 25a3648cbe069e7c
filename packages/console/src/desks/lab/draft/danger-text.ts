/** What a draft takes away, each as one sentence. What strangers call their tokens stands in quotation marks. Pure. */
import { bounded, escapeUnsafe } from '@symbolon/core/basics/plain-text';
import type { Language } from '../../../text/language.ts';
import { coinsText, countText, unitsText } from '../../../text/numbers.ts';
import type { DeskSections } from '../../../words/desk-words.ts';
import { type Danger, sumOf, type TokenShare } from './dangers.ts';
import type { Holding } from './holdings.ts';

export interface DangerReading {
  readonly dangers: DeskSections['lab']['dangers'];
  readonly language: Language;
  readonly nameOf: (address: string) => string;
  /** How a token is written, where that is known. */
  readonly token: (contract: string) => { readonly symbol: string; readonly decimals: number } | undefined;
}

/** Of bytes that nobody reads. */
const shownHexMax = 64;

export function dangerText(danger: Danger, reading: DangerReading): string {
  const { dangers, nameOf, language } = reading;
  const who = nameOf(danger.address);
  switch (danger.kind) {
    case 'open':
    case 'locked':
    case 'stuck':
    case 'ruled':
    case 'didEnd':
    case 'didKeys':
    case 'didChange':
      return dangers[danger.kind](who);
    case 'emptied':
      return dangers.emptied(who, coinsText(danger.paid, language), coinsText(danger.balance, language));
    case 'tokensTaken':
      return takenText(danger, reading);
    case 'unseenText':
      return dangers.unseenText(danger.codes.join(', '));
    case 'noteBytes':
      return dangers.noteBytes(who, bounded(danger.hex, shownHexMax));
    case 'tokensUnknown':
      return dangers.tokensUnknown(who, nameOfHolding(danger.holding, reading));
    case 'joined':
      return dangers.joined(who, danger.alone.map(nameOf).join(', '));
    case 'upgrade':
      return dangers.upgrade(who, nameOf(danger.contract));
    case 'registry':
      return dangers.registry[danger.act ?? 'other'](who);
    case 'likeRegistry':
      return dangers.likeRegistry(who, danger.act, nameOf(danger.contract));
    default:
      return `${dangers[danger.kind](who)} ${aloneText(danger.alone.map(nameOf), dangers)}`;
  }
}

/** What each gets or may take, and what that is in all. */
function takenText(
  danger: Extract<Danger, { readonly kind: 'tokensTaken' }>,
  reading: DangerReading,
): string {
  const { dangers } = reading;
  const who = reading.nameOf(danger.address);
  const amountOf = (amount: bigint): string => tokens(amount, danger, reading);
  const nameOf = ({ address }: TokenShare): string => escapeUnsafe(reading.nameOf(address));
  const { paid, allowed } = danger;
  const [first, ...others] = [...paid, ...allowed];
  const balance = amountOf(danger.balance);
  if (first && others.length === 0)
    return paid.length === 1
      ? dangers.tokensPaid(who, nameOf(first), amountOf(first.amount), balance)
      : dangers.tokensAllowed(who, nameOf(first), amountOf(first.amount), balance);
  const shares = [
    ...paid.map((share) => dangers.gets(nameOf(share), amountOf(share.amount))),
    ...allowed.map((share) => dangers.mayTake(nameOf(share), amountOf(share.amount))),
  ];
  return dangers.tokensShared(who, balance, shares.join(', '), amountOf(sumOf([...paid, ...allowed])));
}

function aloneText(alone: readonly string[], dangers: DangerReading['dangers']): string {
  const [first, ...others] = alone;
  if (first === undefined) return dangers.together;
  return others.length === 0 ? dangers.alone(first) : dangers.eachAlone(alone.join(', '));
}

function tokens(amount: bigint, { holding }: { readonly holding: Holding }, reading: DangerReading): string {
  const known = holding.kind === 'token' ? reading.token(holding.contract) : undefined;
  const figure = known
    ? unitsText(amount, known.decimals, reading.language)
    : countText(amount, reading.language);
  return `${figure} ${nameOfHolding(holding, reading)}`;
}

function nameOfHolding(holding: Holding, { dangers, nameOf, token }: DangerReading): string {
  if (holding.kind === 'asset') return dangers.quoted(escapeUnsafe(holding.code));
  const symbol = token(holding.contract)?.symbol;
  return symbol === undefined
    ? dangers.token(nameOf(holding.contract))
    : dangers.quoted(escapeUnsafe(symbol));
}
