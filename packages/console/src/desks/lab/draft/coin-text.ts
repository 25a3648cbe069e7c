/** An amount of coins as somebody types it, in the large unit, and as a draft has it, in the smallest. Exact: no floats. */
import { zetrixProfile } from '@symbolon/core/keys/profile';
import type { Language } from '../../../text/language.ts';
import { typedUnits, unitsOf } from '../../../text/typed-amounts.ts';

const { decimals } = zetrixProfile.nativeAsset;

const isUnits = (member: string): boolean => /^\d+$/.test(member);

/** The smallest units that a member of a draft says; undefined for what is no such number. */
export const unitsOfMember = (member: string): bigint | undefined =>
  isUnits(member) ? BigInt(member) : undefined;

/**
 * What a draft has of what is typed. What is no amount stays as it was typed, so that it is refused and not taken for
 * nothing; with a minus that no reader of the draft takes for a number of smallest units.
 */
export function memberOfCoins(typed: string, language: Language): string {
  const units = unitsOf(typed, decimals, language);
  return units === undefined ? typed.trim().replace(/^-/, '\u2212') : String(units);
}

/** As one would type it; a text that is no number of units stays as it is, for the reader to see. */
export const coinsOfMember = (member: string, language: Language): string =>
  isUnits(member) ? typedUnits(BigInt(member), decimals, language) : member;
