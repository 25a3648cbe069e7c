/** Which field of the form a problem of a draft is about: people know labels, not paths of JSON. Pure. */
import type { DeskSections } from '../../../words/desk-words.ts';
import { bodyName, type Draft, type DraftProblem, nameOfOperation, operationsOf } from './draft.ts';
import { operationFields, operationTerms, transactionTerms } from './operation-fields.ts';

type LabWords = DeskSections['lab'];

export interface ProblemPlace {
  /** As the form calls the field. */
  readonly label: string;
  /** From 0; undefined for a field of the whole transaction. */
  readonly operation: number | undefined;
  /** The path that the field fills in. */
  readonly member: string;
  /** Whether the field takes an amount of coins. */
  readonly isCoins: boolean;
}

export const memberOfOperation = (place: number, ...inside: readonly string[]): string =>
  [`operations[${place}]`, ...inside].join('.');

/** Undefined for what no field of the form says, such as a member that nobody knows. */
export function placeOfProblem(
  draft: Draft,
  { path }: DraftProblem,
  lab: LabWords,
): ProblemPlace | undefined {
  const [, digits] = /^operations\[(\d+)\]/.exec(path) ?? [];
  if (digits !== undefined) return placeInOperation(draft, Number(digits), path, lab);
  const term = Object.entries(transactionTerms).find(([member]) => member === path)?.[1];
  return term && { label: lab[term], operation: undefined, member: path, isCoins: term === 'cost' };
}

function placeInOperation(
  draft: Draft,
  operation: number,
  path: string,
  lab: LabWords,
): ProblemPlace | undefined {
  const given = operationsOf(draft)[operation];
  const name = given && nameOfOperation(given);
  if (name === undefined) return undefined;
  const body = bodyName(name);
  const fields = [
    ...Object.entries(operationTerms).map(([member, term]) => ({
      label: lab[term],
      members: [memberOfOperation(operation, member)],
      isCoins: false,
    })),
    ...operationFields[name].map((field) => ({
      label: lab.fields[field.name],
      members: [field.path, ...(field.flag ? [field.flag] : [])].map((inside) =>
        memberOfOperation(operation, body, ...inside),
      ),
      isCoins: field.kind === 'coins',
    })),
  ];
  // Of a list it is an element that is wrong, which the field of the list fills in.
  const found = fields.find(({ members }) =>
    members.some((one) => path === one || path.startsWith(`${one}[`)),
  );
  const [member] = found?.members ?? [];
  return found && member !== undefined
    ? { label: found.label, operation, member, isCoins: found.isCoins }
    : undefined;
}
