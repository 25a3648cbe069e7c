/**
 * JSON pointers (RFC 6901) to what a selective disclosure shows: each must point at something in the document. Checked
 * before the library walks them, because it would follow names that every object of the language inherits, and would take
 * any text that begins with a digit for a place in an array.
 */
import { asObject } from '@symbolon/core/basics/plain-values';
import { Fault, type FaultDetail } from '@symbolon/core/faults/faults';
import { dataIntegrityLimits } from '../limits/document-limits.ts';

const pointerPattern = /^(?:\/(?:[^~/]|~[01])*)+$/;
const arrayIndex = /^(?:0|[1-9][0-9]{0,6})$/;

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

function stepInto(value: unknown, part: string): unknown {
  if (Array.isArray(value)) return arrayIndex.test(part) ? value[Number(part)] : undefined;
  const object = asObject(value);
  // The library turns every name that begins with a digit into a number, and then misses it.
  const isMissed = !part.includes('~') && !Number.isNaN(Number.parseInt(part, 10));
  return object && !isMissed && Object.hasOwn(object, unescaped(part)) ? object[unescaped(part)] : undefined;
}

/** What is wrong with a pointer into a document; undefined when it points at something. */
function pointerProblem(document: object, pointer: unknown): string | undefined {
  if (typeof pointer !== 'string' || pointer.length > dataIntegrityLimits.pointerCharsMax)
    return `must be a text of at most ${dataIntegrityLimits.pointerCharsMax} characters`;
  if (!pointerPattern.test(pointer)) return 'is no JSON pointer to a part of the document';
  const parts = pointer.slice(1).split('/');
  if (parts[0] === 'proof' || parts[0] === '@context') return `points at ${parts[0]}, which is never hidden`;
  let value: unknown = document;
  for (const part of parts) value = stepInto(value, part);
  return value === undefined || value === null ? 'points at nothing in the document' : undefined;
}

/** The pointers, if each is one into the document. `where` is the member that they were given in. */
export function checkPointers(document: object, pointers: unknown, where: string): readonly string[] {
  if (!Array.isArray(pointers) || pointers.length > dataIntegrityLimits.pointersMax)
    throw new Fault('requestMalformed', {
      detail: `${where} must be an array of at most ${dataIntegrityLimits.pointersMax} JSON pointers`,
    });
  const errors = pointers.flatMap((pointer, index): FaultDetail[] => {
    const problem = pointerProblem(document, pointer);
    return problem === undefined ? [] : [{ pointer: `/${where}/${index}`, detail: problem }];
  });
  if (errors.length > 0) throw new Fault('requestMalformed', { detail: `${where} cannot be used`, errors });
  return pointers as readonly string[];
}
