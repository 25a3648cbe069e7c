/**
 * Plain values: amounts and JSON objects in texts of others, where what is not one is undefined and never an error; and
 * objects without the members that have no value.
 */
import { int64Max } from '../limits/consensus.ts';
import { decodeOrNothing } from './host-fault.ts';

/** A decimal text that prints back the same: no sign, no leading zero, at most the largest int64. */
export function parseAmount(text: string): bigint | undefined {
  if (!/^(0|[1-9][0-9]{0,18})$/.test(text)) return undefined;
  const amount = BigInt(text);
  return amount <= int64Max ? amount : undefined;
}

export type Fields = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

export const parseObject = (text: string): Fields | undefined =>
  decodeOrNothing(() => asObject(JSON.parse(text)));

/** The members that have a value: one that is undefined is left out. */
export const given = <Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
