/**
 * Judges a run: were keys put under anything but the order, did anything leave that was not meant to, does it cost more
 * than agreed, is what the caller relies on what was ordered, and was a refusal one in words that name what it is
 * about.
 */
import { failureOf } from '@symbolon/cli/terminal/failure';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { shownName } from '@symbolon/sdk/arguments/member-paths';
import { Fault, LedgerError, SdkError, ServiceError } from '@symbolon/sdk/index';
import { clientLimits } from '@symbolon/sdk/limits/client-limits';
import type { JsonValue } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { createWatch, type Flow, partsOf, type RunTerms } from './flow.ts';
import { RowFailed } from './flows-issuer.ts';
import { bbsStatement, type Statement, statementOf } from './statements.ts';
import { type Lie, replay, type Sent, type Tape } from './tape.ts';

export interface Run {
  readonly statements: readonly Statement[];
  readonly sent: readonly Sent[];
  readonly outcome?: JsonValue;
  readonly error?: unknown;
}

export async function runOn(
  flow: Flow,
  tape: Tape,
  { honest, terms }: { honest: Tape; terms: RunTerms },
): Promise<Run> {
  const servers = replay(tape, honest);
  const watch = createWatch();
  const honestly = honest.map(({ answer }) => answer);
  const seen = () => ({
    statements: [
      ...watch.signed.map((bytes) => statementOf(bytes, [...servers.told, ...honestly])),
      ...watch.signedWithBbs.map(bbsStatement),
    ],
    sent: servers.sent,
  });
  try {
    const outcome = await flow.run(partsOf(servers, watch, terms));
    return { ...seen(), outcome };
  } catch (error) {
    return { ...seen(), error };
  }
}

export const findings = [
  'wrong signature',
  'disclosure',
  'overpayment',
  'wrong outcome',
  'failure without words',
  'refusal without the field',
] as const;
export type Finding = (typeof findings)[number];

/** What it may cost where the order does not say: more than any transaction of these flows needs. */
const gasPriceMax = 1_000n;
const feeLimitMax = clientLimits.feeLimitMax;

export interface Told {
  readonly flow: Flow;
  readonly honest: Run;
  readonly lie: Lie;
  readonly secrets: readonly string[];
}

export function judge({ flow, honest, lie, secrets }: Told, run: Run): Finding[] {
  const found: Finding[] = [];
  const isOrdered = orderedOf(flow);
  if (!run.statements.every(isOrdered) || paysMoreOften(run, honest)) found.push('wrong signature');
  if (leaks(flow, honest, run, secrets)) found.push('disclosure');
  if (run.statements.some((one) => isTooDear(flow, one))) found.push('overpayment');
  if ('error' in run) {
    if (!isInWords(run.error)) found.push('failure without words');
    else if (!isNamed(run.error, lie)) found.push('refusal without the field');
  } else if (canonicalOf(run.outcome) !== canonicalOf(honest.outcome)) found.push('wrong outcome');
  return found;
}

/** Written so that two of the same are the same text. */
export const canonicalOf = (value: JsonValue | undefined): string =>
  canonicalJson(
    JSON.parse(JSON.stringify(value ?? null, (_key, one) => (typeof one === 'bigint' ? `${one}` : one))),
  );

export function orderedOf({ ordered, isWithin }: Flow): (statement: Statement) => boolean {
  const texts = new Set(ordered.map(({ kind, says }) => canonicalOf({ kind, says })));
  return ({ kind, says }) => texts.has(canonicalOf({ kind, says })) || isWithin?.({ kind, says }) === true;
}

const transactionsOf = ({ statements }: Run): number =>
  statements.filter(({ kind }) => kind === 'transaction').length;
const paysMoreOften = (run: Run, honest: Run): boolean => transactionsOf(run) > transactionsOf(honest);

const isTooDear = (flow: Flow, { cost }: Statement): boolean =>
  cost !== undefined && (cost.feeLimit > (flow.feeLimitMax ?? feeLimitMax) || cost.gasPrice > gasPriceMax);

/** What goes to servers, and to whomever an outcome is shown, holds no secret that it would not hold otherwise. */
function leaks({ isShown }: Flow, honest: Run, run: Run, secrets: readonly string[]): boolean {
  const leaksInto = (texts: readonly string[], usual: readonly string[]): boolean =>
    secrets.some(
      (secret) => texts.some((text) => text.includes(secret)) && !usual.some((text) => text.includes(secret)),
    );
  const sentTo = (one: Run, place: string) =>
    one.sent.filter(({ route }) => route === place).map(({ text }) => text);
  const places = [...new Set(run.sent.map(({ route }) => route))];
  const shown = (one: Run): string[] => [
    ...one.statements.filter(({ kind }) => kind === 'presentation').map(({ says }) => canonicalOf(says)),
    ...(isShown ? [canonicalOf(one.outcome)] : []),
  ];
  return (
    places.some((place) => leaksInto(sentTo(run, place), sentTo(honest, place))) ||
    leaksInto(shown(run), shown(honest))
  );
}

const isInWords = (error: unknown): boolean =>
  error instanceof SdkError ||
  error instanceof ServiceError ||
  error instanceof LedgerError ||
  error instanceof Fault ||
  ['TransactionFailed', 'RowFailed', 'ProofEngineError'].includes((error as Error).name);

/**
 * Whether a refusal names what was lied about: one of the lie's names stands in a member that the error names, and that
 * member stands in what a person reads at the terminal. A word of a sentence that happens to be the same does not count;
 * routes do, because no word of a sentence is spelt like one.
 */
export function isNamed(error: unknown, { about }: Lie): boolean {
  const words = wordsOf(error);
  const members = membersNamed(error).filter((member) => words.includes(member));
  return about.some(
    (name) => members.some((member) => isIn(member, name)) || (isRoute(name) && isWordOf(words, name)),
  );
}

/** As the command line prints it. */
const wordsOf = (error: unknown): string =>
  error instanceof RowFailed ? error.message : failureOf(error).message;

function membersNamed(error: unknown): readonly string[] {
  if (error instanceof SdkError) return error.members;
  if (error instanceof ServiceError || error instanceof Fault)
    return error.errors.map(({ pointer }) => pointer);
  // A list of failed rows has words alone, and the members after the last colon of them.
  return error instanceof RowFailed ? (error.message.split(': ').at(-1)?.split(' or ') ?? []) : [];
}

/** Whether a path has this name, whole or as far as long names are shown. */
const isIn = (path: string, name: string): boolean =>
  isWordOf(path, name) || (/…/.test(path) && isWordOf(path, shownName(name)));

const isWordOf = (text: string, name: string): boolean => {
  const at = text.indexOf(name);
  return at !== -1 && !/[\w@$]/.test(text[at - 1] ?? '') && !/[\w@$]/.test(text[at + name.length] ?? '')
    ? true
    : at !== -1 && isWordOf(text.slice(at + name.length), name);
};

const isRoute = (name: string): boolean =>
  Object.hasOwn(ledgerRoutes, name) || Object.hasOwn(allRoutes, name);
