/**
 * `symbolon verify FILE`: asks the service, or runs the same six checks here on facts that were fetched earlier. The
 * second opens no connection at all.
 */
import { unixMsOf } from '@symbolon/core/credential/calendar';
import { presentationChecks } from '@symbolon/core/credential/model';
import { verifyPresentationOffline } from '@symbolon/sdk/offline-verification';
import { askVerdict } from '@symbolon/sdk/verifier-flows';
import type { JsonObject } from '@symbolon/wire/json';
import type { Connection } from './connection.ts';
import { printJson, type Terminal } from './terminal.ts';
import type { PartyWords } from './vc-words.ts';
import { readFactsFile } from './verify-facts.ts';
import { checksOf, reportJson, reportLines, type VerificationReport } from './verify-report.ts';
import { contentsOf, type ShownCredential } from './vp-contents.ts';
import { type DisclosureWords, disclosureOf } from './vp-disclosure.ts';
import { readPresentationFile } from './vp-files.ts';

export interface VerifyWords extends Omit<DisclosureWords, 'reveal'> {
  readonly ask?: readonly string[];
  readonly challenge?: string;
  readonly domain?: string;
  readonly offline?: boolean;
  readonly facts: string;
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
  const report = words.offline
    ? await verdictHere(presentation, question, words.facts)
    : await verdictOfService(await connect(), presentation, question);
  if (words.json) printJson(terminal, reportJson(report));
  else terminal.print(reportLines(terminal, report));
  return report.verified;
}

function questionOf({ ask, challenge, domain, ...words }: VerifyWords) {
  const request = disclosureOf({ ...words, ...(ask && { reveal: ask }) });
  return {
    ...(challenge !== undefined && { challenge }),
    ...(domain !== undefined && { domain }),
    ...(request && { request }),
  };
}
type Question = ReturnType<typeof questionOf>;

async function verdictOfService(
  { service }: Connection,
  presentation: JsonObject,
  question: Question,
): Promise<VerificationReport> {
  const credentials = contentsOf(presentation);
  const verdict = await askVerdict(service, { presentation, ...question });
  const checks = checksOf(verdict.verified ? [] : verdict.failures);
  const isStatusBad = checks.some(({ check, state }) => check === 'status' && state === 'failed');
  return {
    verified: verdict.verified,
    checks,
    credentials,
    by: 'service',
    hasRequest: question.request !== undefined,
    hasChallenge: question.challenge !== undefined,
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

async function verdictHere(
  presentation: JsonObject,
  question: Question,
  factsFile: string,
): Promise<VerificationReport> {
  const { fetchedAt, issuerKeys, statuses } = await readFactsFile(factsFile);
  const now = Date.now();
  const verdict = await verifyPresentationOffline(presentation, { issuerKeys, statuses, ...question, now });
  const credentials = contentsOf(presentation);
  const ids = new Set(credentials.map(({ id }) => id));
  const known = statuses.filter(({ vcId }) => ids.has(vcId));
  const ageSeconds = Math.floor((now - (unixMsOf(fetchedAt) ?? now)) / 1_000);
  return {
    verified: verdict.verified,
    checks: presentationChecks.map((check) => ({ check, ...verdict.checks[check] })),
    credentials,
    by: 'facts',
    hasRequest: question.request !== undefined,
    hasChallenge: question.challenge !== undefined,
    facts: { fetchedAt, ageSeconds, areIncomplete: known.length < ids.size },
    statusTransactions: known.flatMap(({ status, txHash }) =>
      status !== 'Active' && txHash ? [txHash] : [],
    ),
  };
}
