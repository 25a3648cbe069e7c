/**
 * `symbolon verify FILE`: asks the service, or runs the same six checks here on facts that were fetched earlier. The
 * second opens no connection at all.
 */
import { unixMsOf } from '@symbolon/core/basics/calendar';
import { given } from '@symbolon/core/basics/plain-values';
import { presentationChecks } from '@symbolon/core/documents/model';
import { askVerdict } from '@symbolon/sdk/flows/verifier-flows';
import { didOfSigner } from '@symbolon/sdk/keys/signer';
import type { FactsTaken } from '@symbolon/sdk/verification/collected-facts';
import { verifyPresentationOffline } from '@symbolon/sdk/verification/offline-verification';
import type { JsonObject } from '@symbolon/wire/json/json';
import { type DisclosureWords, disclosureOf } from '../../credentials/disclosure-options.ts';
import { readPresentationFile } from '../../credentials/document-files.ts';
import { presentedCredentials, type ShownCredential } from '../../credentials/presentation-contents.ts';
import { lookUpTemplate } from '../../credentials/template-lookup.ts';
import { type TrustAsked, type TrustWords, trustOf } from '../../credentials/trust-options.ts';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import { CommandFailure, exitCodes, usageFailure } from '../../terminal/failure.ts';
import { printable, printJson, type Terminal } from '../../terminal/terminal.ts';
import { type FactsFile, readFactsFile } from './facts.ts';
import { checksOf, reportJson, reportLines, type VerificationReport } from './report.ts';

export interface VerifyWords extends Omit<DisclosureWords, 'reveal'>, TrustWords {
  readonly template?: readonly string[];
  readonly ask?: readonly string[];
  readonly challenge?: string;
  readonly domain?: string;
  readonly offline?: boolean;
  readonly facts: string;
  readonly factsBy?: readonly string[];
  readonly ownFacts?: boolean;
  readonly maxAge?: number;
}

interface VerifyOrder {
  readonly file: string;
  readonly words: PartyWords & VerifyWords;
  readonly terminal: Terminal;
}

/** Says the verdict and answers it. */
export async function verifyFile(
  connect: () => Promise<Connection>,
  { file, words, terminal }: VerifyOrder,
): Promise<boolean> {
  const presentation = await readPresentationFile(file);
  const question = questionOf(words);
  const trust = await trustOf(words);
  const report = words.offline
    ? await verdictHere(
        presentation,
        { ...question, ...offlineTrust(trust, words) },
        await factsChoice(connect, words),
      )
    : await verdictAsked(await connect(), presentation, { ...question, ...trust }, words);
  if (words.json) printJson(terminal, reportJson(report));
  else terminal.print(reportLines(terminal, report));
  return report.verified;
}

function questionOf({ ask, challenge, domain, ...words }: VerifyWords) {
  const request = disclosureOf({ ...words, ...(ask && { reveal: ask }) });
  return given({ challenge, domain, request });
}
type Question = ReturnType<typeof questionOf> & TrustAsked & { readonly templates?: string[] };

/** Templates by their names are known to the service. */
async function verdictAsked(
  connection: Connection,
  presentation: JsonObject,
  question: Question,
  { template = [] }: VerifyWords,
): Promise<VerificationReport> {
  const templates: string[] = [];
  for (const one of template) templates.push((await lookUpTemplate(connection, one)).templateId);
  const asked = { ...question, ...(templates.length > 0 && { templates }) };
  return verdictOfService(connection, presentation, asked);
}

function offlineTrust({ trustList, ...trust }: TrustAsked, { template = [] }: VerifyWords) {
  const needsService =
    trustList !== undefined ? `the list @${trustList}` : template.find((one) => !isId(one));
  if (needsService !== undefined)
    throw usageFailure(
      `${printable(needsService)} is known to the service alone.\nNothing is fetched with --offline.\nSave a list before: symbolon trust list show NAME --json > trust.json, then --trust trust.json. Give templates by their ids.`,
    );
  return { ...trust, ...(template.length > 0 && { templates: [...template] }) };
}

const isId = (text: string): boolean => /^did:[a-z0-9]+:[0-9A-Fa-f]{64}$/.test(text);

/** Which checks had something to compare with. */
const comparedBy = ({ challenge, request, trustedIssuers, trustList, templates }: Question) => ({
  hasRequest: [request, trustedIssuers, trustList, templates].some((one) => one !== undefined),
  hasAsked: request !== undefined,
  hasChallenge: challenge !== undefined,
});

