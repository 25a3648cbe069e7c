/** Turns requests of verification sessions into requests of the inside. */
import { sessionLimits as limits } from '@symbolon/core/limits/waiting';
import type { VerifierTrust } from '@symbolon/core/presentation/trust-rules';
import { readPresence } from '../credentials/presence-requests.ts';
import { readPublicKey, readSignature } from '../credentials/request-encodings.ts';
import type { GivenSignature } from '../credentials/signed-headers.ts';
import type { WithBody } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import { readTrust, type TrustOrder } from '../trust/requests.ts';
import { parseDcql, unwrapQuery } from './dcql-query.ts';
import type * as schemas from './schemas.ts';
import { type GivenToken, readVpToken } from './vp-token.ts';

export interface VerificationOrder {
  /** As it was given and as wallets fetch it, with every trusted issuer in it but those of a list. */
  readonly requirements: JsonObject;
  /** What stands beside the requirements. */
  readonly trust: TrustOrder;
  readonly callbackUrl: string | undefined;
  readonly stateId: string | undefined;
  readonly minutes: number;
  /** Why the verifier asks, in its own words. */
  readonly purpose: string | undefined;
}

export function readVerificationOrder({
  body,
}: WithBody<typeof schemas.verificationOrder>): VerificationOrder {
  const { callbackUrl, stateId, purpose, expirationMinutes: minutes = limits.sessionMinutesDefault } = body;
  const trust = readTrust(body);
  const { query: given, pointer } = unwrapQuery(body.requirements, '/requirements');
  const isInside = 'trusted_issuers' in given || 'issuers' in given;
  if ((trust.issuers || trust.list !== undefined) && isInside)
    throw malformedAt('/trusted_issuers', 'must not stand here and in requirements');
  const requirements = withTrusted(given, trust);
  parseDcql(requirements, pointer);
  return { requirements, trust, callbackUrl, stateId, minutes, purpose };
}

/** Wallets that are told whom the verifier trusts choose a credential that will do. */
export const withTrusted = (requirements: JsonObject, { issuers }: VerifierTrust): JsonObject => ({
  ...requirements,
  ...(issuers && { trusted_issuers: [...new Set(issuers.map(({ did }) => did))] }),
});

/** What a wallet sends to a session. */
export interface SessionAnswer {
  readonly sessionId: string;
  readonly given: GivenToken;
  /** The holder's signature over the nonce, or over a text with the nonce in it. */
  readonly holderBinding: GivenSignature | undefined;
}

export const readSessionAnswer = ({ body }: WithBody<typeof schemas.sessionAnswer>): SessionAnswer => ({
  sessionId: body.presentation_id,
  given: readVpToken(body.vp_token),
  holderBinding: body.holder_binding && {
    signature: readSignature(body.holder_binding.signBlob, '/holder_binding/signBlob'),
    publicKey: readPublicKey(body.holder_binding.publicKey, '/holder_binding/publicKey'),
    presence: readPresence(body.holder_binding.signedText, '/holder_binding/signedText'),
  },
});
