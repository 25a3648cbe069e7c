/**
 * Patterns that strangers write, matched in time that grows with pattern times text and no faster: a subset of the
 * regular expressions of JSON Schema, run as a set of states over the text, without any backtracking. What needs
 * backtracking (references, looking around) and what would become too many states is refused when it is read. A pattern
 * is found anywhere in the text unless it says `^` or `$`.
 */
import { credentialQueryLimits as limits } from '../limits/documents.ts';

/** Characters by code point, in inclusive ranges. */
interface CharacterSet {
  readonly ranges: readonly (readonly [number, number])[];
  readonly isNegated: boolean;
}

type Node =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number | undefined };

type Step =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'start' | 'end' | 'match' }
  | { readonly kind: 'fork'; to: number[] };

export interface SafePattern {
  readonly source: string;
  readonly matches: (text: string) => boolean;
}

/** What is wrong with a pattern, in words that follow its name. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem';
}

const digits = [[0x30, 0x39]] as const;
const wordCharacters = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
] as const;
const spaces = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
] as const;
const lineEnds = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
] as const;
const classes: Readonly<Record<string, CharacterSet['ranges']>> = { d: digits, w: wordCharacters, s: spaces };
const controls: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d };
const lastCodePoint = 0x10ffff;

function complementOf(ranges: CharacterSet['ranges']): CharacterSet['ranges'] {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [low, high] of ranges) {
    if (low > next) gaps.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= lastCodePoint) gaps.push([next, lastCodePoint]);
  return gaps;
}

/** Throws `PatternProblem` for what is no pattern, or none that is safe. */
export function parseSafePattern(source: string): SafePattern {
  if (source.length > limits.patternCharsMax)
    throw new PatternProblem(`must have at most ${limits.patternCharsMax} characters`);
  const steps = compile(new PatternReader(source).read());
  return { source, matches: (text) => run(steps, text) };
}

