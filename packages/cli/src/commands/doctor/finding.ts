/** What a check of `symbolon doctor` has found: fine, worth knowing, or wrong, and what to do about it. */
import { sentenceLines } from '../../terminal/layout.ts';
import { type Terminal, toned } from '../../terminal/terminal.ts';

export type Grade = 'fine' | 'notice' | 'wrong';

export interface Finding {
  /** What was looked at, in a word or two. */
  readonly name: string;
  readonly verdict: Grade;
  readonly detail: string;
  /** What to do, where something is to be done. */
  readonly advice?: string;
}

type Advised = (name: string, detail: string, advice: string) => Finding;

export const fine = (name: string, detail: string): Finding => ({ name, verdict: 'fine', detail });
export const notice: Advised = (name, detail, advice) => ({ name, verdict: 'notice', detail, advice });
export const wrong: Advised = (name, detail, advice) => ({ name, verdict: 'wrong', detail, advice });

const marks = { fine: '✔', notice: '!', wrong: '✖' } as const;
const tones = { fine: 'good', notice: 'strong', wrong: 'bad' } as const;
const nameWidth = 18;

export function findingLines(
  { name, verdict, detail, advice }: Finding,
  terminal: Terminal,
): readonly string[] {
  const line = `${toned(terminal, tones[verdict], marks[verdict])} ${name.padEnd(nameWidth)} ${detail}`;
  const todo = advice === undefined ? [] : [`  ${' '.repeat(nameWidth)} → ${advice}`];
  return [line, ...todo].flatMap((one) => sentenceLines(terminal, one, nameWidth + 3));
}

export const findingToJson = ({ name, verdict, detail, advice }: Finding) => ({
  check: name,
  verdict,
  detail,
  advice,
});
