/**
 * How many members a request may have, counted before it becomes a value: objects of very many names are slow to make
 * and slower to copy, and a body costs its sender nothing. Answers are not bounded so; their reader asked for them.
 */
import { jsonLimits } from '@symbolon/core/limits/documents';
import { endOfString } from './json.ts';

const quote = 0x22;
const colon = 0x3a;
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Longer names are no place in a list that fits a body. */
const indexCharsMax = 8;

/**
 * Whether one object, or the whole text, has more members than any request needs. The names `0`, `1`, `2` and so on are
 * a list, as public clients write the bytes of a note, and cost no more than one: they are not counted.
 */
export function hasTooManyMembers(text: string): boolean {
  // Each member has a colon: a text as short as most requests needs no look.
  if (text.length <= jsonLimits.objectMembersMax) return false;
  /** By depth, of each open object or array; deeper ones are refused when the text is parsed. */
  const named = new Uint32Array(jsonLimits.depthMax + 1);
  const listed = new Uint32Array(jsonLimits.depthMax + 1);
  let depth = 0;
  let members = 0;
  let name: readonly [start: number, end: number] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === quote) {
      const end = endOfString(text, index);
      name = [index + 1, end];
      index = end;
    } else if (unit === colon) {
      const isListed = name[1] - name[0] <= indexCharsMax && text.slice(...name) === String(listed[depth]);
      if (isListed) {
        listed[depth]++;
        continue;
      }
      members++;
      named[depth]++;
      if (members > jsonLimits.membersMax || named[depth] > jsonLimits.objectMembersMax) return true;
    } else if (unit === openObject || unit === openArray) {
      depth++;
      named[depth] = 0;
      listed[depth] = 0;
    } else if (unit === closeObject || unit === closeArray) depth--;
  }
  return false;
}
