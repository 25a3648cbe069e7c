/** A question to the person at the terminal of this process, if there is one: anything but a clear yes is a no. */
import { askLine, isSomebodyThere } from './ask-line.ts';

/** Undefined where nobody is there to be asked. */
export type AskYes = ((question: string) => Promise<boolean>) | undefined;

export const askYesAtTerminal = (): AskYes => (isSomebodyThere() ? askYes : undefined);

export const isYes = (text: string): boolean => /^y(es)?$/i.test(text.trim());

/** Whoever ends the input, or interrupts, has not said yes. */
const askYes = async (question: string): Promise<boolean> => isYes(await askLine(`${question} [y/N]`));
