/** Colours for samples: what is a word of the language, a text, a remark or a variable. Not a parser, and needs none. */

export type CodeTone = 'k' | 's' | 'c' | 'v' | '';

export interface CodePiece {
  readonly tone: CodeTone;
  readonly text: string;
}

const pieces =
  /(?<c>\/\/[^\n]*|(?<=^|\n)#[^\n]*)|(?<v>\$[A-Z_][A-Z0-9_]*|(?<=process\.env\.)[A-Z_][A-Z0-9_]*)|(?<s>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n$]|\\.)*")|(?<k>\b(?:import|from|const|await|for|of|new|return|curl|symbolon)\b)/g;

export function highlight(code: string): readonly CodePiece[] {
  const found: CodePiece[] = [];
  let at = 0;
  for (const match of code.matchAll(pieces)) {
    if (match.index > at) found.push({ tone: '', text: code.slice(at, match.index) });
    const tone = (['c', 'v', 's', 'k'] as const).find((name) => match.groups?.[name] !== undefined) ?? '';
    found.push({ tone, text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < code.length) found.push({ tone: '', text: code.slice(at) });
  return found;
}
