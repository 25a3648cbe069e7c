/**
 * A verdict as people read it: the six checks with a tick, a cross or a dash, why and what to do, and of a good
 * presentation what was seen. Nothing of a bad one is shown as if it were true.
 */
import { type PresentationCheck, presentationChecks } from '@symbolon/core/documents/model';
import { checkTitles } from '@symbolon/core/presentation/check-words';
import type { FactsBasis } from '@symbolon/sdk/verification/collected-facts';
import type { JsonObject } from '@symbolon/wire/json/json';
import { contentJson, type ShownCredential } from '../../credentials/presentation-contents.ts';
import { originLines, type SeenCredential, seenText, verdictLines } from '../../credentials/verdict-lines.ts';
import { exitCodes, unsuccessful } from '../../terminal/failure.ts';
import { columns } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printable, type Terminal, toned } from '../../terminal/terminal.ts';
import { ageText, basisText } from './facts.ts';

export interface CheckReport {
  readonly check: PresentationCheck;
  readonly state: 'ok' | 'failed' | 'notChecked';
  readonly failures: readonly string[];
}

export interface VerificationReport {
  readonly verified: boolean;
  readonly checks: readonly CheckReport[];
  /** What it shows; told only if verified. */
  readonly credentials: readonly ShownCredential[];
  /** What the verdict says of each of them; empty if not verified. */
  readonly presented: readonly SeenCredential[];
  readonly by: 'service' | 'facts';
  /** Without a word about what was asked for, or from whom, the fourth check had nothing to compare with. */
  readonly hasRequest: boolean;
  /** Whether some of that was about what is shown, and not only about issuers and templates. */
  readonly hasAsked: boolean;
  /** Likewise the sixth. */
  readonly hasChallenge: boolean;
  /** Of the facts that an offline verdict rests on. */
  readonly facts?: {
    readonly file: string;
    readonly fetchedAt: string;
    readonly ageSeconds: number;
    /** They lack the status of a credential, so no verdict could be a good one. */
    readonly areIncomplete: boolean;
    readonly basis: FactsBasis;
    /** Who signed them; absent where they are the verifier's own. */
    readonly collector?: string;
  };
  /** The transaction that revoked or suspended a credential. */
  readonly statusTransactions: readonly string[];
}

const advice: Readonly<Record<PresentationCheck, string>> = {
  holderSignature: 'It was changed, or somebody else presents it. Ask the holder for a new presentation.',
  bbsProof: 'It was changed, or was not made from a credential of this issuer. Ask the holder for a new one.',
  revealedAttributes: 'Do not trust any value in it. Ask the holder for a new presentation.',
  disclosure:
    'Ask the holder to show exactly what you ask for, from an issuer that you trust: --ask, --range, --trust, --template.',
  status: 'The holder needs a credential that counts: its issuer can issue a new one.',
  challenge:
    'Say the challenge that you gave the holder: --challenge TEXT. If you did, somebody replays an old presentation.',
};

/** What to do about some failures in particular, by their words. */
const closerAdvice: readonly (readonly [words: RegExp, advice: string])[] = [
  [/\bdomain\b/, 'Say the domain that you gave the holder: --domain TEXT, or leave it out if you gave none.'],
  [
    /single request/,
    'What you ask for with --ask, --range and --age must come from one credential. Ask the holder for one presentation of each credential, and verify each.',
  ],
  [/suspended/, 'It does not count until its issuer reinstates it.'],
  [/compromised/, "Others may have the issuer's key. The holder needs a credential that was issued anew."],
  [
    /not one of those trusted|is not trusted for/,
    'If you do trust this issuer, say so: --trust DID, or symbolon trust list add LIST DID.',
  ],
];

const adviceFor = ({ check, failures }: CheckReport): string =>
  closerAdvice.find(([words]) => failures.some((failure) => words.test(failure)))?.[1] ?? advice[check];

/** Where one of these fails, proofs may not have been looked at. */
const provingChecks: readonly PresentationCheck[] = ['holderSignature', 'bbsProof', 'revealedAttributes'];

/** Of failures with names: which checks failed and passed, and which had nothing to go by: no proof, no signature. */
export function checksOf(
  failures: readonly { readonly check: string; readonly detail: string }[],
): readonly CheckReport[] {
  const failedOf = (check: string): readonly string[] =>
    failures.filter((failure) => failure.check === check).map(({ detail }) => detail);
  const isProofInDoubt = provingChecks.some((check) => failedOf(check).length > 0);
  return presentationChecks.map((check): CheckReport => {
    const found = failedOf(check);
    const needsProof = check !== 'holderSignature' && provingChecks.includes(check);
    const passed = needsProof && isProofInDoubt ? 'notChecked' : 'ok';
    return { check, state: found.length > 0 ? 'failed' : passed, failures: found };
  });
}

const marks = { ok: ['✔', 'good'], failed: ['✖', 'bad'], notChecked: ['–', 'quiet'] } as const;

/** Facts that are silent about a credential say nothing of its ledger or its holder, so neither is blamed. */
function withSilence(report: VerificationReport): VerificationReport {
  const { facts } = report;
  if (!facts?.areIncomplete) return report;
  const failures = [`${facts.file} says nothing about this credential`];
  const checks = report.checks.map((one) =>
    one.check === 'status' && one.state === 'failed' ? { ...one, failures } : one,
  );
  return { ...report, checks };
}

