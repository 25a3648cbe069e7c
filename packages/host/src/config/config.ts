/**
 * Configuration: defaults of a zod schema, then a JSON file, then the environment, then the command line, each over the
 * one before. Every mistake in all of them is told at once, with its place, and the value of a setting marked `secret`
 * is never repeated. What can be set is the schema's business (each service has its own); this file only gathers and
 * complains. A mistake is told with where it is, what is allowed, and what was probably meant.
 */

import { readFileSync, statSync } from 'node:fs';
import { nearestSpelling } from '@symbolon/core/basics/known-names';
import { SetupError } from '@symbolon/core/faults/operator-errors';
import type { z } from 'zod';
import {
  envNameOf,
  listSettings,
  readJsonValue,
  readSettingText,
  type Schema,
  type Setting,
  shapeOf,
} from './config-settings.ts';

export { secret } from './config-settings.ts';

export interface ConfigSources {
  /** A JSON file; when given it must be there. */
  readonly file?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly prefix?: string;
  /** Names under the prefix that mean something to somebody else. */
  readonly otherEnv?: readonly string[];
  /** What the command line says, in the schema's shape; undefined parts are not set. */
  readonly overrides?: object;
}

const fileBytesMax = 1024 * 1024;
const defaultPrefix = 'SYMBOLON_';

/** Set by the launchers and by the command line, not part of any service's configuration. */
const launcherNames = ['NODE', 'CONFIG'];
const commandLineNames = [
  'SYMBOLON_API_KEY',
  'SYMBOLON_API_KEY_FOR',
  'SYMBOLON_BACKUP_PASSPHRASE',
  'SYMBOLON_HOME',
  'SYMBOLON_KEY_PASSWORD',
  'SYMBOLON_LEDGER_URL',
  'SYMBOLON_PROFILE',
  'SYMBOLON_SERVICE_URL',
];

type Values = Record<string, unknown>;

/** What the sources said so far. */
interface Gathered {
  readonly settings: readonly Setting[];
  readonly values: Values;
  /** Where each value came from, by dotted path. */
  readonly places: Map<string, string>;
  readonly problems: ConfigProblem[];
  /** Dotted paths somebody has complained about already. */
  readonly troubled: Set<string>;
  /** The file could not be read, so what is missing may well stand in it. */
  isFileLost: boolean;
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function put(values: Values, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) values[key] = value;
  else {
    if (!isObject(values[key])) values[key] = {};
    put(values[key] as Values, rest, value);
  }
}

/** Takes the known parts of a tree of values and complains about the others. */
function gatherTree(
  into: Gathered,
  schema: Schema,
  tree: Values,
  at: { path: string[]; inside: string },
): void {
  const shape = shapeOf(schema) as Readonly<Record<string, Schema>>;
  for (const [key, value] of Object.entries(tree)) {
    if (value === undefined) continue;
    const path = [...at.path, key];
    const dotted = path.join('.');
    const place = `${dotted} ${at.inside}`;
    const part = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (!part) {
      const siblings = Object.keys(shape).map((name) => [...at.path, name].join('.'));
      const elsewhere = into.settings.find((setting) => setting.path.at(-1) === key)?.path.join('.');
      const meant = nearestSpelling(dotted, siblings) ?? elsewhere;
      into.problems.push({ place, problem: `is not a setting${didYouMean(meant)}` });
    } else if (shapeOf(part)) {
      if (isObject(value)) gatherTree(into, part, value, { path, inside: at.inside });
      else {
        into.problems.push({ place, problem: 'must be an object' });
        into.troubled.add(dotted);
      }
    } else {
      put(into.values, path, readJsonValue(part, value));
      into.places.set(dotted, place);
    }
  }
}

/** Where a JSON text breaks off, without repeating any of it: it may hold secrets. */
function jsonPlace(text: string, error: unknown): string {
  const position = /position (\d+)/.exec(String(error))?.[1];
  if (position === undefined) return 'it ends too early';
  const before = text.slice(0, Number(position)).split('\n');
  return `line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** Whole numbers too large for a double keep every digit. */
const keepIntegers: Reviver = (_, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
    ? BigInt(source as string)
    : value;

function readFile(file: string): { readonly tree: Values } | { readonly problem: string } {
  let text: string;
  try {
    if (statSync(file).size > fileBytesMax) return { problem: `is larger than ${fileBytesMax} bytes` };
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})` };
  }
  try {
    const tree: unknown = JSON.parse(text, keepIntegers as (key: string, value: unknown) => unknown);
    return isObject(tree) ? { tree } : { problem: 'must hold one JSON object' };
  } catch (error) {
    return { problem: `is not JSON (${jsonPlace(text, error)})` };
  }
}

function gatherFile(into: Gathered, schema: Schema, file: string): void {
  const read = readFile(file);
  if ('problem' in read) {
    into.problems.push({ place: file, problem: read.problem });
    into.isFileLost = true;
  } else gatherTree(into, schema, read.tree, { path: [], inside: `in ${file}` });
}

/** Whether a name of the environment stands for a group that a setting is in, and not merely for a part of its name. */
const isGroupOf = (name: string, path: readonly string[], prefix: string): boolean =>
  path.some((_part, index) => index > 0 && envNameOf(prefix, path.slice(0, index)) === name);

