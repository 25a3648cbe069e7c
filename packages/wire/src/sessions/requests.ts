/**
 * Turns requests of verification sessions and of extended presentations into requests of the inside, headers of wallets
 * included (reference §1.2, §1.5, §1.7).
 */

import { Fault, type FaultReason } from '@symbolon/core/faults/faults';
import { exchangeLimits as limits } from '@symbolon/core/limits/waiting';
import type { DcqlQuery } from '@symbolon/core/presentation/dcql';
import type { VerifierTrust } from '@symbolon/core/presentation/trust-rules';
import { type GivenPresence, parsePresenceHeader, readPresence } from '../credentials/presence-requests.ts';
import type { PresentationSignature } from '../credentials/presentation-requests.ts';
import { type PublicKeyGiven, readPublicKey, readSignature } from '../credentials/request-encodings.ts';
import { readBlobId } from '../credentials/requests.ts';
import type { WithBody } from '../http/schema-parts.ts';
import { type Call, type HeaderShape, malformed } from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import { readTrust, type TrustOrder } from '../trust/requests.ts';
import { parseDcql, unwrapQuery } from './dcql-query.ts';
import type * as schemas from './schemas.ts';
import { type GivenToken, readVpToken, savedIdPattern } from './vp-token.ts';

export interface VerificationOrder {
  /** As it was given and as wallets fetch it, with every trusted issuer in it but those of a list. */
  readonly requirements: JsonObject;
  readonly query: DcqlQuery;
  /** What stands beside the requirements. */
  readonly trust: TrustOrder;
  readonly callbackUrl: string | undefined;
  readonly stateId: string | undefined;
  readonly minutes: number;
}

export function readVerificationOrder({
  body,
}: WithBody<typeof schemas.verificationOrder>): VerificationOrder {
  const { callbackUrl, stateId, expirationMinutes: minutes = limits.sessionMinutesDefault } = body;
  const trust = readTrust(body);
  const { query: given, pointer } = unwrapQuery(body.requirements, '/requirements');
  const isInside = 'trusted_issuers' in given || 'issuers' in given;
  if ((trust.issuers || trust.list !== undefined) && isInside)
    throw malformed([{ pointer: '/trusted_issuers', detail: 'must not stand here and in requirements' }]);
  const requirements = withTrusted(given, trust);
  const query = parseDcql(requirements, pointer);
  return { requirements, query, trust, callbackUrl, stateId, minutes };
}

/** Wallets that are told whom the verifier trusts choose a credential that will do. */
export const withTrusted = (requirements: JsonObject, { issuers }: VerifierTrust): JsonObject => ({
  ...requirements,
  ...(issuers && { trusted_issuers: [...new Set(issuers.map(({ did }) => did))] }),
});

export interface GivenSignature {
  readonly signature: Uint8Array;
  readonly publicKey: PublicKeyGiven;
  /** What was signed; without it the older form is meant. */
  readonly presence: GivenPresence | undefined;
}

/** What a wallet sends to a session. */
export interface SessionAnswer {
  readonly sessionId: string;
  readonly given: GivenToken;
  /** The holder's signature over the nonce, or over a text with the nonce in it. */
  readonly holderBinding: GivenSignature | undefined;
}

export const readSessionAnswer = ({ body }: WithBody<typeof schemas.sessionSubmission>): SessionAnswer => ({
  sessionId: body.presentation_id,
  given: readVpToken(body.vp_token),
  holderBinding: body.holder_binding && {
    signature: readSignature(body.holder_binding.signBlob, '/holder_binding/signBlob'),
    publicKey: readPublicKey(body.holder_binding.publicKey, '/holder_binding/publicKey'),
    presence: readPresence(body.holder_binding.signedText, '/holder_binding/signedText'),
  },
});

type Headers = Pick<Call, 'header'>;

interface HeaderNames {
  readonly key: string;
  readonly signature: string;
  readonly text: string;
}

