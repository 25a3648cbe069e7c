/**
 * The log: pino with two promises. What is named like a key, a password or a seed is never written, at any
 * depth; and no line grows without bound, whatever is handed in. Both hold for fields, for child loggers and
 * for errors, because every value passes through `clean` first. A line's text is the author's own words: it
 * is cut to size, but nobody can redact a secret that is written out in a sentence.
 */
import pino, { type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  readonly level: LogLevel;
  readonly name?: string;
  /** Where lines go; standard error unless said otherwise. */
  readonly stream?: DestinationStream;
}

const depthMax = 4;
const textCharactersMax = 1_024;
const stackCharactersMax = 4_096;
const itemsMax = 20;
const fieldsMax = 50;
/** How many values one line may hold in all. */
const valuesMax = 500;

const redacted = '[redacted]';

/** Parts of names, without case, hyphens and underscores, whose values are nobody's business. */
const secretParts = [
  'privatekey',
  'apikey',
  'password',
  'passphrase',
  'mnemonic',
  'authorization',
  'secret',
  'cookie',
  'masterkey',
  'signdata',
  'connectionstring',
  'credentialsubject',
  'issuancedata',
];
/** Whole names; the last are bodies and what people put into them. */
const secretNames = new Set([
  ...['seed', 'seeds', 'pin', 'token'],
  ...['body', 'rawbody', 'bodytext', 'requestbody', 'parameters', 'vc', 'vp', 'vcobject', 'vpobject'],
]);

function isSecretName(name: string): boolean {
  const plain = name.replaceAll(/[-_]/g, '').toLowerCase();
  return secretNames.has(plain) || secretParts.some((part) => plain.includes(part));
}

const cut = (text: string, max: number) =>
  text.length > max ? `${text.slice(0, max)}… (${text.length - max} more)` : text;

/** How many more values a line may take. */
interface Budget {
  left: number;
}

/** A reader of one field that survives getters which throw. */
function fieldsOf(source: object, depth: number, budget: Budget): Record<string, unknown> {
  const names = Object.keys(source);
  const fields: Record<string, unknown> = {};
  for (const name of names.slice(0, fieldsMax)) {
    let value: unknown;
    try {
      value = (source as Record<string, unknown>)[name];
    } catch {
      value = '[unreadable]';
    }
    const shortName = cut(name, textCharactersMax);
    fields[shortName] = isSecretName(name) && value !== undefined ? redacted : clean(value, depth, budget);
  }
  if (names.length > fieldsMax) fields['…'] = `${names.length - fieldsMax} more`;
  return fields;
}

function errorFacts(error: Error, depth: number, budget: Budget): Record<string, unknown> {
  const { message: _message, stack: _stack, name: _name, ...rest } = fieldsOf(error, depth, budget);
  return {
    type: error.constructor?.name ?? error.name,
    message: cut(String(error.message), textCharactersMax),
    stack: cut(String(error.stack), stackCharactersMax),
    ...rest,
    ...(error.cause === undefined ? {} : { cause: clean(error.cause, depth, budget) }),
  };
}

function cleanObject(value: object, depth: number, budget: Budget): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Map || value instanceof Set) return `[${value.size} entries]`;
  if (depth >= depthMax) return '[deeper]';
  if (value instanceof Error) return errorFacts(value, depth + 1, budget);
  if (!Array.isArray(value)) return fieldsOf(value, depth + 1, budget);
  const items = value.slice(0, itemsMax).map((item) => clean(item, depth + 1, budget));
  return value.length > itemsMax ? [...items, `… ${value.length - itemsMax} more`] : items;
}

/** A value fit for the log: bounded, without secrets, plain data. */
function clean(value: unknown, depth: number, budget: Budget): unknown {
  budget.left -= 1;
  if (budget.left < 0) return '[too much]';
  switch (typeof value) {
    case 'string':
      return cut(value, textCharactersMax);
    case 'bigint':
      return String(value);
    case 'function':
    case 'symbol':
      return `[${typeof value}]`;
    case 'object':
      return value === null ? null : cleanObject(value, depth, budget);
    default:
      return value;
  }
}

interface RequestLike {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly url?: unknown;
  readonly ip?: unknown;
}

/** Of a request: who and which path. Never the query (the ledger's carries keys) and never a header. */
function requestFacts({ id, method, url, ip }: RequestLike): Record<string, unknown> {
  const path = typeof url === 'string' ? cut(url.split('?', 1)[0] as string, textCharactersMax) : undefined;
  return { id, method, url: path, ip };
}

function cleanFields(fields: object): Record<string, unknown> {
  const { req, res, ...others } = fields as { req?: RequestLike; res?: { statusCode?: unknown } };
  return {
    ...fieldsOf(others, 0, { left: valuesMax }),
    ...(req ? { req: requestFacts(req) } : {}),
    ...(res ? { res: { statusCode: res.statusCode } } : {}),
  };
}

/** Already clean: what fastify and pino would do to these fields has been done. */
const asIs = (value: unknown) => value;

export function createLog({ level, name, stream }: LogOptions): Log {
  const log = pino(
    {
      level,
      base: { pid: process.pid, ...(name ? { name } : {}) },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: cleanFields },
      serializers: { err: asIs, req: asIs, res: asIs, msg: (text) => clean(text, 0, { left: valuesMax }) },
      hooks: {
        logMethod(args, method) {
          const [first, ...rest] = args as [unknown, ...unknown[]];
          const budget = { left: valuesMax };
          method.apply(this, [first, ...rest.map((value) => clean(value, 0, budget))] as typeof args);
        },
      },
    },
    stream ?? pino.destination({ dest: 2, sync: true }),
  );
  // pino formats the fields of a child by itself, so they are cleaned on the way in.
  const child = log.child;
  log.child = function cleanChild(this: Log, fields: object, options?: object) {
    return child.call(this, cleanFields(fields), options) as never;
  } as typeof log.child;
  return log;
}
