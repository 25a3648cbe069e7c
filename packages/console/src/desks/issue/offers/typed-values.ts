/** Values of a template's attributes as somebody types them, by key. Pure. */
import { isComplaint, readTypeAndFormat } from '@symbolon/core/attributes/attribute-formats';
import type { AttributeType, AttributeValue } from '@symbolon/core/documents/model';
import type { Language } from '../../../text/language.ts';
import { numberMarks } from '../../../text/numbers.ts';
import { readTypedValue, type ValueMisfit } from '../values/typed-value.ts';

export interface TypedAttribute {
  readonly attribute: string;
  readonly key: string;
  readonly format: string;
  readonly mandatory: boolean;
}

export interface ReadValues {
  readonly values: readonly {
    readonly key: string;
    readonly type: AttributeType;
    readonly value: AttributeValue;
  }[];
  /** What is wrong, by key. */
  readonly wrong: ReadonlyMap<string, ValueMisfit>;
}

export function readTyped(
  attributes: readonly TypedAttribute[],
  typed: Readonly<Record<string, string>>,
  language: Language,
): ReadValues {
  const values: { key: string; type: AttributeType; value: AttributeValue }[] = [];
  const wrong = new Map<string, ValueMisfit>();
  for (const { key, format, mandatory } of attributes) {
    const text = typed[key]?.trim() ?? '';
    const known = readTypeAndFormat(undefined, format);
    // What no rule knows is a text; the service has the last word.
    const kind = isComplaint(known) ? ({ type: 'text', format: 'string' } as const) : known;
    if (text === '') {
      if (mandatory) wrong.set(key, { ...kind, why: 'missing' });
      continue;
    }
    const read = readTypedValue(kind, text, numberMarks[language].point);
    if ('misfit' in read) wrong.set(key, read.misfit);
    else values.push({ key, type: kind.type, value: read.value });
  }
  return { values, wrong };
}