export function reportLines(terminal: Terminal, given: VerificationReport): readonly string[] {
  const report = withSilence(given);
  const { verified, checks, facts } = report;
  const rows = checks.map(({ check, state, failures }) => {
    const idleNote = state === 'ok' ? notCompared(check, report) : undefined;
    const [mark, tone] = marks[idleNote ? 'notChecked' : state];
    const words = state === 'notChecked' ? 'not checked' : failures.map(printable).join('; ');
    const isOriginAlone = check === 'disclosure' && state === 'ok' && report.hasRequest && !report.hasAsked;
    return [
      `  ${toned(terminal, tone, mark)}`,
      isOriginAlone ? 'origin as asked for' : checkTitles[check],
      isOriginAlone ? 'what to show: nothing was asked for' : (idleNote ?? words),
    ];
  });
  const verdict = verified ? toned(terminal, 'good', 'VERIFIED') : toned(terminal, 'bad', 'NOT VERIFIED');
  const below = [
    `${verdict}   ${verified ? `saw: ${seenText(report.presented)}` : reasonText(report)}`,
    ...(verified ? originLines(report.presented) : adviceLines(report)),
    ...(facts ? factsLines(facts) : []),
  ];
  return [...columns(terminal, rows), ...verdictLines(terminal, below)];
}

/** Why a check that found nothing wrong had nothing to look for. */
function notCompared(check: PresentationCheck, { hasRequest, hasChallenge }: VerificationReport) {
  if (check === 'disclosure' && !hasRequest)
    return 'nothing was asked for: --ask, --range and --age say what, --trust from whom';
  if (check === 'challenge' && !hasChallenge)
    return 'not compared: it has none; give the holder one, and say it with --challenge';
  return undefined;
}

const reasonText = ({ checks }: VerificationReport): string =>
  checks.flatMap(({ failures }) => failures.map(printable)).join('; ');

function adviceLines({
  checks,
  credentials,
  statusTransactions,
  facts,
}: VerificationReport): readonly string[] {
  const failed = checks.filter(({ state }) => state === 'failed');
  return [
    ...credentials.map(
      ({ name, issuer }) =>
        `  It calls itself "${printable(name)}" by ${issuer}; nothing of it is confirmed.`,
    ),
    ...(facts?.areIncomplete
      ? [`  Fetch facts about it: symbolon verify facts FILE --out ${shellWord(facts.file)} --force`]
      : failed.map((one) => `  ${adviceFor(one)}`)),
    ...statusTransactions.map((hash) => `  Recorded on the ledger by transaction ${hash}`),
  ];
}

const factsLines = (facts: NonNullable<VerificationReport['facts']>): readonly string[] => [
  `  Checked without a network. The facts are ${ageText(facts.ageSeconds)} old (${facts.fetchedAt}), collected`,
  `  by ${facts.collector ?? 'yourself, as you say'},`,
  `  from ${basisText(facts.basis)}.`,
];

export function reportJson(given: VerificationReport): JsonObject {
  const report = withSilence(given);
  return {
    verified: report.verified,
    by: report.by,
    checks: report.checks.map(({ check, state, failures }) => ({
      check,
      state: state === 'ok' && notCompared(check, report) ? 'notChecked' : state,
      failures: [...failures],
    })),
    ...(report.verified && {
      credentials: report.credentials.map((shown, position) =>
        verifiedJson(shown, report.presented[position]),
      ),
    }),
    ...(!report.verified && {
      ...unsuccessful('NOT VERIFIED', exitCodes.notVerified),
      claimed: report.credentials.map(({ id, name, issuer, validFrom, validUntil }) => {
        return { id, name, issuer, validFrom, validUntil };
      }),
    }),
    ...(report.statusTransactions.length > 0 && { statusTransactions: [...report.statusTransactions] }),
    ...(report.facts && { facts: { ...report.facts, basis: { ...report.facts.basis } } }),
  };
}

/** A name that the verdict leaves out looks like another's, so it stands nowhere. */
function verifiedJson(shown: ShownCredential, presented: SeenCredential | undefined): JsonObject {
  const { name, ...content } = contentJson(shown);
  const isNamed = presented === undefined || presented.template.name !== undefined;
  return { ...(isNamed && { name }), ...content, ...verdictJson(presented) };
}

/** The issuer stays a DID for whoever read it as one; what is known of it stands beside. */
function verdictJson(presented: SeenCredential | undefined): JsonObject {
  if (!presented) return {};
  const { issuer, issuerTrust, template, status, ranges, answersRequest } = presented;
  return {
    ...(issuer.name !== undefined && {
      issuerName: issuer.name,
      issuerNameSource: issuer.nameSource ?? 'issuer',
    }),
    issuerTrust,
    template: { ...template },
    status: { ...status },
    ranges: ranges.map(({ age, ...range }) => ({ ...range, ...(age && { age: { ...age } }) })),
    ...(answersRequest !== undefined && { answersRequest }),
  };
}
