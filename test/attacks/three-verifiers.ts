/**
 * The three verifiers that every attack is shown to: `vp/verify` over HTTP, a verification session that asks for the
 * University's template, and the SDK with facts that it copied from the ledger. Facts are copied about whatever the
 * presentation names, after the attacker has done everything, so that no attack fails for want of a fact.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { KnownIssuerKey, KnownStatus } from '@symbolon/sdk/index';
import { ServiceError } from '@symbolon/sdk/index';
import { factsForm } from '@symbolon/sdk/verification/collected-facts';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { type Holder, judge, type Loose, type Question } from '../support/credential-fixtures.ts';
import { claim, holderBinding, walletHeaders } from '../support/verification-world.ts';
import { challenge, postSubmission } from '../support/x401.ts';
import { type AttackWorld, birthRange, revealAttributes } from './attack-world.ts';

export const sha256 = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest());

/** One kind of attack: how it is made, and the checks that must fail for it, no more and no fewer. */
export interface Attack {
  readonly name: string;
  /** Names of checks; `malformed` for what is no presentation at all. */
  readonly checks: readonly string[];
  /** What the verifier expects; nothing if left out. */
  readonly asked?: Question;
  readonly forge: (world: AttackWorld) => JsonObject | Promise<JsonObject>;
}

/** What a proof that does not fit leaves unconfirmed. */
export const proofFails = ['bbsProof', 'revealedAttributes'] as const;

async function knownStatuses({ service }: AttackWorld, presentation: Loose): Promise<KnownStatus[]> {
  const found: KnownStatus[] = [];
  for (const { issuer, id: vcId } of presentation.verifiableCredential) {
    if (typeof issuer !== 'string' || typeof vcId !== 'string') continue;
    try {
      found.push({ ...(await service.stranger.getCredentialStatus({ vcId, issuer })) });
    } catch (error) {
      // What the ledger does not know leaves no fact.
      assert.ok(error instanceof ServiceError && error.status < 500, String(error));
    }
  }
  return found;
}

const knownKeys = ({ university, maker }: AttackWorld): KnownIssuerKey[] =>
  [...university.keys, ...maker.keys].map(
    ({ verificationMethod, publicKeyMultibase, validFrom, validUntil, compromisedSince }) => ({
      verificationMethod,
      publicKeyMultibase,
      validFrom,
      ...(validUntil !== undefined && { validUntil }),
      ...(compromisedSince !== undefined && { compromisedSince }),
    }),
  );

/** The checks that fail with the service and without it; they must be the same. */
export async function askBoth(
  world: AttackWorld,
  presentation: JsonObject,
  asked: Question & { readonly registry?: string } = {},
): Promise<readonly string[]> {
  const statuses = await knownStatuses(world, presentation as Loose);
  const about = { form: factsForm, fetchedAt: '', basis: {}, issuerNames: [] } as const;
  const facts = { ...about, issuerKeys: knownKeys(world), statuses };
  const { checks, details } = await judge(world, presentation, { facts, ...asked });
  assert.equal(details === undefined, checks.length > 0, 'values are told of what verifies alone');
  return checks;
}

/** Asks for the University's template by its id, as a relying service does. */
function requirementsOf({ templateId }: AttackWorld, { request }: Question): JsonObject {
  const requests = request === undefined || request === null ? [usual] : [request].flat();
  const credentials = requests.map((one, position) => ({
    id: position === 0 ? templateId : `credential-${position}`,
    format: 'ldp_vc',
    claims: claimsOf(one as typeof usual),
  }));
  return { credentials };
}

const usual: { revealAttributes: string[]; rangeProof?: JsonValue } = { revealAttributes };

function claimsOf({ revealAttributes: shown, rangeProof }: typeof usual): JsonObject[] {
  const ranges = rangeProof === undefined ? [] : ([rangeProof].flat() as { attribute: string }[]);
  const asked = ranges.map(({ attribute, ...bounds }) => {
    const { min, max } = bounds as { min?: JsonValue; max?: JsonValue };
    return claim(attribute, {
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    });
  });
  const optional =
    ranges.length > 0 || shown.includes(birthRange.attribute)
      ? []
      : [claim(birthRange.attribute, { maximum: birthRange.max, required: false })];
  return [...shown.map((key) => claim(key)), ...asked, ...optional];
}

/** Whose wallet can send the presentation: the attacker may have the key of whoever is named as the holder. */
const walletOf = ({ holder, thief }: AttackWorld, presentation: JsonObject): Holder =>
  presentation.holder === holder.did ? holder : thief;

/** The checks that a verification session says have failed; none if it says `VERIFIED`. */
export async function askSession(
  world: AttackWorld,
  presentation: JsonObject,
  asked: Question = {},
): Promise<readonly string[]> {
  const { url, verifier } = world.service;
  const server = { baseUrl: url, apiKey: verifier.apiKey, callbackSecret: '' };
  const { presentationId, nonce } = await challenge(server, requirementsOf(world, asked));
  const sender = walletOf(world, presentation);
  const answer = await postSubmission(
    { baseUrl: url, headers: await walletHeaders(sender) },
    { presentationId, responseUri: `${url}/v1/presentation/submit` },
    // Where a challenge is expected, it is the session's nonce, and nothing else binds the answer.
    {
      vpToken: presentation,
      ...(asked.challenge === undefined && { holderBinding: await holderBinding(sender, nonce) }),
    },
  );
  if (answer.status !== 200) {
    assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
    return [answer.body.code === 'presentationMalformed' ? 'malformed' : String(answer.body.code)];
  }
  const { verified, errors } = answer.body.object as { verified: boolean; errors: string[] };
  assert.equal(verified, errors.length === 0, answer.text);
  return [...new Set(errors.map((text) => text.slice(0, text.indexOf(':'))))];
}

/** Shows the attack to all three; each must refuse it for the right reasons. */
export async function assertRefused(world: AttackWorld, { checks, asked, forge }: Attack): Promise<void> {
  const presentation = await forge(world);
  assert.notEqual(checks.length, 0);
  assert.deepEqual(await askBoth(world, presentation, asked), [...checks].sort());
  const inSession = await askSession(world, presentation, asked);
  assert.notEqual(inSession.length, 0, 'the session accepted it');
  // A session compares with more than the other two are told, so it may have more to say.
  if (inSession.includes('walletNotAuthenticated')) return;
  const isNamed = (check: string): boolean =>
    inSession.includes(check) || (check === 'disclosure' && inSession.includes('request'));
  assert.deepEqual(
    checks.filter((check) => !isNamed(check)),
    [],
  );
}
