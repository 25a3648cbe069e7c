/**
 * What a draft says and no field of the form shows: members that seldom anybody needs, and others that are written in a
 * way that a field cannot show. Whoever signs reads them beside the form. Pure.
 */
import type { OperationName } from '@symbolon/core/ledger/terms/operation-types';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { bodyName, type Draft, memberText, nameOfOperation } from './draft.ts';
import { elementsOfList, standsOnLine } from './list-text.ts';
import {
  type OperationField,
  operationFields,
  operationTerms,
  transactionTerms,
} from './operation-fields.ts';

export interface UnseenMember {
  /** `operations[0].create_account.metadatas[0].key` */
  readonly path: string;
  readonly text: string;
}

interface Leaf {
  readonly path: string;
  readonly value: Exclude<JsonValue, object | null>;
}

export function unseenMembers({ operations = [], ...terms }: Draft): readonly UnseenMember[] {
  const list = Array.isArray(operations) ? operations : [operations];
  const unseen = [
    ...leavesOf(terms).filter(({ path }) => !Object.hasOwn(transactionTerms, path)),
    ...list.flatMap((operation, at) =>
      unseenLeaves(operation).map(({ path, value }) => ({ path: inside(`operations[${at}]`, path), value })),
    ),
  ];
  return unseen.map(({ path, value }) => ({ path, text: String(value) }));
}

/** Every value in it, with its place; what is empty says nothing. */
function leavesOf(value: JsonValue, path = ''): readonly Leaf[] {
  if (value === null || value === '') return [];
  if (Array.isArray(value)) return value.flatMap((one, at) => elementLeaves(one, `${path}[${at}]`));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, one]) => leavesOf(one, inside(path, name)));
  return [{ path, value }];
}

/** An element of a list is there even where it is empty. */
const elementLeaves = (value: JsonValue, path: string): readonly Leaf[] =>
  value === '' ? [{ path, value }] : leavesOf(value, path);

const inside = (path: string, name: string): string =>
  path === '' || name === '' ? path + name : `${path}.${name}`;

function unseenLeaves(operation: JsonValue): readonly Leaf[] {
  const leaves = leavesOf(operation);
  const name = isJsonObject(operation) ? nameOfOperation(operation) : undefined;
  if (name === undefined) return leaves;
  const isSeen = seenIn(operation as JsonObject, name);
  return leaves.filter((leaf) => !isSeen(leaf));
}

/** Whether the form of an operation shows a value at its place. */
function seenIn(operation: JsonObject, name: OperationName): (leaf: Leaf) => boolean {
  const body = bodyName(name);
  const placesOf = (field: OperationField): readonly [string, (leaf: Leaf) => boolean][] => {
    const { path, kind, flag } = field;
    const place = [body, ...path].join('.');
    if (kind === 'lines' || kind === 'weights' || kind === 'thresholds')
      return elementsOfList(kind).map((element) => [
        inside(`${place}[]`, element),
        ({ value }) => standsOnLine(String(value)),
      ]);
    if (kind === 'flag') return [[place, ({ value }) => typeof value === 'boolean']];
    // A field that is filled in says that its flag is set.
    const isFilled = memberText(operation, [body, ...path]) !== '';
    const own: [string, () => boolean] = [place, () => true];
    return flag ? [own, [[body, ...flag].join('.'), ({ value }) => value === isFilled]] : [own];
  };
  const shown = new Map<string, (leaf: Leaf) => boolean>([
    ['type', () => true],
    ...Object.keys(operationTerms).map((term): [string, () => boolean] => [term, () => true]),
    ...operationFields[name].flatMap(placesOf),
  ]);
  return (leaf) => shown.get(leaf.path.replaceAll(/\[\d+\]/g, '[]'))?.(leaf) ?? false;
}
