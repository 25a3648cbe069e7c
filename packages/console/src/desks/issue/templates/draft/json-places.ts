/**
 * Where things stand in a JSON text: the line of every value by its pointer, or the line of the first mistake. Browsers
 * say neither the one nor the other in a way that could be relied on.
 */

/** The first mistake of a text that is no JSON. */
export interface JsonMistake {
  readonly line: number;
  readonly problem: 'empty' | 'comma' | 'value' | 'text' | 'member' | 'rest' | 'depth';
}

export type JsonPlaces = { readonly lines: ReadonlyMap<string, number> } | { readonly mistake: JsonMistake };

const depthMax = 32;
const token = /"(?:[^"\\\n]|\\.)*"/y;
const word = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

class Mistake extends Error {
  readonly problem: JsonMistake['problem'];
  readonly at: number;
  constructor(problem: JsonMistake['problem'], at: number) {
    super(problem);
    this.problem = problem;
    this.at = at;
  }
}

/** Which signs a text may hold, and how they are escaped, is the browser's to say. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function jsonPlaces(text: string): JsonPlaces {
  const lines = new Map<string, number>();
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  let at = 0;

  const skip = (): void => {
    while (/[ \t\r\n]/.test(text[at] ?? '')) at += 1;
  };
  const take = (pattern: RegExp, problem: JsonMistake['problem']): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined || !isJson(found)) throw new Mistake(problem, at);
    at += found.length;
    return found;
  };
  /** Items up to the closing sign, with commas between. */
  const list = (close: string, item: (count: number) => void): void => {
    at += 1;
    skip();
    for (let count = 0; text[at] !== close; count += 1) {
      if (count > 0) {
        if (text[at] !== ',') throw new Mistake('comma', at);
        at += 1;
        skip();
      }
      item(count);
      skip();
    }
    at += 1;
  };
  const value = (pointer: string, depth: number): void => {
    if (depth > depthMax) throw new Mistake('depth', at);
    skip();
    lines.set(pointer, lineAt(at));
    const first = text[at];
    if (first === '{')
      list('}', () => {
        const name = JSON.parse(take(token, 'member')) as string;
        skip();
        if (text[at] !== ':') throw new Mistake('member', at);
        at += 1;
        value(`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
      });
    else if (first === '[') list(']', (count) => value(`${pointer}/${count}`, depth + 1));
    else if (first === '"') take(token, 'text');
    else take(word, 'value');
  };

  try {
    skip();
    if (at === text.length) throw new Mistake('empty', at);
    value('', 0);
    skip();
    if (at < text.length) throw new Mistake('rest', at);
    return { lines };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { mistake: { line: lineAt(error.at), problem: error.problem } };
  }
}

/** The line of a pointer, or of the nearest thing around it where it names what is missing. */
export function lineOfPointer(lines: ReadonlyMap<string, number>, pointer: string): number {
  for (let rest = pointer; ; rest = rest.slice(0, rest.lastIndexOf('/'))) {
    const line = lines.get(rest);
    if (line !== undefined) return line;
    if (rest === '') return 1;
  }
}
