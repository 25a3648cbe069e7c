/**
 * Members of JSON text that the parser would hide. Of a name that stands twice in one object it keeps the last, so the
 * one that somebody signed or checked may be lost. Such text is refused with the name, wherever it comes from.
 */
import { endOfString, type JsonValue, parseJson } from './json.ts';

const nameCharsMax = 64;

/** JSON, and a member of it that stands twice. */
export class DoubledMember extends SyntaxError {
  override name = 'DoubledMember';
  /** Quoted, and not longer than people read. */
  readonly member: string;

  constructor(member: string) {
    const quoted = JSON.stringify(member.slice(0, nameCharsMax));
    super(`the member ${quoted} stands twice`);
    this.member = quoted;
  }
}

/** As `parseJson`; of no object a member twice. */
export function parseUniqueJson(text: string): JsonValue {
  const value = parseJson(text);
  refuseDoubled(text);
  return value;
}

/** What is told on the way over a text. */
export interface MembersSeen {
  /** Of each string, and whether it is the name of a member; `isEscaped` if it was not written as it is. */
  string?(content: string, said: { readonly isName: boolean; readonly isEscaped: boolean }): void;
  /** Of each comma: so many members and elements there are at least. */
  next?(): void;
}

/** Walks over text that is known to be JSON. */
export function refuseDoubled(text: string, seen: MembersSeen = {}): void {
  /** The names of each open object, innermost last; undefined for an array. */
  const open: (Set<string> | undefined)[] = [];
  let isName = false;
  for (let index = 0; index < text.length; index++) {
    switch (text[index]) {
      case '{':
        open.push(new Set());
        isName = true;
        break;
      case '[':
        open.push(undefined);
        isName = false;
        break;
      case '}':
      case ']':
        open.pop();
        isName = false;
        break;
      case ',':
        isName = open.at(-1) !== undefined;
        seen.next?.();
        break;
      case '"': {
        const end = endOfString(text, index);
        if (isName || seen.string) {
          const quoted = text.slice(index, end + 1);
          const isEscaped = quoted.includes('\\');
          const content = isEscaped ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
          seen.string?.(content, { isName, isEscaped });
          if (isName) addName(open.at(-1) as Set<string>, content);
        }
        isName = false;
        index = end;
        break;
      }
      default:
    }
  }
}

function addName(names: Set<string>, name: string): void {
  if (names.has(name)) throw new DoubledMember(name);
  names.add(name);
}
