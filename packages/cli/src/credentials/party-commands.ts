/**
 * What the commands about templates, credentials and presentations share: their options, the form of the values they
 * take, and how one of them runs. A refusal of the service that a command can repair is told with that command.
 */
import { Fault } from '@symbolon/core/faults/faults';
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { type Command, InvalidArgumentError } from 'commander';
import type { Connection, PartyWords } from '../profile/connection.ts';
import {
  addSealedOptions,
  jsonOption,
  keyOption,
  ledgerOption,
  personOption,
  profileOption,
  serviceOption,
} from '../profile/options.ts';
import { type AdviceByCode, CommandFailure, failureOf } from '../terminal/failure.ts';
import { isCut, printable, type Terminal } from '../terminal/terminal.ts';

/** The options of a command that acts in somebody's name. */
export const addPartyOptions = (command: Command, role: string): Command =>
  addSealedOptions(
    command
      .addOption(personOption(role))
      .addOption(keyOption())
      .addOption(profileOption())
      .addOption(serviceOption())
      .addOption(ledgerOption()),
  ).addOption(jsonOption());

export interface PagingWords {
  readonly limit?: string;
  readonly cursor?: string;
}

export const addPageOptions = (command: Command): Command =>
  command
    .option('--limit <number>', `how many to show, at most ${credentialRequestLimits.pageItemsMax}`, pageSize)
    .option('--cursor <text>', 'where the page before ended');

function pageSize(text: string): string {
  const { pageItemsMax } = credentialRequestLimits;
  if (/^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= pageItemsMax) return text;
  throw new InvalidArgumentError(`It must be a number from 1 to ${pageItemsMax}.`);
}

/** What a command that acts in somebody's name works with. */
export interface Acting<Words = object> {
  readonly connection: Connection;
  readonly words: PartyWords & Words;
  readonly terminal: Terminal;
}

type Work = (acting: Acting<never>, ...given: never[]) => Promise<void>;

/** The action of such a command: what a module does under this name. The module is loaded when the command is said. */
export const actionOf =
  <Name extends string>(
    terminal: Terminal,
    load: () => Promise<{ readonly [Key in NoInfer<Name>]: Work }>,
    name: Name,
  ) =>
  (...said: unknown[]): Promise<void> => {
    // Arguments first, then the options, then the command itself.
    const words = said.at(-2) as never;
    const run = (connection: Connection) => async () =>
      (await load())[name]({ connection, words, terminal }, ...(said.slice(0, -2) as never[]));
    return withConnection(words, terminal, (connection) => aboutCredential(said[0], run(connection)));
  };

/** Connects and works; what is refused comes with advice. */
export const withConnection = async (
  words: PartyWords,
  terminal: Terminal,
  work: (connection: Connection) => Promise<void>,
): Promise<void> =>
  withAdvice(async () => {
    const { connect } = await import('../profile/connection.ts');
    const connection = await connect(words, terminal);
    return work(connection).catch(async (error: unknown) => {
      // Whoever names a key means nobody else.
      const isOpen = connection.apiKey === undefined && words.key === undefined;
      throw isOpen ? await withWhoeverHasKey(error, words) : error;
    });
  });

/** A refusal for want of an API key, with those of the profile who have one. */
async function withWhoeverHasKey(error: unknown, { profile }: PartyWords): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'notAuthenticated') return error;
  const { readProfile } = await import('../profile/profile.ts');
  const { people } = await readProfile(profile);
  const named = people().flatMap(({ name, person }) => (person.apiKey === undefined ? [] : [`--as ${name}`]));
  if (named.length === 0) return error;
  const advice = `Act as somebody of the profile who has one: ${named.join(' or ')}`;
  const { message, exitCode, facts } = failureOf(error, { notAuthenticated: advice });
  return new CommandFailure(message, exitCode, facts);
}