/** Lives as long as one pattern is read. */
class PatternReader {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#characters = [...source];
  }

  read(): Node {
    const node = this.#choice();
    if (this.#at < this.#characters.length) throw new PatternProblem('has a ) too many');
    return node;
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw new PatternProblem('ends too early');
    this.#at += 1;
    return character;
  }

  #takeIf(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #choice(): Node {
    const options = [this.#sequence()];
    while (this.#takeIf('|')) options.push(this.#sequence());
    return options.length === 1 ? options[0] : { kind: 'choice', options };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek())
      parts.push(this.#repeated(this.#atom()));
    return { kind: 'sequence', parts };
  }

  #atom(): Node {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#group();
      case '[':
        return { kind: 'set', set: this.#class() };
      case '.':
        return { kind: 'set', set: { ranges: lineEnds, isNegated: true } };
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '\\':
        return { kind: 'set', set: { ranges: this.#escape(), isNegated: false } };
      case '*':
      case '+':
      case '?':
      case '{':
      case '}':
      case ']':
        throw new PatternProblem(`has ${character} where nothing can be repeated`);
      default:
        return { kind: 'set', set: { ranges: [pointOf(character)], isNegated: false } };
    }
  }

  #group(): Node {
    if (this.#takeIf('?') && !this.#takeIf(':'))
      throw new PatternProblem('has a group of a kind that is not supported');
    this.#depth += 1;
    if (this.#depth > limits.patternDepthMax) throw new PatternProblem('nests too deep');
    const node = this.#choice();
    if (!this.#takeIf(')')) throw new PatternProblem('has a ( too many');
    this.#depth -= 1;
    return node;
  }

  #repeated(part: Node): Node {
    const counts = this.#counts();
    if (!counts) return part;
    if (part.kind === 'start' || part.kind === 'end') throw new PatternProblem('repeats an edge of the text');
    // Lazy or not makes no difference to whether there is a match.
    this.#takeIf('?');
    if (['*', '+', '?', '{'].includes(this.#peek() ?? '')) throw new PatternProblem('repeats a repetition');
    return { kind: 'repeat', part, ...counts };
  }

  #counts(): { readonly min: number; readonly max: number | undefined } | undefined {
    if (this.#takeIf('*')) return { min: 0, max: undefined };
    if (this.#takeIf('+')) return { min: 1, max: undefined };
    if (this.#takeIf('?')) return { min: 0, max: 1 };
    if (!this.#takeIf('{')) return undefined;
    let text = '';
    while (!this.#takeIf('}')) text += this.#take();
    const match = /^([0-9]{1,4})(?:(,)([0-9]{1,4})?)?$/.exec(text);
    if (!match) throw new PatternProblem('has {} without counts');
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === undefined ? undefined : Number(match[3]);
    if (max !== undefined && max < min)
      throw new PatternProblem('has a repetition that ends before it begins');
    return { min, max };
  }

  #escape(): CharacterSet['ranges'] {
    const character = this.#take();
    const named = classes[character];
    if (named) return named;
    const complemented = classes[character.toLowerCase()];
    if (complemented && character !== character.toLowerCase()) return complementOf(complemented);
    if (Object.hasOwn(controls, character)) return [[controls[character], controls[character]]];
    if (character === 'u' || character === 'x') return [this.#hexPoint(character === 'u' ? 4 : 2)];
    if (/^[\^$\\.*+?()[\]{}|/-]$/.test(character)) return [pointOf(character)];
    throw new PatternProblem(`has the escape \\${character}, which is not supported`);
  }

  #hexPoint(length: number): readonly [number, number] {
    let text = '';
    for (let index = 0; index < length; index++) text += this.#take();
    if (!/^[0-9A-Fa-f]+$/.test(text)) throw new PatternProblem('has an escape without hex digits');
    const point = Number.parseInt(text, 16);
    return [point, point];
  }

  #class(): CharacterSet {
    const isNegated = this.#takeIf('^');
    const ranges: (readonly [number, number])[] = [];
    while (!this.#takeIf(']')) {
      const low = this.#classPart();
      const isRange =
        this.#peek() === '-' &&
        this.#characters[this.#at + 1] !== ']' &&
        this.#at + 1 < this.#characters.length;
      if (!isRange) {
        ranges.push(...low);
        continue;
      }
      this.#take();
      const high = this.#classPart();
      const [from, to] = [low[0][0], high[0][1]];
      if (low.length !== 1 || high.length !== 1 || low[0][0] !== low[0][1] || high[0][0] !== high[0][1])
        throw new PatternProblem('has a range between things that are no characters');
      if (from > to) throw new PatternProblem('has a range of characters that ends before it begins');
      ranges.push([from, to]);
    }
    return { ranges, isNegated };
  }

  #classPart(): CharacterSet['ranges'] {
    const character = this.#take();
    if (character === '[') throw new PatternProblem('has a [ inside of []');
    return character === '\\' ? this.#escape() : [pointOf(character)];
  }
}

function pointOf(character: string): readonly [number, number] {
  const point = character.codePointAt(0) as number;
  return [point, point];
}

/** Repetitions are written out; whatever has no bound goes back. */
function compile(node: Node): readonly Step[] {
  const steps: Step[] = [];
  let cost = 0;
  const add = (step: Step, weight = 1): void => {
    cost += weight;
    if (cost > limits.patternStepsMax) throw new PatternProblem('is too large with its repetitions');
    steps.push(step);
  };
  const fork = (): { kind: 'fork'; to: number[] } => {
    const step = { kind: 'fork' as const, to: [] as number[] };
    add(step);
    return step;
  };
  const emit = (one: Node): void => {
    switch (one.kind) {
      case 'set':
        add(one, Math.max(1, one.set.ranges.length));
        break;
      case 'start':
      case 'end':
        add({ kind: one.kind });
        break;
      case 'sequence':
        for (const part of one.parts) emit(part);
        break;
      case 'choice': {
        const entry = fork();
        const exits = one.options.map((option) => {
          entry.to.push(steps.length);
          emit(option);
          return fork();
        });
        for (const exit of exits) exit.to.push(steps.length);
        break;
      }
      case 'repeat':
        emitRepeat(one);
        break;
    }
  };
  const emitRepeat = ({ part, min, max }: Extract<Node, { kind: 'repeat' }>): void => {
    for (let count = 0; count < min; count++) {
      // A part that adds no step is not worth counting.
      const before = steps.length;
      emit(part);
      if (steps.length === before) break;
    }
    if (max === undefined) {
      const entry = fork();
      entry.to.push(steps.length);
      const place = steps.indexOf(entry);
      emit(part);
      fork().to.push(place);
      entry.to.push(steps.length);
      return;
    }
    const entries = [];
    for (let count = min; count < max; count++) {
      const entry = fork();
      entry.to.push(steps.length);
      entries.push(entry);
      emit(part);
    }
    for (const entry of entries) entry.to.push(steps.length);
  };
  emit(node);
  steps.push({ kind: 'match' });
  return steps;
}

function isIn({ ranges, isNegated }: CharacterSet, point: number): boolean {
  return ranges.some(([low, high]) => point >= low && point <= high) !== isNegated;
}

function run(steps: readonly Step[], text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) as number);
  let current = new Set<number>();
  for (let position = 0; position <= points.length; position++) {
    // Every place of the text may be where the match begins.
    current.add(0);
    const reached = follow(steps, current, { isStart: position === 0, isEnd: position === points.length });
    if (!reached) return true;
    const next = new Set<number>();
    for (const index of reached) {
      const step = steps[index];
      if (step.kind === 'set' && position < points.length && isIn(step.set, points[position]))
        next.add(index + 1);
    }
    current = next;
  }
  return false;
}

/** All steps that wait for a character here; undefined if the match is found. */
function follow(
  steps: readonly Step[],
  from: ReadonlySet<number>,
  { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean },
): ReadonlySet<number> | undefined {
  const seen = new Set<number>();
  const open = [...from];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    const step = steps[index];
    if (step.kind === 'match') return undefined;
    if (step.kind === 'fork') open.push(...step.to);
    else if ((step.kind === 'start' && isStart) || (step.kind === 'end' && isEnd)) open.push(index + 1);
  }
  return seen;
}
