/** A question whose answer is not shown on the screen while it is typed. */
import { StringDecoder } from 'node:string_decoder';
import { draw } from './terminal.ts';

/** The parts of a terminal that this takes. */
export interface SecretInput {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export const interruptKey = '\u0003';
export const endOfInputKey = '\u0004';
const enterKeys = ['\r', '\n', endOfInputKey];
const eraseKeys = ['\u007f', '\b'];

export interface HiddenQuestion {
  readonly question: string;
  /** More is not kept. */
  readonly charactersMax: number;
  /** With which keys a person gives up, and what is thrown then. */
  readonly stopKeys: readonly string[];
  readonly stopped: (key: string) => Error;
  readonly input?: SecretInput;
  readonly write?: (text: string) => void;
}

export function askHidden(order: HiddenQuestion): Promise<string> {
  const { question, charactersMax, stopKeys, stopped, input = process.stdin, write = draw } = order;
  // In this order: whoever answers at once must not find the terminal still repeating what is typed.
  input.setRawMode?.(true);
  write(question);
  const decoder = new StringDecoder('utf8');
  return new Promise((resolve, reject) => {
    const typed: string[] = [];
    const finish = (settle: () => void): void => {
      input.off('data', read);
      input.setRawMode?.(false);
      input.pause();
      write('\n');
      settle();
    };
    const read = (chunk: Buffer): void => {
      for (const key of decoder.write(chunk)) {
        if (stopKeys.includes(key)) return finish(() => reject(stopped(key)));
        if (enterKeys.includes(key)) return finish(() => resolve(typed.join('')));
        if (eraseKeys.includes(key)) typed.pop();
        else if (typed.length < charactersMax) typed.push(key);
      }
    };
    input.on('data', read);
    input.resume();
  });
}