/** What helps, said with commands of this program. */
const adviceByCode: AdviceByCode = {
  templateUnknown: 'See which templates there are: symbolon template list',
  nameTaken: 'Choose another --name, one that nobody reads as the other.',
  trustListUnknown: 'See which lists you have: symbolon trust list show',
  templateExists: 'Look at what is registered: symbolon template list. Then choose a higher --version.',
  applicationUnknown: 'See what was applied for: symbolon vc list',
  applicationExists: 'The issuer decides on it first: symbolon vc list --state Pending',
  offerUnknown: 'See which offers there are: symbolon offer list',
  offerExists:
    'Make a new link in its place with --renew, or withdraw it: symbolon offer withdraw ID. One that was accepted: symbolon vc issue or vc reject',
  offerClosed: 'See what became of it: symbolon offer list',
  txCodeWrong: 'It is the PIN that the issuer has told you apart from the link.',
  templatePriced: 'Give it away with --free, or have it bought: symbolon template price',
  attributesInvalid: 'See what the template asks for: symbolon template show ID',
  stateForbids: 'See what state it is in: symbolon vc show ID',
  statusForbids: 'See what the ledger says: symbolon vc status ID',
  credentialUnknown: 'Check the id. A credential is on record once it is issued: symbolon vc issue ID',
  downloadLapsed: 'Ask the issuer for a new one: symbolon vc apply',
  keyNotPublished: 'Publish the key first: symbolon did publish-key',
  keyUnknown: 'Leave your key with the service this once: add --leave-key',
  signerMismatch: 'Sign as the one it belongs to: --as holder, --as issuer, or --key FILE',
  issuerMismatch: 'Act as the issuer of that template: --as issuer',
  notAuthenticated:
    'API keys come from the profile (--profile, --as), or from SYMBOLON_API_KEY for the service that the profile or SYMBOLON_API_KEY_FOR names.',
  notAllowed:
    "Choose somebody whose API key may do this with --as; the demo's are issuer, holder and verifier.",
  callbackRefused:
    'A service takes addresses of this machine only with the setting callbacks.allowLoopback (SYMBOLON_CALLBACKS_ALLOW_LOOPBACK=true), which the demo has, and those of private networks only with callbacks.allowPrivate.',
};

/** What helps with one credential names it: whoever has typed it need not look it up. */
const adviceAboutOne: readonly string[] = ['stateForbids', 'statusForbids'];

/** Works on a credential, where the first word of the command is one. */
async function aboutCredential(word: unknown, work: () => Promise<void>): Promise<void> {
  if (typeof word !== 'string' || !identifierForm.test(word)) return work();
  try {
    await work();
  } catch (error) {
    const isKnown = error instanceof Fault || error instanceof ServiceError;
    if (!isKnown || !adviceAboutOne.includes(error.code)) throw error;
    const advice = adviceByCode[error.code]?.replace(/\bID$/, word) ?? '';
    const { message, exitCode, facts } = failureOf(error, { [error.code]: advice });
    throw new CommandFailure(message, exitCode, facts);
  }
}

/** Works; a refusal of the service and a fault found here are told with what helps. */
export async function withAdvice<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) {
      const { message, exitCode } = failureOf(error, { ...adviceByCode, ...localAdvice });
      throw new CommandFailure(message, exitCode, { code: error.code });
    }
    if (!(error instanceof ServiceError) || !Object.hasOwn(adviceByCode, error.code)) throw error;
    const { message, exitCode, facts } = failureOf(error, adviceByCode);
    throw new CommandFailure(message, exitCode, facts);
  }
}

/** For what was found wrong without asking anybody. */
const localAdvice: AdviceByCode = {
  attributeUnknown: 'Name attributes as the template does: symbolon template show ID',
  rangeInvalid: 'A range is NAME:MIN..MAX around the value, of a number or a date that is not revealed.',
  credentialMalformed: 'Give the file that "symbolon vc download" wrote, unchanged.',
  presentationMalformed: 'Give the file that "symbolon vp create" wrote, unchanged.',
};

const identifierForm = /^did:[a-z0-9]+:[0-9A-Fa-f]{64}$/;

/** An identifier of a template or credential, as the service writes it. */
export function identifierOption(text: string): string {
  if (identifierForm.test(text)) return text;
  const isShortened = /…|\.{3}/.test(text);
  throw new InvalidArgumentError(
    `It must be did:, a method, a colon and 64 hex digits.${isShortened ? ' Lists show it whole with --wide.' : ''}`,
  );
}

/** Collects an option that may stand several times. */
export const collectWords = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

/** Nothing that a person could read: whatever else begins with `data:` is a text. */
const imageForm = /^(data:image\/[a-z]+;base64),[A-Za-z0-9+/]*={0,2}$/;

/** An attribute's value as people read it; images are named, not shown. */
export function shownValue(value: unknown): string {
  if (typeof value !== 'string') return String(value);
  const [, kind] = imageForm.exec(value) ?? [];
  return `"${kind === undefined ? printable(value) : `${kind} (${value.length} characters)`}"`;
}

/** For whoever is about to say yes to these values, or to sign them: that not everything of them was shown. */
export function cutLines(values: readonly unknown[]): readonly string[] {
  const count = values.filter(
    (value) => typeof value === 'string' && !imageForm.test(value) && isCut(value),
  ).length;
  if (count === 0) return [];
  const [many, them] = count === 1 ? ['1 value is', 'it'] : [`${count} values are`, 'them'];
  return [`${many} longer than what is shown here: --wide shows all of ${them}.`];
}
