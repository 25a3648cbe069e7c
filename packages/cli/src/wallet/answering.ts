/**
 * Answering a verification request for an agent, within the policy of the owner. What it would show is planned without
 * looking at values, so that an agent that asks learns nothing of them; ranges are counted before a value is compared
 * with them.
 */
import type { UnsignedCredential } from '@symbolon/core/documents/model';
import {
  areTelling,
  type NeedProblem,
  type PlannedDisclosure,
  rangesOf,
} from '@symbolon/sdk/orders/disclosure-plan';
import { z } from 'zod';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { chooseActive, handIn, type TellStep } from './handing-in.ts';
import { planRequest } from './open-requests.ts';
import { claimsInWords, dateTextAt, disclosureInWords, listed } from './people-words.ts';
import { countRanges } from './proved-ranges.ts';
import { quoted, type ToolValue } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

const wording = () => ({ today: dateTextAt(Date.now()), print: (text: string) => quoted(text, 64) });

/** What is asked, and what of it the wallet may answer. Values are not compared with anything. */
export async function describeRequest(wallet: Wallet, request: string): Promise<ToolValue> {
  const { asked, credentials, needs } = await planRequest(wallet, request, wallet.policy.mayReveal);
  const sentences = needs.map(({ query, options, problem }) => {
    const wanted = listed(claimsInWords(query.claims, wording()), 'a credential and nothing of it');
    const would = problem
      ? problemText(problem)
      : `The wallet would show: ${listed(options.slice(0, 1).map(shownInWords), 'nothing')}.`;
    return `Asked for: ${wanted}. ${would}`;
  });
  return {
    summary: sentences.join(' '),
    request: asked.id,
    expiresAt: quoted(asked.expiresAt, 40),
    // Words of others, told as that: who it is by the operator of the service, why by the verifier alone.
    ...(asked.asker.name !== undefined && { calledByOperator: quoted(asked.asker.name, 128) }),
    ...(asked.asker.did !== undefined && { verifier: quoted(asked.asker.did, 128) }),
    ...(asked.purpose !== undefined && { statedPurpose: quoted(asked.purpose, 200) }),
    asksFor: needs.map(({ query, options, problem }) => ({
      id: quoted(query.id),
      types: [...new Set(query.types.flat(2))].map((type) => quoted(type)),
      trustedIssuers: query.issuers ?? asked.query.issuers ?? 'any',
      attributes: query.claims.map(({ key, isRequired, constraints }) => ({
        name: quoted(key),
        isRequired,
        ...(constraints.minimum !== undefined && { minimum: quoted(constraints.minimum) }),
        ...(constraints.maximum !== undefined && { maximum: quoted(constraints.maximum) }),
      })),
      ...(problem
        ? { cannotAnswer: problemText(problem) }
        : { wouldShow: options.slice(0, 1).map((option) => shown(option, credentials)) }),
    })),
  };
}

const shownInWords = (disclosure: PlannedDisclosure): string =>
  listed(disclosureInWords(disclosure, wording()), 'the credential and nothing of it');

/** A range that tells the value reveals. */
const shown = (
  { credential, reveal, ranges, telling }: PlannedDisclosure,
  credentials: readonly UnsignedCredential[],
) => ({
  credential: quoted(credentials[credential].type[1]),
  reveals: [...reveal, ...telling],
  provesRangesOf: ranges.map(({ attribute }) => attribute).filter((key) => !telling.includes(key)),
});

function problemText(problem: NeedProblem): string {
  if (problem.kind === 'noCredential') return 'The wallet has no valid credential of this kind and issuer.';
  const names = problem.attributes.map((name) => quoted(name, 64)).join(',');
  if (problem.kind === 'attributeMissing') return `The credential has no value of ${names}.`;
  return `The owner has not allowed ${names} to be revealed. The owner can: --may-reveal ${names}`;
}

/** Derives what is asked for and hands it in. */
export async function answerRequest(
  wallet: Wallet,
  request: string,
  tell: TellStep = () => undefined,
): Promise<ToolValue> {
  tell('Reading the request');
  const planned = await planRequest(wallet, request, wallet.policy.mayReveal);
  const { asked, credentials, needs } = planned;
  const problems = needs.flatMap(({ problem }) => (problem ? [problemText(problem)] : []));
  if (problems.length > 0 && !asked.query.sets) throw notAnswered(problems.join('\n'));
  countRanges(wallet.database, rangesOf(needs), {
    nowMs: Date.now(),
    isTold: (key, ranges) =>
      !wallet.policy.mayReveal.has(key) &&
      credentials.some(({ credentialSchema }) => areTelling(credentialSchema.attributes, key, ranges)),
  });
  tell('Asking the ledger about the credentials');
  const answer = await chooseActive(wallet, planned);
  if (!answer)
    throw notAnswered([...problems, 'No credential in the wallet has what is asked for.'].join('\n'));
  const { reply, headers } = await handIn(wallet, planned, { ...answer, tell });
  const { verified, status, signed_result, errors = [], credentials: judgedOnes } = reply;
  const { chosen } = answer;
  return {
    summary: `The verifier was shown: ${listed(chosen.map(shownInWords), 'nothing')}. The service ${verified ? 'verified it' : 'did not verify it'}.`,
    request: asked.id,
    verified,
    status: quoted(status, 32),
    shown: chosen.map((one) => shown(one, credentials)),
    ...(errors.length > 0 && { problems: errors.slice(0, 10).map((text) => quoted(text)) }),
    ...(judgedOnes && { judged: judgedOnes.slice(0, judgedMax).map(judged) }),
    ...proofResponse(signed_result, headers),
  };
}

const judgedMax = 8;

/** What the verdict says of whose word it was, so that the owner can see whether the verifier had asked for it. */
function judged(credential: unknown): ToolValue {
  const read = judgedShape.safeParse(credential);
  if (!read.success) return {};
  const { issuer, issuer_name: name, issuer_name_source: source, issuer_trust: trust } = read.data;
  return {
    issuer: quoted(issuer),
    ...(name !== undefined && { issuerName: quoted(name), issuerNameSource: quoted(source) }),
    ...(trust !== undefined && { issuerTrust: quoted(trust, 16) }),
  };
}

const judgedShape = z.looseObject({
  issuer: z.string(),
  issuer_name: z.string().optional(),
  issuer_name_source: z.string().optional(),
  issuer_trust: z.string().optional(),
});

const notAnswered = (why: string): CommandFailure =>
  new CommandFailure(`The wallet did not answer, and showed nothing.\n${why}`, exitCodes.notVerified);

/** The header PROOF-RESPONSE for whoever asked by HTTP and wants to see the service's signature. */
function proofResponse(payload: string, headers: Readonly<Record<string, string>>): ToolValue {
  const { 'x-callback-signature': signature, 'x-callback-timestamp': timestamp } = headers;
  if (signature === undefined || timestamp === undefined) return {};
  return {
    proofResponse: Buffer.from(JSON.stringify({ payload, signature, timestamp })).toString('base64url'),
  };
}
