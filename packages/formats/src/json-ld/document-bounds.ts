/**
 * What a JSON-LD document may be before anything is done with it: JSON of bounded size, depth and number of members, so
 * that expanding and canonicalising it costs no more than a known amount; and nothing in it that the steps of selective
 * disclosure would take for something else.
 */
import { isWellFormed } from '@symbolon/core/basics/jcs';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { Fault } from '@symbolon/core/faults/faults';
import { jsonLdLimits } from '../limits/document-limits.ts';

/**
 * The prefix by which nodes without a name are named in between (`di-sd-primitives`): a document that used it would have
 * its names taken for nodes without one.
 */
const betweenPrefix = 'urn:bnid:';

/** A name that objects of the language have already: setting it does not make a member. */
const inheritedName = '__proto__';

interface Count {
  members: number;
  characters: number;
}

function countText(text: string, count: Count): string | undefined {
  count.characters += text.length;
  if (count.characters > jsonLdLimits.documentCharsMax)
    return `is longer than ${jsonLdLimits.documentCharsMax} characters`;
  if (!isWellFormed(text)) return 'holds half a character';
  return text.includes(betweenPrefix) ? `holds ${betweenPrefix}, which selective disclosure uses` : undefined;
}

function countMembers(
  entries: readonly [string, unknown][],
  count: Count,
  depth: number,
): string | undefined {
  if (depth > jsonLdLimits.depthMax) return `nests deeper than ${jsonLdLimits.depthMax} levels`;
  count.members += entries.length;
  if (count.members > jsonLdLimits.membersMax)
    return `has more than ${jsonLdLimits.membersMax} members and elements`;
  for (const [name, value] of entries) {
    const problem =
      name === inheritedName
        ? `has a member ${inheritedName}`
        : (countText(name, count) ?? problemOf(value, count, depth));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(value: unknown, count: Count, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return countText(value, count);
    case 'number':
      return Number.isFinite(value) ? undefined : 'holds a number that is not finite';
    case 'boolean':
      return undefined;
    case 'object':
      return value === null ? undefined : countMembers(Object.entries(value), count, depth + 1);
    default:
      return `holds a ${typeof value}`;
  }
}

/** What keeps a value from being a document that is worked on; undefined when nothing does. */
export function documentProblem(document: unknown): string | undefined {
  if (asObject(document) === undefined) return 'is not an object';
  return problemOf(document, { members: 0, characters: 0 }, 0);
}

/** The document, if it is one. */
export function boundedDocument(document: unknown): Fields {
  const problem = documentProblem(document);
  if (problem !== undefined) throw new Fault('credentialMalformed', { detail: `The document ${problem}` });
  return document as Fields;
}
