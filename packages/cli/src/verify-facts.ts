/**
 * `symbolon verify facts`: what a verifier needs to verify without a network, fetched while there is one: the issuers'
 * keys and the statuses of the credentials, with the time of fetching, so that their age can be told.
 */
import { instantTextOfUnixMs, unixMsOf } from '@symbolon/core/credential/calendar';
import { credentialRequestLimits } from '@symbolon/core/limits';
import { fetchOfflineFacts } from '@symbolon/sdk/verifier-flows';
import { statusReply } from '@symbolon/wire/verifier-replies';
import { z } from 'zod';
import type { Connection } from './connection.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { shellWord } from './generated-code.ts';
import { fieldLines, printJson, type Terminal } from './terminal.ts';
import type { PartyWords } from './vc-words.ts';
import { contentsOf } from './vp-contents.ts';
import { readDocumentFile, writeDocumentFile } from './vp-files.ts';

const factsForm = 'symbolon-verification-facts-2';
const text = z.string().min(1).max(credentialRequestLimits.noteCharsMax);
/** Strict: what somebody wrote into it by hand is a fact that counts, or none that is passed over. */
const factsSchema = z.strictObject({
  form: z.literal(factsForm),
  fetchedAt: text.refine((instant) => unixMsOf(instant) !== undefined),
  service: text,
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
      record: statusReply.shape.record,
    }),
  ),
  issuerNames: z.array(z.object({ did: text, name: text })).optional(),
});
export type FactsFile = z.output<typeof factsSchema>;

const fetching = (file: string): string =>
  `Fetch them while there is a network: symbolon verify facts PRESENTATION --out ${shellWord(file)}`;

export async function readFactsFile(file: string): Promise<FactsFile> {
  const read = factsSchema.safeParse(await readDocumentFile(file, 'facts', fetching(file)));
  if (read.success) return read.data;
  throw new CommandFailure(
    `${file} has no facts to verify with.\nIt is of another form.\n${fetching(file)}`,
    exitCodes.usage,
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
  const fetched = [];
  for (const [issuer, vcIds] of wanted)
    fetched.push(await fetchOfflineFacts(connection.service, { issuer, vcIds: [...vcIds] }));
  const facts = {
    form: factsForm,
    fetchedAt: instantTextOfUnixMs(Date.now()),
    service: connection.serviceUrl,
    issuerKeys: fetched.flatMap(({ issuerKeys }) => issuerKeys.map((key) => ({ ...key }))),
    statuses: fetched.flatMap(({ statuses }) =>
      statuses.map(({ changedAt = null, txHash = null, ...status }) => ({ ...status, changedAt, txHash })),
    ),
    issuerNames: fetched.flatMap((one) => one.issuerNames.map((name) => ({ ...name }))),
  };
  await writeDocumentFile(words.out, facts, { mayReplace: words.force ?? false });
  const counts = { keys: facts.issuerKeys.length, statuses: facts.statuses.length };
  if (words.json) return printJson(terminal, { file: words.out, fetchedAt: facts.fetchedAt, ...counts });
  terminal.print(`The facts are in ${words.out}.`);
  terminal.print(fieldLines({ ...counts, fetched: facts.fetchedAt }));
  terminal.remark(`Next, without a network: symbolon verify FILE --offline --facts ${shellWord(words.out)}`);
}

/** Credentials by issuer, of presentations and of whole credentials. */
async function wantedFacts(files: readonly string[]): Promise<Map<string, Set<string>>> {
  const wanted = new Map<string, Set<string>>();
  for (const file of files) {
    const document = await readDocumentFile(file, 'a presentation or credential');
    const { issuer, id } = document;
    const shown =
      typeof issuer === 'string' && typeof id === 'string' ? [{ issuer, id }] : contentsOf(document);
    for (const one of shown) wanted.set(one.issuer, (wanted.get(one.issuer) ?? new Set()).add(one.id));
  }
  return wanted;
}
