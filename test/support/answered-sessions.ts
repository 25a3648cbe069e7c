/** The wallet's part of a verification session, played by the holder of the demo with the SDK's flows: shows her degree. */
import assert from 'node:assert/strict';
import { downloadUnverified, presentCredential } from '@symbolon/sdk/flows/holder-flows';
import { walletHeaders } from '@symbolon/sdk/transport/call-headers';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { RunningService } from './running-service.ts';

export interface ShownParts {
  /** Of which credential; her degree if left out. */
  readonly vcId?: string;
  readonly reveal: readonly string[];
  readonly rangeProof?: readonly { attribute: string; min?: string; max?: string }[];
}

/** The university degree of the demo's holder, and its template. */
export function demoDegree({ demo }: Pick<RunningService, 'demo'>): { vcId: string; templateId: string } {
  const found = demo.credentials.find(({ holder, title }) => holder === 'holder' && /degree/.test(title));
  assert.ok(found);
  return found;
}

/** A credential of hers, whole; her degree unless told. */
export const downloadDegree = (
  service: RunningService,
  vcId: string = demoDegree(service).vcId,
): Promise<JsonObject> => downloadUnverified(service.stranger, { signer: service.holder.signer, vcId });

/** A presentation of it for one occasion. */
export async function presentDegree(
  service: RunningService,
  { vcId, reveal, rangeProof = [] }: ShownParts,
  challenge?: string,
): Promise<JsonObject> {
  return presentCredential(service.stranger, {
    signer: service.holder.signer,
    vc: await downloadDegree(service, vcId),
    revealAttributes: [...reveal],
    rangeProof: [...rangeProof],
    ...(challenge !== undefined && { challenge }),
  });
}

/** Reads a session as a wallet does; gives its nonce. */
export const readSession = async ({ stranger }: RunningService, id: string): Promise<string> =>
  (await stranger.fetchDefinition({ id })).nonce;

/** Reads it and answers. */
export async function answerSession(
  service: RunningService,
  id: string,
  shown: ShownParts,
): Promise<boolean> {
  const nonce = await readSession(service, id);
  const { verified } = await service.stranger.submitToSession(
    {
      presentation_id: id,
      vp_token: await presentDegree(service, shown, nonce),
      presentation_submission: { id: 'submission', definition_id: id, descriptor_map: [] },
    },
    { headers: await walletHeaders(service.holder.signer, service.stranger, id) },
  );
  return verified;
}

const claim = (key: string, constraints?: JsonObject): JsonObject => ({
  path: ['credentialSubject', key],
  ...(constraints && { constraints }),
});

/** The bank asks: the degree to be seen, born by a day, a grade of at most 2.0. */
export async function openDegreeSession(service: RunningService): Promise<string> {
  const { presentationId } = await service.verifier.client.requestVerification({
    requirements: {
      credentials: [
        {
          id: demoDegree(service).templateId,
          format: 'ldp_vc',
          claims: [
            claim('degree'),
            claim('birthDate', { maximum: bornBy18() }),
            claim('grade', { maximum: '2.00' }),
          ],
        },
      ],
    },
    trustedIssuers: [service.issuer.did],
    purpose: 'To open a student account',
    expirationMinutes: 5,
  });
  return presentationId;
}

/** Whoever was born by then is 18 today. */
export function bornBy18(now: Date = new Date()): string {
  const [year = '', rest = ''] = [now.toISOString().slice(0, 4), now.toISOString().slice(4, 10)];
  return `${Number(year) - 18}${rest === '-02-29' ? '-02-28' : rest}`;
}

/** What answers it. */
export const degreeAnswer = (): ShownParts => ({
  reveal: ['degree'],
  rangeProof: [
    { attribute: 'birthDate', max: bornBy18() },
    { attribute: 'grade', max: '2.00' },
  ],
});