function unknownEnv(into: Gathered, name: string, prefix: string): ConfigProblem {
  const names = into.settings.map(({ env }) => env);
  const inside = into.settings.filter(({ path }) => isGroupOf(name, path, prefix)).map(({ env }) => env);
  if (inside.length > 0) return { place: name, problem: `is a group; set ${inside.slice(0, 3).join(', ')}` };
  const bare = names.map((known) => known.slice(prefix.length));
  const meant = nearestSpelling(name.slice(prefix.length), bare);
  return { place: name, problem: `is not a setting${didYouMean(meant && prefix + meant)}` };
}

function gatherEnv(into: Gathered, { env = {}, prefix = defaultPrefix, otherEnv = [] }: ConfigSources): void {
  const known = new Map(into.settings.map((setting) => [setting.env, setting]));
  const others = new Set([...launcherNames.map((name) => prefix + name), ...commandLineNames, ...otherEnv]);
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(prefix) || text === undefined) continue;
    const setting = known.get(name);
    if (text === '' && !setting?.isEmptyMeant) continue;
    if (!setting) {
      if (!others.has(name)) into.problems.push(unknownEnv(into, name, prefix));
      continue;
    }
    const dotted = setting.path.join('.');
    const reading = readSettingText(setting.schema, text);
    if ('value' in reading) {
      put(into.values, setting.path, reading.value);
      into.places.set(dotted, name);
    } else {
      const quoted = setting.secret ? '' : `; it is ${shown(text)}`;
      into.problems.push({ place: name, problem: reading.problem + quoted });
      into.troubled.add(dotted);
    }
  }
}

const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], values);

/** Tells one of zod's findings, unless the same place has been complained about before. */
function tellIssue(into: Gathered, issue: z.core.$ZodIssue): ConfigProblem | undefined {
  const dotted = issue.path.map(String).join('.');
  if ([...into.troubled].some((path) => dotted === path || dotted.startsWith(`${path}.`))) return undefined;
  const setting = into.settings.find(({ path }) => path.every((key, at) => issue.path[at] === key));
  const value = valueAt(into.values, issue.path);
  const isMissing = value === undefined && setting !== undefined && issue.code !== 'custom';
  if (isMissing && into.isFileLost) return undefined;
  const mayQuote = !setting?.secret;
  const from = setting && into.places.get(setting.path.join('.'));
  const rest = setting ? issue.path.slice(setting.path.length).map(String).join('.') : '';
  const place = from ? `${from}${rest ? ` (at ${rest})` : ''}` : dotted || 'the configuration';
  const allowed = explain(issue, mayQuote);
  if (isMissing) {
    return { place, problem: `is missing; it ${allowed} (in the file, or as ${setting.env})` };
  }
  const quote = setting && mayQuote && !isObject(value) && !Array.isArray(value);
  return { place, problem: quote ? `${allowed}; it is ${shown(value)}` : allowed };
}

interface Examined {
  readonly into: Gathered;
  readonly problems: readonly ConfigProblem[];
  readonly parsed: z.ZodSafeParseResult<unknown>;
}

function examine(schema: z.ZodType, sources: ConfigSources): Examined {
  const settings = listSettings(schema, sources.prefix ?? defaultPrefix);
  const into: Gathered = {
    settings,
    values: {},
    places: new Map(),
    problems: [],
    troubled: new Set(),
    isFileLost: false,
  };
  if (sources.file !== undefined) gatherFile(into, schema, sources.file);
  gatherEnv(into, sources);
  gatherTree(into, schema, { ...sources.overrides }, { path: [], inside: 'on the command line' });
  const parsed = schema.safeParse(into.values);
  const found = parsed.success ? [] : parsed.error.issues.map((issue) => tellIssue(into, issue));
  return { into, parsed, problems: [...into.problems, ...found.filter((problem) => problem !== undefined)] };
}

/**
 * Gathers a configuration from all sources and checks it.
 *
 * @throws {ConfigError} with every mistake found.
 */
export function loadConfig<S extends z.ZodType>(schema: S, sources: ConfigSources): z.output<S> {
  const { parsed, problems } = examine(schema, sources);
  if (problems.length > 0) throw new ConfigError(problems);
  return parsed.data as z.output<S>;
}

/** One setting as an operator asks about it. */
export interface SettingReport {
  /** Dotted, as in the file. */
  readonly path: string;
  readonly env: string;
  /** Undefined where nothing is set, and for every secret that somebody has set. */
  readonly value: unknown;
  readonly isSecret: boolean;
  readonly isSet: boolean;
  /** The environment name, the place in the file, `default`, or `not set`. */
  readonly place: string;
}

export interface ConfigReport {
  readonly settings: readonly SettingReport[];
  readonly problems: readonly ConfigProblem[];
}

/** What is set and by whom, with everything wrong about it; secrets do not leave. */
export function inspectConfig(schema: z.ZodType, sources: ConfigSources): ConfigReport {
  const { into, parsed, problems } = examine(schema, sources);
  const values = parsed.success ? parsed.data : into.values;
  const settings = into.settings.map(({ path, env, secret: isSecret }): SettingReport => {
    const dotted = path.join('.');
    const value = valueAt(values, path);
    const place = into.places.get(dotted) ?? (value === undefined ? 'not set' : 'default');
    const isSet = value !== undefined;
    const isHidden = isSecret && place !== 'default';
    return { path: dotted, env, value: isHidden ? undefined : value, isSecret, isSet, place };
  });
  return { settings, problems };
}

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
function shown(value: unknown): string {
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
function explain(issue: z.core.$ZodIssue, mayQuote: boolean): string {
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

const didYouMean = (name: string | undefined) => (name ? `; did you mean ${name}?` : '');