/** Where each kind of caller shows who it is, for those who write the headers, too. */
export const walletHeaderNames = {
  key: 'x-wallet-public-key',
  signature: 'x-wallet-signed-data',
  text: 'x-wallet-signed-text',
} as const satisfies HeaderNames;
export const extendedHeaderNames = {
  key: 'publickey',
  signature: 'signeddata',
  text: 'signedtext',
} as const satisfies HeaderNames;

/** The same for the document. */
export const signedHeaderShapes = (names: HeaderNames, when = ''): readonly HeaderShape[] => [
  { name: names.key, description: `${when}the public key of who signs` },
  { name: names.signature, description: `${when}the signature, in hex` },
  { name: names.text, description: `${when}the text of presence that was signed, base64url` },
];

/** What shows who a wallet is, signed by its key; throws `walletNotAuthenticated`. */
export const readWalletHeaders = (call: Headers): GivenSignature => signedHeaders(call, walletHeaderNames);

/** The same under the names of the extended routes; undefined where none is given. */
export function readExtendedHeaders(call: Headers): GivenSignature | undefined {
  const isGiven = Object.values(extendedHeaderNames).some((name) => call.header(name) !== undefined);
  return isGiven ? signedHeaders(call, extendedHeaderNames) : undefined;
}

/** Where they must be given. */
export const requireExtendedHeaders = (call: Headers): GivenSignature =>
  signedHeaders(call, extendedHeaderNames);

const notAuthenticated = (reason: FaultReason, detail: string, cause?: unknown) =>
  new Fault('walletNotAuthenticated', { reason, detail, cause });

function signedHeaders({ header }: Headers, names: HeaderNames): GivenSignature {
  const key = header(names.key);
  const signature = header(names.signature);
  if (!key) throw notAuthenticated('walletKeyMissing', `the header ${names.key} is missing`);
  if (!signature)
    throw notAuthenticated('walletSignatureMissing', `the header ${names.signature} is missing`);
  const text = header(names.text);
  const presence = text === undefined ? undefined : parsePresenceHeader(text);
  if (text !== undefined && !presence)
    throw notAuthenticated('walletHeadersMalformed', `the header ${names.text} is malformed`);
  try {
    return {
      publicKey: readPublicKey(key, names.key),
      signature: readSignature(signature, names.signature),
      presence,
    };
  } catch (error) {
    throw notAuthenticated('walletHeadersMalformed', 'the key or the signature is malformed', error);
  }
}

/** A signature under a presentation, which is then kept under an id. */
export interface SavingOrder extends PresentationSignature {
  readonly keptSeconds: number;
  readonly includesPresentation: boolean;
}

export const readSavingOrder = ({ body }: WithBody<typeof schemas.extendedSubmission>): SavingOrder => ({
  blobId: readBlobId(body.blobId),
  signature: readSignature(body.signedBlob, '/signedBlob'),
  publicKey: readPublicKey(body.publicKey, '/publicKey'),
  keptSeconds: readSeconds(body.vpExpiry),
  includesPresentation: body.includeVp === true || body.includeVp === 'true',
});

function readSeconds(given: string | number | undefined): number {
  if (given === undefined || given === 0) return limits.savedPresentationSeconds;
  const digits = String(given).trim();
  const seconds = /^[1-9][0-9]{0,8}$/.test(digits) ? Number(digits) : 0;
  if (seconds < 1 || seconds > limits.savedPresentationSecondsMax)
    throw malformed([
      {
        pointer: '/vpExpiry',
        detail: `must be a number of seconds from 1 to ${limits.savedPresentationSecondsMax}`,
      },
    ]);
  return seconds;
}

export function readSavedId(id: string): string {
  if (!savedIdPattern.test(id)) throw malformed([{ pointer: '/query/id', detail: 'must be v2- and a UUID' }]);
  return id;
}
