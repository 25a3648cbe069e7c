/**
 * What a person at the terminal is told when a command fails: what happened, why, what to do. Expected failures are
 * recognised by their type; anything else is a defect and shows its stack. Lines are ours: what a server said stays
 * within one.
 */
import { codeReason, faultReason } from '@symbolon/core/faults/error-reasons';
import { Fault } from '@symbolon/core/faults/faults';
import { DamageError, OperatorError, SetupError } from '@symbolon/core/faults/operator-errors';
import { codes } from '@symbolon/core/ledger/terms/codes';
import {
  DatabaseAddressWrong,
  DatabaseError,
  DatabaseInUse,
  DatabaseSetBack,
  DatabaseUnreachable,
} from '@symbolon/host/database/common/database-error';
import { StoreCorrupt, StoreError, StoreLocked } from '@symbolon/ledger-node/store/store-errors';
import { type HeldAgainst, LedgerError, SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { JsonObject } from '@symbolon/wire/json/json';
import { startName } from '../machine/own-name.ts';
import { ownerOfPort } from '../machine/ports.ts';
import { printable } from './terminal.ts';

export const exitCodes = {
  failed: 1,
  usage: 2,
  notVerified: 3,
  notFound: 4,
  damaged: 65,
  unreachable: 69,
  config: 78,
  /** What a shell says of a program that Ctrl-C has ended: 128 and the number of SIGINT. */
  interrupted: 130,
} as const;

/** The word for a program where a failure has none of its own. */
export const codeOfExit: Readonly<Record<number, string>> = {
  [exitCodes.failed]: 'failed',
  [exitCodes.usage]: 'usage',
  [exitCodes.notVerified]: 'notVerified',
  [exitCodes.notFound]: 'notFound',
  [exitCodes.damaged]: 'damaged',
  [exitCodes.unreachable]: 'unreachable',
  [exitCodes.config]: 'settingsWrong',
  [exitCodes.interrupted]: 'interrupted',
};

/** A failure with its own words and exit code. */
export class CommandFailure extends Error {
  override name = 'CommandFailure';
  readonly exitCode: number;
  /** What a program is told of it besides the message. */
  readonly facts: JsonObject;

  constructor(message: string, exitCode: number = exitCodes.failed, facts: JsonObject = {}) {
    super(message);
    this.exitCode = exitCode;
    this.facts = facts;
  }
}

/** A failure of whoever typed the command: what was said does not do. */
export const usageFailure = (message: string, facts?: JsonObject): CommandFailure =>
  new CommandFailure(message, exitCodes.usage, facts);

/** What node and service throw when they cannot go on; the first that fits counts. */
const expected: readonly (readonly [type: abstract new (...given: never) => Error, exitCode: number])[] = [
  [DatabaseAddressWrong, exitCodes.config],
  [DatabaseInUse, exitCodes.failed],
  [DatabaseSetBack, exitCodes.damaged],
  [DatabaseUnreachable, exitCodes.unreachable],
  [StoreCorrupt, exitCodes.damaged],
  [StoreError, exitCodes.failed],
  [DamageError, exitCodes.damaged],
  [SetupError, exitCodes.config],
  [OperatorError, exitCodes.failed],
];

export interface Failure {
  readonly message: string;
  readonly exitCode: number;
  readonly facts?: JsonObject;
}

/** What a program is told of a failure: a code that never changes its meaning, and what else is known. */
export const errorJson = ({ message, exitCode, facts = {} }: Failure): JsonObject => ({
  message,
  code: codeOfExit[exitCode] ?? 'failed',
  ...facts,
});

/** Beside a result that is no success: a verdict, or what a look at things has found. `facts` may have a code of its own. */
export const unsuccessful = (
  message: string,
  exitCode: number,
  facts: JsonObject = {},
): { readonly error: JsonObject } => ({ error: errorJson({ message, exitCode, facts }) });

/** What helps, by the code of a refusal, in place of what the refusal itself advises. */
export type AdviceByCode = Readonly<Record<string, string>>;

export function failureOf(error: unknown, adviceByCode: AdviceByCode = {}): Failure {
  if (error instanceof CommandFailure) return error;
  const [, exitCode] = expected.find(([type]) => error instanceof type) ?? [];
  if (exitCode !== undefined) {
    const isInUse = error instanceof StoreLocked || error instanceof DatabaseInUse;
    return { message: wordsOf(error as Error), exitCode, ...(isInUse && { facts: { code: 'inUse' } }) };
  }
  if (error instanceof DatabaseError && error.kind === 'failed')
    return {
      message: `The database does not work: ${printable(error.message)}\n${databaseAdvice}`,
      exitCode: exitCodes.failed,
      facts: { code: 'databaseFailed' },
    };
  if (error instanceof ServiceError) return serviceFailure(error, adviceByCode);
  if (error instanceof LedgerError) return ledgerFailure(error);
  if (error instanceof SdkError) return sdkFailure(error);
  if (error instanceof Fault)
    return {
      message: linesOf(
        printable(error.message),
        placesOf(error, error.message),
        ownValue(adviceByCode, error.code),
      ),
      exitCode: exitCodes.failed,
      facts: { code: error.code },
    };
  const refusedBySystem = systemRefusal(error);
  if (refusedBySystem)
    return {
      message: refusedBySystem,
      exitCode: exitCodes.failed,
      facts: { code: (error as NodeJS.ErrnoException).code ?? 'system' },
    };
  return { message: defectText(error), exitCode: exitCodes.failed, facts: { code: 'internalError' } };
}

const databaseAdvice =
  'See what is wrong with: symbolon doctor --data <folder>. A damaged file is restored from a backup.';

/** What it says on one line, because others may have written it; then where it happened. */
export function defectText(error: unknown): string {
  if (!(error instanceof Error)) return printable(String(error));
  const places = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  return [printable(`${error.name}: ${error.message}`), ...places].join('\n');
}

function wordsOf(error: Error): string {
  const { message } = error;
  if (error instanceof StoreLocked)
    return `${sentence(message)}\nA node runs on it, or another command reads it.\nStop that one first, or name another folder with --data.`;
  if (!(error instanceof StoreCorrupt || error instanceof DamageError)) return message;
  const advice = "Restore the folder from a backup, or start from another node's copy.";
  return `The chain is damaged: ${message}\n${advice}`;
}

/** What exactly is wrong, a line each, but for what was said already. */
const placesOf = ({ errors }: Pick<Fault, 'errors'>, said: string): readonly string[] =>
  errors
    .map(({ pointer, detail }) => `${pointer || '/'}: ${detail}`)
    .filter((place) => !said.includes(place))
    .map((place) => printable(`  ${place}`));

const linesOf = (...lines: readonly (string | readonly string[] | undefined)[]): string =>
  lines
    .flat()
    .filter((line) => line !== undefined)
    .join('\n');

const ownValue = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

// What was answered, or that nobody answered: what happened, why, what to do, and how it is looked up.

function serviceFailure(error: ServiceError, adviceByCode: AdviceByCode): Failure {
  const { code, status, requestId, detail, hint, route } = error;
  const places = placesOf(error, detail);
  const why = places.length > 0 ? places : faultReason(code);
  const asked = route === undefined ? '' : `${route}, `;
  const lookUp = `(${code}, ${asked}request ${requestId}; docs/errors.md#${code.toLowerCase()})`;
  const advice = ownValue(adviceByCode, code) ?? printable(hint);
  return {
    message: linesOf(sentence(detail), why, advice, printable(lookUp)),
    exitCode: status === 404 ? exitCodes.notFound : exitCodes.failed,
    facts: { code, status, requestId },
  };
}

function ledgerFailure({ code, name, description, hint, route }: LedgerError): Failure {
  const asked = route === undefined ? '' : `, ${route}`;
  const lookUp = `(code ${code}, ${name}${asked}; docs/errors.md#ledger-${code})`;
  return {
    message: linesOf(sentence(description), codeReason(code), printable(hint), printable(lookUp)),
    exitCode: code === codes.notFound ? exitCodes.notFound : exitCodes.failed,
    facts: { code: name, ledgerCode: code },
  };
}

/** Which call it was matters to programmers; to a person at the terminal, where nobody is. */
function sdkFailure({ code, message, reason, hint, against, address }: SdkError): Failure {
  const what = address === undefined ? sentence(message) : `No connection with ${printable(address)}.`;
  const advice = against
    ? againstWords(against)
    : /not served sealed$/.test(reason)
      ? cannotBeSealed
      : (adviceOnServers[code] ?? printable(hint));
  return {
    message: linesOf(what, advice, `(${code}; docs/errors.md#sdk-${code.toLowerCase()})`),
    exitCode: sdkExitCodes[code] ?? exitCodes.failed,
    facts: { code },
  };
}

/**
 * What an offer was held against is the caller's own, and may be the mistake: both values, and what to do in either
 * case.
 */
function againstWords({ name, expected, offered }: HeldAgainst): readonly string[] {
  const [mine, theirs] = [printable(expected), printable(offered)];
  const otherwise = 'If it is right, do not use this server before you know why.';
  if (name === 'signer')
    return [
      `${mine} signs, and ${theirs} is not a template of that issuer under the name that the server says.`,
      `Nothing was signed. If the key is wrong, sign with the issuer's: --key or --as. ${otherwise}`,
    ];
  if (name === 'registry')
    return [
      `--registry says ${mine}, and the service offers ${theirs}.`,
      `Nothing was signed. If the option is wrong, correct it or leave it out. ${otherwise}`,
    ];
  return [
    `The profile pins ${name} ${mine}, and the service offers ${theirs}.`,
    `Nothing was signed. If the pin is wrong, correct "pins" of the profile. ${otherwise}`,
  ];
}

const somebodyElse = [
  'Something else seems to answer at this address.',
  'Look which port is whose, and give the right address with --service or --ledger.',
];
const cannotBeSealed = [
  'Nothing was sent. Sealed requests are for what is posted; this is read, and only TLS protects it.',
  'Leave --sealed out over https, or say --no-sealed where the profile has it.',
];
/** What to do in words of this program, where the SDK's are for programmers. */
const adviceOnServers: Readonly<Partial<Record<SdkError['code'], readonly string[]>>> = {
  unreachable: [
    'Nothing listens there, or it cannot be reached from here.',
    `Start it (${startName} starts node and service), or give the right address with --service or --ledger.`,
  ],
  notProtected: [
    'Others on the way could read it: plain http is for this machine alone, and without a proxy.',
    'Use an https address and leave certificates on, or put the host into NO_PROXY if it is this machine.',
  ],
  httpStatus: somebodyElse,
  notJson: somebodyElse,
};

const sdkExitCodes: Readonly<Partial<Record<SdkError['code'], number>>> = {
  unreachable: exitCodes.unreachable,
  timedOut: exitCodes.unreachable,
  notJson: exitCodes.unreachable,
  httpStatus: exitCodes.unreachable,
  invalidArgument: exitCodes.usage,
};

const sentence = (text: string): string => {
  const plain = printable(text);
  const begun = plain.charAt(0).toUpperCase() + plain.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
};

/** What the machine would not do: a port, a file, a folder. */
function systemRefusal(error: unknown): string | undefined {
  const { code = '', port, syscall, path } = (error ?? {}) as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return portInUse(port ?? 0);
  if (!(error instanceof Error) || syscall === undefined) return undefined;
  const reason = ownValue(systemReasons, code);
  if (reason === undefined || path === undefined) return error.message;
  return [`${path} cannot be used.`, ...reason, `(${code}, ${syscall})`].join('\n');
}

/** Why, and what to do. */
const systemReasons: Readonly<Record<string, readonly [string, string]>> = {
  EACCES: [
    'Your user may not read or write there.',
    'Run the command as the owner of that folder, or name a folder of your own (--data, --out).',
  ],
  EPERM: [
    'The system does not allow your user to do this.',
    'Run the command as the owner of that folder, or name a folder of your own (--data, --out).',
  ],
  EROFS: ['The disk is mounted for reading only.', 'Name a folder on another disk (--data, --out).'],
  ENOSPC: ['The disk is full.', 'Make room, or name a folder on another disk (--data, --out).'],
  EDQUOT: [
    'Your share of the disk is used up.',
    'Make room, or name a folder on another disk (--data, --out).',
  ],
  ENOENT: ['There is no such file or folder.', 'Look for a mistyped name, or make it first.'],
  ENOTDIR: ['A part of this path is a file, not a folder.', 'Name another path.'],
  EISDIR: ['This is a folder, not a file.', 'Name a file.'],
};

function portInUse(port: number): string {
  const owner = ownerOfPort(port);
  const who = owner ? [`Process ${owner.pid} (${owner.name}) listens there.`] : [];
  const advice = 'Stop it, or choose another port (--help names the option): 0 takes any that is free.';
  return [`Port ${port} is in use by another program.`, ...who, advice].join('\n');
}
