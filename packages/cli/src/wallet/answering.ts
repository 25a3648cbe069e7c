/**
 * Answering a verification request: fetched from the service the owner chose, planned by the owner's policy, derived in
 * this process so that nobody sees the whole credential, bound to the session and to the service, and handed in there.
 */

import { decodeOrNothing } from '@symbolon/core/basics/host-fault';
import type { RangeClaim, UnsignedCredential } from '@symbolon/core/documents/model';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import { derivePresentation } from '@symbolon/sdk/flows/holder-flows';
import { walletHeaders } from '@symbolon/sdk/transport/call-headers';
import type { KnownIssuerKey } from '@symbolon/sdk/verification/collected-facts';
import type { JsonObject } from '@symbolon/wire/json/json';
import { parseDcql } from '@symbolon/wire/sessions/dcql-query';
import { z } from 'zod';
import { CommandFailure, exitCodes, usageFailure } from '../terminal/failure.ts';
import {
  areTelling,
  chooseAnswers,
  type Need,
  type NeedProblem,
  type PlannedDisclosure,
  planNeeds,
  rangesOf,
} from './disclosure-plan.ts';
import { judgeCredential } from './keeping.ts';
import type { KeptCredential } from './kept-credentials.ts';
import { countRanges } from './proved-ranges.ts';
import { quoted, type ToolValue } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

interface OpenRequest {
  readonly id: string;
  readonly nonce: string;
  readonly expiresAt: string;
  readonly query: DcqlQuery;
}

const requestPath = /^(?:\/api)?\/v1\/presentation\/([A-Za-z0-9_-]{1,128})$/;

/** The id in a link, in a wallet's link, or by itself. A link to somewhere else is refused, not followed. */
export function readRequestId(text: string, serviceOrigin: string): string {
  const given = text.trim();
  if (/^[A-Za-z0-9_-]{1,128}$/.test(given)) return given;
  const inner = /^[a-z]+:\/\/\/?\?request_uri=(.+)$/.exec(given)?.[1];
  // With a stray percent sign it was not encoded.
  const url = URL.parse(
    inner === undefined ? given : (decodeOrNothing(() => decodeURIComponent(inner)) ?? inner),
  );
  const id = url && requestPath.exec(url.pathname)?.[1];
  if (!url || id === undefined || id === null)
    throw usageFailure(
      'The request was not looked at.\nThis is neither the id of a verification request nor a link to one.\nGive the link as it was received.',
    );
  if (url.origin !== serviceOrigin)
    throw usageFailure(
      `The request was not looked at.\nIt is at ${quoted(url.origin, 200)}, and this wallet answers requests at ${serviceOrigin} alone.\nThe owner chooses another service with --service.`,
    );
  return id;
}

async function fetchRequest({ service, serviceOrigin }: Wallet, request: string): Promise<OpenRequest> {
  const id = readRequestId(request, serviceOrigin);
  const definition = await service.fetchDefinition({ id });
  if (definition.presentation_id !== id || URL.parse(definition.response_uri)?.origin !== serviceOrigin)
    throw new CommandFailure(
      'The request was not answered.\nThe service wants the answer sent somewhere else, or speaks of another request.\nWhoever runs it sets publicUrl to the address that wallets use.',
    );
  const query = parseDcql(definition.credential_query, '/credential_query');
  return { id, nonce: definition.nonce, expiresAt: definition.expires_at, query };
}

interface Planned {
  readonly asked: OpenRequest;
  readonly held: readonly KeptCredential[];
  readonly credentials: readonly UnsignedCredential[];
  readonly needs: readonly Need[];
}

async function planFor(wallet: Wallet, request: string): Promise<Planned> {
  const asked = await fetchRequest(wallet, request);
  const now = new Date().toISOString();
  const held = wallet.credentials.all().filter(({ parsed }) => parsed.credential.validUntil > now);
  const credentials = held.map(({ parsed }) => parsed.credential);
  return { asked, held, credentials, needs: planNeeds(asked.query, credentials, wallet.policy.mayReveal) };
}

