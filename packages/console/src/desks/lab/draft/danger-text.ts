/** What a draft takes away, each as one sentence. What strangers call their tokens stands in quotation marks. Pure. */
import { escapeUnsafe } from '@symbolon/core/basics/plain-text';
import type { Language } from '../../../text/language.ts';
import { amountText, countText, unitsText } from '../../../text/numbers.ts';
import type { ConsoleWords } from '../../../words/catalogue.ts';
import type { Danger } from './dangers.ts';
import type { Holding } from './holdings.ts';

export interface DangerReading {
  readonly dangers: ConsoleWords['lab']['dangers'];
  readonly language: Language;
  readonly nameOf: (address: string) => string;
  /** How a token is written, where that is known. */
  readonly token: (contract: string) => { readonly symbol: string; readonly decimals: number } | undefined;
}

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
      return dangers.emptied(who, coins(danger.paid, language), coins(danger.balance, language));
    case 'tokensPaid':
      return dangers.emptied(
        who,
        tokens(danger.taken, danger, reading),
        tokens(danger.balance, danger, reading),
      );
    case 'tokensAllowed': {
      const others = danger.spenders.map((one) => escapeUnsafe(nameOf(one))).join(', ');
      const [taken, balance] = [danger.taken, danger.balance].map((one) => tokens(one, danger, reading));
      return dangers.tokensAllowed(who, others, taken as string, balance as string);
    }
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

function aloneText(alone: readonly string[], dangers: DangerReading['dangers']): string {
  const [first, ...others] = alone;
  if (first === undefined) return dangers.together;
  return others.length === 0 ? dangers.alone(first) : dangers.eachAlone(alone.join(', '));
}

function coins(amount: bigint, language: Language): string {
  const { figure, unit } = amountText(amount, language);
  return `${figure} ${unit}`;
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
