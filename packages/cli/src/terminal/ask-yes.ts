/** A question to the person at the terminal of this process, if there is one: anything but a clear yes is a no. */
import { createInterface } from 'node:readline';
import { draw } from './terminal.ts';

/** Undefined where nobody is there to be asked. */
export type AskYes = ((question: string) => Promise<boolean>) | undefined;

export const askYesAtTerminal = (): AskYes =>
  process.stdin.isTTY === true && process.stderr.isTTY === true ? askYes : undefined;

async function askYes(question: string): Promise<boolean> {
  draw(`${question} [y/N] `);
  const lines = createInterface({ input: process.stdin });
  try {
    const answer = await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      // Whoever ends the input, or interrupts, has not said yes.
      lines.once('close', () => resolve(''));
    });
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
