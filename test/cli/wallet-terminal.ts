/** Commands of a wallet at a terminal where somebody types. */
import type { accept } from '@symbolon/cli/commands/wallet/accepting';
import type { answer } from '@symbolon/cli/commands/wallet/answering';
import { connect } from '@symbolon/cli/profile/connection';
import { failureOf } from '@symbolon/cli/terminal/failure';
import { createTerminal } from '@symbolon/cli/terminal/terminal';
import type { CommandWorld } from './credential-world.ts';

interface Typed {
  /** The lines, one for each question. */
  readonly typed: string[];
  readonly wallet: readonly string[];
  readonly more?: object;
}

/** Runs a command of the holder's wallet, and tells what was printed and asked. */
export const terminalOf =
  (world: () => CommandWorld) =>
  async (command: typeof answer | typeof accept, link: string, { typed, wallet, more = {} }: Typed) => {
    const printed = { out: '', err: '' };
    const terminal = createTerminal({
      out: (text) => {
        printed.out += text;
      },
      err: (text) => {
        printed.err += text;
      },
      isWatched: false,
      hasColours: false,
    });
    const words = {
      as: 'holder',
      profile: world().env.SYMBOLON_PROFILE,
      wallet: wallet[1] as string,
      ...more,
    };
    const questions: string[] = [];
    const ask = async (question: string) => {
      questions.push(question);
      return typed.shift() ?? '';
    };
    const connection = await connect(words, terminal);
    const failure = await command({ connection, words, terminal }, link, ask).then(
      () => undefined,
      (error: unknown) => failureOf(error).message,
    );
    return { ...printed, failure, questions };
  };
