/** What a holder applies with: `NAME=VALUE` words, or a file that maps names to values. */
import type { AttributeValues } from '@symbolon/core/credential/template-rules';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { InvalidArgumentError } from 'commander';
import { readDocumentFile } from '../../credentials/document-files.ts';
import { usageFailure } from '../../terminal/failure.ts';

export interface ValueWords {
  readonly set?: AttributeValues;
  readonly file?: string;
}

/** `NAME=VALUE`, collected; the service reads every value as its attribute's type. */
export function valueWord(text: string, before: AttributeValues = {}): AttributeValues {
  const [, name, value] = /^([A-Za-z]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be like degree="BSc Mathematics".');
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} has a value already.`);
  return { ...before, [name]: value };
}

/** The values of a file, with those of `--set` instead where both have one. */
export async function readValues({ set = {}, file }: ValueWords): Promise<AttributeValues> {
  const values = {
    ...(file !== undefined && valuesIn(file, await readDocumentFile(file, 'values of attributes'))),
    ...set,
  };
  if (Object.keys(values).length > 0) return values;
  const advice = 'Give --set NAME=VALUE as often as needed, or --file values.json.';
  throw usageFailure(`There are no values.\n${advice}`);
}

function valuesIn(file: string, document: JsonObject): AttributeValues {
  for (const [name, value] of Object.entries(document)) {
    const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
    if (isPlain) continue;
    const why = isJsonObject(value) || Array.isArray(value) ? 'is a list or an object' : 'has no plain value';
    throw usageFailure(
      `${file} has no values for an application.\n${name} ${why}.\nIt must be like {"name": "…", "points": 250}.`,
    );
  }
  return document as AttributeValues;
}
