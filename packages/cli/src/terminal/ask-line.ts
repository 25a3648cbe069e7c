/** A question to the person at the terminal of this process, whose answer is one line. */
import { createInterface } from 'node:readline';
import { draw } from './terminal.ts';

/** Undefined where nobody is there to be asked. */
export type AskLine = ((question: string) => Promise<string>) | undefined;

export const isSomebodyThere = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

export const askLineAtTerminal = (): AskLine => (isSomebodyThere() ? askLine : undefined);

/** Empty where the input ends or is interrupted. */
export async function askLine(question: string): Promise<string> {
  draw(`${question} `);
  const lines = createInterface({ input: process.stdin });
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
  } finally {
    lines.close();
  }
}
