/**
 * Contract code to syntax tree, with a fixed edition of the language so that every node reads the same program.
 * What the parser does besides parsing is bounded here, because code comes from anybody: how deep it recurses, and
 * how much it hands to the host's regular expressions. Rules about the code stand elsewhere.
 */
import { assert } from '@symbolon/core/basics/assert';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { type Options, Parser, type Program } from 'acorn';
import type { SourceFinding } from './report.ts';

export interface ParsedCode {
  readonly code: string;
  readonly program: Program;
  readonly comments: readonly { readonly start: number; readonly text: string }[];
  /** Where the parser had to assume a semicolon. */
  readonly missingSemicolons: readonly number[];
}

const ecmaVersion = 2023;

/** Either the tree, or the one finding that kept the code from becoming one. */
export function parseCode(code: string): ParsedCode | { readonly refused: SourceFinding } {
  const comments: { start: number; text: string }[] = [];
  const missingSemicolons: number[] = [];
  const options: Options = {
    ecmaVersion,
    sourceType: 'script',
    allowHashBang: false,
    // Parentheses count as levels of the tree, so they must be in it.
    preserveParens: true,
    onComment: (_isBlock, text, start) => comments.push({ start, text }),
    onInsertedSemicolon: (position) => missingSemicolons.push(position),
  };
  try {
    return { code, program: new CodeParser(options, code).parse(), comments, missingSemicolons };
  } catch (error) {
    return { refused: findingOf(error) };
  }
}

/**
 * Every recursion of the parser passes through one of these. At most two of them are on the stack for one level of
 * the tree, plus a few for what stands at its end, so no code that keeps to the limit of levels is refused here, and
 * the stack stays less than half full for code that does not. The tests hold both against this parser, whose exact
 * version is pinned.
 */
const recursiveMethods = [
  'parseStatement',
  'parseMaybeAssign',
  'parseMaybeUnary',
  'parseExprOp',
  'parseNew',
  'parseClass',
  'parseBindingAtom',
  'regexp_disjunction',
];
const callsMax = 2 * contractLimits.syntaxDepthMax + 16;

/** What the parser keeps to itself and its plugins. */
interface InsideParser {
  readonly start: number;
  parse(): Program;
  validateRegExpPattern(state: { readonly source: string; readonly start: number }): void;
}

class LimitExceeded extends Error {
  readonly finding: SourceFinding;
  constructor(finding: SourceFinding) {
    super(finding.message);
    this.finding = finding;
  }
}

class CodeParser extends (Parser as unknown as new (options: Options, code: string) => InsideParser) {
  #callsUnderWay = 0;
  #regexpChars = 0;

  enter(): void {
    this.#callsUnderWay += 1;
    if (this.#callsUnderWay > callsMax) throw new LimitExceeded(tooDeep(this.start));
  }

  leave(): void {
    this.#callsUnderWay -= 1;
  }

  /** The parser searches a list for each declared name: minutes for a hostile contract. The scope rules do it. */
  declareName(): void {}

  override validateRegExpPattern(state: { readonly source: string; readonly start: number }): void {
    this.#regexpChars += state.source.length;
    if (this.#regexpChars > contractLimits.regexpCharsMax) {
      throw new LimitExceeded({
        at: state.start,
        code: 'too_long',
        message: `All regular expressions together must not be longer than ${contractLimits.regexpCharsMax} characters.`,
      });
    }
    super.validateRegExpPattern(state);
  }
}

/** Written out, because rest parameters would double the stack each level takes. */
type Method = (this: CodeParser, a: unknown, b: unknown, c: unknown, d: unknown, e: unknown) => unknown;
const prototype = CodeParser.prototype as unknown as Record<string, Method | undefined>;
for (const name of recursiveMethods) {
  const inherited = prototype[name];
  assert(inherited !== undefined && inherited.length <= 5, `the parser has no method ${name}`);
  // No `finally`: whatever the parser throws ends the parse.
  prototype[name] = function counted(a, b, c, d, e) {
    this.enter();
    const result = inherited.call(this, a, b, c, d, e);
    this.leave();
    return result;
  };
}

export function tooDeep(at: number): SourceFinding {
  return {
    at,
    code: 'too_deep',
    message: `The code is nested deeper than ${contractLimits.syntaxDepthMax} levels.`,
  };
}

function findingOf(error: unknown): SourceFinding {
  if (error instanceof LimitExceeded) return error.finding;
  assert(error instanceof SyntaxError && 'pos' in error, `the parser failed: ${error}`);
  // Its verdict would depend on the machine.
  assert(!error.message.startsWith('Not enough stack'), 'the parser ran out of stack below its limit');
  const message = error.message.replace(/ \(\d+:\d+\)$/, '');
  return { at: Number(error.pos), code: 'expected_a_b', message: `${message}.` };
}
