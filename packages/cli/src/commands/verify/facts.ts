/**
 * `symbolon verify facts`: what a verifier needs to verify without a network, fetched while there is one: the issuers'
 * keys and the statuses of the credentials, with the time of fetching and what they rest on, signed by whoever collects
 * them.
 */
import { instantTextOfUnixMs, unixMsOf } from '@symbolon/core/basics/calendar';
import { credentialRequestLimits } from '@symbolon/core/limits/requests';
import { LedgerError, SdkError } from '@symbolon/sdk/errors/errors';
import { fetchOfflineFacts, signFacts } from '@symbolon/sdk/flows/verifier-flows';
import {
  type CollectedFacts,
  type FactsBasis,
  factsForm,
  type SignedFacts,
} from '@symbolon/sdk/verification/collected-facts';
import { type FactsSource, ledgerFactsSource } from '@symbolon/sdk/verification/ledger-source';
import { credentialStatusReply } from '@symbolon/wire/credentials/verifier-replies';
import type { JsonObject } from '@symbolon/wire/json/json';
import { z } from 'zod';
import { readDocumentFile, writeDocumentFile } from '../../credentials/document-files.ts';
import { presentedCredentials } from '../../credentials/presentation-contents.ts';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import { CommandFailure, exitCodes } from '../../terminal/failure.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printable, printJson, type Terminal } from '../../terminal/terminal.ts';

const text = z.string().min(1).max(credentialRequestLimits.noteCharsMax);
/** Strict: what somebody wrote into it by hand is a fact that counts, or none that is passed over. */
const factsSchema = z.strictObject({
  form: z.literal(factsForm),
  fetchedAt: text.refine((instant) => unixMsOf(instant) !== undefined),
  basis: z.strictObject({
    service: text.optional(),
    node: text.optional(),
    ledgerSeq: text.optional(),
    blockHash: text.optional(),
  }),
  issuerKeys: z.array(
    z.strictObject({
      verificationMethod: text,
      publicKeyMultibase: text,
      validFrom: text.optional(),
      validUntil: text.optional(),
      compromisedSince: text.optional(),
    }),
  ),
  statuses: z.array(
    z.strictObject({
      vcId: text,
      issuer: text,
      status: z.enum(['Active', 'Suspended', 'Revoked']),
      changedAt: text.nullish(),
      txHash: text.nullish(),
      record: credentialStatusReply.shape.record,
    }),
  ),
  issuerNames: z.array(z.strictObject({ did: text, name: text })),
  proof: z.strictObject({ collector: text, signature: text }).optional(),
});
export type FactsFile = z.output<typeof factsSchema>;

const fetching = (file: string): string =>
  `Fetch them while there is a network: symbolon verify facts PRESENTATION --out ${shellWord(file)}`;

export async function readFactsFile(file: string): Promise<FactsFile> {
  const document = await readDocumentFile(file, 'facts', fetching(file));
  // As it is in the file: what is signed is all of it.
  if (factsSchema.safeParse(document).success) return document as unknown as FactsFile;
  const isOlder = /^symbolon-verification-facts-[12]$/.test(String(document.form));
  const why = isOlder
    ? 'They are of an older form, which nobody signed and which does not say what it rests on.'
    : 'It is of another form.';
  throw new CommandFailure(
    `${file} has no facts to verify with.\n${why}\n${fetching(file)}`,
    exitCodes.usage,
    isOlder ? { code: 'factsOutdated' } : undefined,
  );
}

