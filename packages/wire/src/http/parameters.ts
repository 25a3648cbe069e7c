/**
 * The parameters of a query: one table a route, read the same from the address and from a JSON body. A name that the
 * table does not have and a value of another type are refused with the name, because a query whose parameter is passed
 * over answers another question than the one that was asked. What a value means is the route's business.
 */
import { unknownName } from '@symbolon/core/basics/known-names';
import type { LedgerRefusal } from '@symbolon/core/ledger/terms/codes';
import type { JsonObject, JsonValue } from '../json/json.ts';
import {
  type JsonReading,
  type MemberReader,
  readFlag,
  readInt64,
  readJsonString,
} from '../json/message-json.ts';
import { queryPairs } from '../json/query-text.ts';
import { invalid } from './envelope.ts';

/** What a parameter is written as: a text, a whole number of 64 bits, or true and false. */
export type ParameterKind = 'text' | 'integer' | 'flag';

export interface Parameter<Kind extends ParameterKind = ParameterKind> {
  readonly kind: Kind;
  readonly description: string;
  /** Blank counts as absent, unless whoever names one thing would be answered about all. */
  readonly isNeverBlank?: true;
}

/** Every parameter of a route by its name; all are optional. */
export type ParameterTable = Readonly<Record<string, Parameter>>;

const parameter =
  <Kind extends ParameterKind>(kind: Kind) =>
  (description: string): Parameter<Kind> => ({ kind, description });

export const textQuery = parameter('text');
export const integer = parameter('integer');
export const flag = parameter('flag');

export const neverBlank = <Kind extends ParameterKind>(given: Parameter<Kind>): Parameter<Kind> => ({
  ...given,
  isNeverBlank: true,
});

interface ValueOf {
  readonly text: string;
  readonly integer: bigint;
  readonly flag: boolean;
}

export type ParameterValues<Table extends ParameterTable> = {
  readonly [Name in keyof Table]?: ValueOf[Table[Name]['kind']];
};

const readers: Readonly<Record<ParameterKind, MemberReader>> = {
  text: readJsonString,
  integer: readInt64,
  flag: readFlag,
};

/** What one place says: the pairs of an address, or the members of a body. */
type Given = readonly (readonly [name: string, value: JsonValue])[];

const noValues = Object.freeze(Object.create(null));

/** The values of the parameters that are given in the address, in the body, or alike in both. */
export function readParameters<Table extends ParameterTable>(
  table: Table,
  queryText: string,
  body: JsonObject,
): ParameterValues<Table> | LedgerRefusal {
  const members = Object.entries(body);
  if (queryText === '' && members.length === 0) return noValues;
  const values: Record<string, unknown> = Object.create(null);
  const inAddress = readGiven(table, queryPairs(queryText), values);
  if (inAddress) return inAddress;
  const inBody: Record<string, unknown> = Object.create(null);
  const refusal = readGiven(table, members, inBody);
  if (refusal) return refusal;
  for (const [name, value] of Object.entries(inBody)) {
    if (name in values && values[name] !== value)
      return invalid(`${name}: the address and the body say different things`);
    values[name] = value;
  }
  return values as ParameterValues<Table>;
}

/** An address may say one thing twice, but not two things of one name: nobody could tell which of them was answered. */
function readGiven(
  table: ParameterTable,
  given: Given,
  values: Record<string, unknown>,
): LedgerRefusal | undefined {
  const reading: JsonReading = { elementsLeft: 0, problem: undefined };
  const seen = new Set<string>();
  for (const [name, value] of given) {
    if (name === '' && value === '') continue;
    if (!Object.hasOwn(table, name)) return invalid(unknownName(name, Object.keys(table)));
    const isBlank = value === '' || value === null;
    if (isBlank && table[name].isNeverBlank)
      return invalid(`${name}: is blank; leave it out to ask about all`);
    const read = isBlank ? undefined : readers[table[name].kind](value, reading);
    if (reading.problem) return invalid(`${name}: ${reading.problem.reason}`);
    if (seen.has(name) && values[name] !== read) return invalid(`${name}: is given twice, differently`);
    seen.add(name);
    if (!isBlank) values[name] = read;
  }
  return undefined;
}

const jsonTypes: Readonly<Record<ParameterKind, object>> = {
  text: { type: 'string' },
  integer: { type: 'integer', format: 'int64' },
  flag: { type: 'boolean' },
};

/** A parameter's type as OpenAPI spells it. */
export const parameterSchema = ({ kind, description }: Parameter): object => ({
  description,
  ...jsonTypes[kind],
});
