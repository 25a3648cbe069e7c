/**
 * Options of a command line, for programs that have a handful of them: what is not known is refused with the name that was
 * probably meant, and `--help` is always one.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { unknownName } from '@symbolon/core/basics/known-names';

/** The command line is not understood, or asks for help: what to say, and whether that is all. */
export class OptionError extends Error {
  readonly isHelp: boolean;

  constructor(message: string, { isHelp = false } = {}) {
    super(message);
    this.isHelp = isHelp;
  }
}

/** Throws `OptionError`. */
export function parseOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const known = Object.keys(config.options ?? {});
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  for (const token of tokens ?? []) {
    if (token.kind !== 'option') continue;
    if (token.name === 'help') throw new OptionError('', { isHelp: true });
    const name = config.allowNegative ? token.name.replace(/^no-/, '') : token.name;
    if (!known.includes(name))
      throw new OptionError(
        unknownName(
          token.rawName,
          known.map((one) => `--${one}`),
        ),
      );
  }
  try {
    return parseArgs(config);
  } catch (error) {
    throw new OptionError((error as Error).message);
  }
}
