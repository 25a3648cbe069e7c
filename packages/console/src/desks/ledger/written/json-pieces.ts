/** JSON for people: indented, short lists on one line, names and texts apart. Pure; numbers stay as they are written. */

export interface JsonPiece {
  readonly tone: 'k' | 's' | '';
  readonly text: string;
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** The same JSON with a line a member. It is not read into values, so that no number is rounded. */
export function prettyJson(text: string): string {
  const found = text.match(tokens) ?? [];
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  const turn = (): void => {
    lines.push(line);
    line = '  '.repeat(depth);
  };
  found.forEach((token, at) => {
    const next = found[at + 1];
    if (token === '{' || token === '[') {
      line += token;
      if (next === '}' || next === ']') return;
      depth += 1;
      turn();
    } else if (token === '}' || token === ']') {
      const isEmpty = found[at - 1] === '{' || found[at - 1] === '[';
      if (!isEmpty) {
        depth -= 1;
        turn();
      }
      line += token;
    } else if (token === ',') {
      line += token;
      turn();
    } else line += token === ':' ? ': ' : token;
  });
  return [...lines, line].join('\n');
}

/** Names of members, texts, and all else. */
export function jsonPieces(text: string): readonly JsonPiece[] {
  const pieces: JsonPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) {
    if (match.index > at) pieces.push({ tone: '', text: text.slice(at, match.index) });
    pieces.push({ tone: match[1] === undefined ? 's' : 'k', text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push({ tone: '', text: text.slice(at) });
  return pieces;
}