/** What is asked, and what of it the wallet may answer. Values are not compared with anything. */
export async function describeRequest(wallet: Wallet, request: string): Promise<ToolValue> {
  const { asked, credentials, needs } = await planFor(wallet, request);
  return {
    request: asked.id,
    expiresAt: quoted(asked.expiresAt, 40),
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
export async function answerRequest(wallet: Wallet, request: string): Promise<ToolValue> {
  const planned = await planFor(wallet, request);
  const { asked, held, credentials, needs } = planned;
  const problems = needs.flatMap(({ problem }) => (problem ? [problemText(problem)] : []));
  if (problems.length > 0 && !asked.query.sets) throw notAnswered(problems.join('\n'));
  countRanges(wallet.database, rangesOf(needs), {
    nowMs: Date.now(),
    isTold: (key, ranges) =>
      !wallet.policy.mayReveal.has(key) &&
      credentials.some(({ credentialSchema }) => areTelling(credentialSchema.attributes, key, ranges)),
  });
  const { chosen, issuerKeys } = await chooseActive(wallet, planned);
  if (!chosen)
    throw notAnswered([...problems, 'No credential in the wallet has what is asked for.'].join('\n'));
  const presentation = await derivePresentation({
    signer: wallet.signer,
    issuerKeys,
    now: Date.now(),
    engine: await wallet.proofEngine(),
    vcs: chosen.map(({ credential, reveal, ranges }) => ({
      vc: held[credential].document,
      revealAttributes: [...reveal],
      rangeProof: ranges.map(wireRange),
    })),
    tellingRanges: [...new Set(chosen.flatMap(({ telling }) => telling))],
    challenge: asked.nonce,
    domain: wallet.serviceOrigin,
  });
  const told: Record<string, string> = {};
  const { verified, status, signed_result, errors, ...verdict } = await wallet.service.submitToSession(
    {
      presentation_id: asked.id,
      vp_token: presentation as unknown as JsonObject,
      presentation_submission: { id: 'submission', definition_id: asked.id, descriptor_map: [] },
    },
    {
      headers: await walletHeaders(wallet.signer, wallet.service, asked.id),
      onHeaders: (headers) => void Object.assign(told, headers),
    },
  );
  return {
    request: asked.id,
    verified,
    status: quoted(status, 32),
    shown: chosen.map((one) => shown(one, credentials)),
    ...(Array.isArray(errors) &&
      errors.length > 0 && { problems: errors.slice(0, 10).map((text) => quoted(text)) }),
    ...(Array.isArray(verdict.credentials) && {
      judged: verdict.credentials.slice(0, judgedMax).map(judged),
    }),
    ...proofResponse(signed_result, told),
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

/** Bounds have an order, so none is a truth value. */
const wireRange = ({ attribute, min, max }: RangeClaim) => ({
  attribute,
  ...(typeof min !== 'boolean' && { min }),
  ...(typeof max !== 'boolean' && { max }),
});

const notAnswered = (why: string): CommandFailure =>
  new CommandFailure(`The wallet did not answer, and showed nothing.\n${why}`, exitCodes.notVerified);

/**
 * Answers with credentials that are genuine and active now, by the ledger's word: what is revoked or suspended is not worth
 * a proof, and a forgery that an older wallet kept would only give the holder away. `chosen` is undefined if nothing that
 * is active answers; the keys are of the issuers whose credentials are shown.
 */
async function chooseActive(wallet: Wallet, { asked, held, credentials, needs }: Planned) {
  const keysOf = new Map<number, readonly KnownIssuerKey[]>();
  let left = needs;
  for (;;) {
    const chosen = chooseAnswers(asked.query, left, credentials);
    const unknown = chosen?.find(({ credential }) => !keysOf.has(credential))?.credential;
    if (!chosen || unknown === undefined)
      return { chosen, issuerKeys: (chosen ?? []).flatMap(({ credential }) => keysOf.get(credential) ?? []) };
    const { isGenuine, status, issuerKeys } = await judgeCredential(wallet, held[unknown].document);
    if (isGenuine && status === 'active') keysOf.set(unknown, issuerKeys);
    else left = without(left, unknown);
  }
}

const without = (needs: readonly Need[], unusable: number): readonly Need[] =>
  needs.map((need) => ({
    ...need,
    options: need.options.filter(({ credential }) => credential !== unusable),
  }));

/** The header PROOF-RESPONSE for whoever asked by HTTP and wants to see the service's signature. */
function proofResponse(payload: string, headers: Readonly<Record<string, string>>): ToolValue {
  const { 'x-callback-signature': signature, 'x-callback-timestamp': timestamp } = headers;
  if (signature === undefined || timestamp === undefined) return {};
  return {
    proofResponse: Buffer.from(JSON.stringify({ payload, signature, timestamp })).toString('base64url'),
  };
}
