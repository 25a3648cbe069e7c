/** What stands where an account is meant and is no address: said in the form's words before the ledger is asked. Pure. */
import { usualKeyFormat } from '@symbolon/sdk/keys/usual-keys';
import {
  bodyName,
  type Draft,
  type DraftProblem,
  memberText,
  nameOfOperation,
  operationsOf,
} from './draft.ts';
import { operationFields } from './operation-fields.ts';
import { memberOfOperation } from './problem-place.ts';

/** The first one; undefined where all that is said is an address. */
export function wrongAddress(draft: Draft): DraftProblem | undefined {
  const inside = operationsOf(draft).flatMap((operation, at) => {
    const name = nameOfOperation(operation);
    if (name === undefined) return [];
    const body = bodyName(name);
    const fields = operationFields[name].filter(({ kind }) => kind === 'account');
    return [
      { path: memberOfOperation(at, 'source_address'), text: memberText(operation, ['source_address']) },
      ...fields.map(({ path }) => ({
        path: memberOfOperation(at, body, ...path),
        text: memberText(operation, [body, ...path]),
      })),
    ];
  });
  const all = [{ path: 'source_address', text: memberText(draft, ['source_address']) }, ...inside];
  const wrong = all.find(({ text }) => text !== '' && !usualKeyFormat.isAddress(text));
  return wrong && { path: wrong.path, reason: notAddress };
}

/** Told in the reader's words beside the form. */
export const notAddress = 'is no address';
