/**
 * Three attacks on an answer, with the holder's real credential and real requests: a value changed by the holder and
 * signed again, an answer that was good elsewhere, and a credential that is revoked before it is looked at. Only the
 * demo can do this, where everybody has everybody's key. Each ends with what the service said.
 */

import type { UnsignedPresentation } from '@symbolon/core/documents/model';
import {
  attachHolderSignature,
  holderSigningInput,
} from '@symbolon/core/presentation/presentation-derivation';
import { downloadUnverified, presentCredential } from '@symbolon/sdk/flows/holder-flows';
import type { revokeCredential } from '@symbolon/sdk/flows/issuer-flows';
import type { Signer } from '@symbolon/sdk/keys/signer';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import { walletHeaders } from '@symbolon/sdk/transport/call-headers';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { OutcomeCredential, SessionReply } from './session-facts.ts';

export interface BreakTools {
  /** The verifier's own. */
  readonly verifier: Pick<CredentialClient, 'requestVerification'>;
  /** The holder's, who has no key of the service. */
  readonly wallet: CredentialClient;
  readonly holder: Signer;
  readonly session: SessionReply;
  readonly credentials: readonly OutcomeCredential[];
  /** Said of the sessions that are opened for it. */
  readonly purpose: string;
}

export interface BreakOutcome {
  readonly verified: boolean;
  readonly errors: readonly string[];
  /** The session in which it was tried. */
  readonly sessionId: string;
  /** Of a revocation. */
  readonly txHash?: string;
}

interface TrySession {
  readonly id: string;
  readonly nonce: string;
}

async function openSession({ verifier, wallet, session, purpose }: BreakTools): Promise<TrySession> {
  const { requirements } = session;
  const { presentationId } = await verifier.requestVerification({ requirements, purpose });
  const { nonce } = await wallet.fetchDefinition({ id: presentationId });
  return { id: presentationId, nonce };
}

/** The same as was shown before, made for this session. */
async function answerFor(tools: BreakTools, { nonce }: TrySession): Promise<JsonObject> {
  const { wallet, holder, credentials } = tools;
  const vcs = [];
  for (const { id, revealed = {}, ranges = [] } of credentials)
    vcs.push({
      vc: await downloadUnverified(wallet, { signer: holder, vcId: id }),
      revealAttributes: Object.keys(revealed),
      rangeProof: ranges.map(({ attribute, min, max }) => ({
        attribute,
        ...boundOf('min', min),
        ...boundOf('max', max),
      })),
    });
  const tellingRanges = credentials.flatMap(({ ranges = [] }) => ranges.map(({ attribute }) => attribute));
  return presentCredential(wallet, { signer: holder, vcs, challenge: nonce, tellingRanges });
}

const boundOf = (side: 'min' | 'max', bound: unknown) =>
  typeof bound === 'string' || typeof bound === 'number' ? { [side]: bound } : {};

async function handIn(
  { wallet, holder }: BreakTools,
  { id }: TrySession,
  presentation: JsonObject,
): Promise<BreakOutcome> {
  const { verified, errors = [] } = await wallet.submitToSession(
    {
      presentation_id: id,
      vp_token: presentation,
      presentation_submission: { id: 'submission', definition_id: id, descriptor_map: [] },
    },
    { headers: await walletHeaders(holder, wallet, id) },
  );
  return { verified, errors, sessionId: id };
}

/** A text that was shown, and the same with another last letter. */
export interface ChangedLetter {
  readonly position: number;
  readonly key: string;
  readonly before: string;
  readonly after: string;
}

/** The first text that can be changed and stays a text; undefined where only dates, numbers or nothing was shown. */
export function letterToChange(
  credentials: readonly Pick<OutcomeCredential, 'revealed'>[],
): ChangedLetter | undefined {
  for (const [position, { revealed = {} }] of credentials.entries())
    for (const [key, value] of Object.entries(revealed)) {
      const after = typeof value === 'string' ? withAnotherLetter(value) : undefined;
      if (after !== undefined) return { position, key, before: value as string, after };
    }
  return undefined;
}

function withAnotherLetter(text: string): string | undefined {
  // The letters of an instant are no text.
  if (/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  const [, before = '', letter, behind = ''] = /^(.*)(\p{Letter})(\P{Letter}*)$/su.exec(text) ?? [];
  return letter && `${before}${letter === 'a' ? 'e' : 'a'}${behind}`;
}

/** The holder changes what she shows and signs it again: only the issuer's signature can tell. */
export async function changeLetter(tools: BreakTools, letter: ChangedLetter): Promise<BreakOutcome> {
  const session = await openSession(tools);
  const presentation = structuredClone(await answerFor(tools, session)) as JsonObject & {
    proof: Record<string, unknown>;
    verifiableCredential: { credentialSubject: Record<string, unknown> }[];
  };
  delete presentation.proof.jws;
  const shown = presentation.verifiableCredential[letter.position];
  if (shown) shown.credentialSubject[letter.key] = letter.after;
  const unsigned = presentation as unknown as UnsignedPresentation;
  const signature = await tools.holder.sign(holderSigningInput(unsigned));
  return handIn(tools, session, attachHolderSignature(unsigned, signature) as unknown as JsonObject);
}

/** Shown where it was made for, where it is good, and then once more elsewhere. */
export async function replay(tools: BreakTools): Promise<BreakOutcome> {
  const first = await openSession(tools);
  const presentation = await answerFor(tools, first);
  await handIn(tools, first, presentation);
  return handIn(tools, await openSession(tools), presentation);
}

/** Made while it was good, handed in after the issuer revoked it. */
export async function revokeThenShow(
  tools: BreakTools,
  revoke: (vcId: string) => ReturnType<typeof revokeCredential>,
): Promise<BreakOutcome> {
  const session = await openSession(tools);
  const presentation = await answerFor(tools, session);
  const { txHash } = await revoke(tools.credentials[0]?.id ?? '');
  return { ...(await handIn(tools, session, presentation)), txHash };
}
