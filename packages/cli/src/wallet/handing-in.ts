/**
 * The answer to a verification request: of credentials that are good now, derived in this process so that nobody sees the
 * whole credential, bound to the session and to the service, and handed in there.
 */
import type { RangeClaim } from '@symbolon/core/documents/model';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { derivePresentation } from '@symbolon/sdk/flows/holder-flows';
import { chooseAnswers, type Need, type PlannedDisclosure } from '@symbolon/sdk/orders/disclosure-plan';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { walletHeaders } from '@symbolon/sdk/transport/call-headers';
import type { KnownIssuerKey } from '@symbolon/sdk/verification/collected-facts';
import type { JsonObject } from '@symbolon/wire/json/json';
import { judgeCredential } from './keeping.ts';
import type { PlannedRequest } from './open-requests.ts';
import type { Wallet } from './wallet.ts';

/** Says what is being done now to whoever waits. */
export type TellStep = (words: string) => void;

/** What is shown, credential by credential, with the keys of their issuers. */
export interface ChosenAnswer {
  readonly chosen: readonly PlannedDisclosure[];
  readonly issuerKeys: readonly KnownIssuerKey[];
}

/**
 * Answers with credentials that are genuine and active now, by the ledger's word: what is revoked or suspended is not worth
 * a proof, and a forgery that an older wallet kept would only give the holder away. Undefined if nothing that is active
 * answers.
 */
export async function chooseActive(
  wallet: Wallet,
  { asked, held, credentials, needs }: PlannedRequest,
): Promise<ChosenAnswer | undefined> {
  const keysOf = new Map<number, readonly KnownIssuerKey[]>();
  let left = needs;
  for (;;) {
    const chosen = chooseAnswers(asked.query, left, credentials);
    if (!chosen) return undefined;
    const unknown = chosen.find(({ credential }) => !keysOf.has(credential))?.credential;
    if (unknown === undefined)
      return { chosen, issuerKeys: chosen.flatMap(({ credential }) => keysOf.get(credential) ?? []) };
    const { isGenuine, status, issuerKeys } = await judgeCredential(wallet, held[unknown].document);
    if (isGenuine && status === 'active') keysOf.set(unknown, issuerKeys);
    else left = without(left, unknown);
  }
}

/** The same needs with a credential that none of them may use. */
export const without = (needs: readonly Need[], unusable: number): readonly Need[] =>
  needs.map((need) => ({
    ...need,
    options: need.options.filter(({ credential }) => credential !== unusable),
  }));

export interface HandedIn {
  readonly reply: CredentialReply<'submitToSession'>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Derives what was chosen, no more and no less, and hands it in. */
export async function handIn(
  wallet: Wallet,
  { asked, held }: Pick<PlannedRequest, 'asked' | 'held'>,
  { chosen, issuerKeys, tell }: ChosenAnswer & { readonly tell: TellStep },
): Promise<HandedIn> {
  tell('Making the proof');
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
  tell('Handing the answer in');
  const headers: Record<string, string> = {};
  const submit = async () =>
    wallet.service.submitToSession(
      {
        presentation_id: asked.id,
        vp_token: presentation as unknown as JsonObject,
        presentation_submission: { id: 'submission', definition_id: asked.id, descriptor_map: [] },
      },
      {
        headers: await walletHeaders(wallet.signer, wallet.service, asked.id),
        onHeaders: (told) => void Object.assign(headers, told),
      },
    );
  return { reply: await untilHeard(submit), headers };
}

const attemptsMax = 3;

/** What the service answers may be lost on its way. It tells the same of the same answer, so it is asked again at once. */
export async function untilHeard<Reply>(submit: () => Promise<Reply>): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await submit();
    } catch (error) {
      const isUnheard = error instanceof SdkError && error.code === 'unreachable';
      if (!isUnheard || attempt === attemptsMax) throw error;
    }
  }
}

/** Bounds have an order, so none is a truth value. */
const wireRange = ({ attribute, min, max }: RangeClaim) => ({
  attribute,
  ...(typeof min !== 'boolean' && { min }),
  ...(typeof max !== 'boolean' && { max }),
});