/** As in "3 minutes"; the largest unit that fits is enough to judge by. */
export function ageText(seconds: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ];
  const whole = Math.max(0, Math.floor(seconds));
  const [size, name] = units.find(([unit]) => whole >= unit) ?? [1, 'second'];
  const count = Math.floor(whole / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

export interface FactsWords {
  readonly out: string;
  readonly force?: boolean;
  readonly unsigned?: boolean;
}

interface FactsOrder {
  readonly files: readonly string[];
  readonly words: PartyWords & FactsWords;
  readonly terminal: Terminal;
}

export async function fetchFacts(
  connection: Connection,
  { files, words, terminal }: FactsOrder,
): Promise<void> {
  const wanted = await wantedFacts(files);
  // Before anything is fetched: whoever cannot sign is told at once.
  const signer = words.unsigned ? undefined : await connection.signer();
  const now = Date.now();
  const { source, basis } = await toldBy(connection, now, terminal);
  const fetched: CollectedFacts[] = [];
  for (const [issuer, vcIds] of wanted)
    fetched.push(await fetchOfflineFacts(source, { issuer, vcIds: [...vcIds], basis, now }));
  const collected: CollectedFacts = {
    form: factsForm,
    fetchedAt: instantTextOfUnixMs(now),
    basis,
    issuerKeys: fetched.flatMap(({ issuerKeys }) => issuerKeys),
    statuses: fetched.flatMap(({ statuses }) => statuses),
    issuerNames: fetched.flatMap(({ issuerNames }) => issuerNames),
  };
  const facts: CollectedFacts & Partial<SignedFacts> = signer
    ? await signFacts(collected, signer)
    : collected;
  await writeDocumentFile(words.out, facts as unknown as JsonObject, { mayReplace: words.force ?? false });
  tellFacts(facts, words, terminal);
}

function tellFacts(
  { issuerKeys, statuses, fetchedAt, basis, proof }: CollectedFacts & Partial<SignedFacts>,
  { out, json }: FactsOrder['words'],
  terminal: Terminal,
): void {
  const counts = { keys: issuerKeys.length, statuses: statuses.length };
  const collector = proof?.collector;
  if (json)
    return printJson(terminal, {
      file: out,
      fetchedAt,
      ...counts,
      basis: { ...basis },
      collector: collector ?? null,
    });
  const fields = { ...counts, fetched: fetchedAt, 'rest on': basisText(basis), 'signed by': collector };
  printFields(terminal, `The facts are in ${out}.`, fields);
  const whose = collector === undefined ? ' --own-facts' : '';
  terminal.remark(
    `Next, without a network: symbolon verify FILE --offline --facts ${shellWord(out)}${whose}`,
  );
  if (collector !== undefined) terminal.remark(`Other verifiers take them with --facts-by ${collector}`);
}

/** Where facts come from, in one line. */
export const basisText = ({ service, node, ledgerSeq, blockHash }: FactsBasis): string =>
  [service, node === undefined ? undefined : `ledger ${ledgerSeq} (${blockHash?.slice(0, 16)}…) of ${node}`]
    .filter((part) => part !== undefined)
    .map(printable)
    .join(', ');

interface Told {
  readonly source: FactsSource;
  readonly basis: FactsBasis;
}

/**
 * Who tells the facts: the node, where the profile knows the registry, so that no service is believed; else the service.
 * The newest block is read before anything is asked for, so that the facts are no older than it.
 */
async function toldBy(
  { service, serviceUrl, ledger, ledgerUrl, pins }: Connection,
  now: number,
  { remark }: Terminal,
): Promise<Told> {
  const { credentialRegistry } = pins;
  const head = async () => {
    const header = (await ledger.getLedger({})).result?.header;
    return header && { node: originOf(ledgerUrl), ledgerSeq: String(header.seq), blockHash: header.hash };
  };
  if (credentialRegistry !== undefined) {
    const source = ledgerFactsSource({ ledger, pins: { ...pins, credentialRegistry }, now });
    return { source, basis: { node: originOf(ledgerUrl), ...(await head()) } };
  }
  const seen = await head().catch((error: unknown) => {
    // The facts are the service's; a node only says how new they are.
    if (!(error instanceof SdkError || error instanceof LedgerError)) throw error;
    remark('The node gives no answer, so the facts do not say on which block they rest.');
  });
  return { source: service, basis: { service: originOf(serviceUrl), ...seen } };
}

/** Without a name or password that may stand in an address. */
const originOf = (url: string): string => new URL(url).origin;

/** Credentials by issuer, of presentations and of whole credentials. */
async function wantedFacts(files: readonly string[]): Promise<Map<string, Set<string>>> {
  const wanted = new Map<string, Set<string>>();
  for (const file of files) {
    const document = await readDocumentFile(file, 'a presentation or credential');
    const { issuer, id } = document;
    const shown =
      typeof issuer === 'string' && typeof id === 'string'
        ? [{ issuer, id }]
        : presentedCredentials(document);
    for (const one of shown) wanted.set(one.issuer, (wanted.get(one.issuer) ?? new Set()).add(one.id));
  }
  return wanted;
}
