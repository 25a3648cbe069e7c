/**
 * How a configuration mistake is told: where it is, what is wrong, what is allowed, and what was probably
 * meant. Words only; values appear only where the caller says that they may.
 */
import { SetupError } from '@symbolon/core/faults/operator-errors';
import type { z } from 'zod';

export interface ConfigProblem {
  /** The file and key, or the environment name. */
  readonly place: string;
  readonly problem: string;
}

/** BSD's EX_CONFIG: what a command ends with when its configuration is wrong. */
export const configExitCode = 78;

/** Everything wrong with a configuration, at once. */
export class ConfigError extends SetupError {
  override name = 'ConfigError';
  readonly exitCode = configExitCode;
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const count = problems.length === 1 ? 'One mistake' : `${problems.length} mistakes`;
    const lines = problems.map(({ place, problem }) => `  ${place}: ${problem}`);
    super([`${count} in the configuration:`, ...lines].join('\n'));
    this.problems = problems;
  }
}

const shownCharactersMax = 60;

/** A value as it may stand in a message: short, on one line. */
export function shown(value: unknown): string {
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const units: Readonly<Record<string, string>> = { string: ' characters long', array: ' items long' };

const formats: Readonly<Record<string, string>> = {
  url: 'a URL',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  email: 'an e-mail address',
  uuid: 'a UUID',
  safeint: 'a whole number that a double holds exactly',
};

function explainFormat(issue: z.core.$ZodIssueInvalidStringFormat): string {
  if (issue.format === 'regex') return `must match ${issue.pattern}`;
  return `must be ${formats[issue.format] ?? `a valid ${issue.format}`}`;
}

/** What is allowed, from what zod found. zod's own messages never carry the value; authors' may. */
export function explain(issue: z.core.$ZodIssue, mayQuote: boolean): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'too_small': {
      const unit = units[issue.origin] ?? '';
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unit}`;
    }
    case 'too_big': {
      const unit = units[issue.origin] ?? '';
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unit}`;
    }
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return explainFormat(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has unknown parts: ${issue.keys.slice(0, 5).join(', ')}`;
    case 'invalid_union': {
      const ways = issue.errors.flatMap((errors) =>
        errors.slice(0, 1).map((error) => explain(error, mayQuote)),
      );
      return ways.length > 0 ? [...new Set(ways)].join(', or ') : 'has none of the allowed forms';
    }
    default:
      return mayQuote ? issue.message : 'is not allowed as it is';
  }
}

export const didYouMean = (name: string | undefined) => (name ? `; did you mean ${name}?` : '');