async function verdictOfService(
  { service }: Connection,
  presentation: JsonObject,
  question: Question,
): Promise<VerificationReport> {
  const credentials = presentedCredentials(presentation);
  const verdict = await askVerdict(service, { presentation, ...question });
  const checks = checksOf(verdict.verified ? [] : verdict.failures);
  const isStatusBad = checks.some(({ check, state }) => check === 'status' && state === 'failed');
  return {
    verified: verdict.verified,
    checks,
    credentials,
    presented: verdict.verified ? verdict.credentials : [],
    by: 'service',
    ...comparedBy(question),
    statusTransactions: isStatusBad ? await statusTransactions(service, credentials) : [],
  };
}

/** Where the ledger says so; one that it does not know, or that has merely expired, has none. */
async function statusTransactions(
  service: Connection['service'],
  credentials: readonly ShownCredential[],
): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (const { id: vcId, issuer } of credentials) {
    try {
      const { status, txHash } = await service.getCredentialStatus({ vcId, issuer });
      if (status !== 'Active' && txHash !== null) hashes.push(txHash);
    } catch {
      // The verdict stands without it.
    }
  }
  return hashes;
}

/**
 * Whose facts count: those of whom the words name, and of whoever verifies; unsigned ones where the words vouch for them.
 * Nothing is contacted to find out.
 */
async function factsChoice(
  connect: () => Promise<Connection>,
  words: PartyWords & VerifyWords,
): Promise<FactsChoice> {
  const { factsBy = [], ownFacts = false, maxAge } = words;
  const { facts: file } = words;
  const facts = await readFactsFile(file);
  if (ownFacts && facts.proof === undefined) return { file, facts, takenFrom: 'self', maxAge };
  const verifier = await verifierDid(await connect(), words);
  const taken = [...factsBy, ...(verifier === undefined ? [] : [verifier])];
  const collector = facts.proof?.collector;
  if (collector !== undefined && !taken.includes(collector))
    throw new CommandFailure(
      `The presentation was not verified.\nThe facts in ${printable(file)} were collected by ${printable(collector)}, whose facts are not taken.\nIf you take them: --facts-by ${printable(collector)}. If they are yours, verify as who signed them: --as or --key.`,
      exitCodes.failed,
      { code: 'factsNotTrusted' },
    );
  if (taken.length > 0) return { file, facts, takenFrom: taken, maxAge };
  throw usageFailure(
    'The presentation was not verified.\nIt is not said whose facts count.\nName who collected them: --facts-by DID. If you did, and nobody else can write the file, say so: --own-facts',
  );
}

/** A key file that is named is whose it is; else the person of the profile. */
async function verifierDid({ person, signer }: Connection, { key }: PartyWords): Promise<string | undefined> {
  return key === undefined ? person?.did : didOfSigner(await signer());
}

interface FactsChoice {
  readonly file: string;
  readonly facts: FactsFile;
  readonly takenFrom: FactsTaken;
  readonly maxAge: number | undefined;
}

async function verdictHere(
  presentation: JsonObject,
  question: Question,
  { file, facts, takenFrom, maxAge: maxAgeSeconds }: FactsChoice,
): Promise<VerificationReport> {
  const { fetchedAt, statuses, basis, proof } = facts;
  const now = Date.now();
  const expected = { now, takenFrom, ...given({ maxAgeSeconds }) };
  const verdict = await verifyPresentationOffline(presentation, { facts, ...expected, ...question });
  const credentials = presentedCredentials(presentation);
  const ids = new Set(credentials.map(({ id }) => id));
  const known = statuses.filter(({ vcId }) => ids.has(vcId));
  const ageSeconds = Math.floor((now - (unixMsOf(fetchedAt) ?? now)) / 1_000);
  return {
    verified: verdict.verified,
    checks: presentationChecks.map((check) => ({ check, ...verdict.checks[check] })),
    credentials,
    presented: verdict.credentials ?? [],
    by: 'facts',
    ...comparedBy(question),
    facts: {
      file,
      fetchedAt,
      ageSeconds,
      areIncomplete: known.length < ids.size,
      basis,
      ...(proof && { collector: proof.collector }),
    },
    statusTransactions: known.flatMap(({ status, txHash }) =>
      status !== 'Active' && txHash ? [txHash] : [],
    ),
  };
}
