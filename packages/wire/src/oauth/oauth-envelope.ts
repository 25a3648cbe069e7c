/**
 * How routes that wallets call answer: the reply bare, a refusal as exactly `{error, error_description}`. Where an access
 * token is wanted, a refusal of it also says so in `WWW-Authenticate` (RFC 6750, RFC 9449).
 */
import type { Fault, FaultName } from '@symbolon/core/faults/faults';
import type { ServiceEnvelope } from '../http/service-envelopes.ts';
import type { JsonObject } from '../json/json.ts';
import { dpopAlgorithms, type OauthError, oauthErrorOf } from './oauth-words.ts';

const descriptionCharsMax = 500;

/** RFC 6749 has no quotation mark, no backslash and nothing but ASCII in a description. */
export const oauthDescription = (text: string): string =>
  text
    .slice(0, descriptionCharsMax)
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replaceAll(/[^\x20-\x7e]/gu, '?');

export interface OauthForm {
  /** What a request is called that is not valid, where the protocol of the route has a name of its own for it. */
  readonly malformed?: OauthError;
  /** Whether the route takes an access token, so that a DPoP proof is refused as a part of it. */
  readonly isResource?: boolean;
}

/** Of a nonce for the next DPoP proof: a member of the fault's facts. */
const nonceHeader = (fault: Fault): Readonly<Record<string, string>> =>
  typeof fault.facts?.dpopNonce === 'string' ? { 'dpop-nonce': fault.facts.dpopNonce } : {};

const tokenFaults: readonly FaultName[] = ['accessTokenMissing', 'accessTokenInvalid', 'scopeInsufficient'];
const proofFaults: readonly FaultName[] = ['dpopProofInvalid', 'dpopNonceWanted'];

/** Every way to show a token that would do; without an error where none was shown, as RFC 6750 has it. */
function challenge({ code }: Fault, error: OauthError): Readonly<Record<string, string>> {
  const said = code === 'accessTokenMissing' ? 'realm="symbolon"' : `error="${error}"`;
  const bearer = tokenFaults.includes(code) ? [`Bearer ${said}`] : [];
  if (bearer.length === 0 && !proofFaults.includes(code)) return {};
  const proven = `DPoP ${said}, algs="${dpopAlgorithms.join(' ')}"`;
  return { 'www-authenticate': [...bearer, proven].join(', ') };
}

export function createOauthEnvelope({ malformed, isResource = false }: OauthForm = {}): ServiceEnvelope {
  const errorOf = ({ code, status }: Fault): OauthError =>
    code === 'requestMalformed' && malformed !== undefined ? malformed : oauthErrorOf(code, status);
  return {
    success: (reply) => reply,
    failure(fault) {
      const error = errorOf(fault);
      return {
        status: isResource && proofFaults.includes(fault.code) ? 401 : fault.status,
        body: { error, error_description: oauthDescription(fault.message) },
        headers: { ...nonceHeader(fault), ...(isResource && challenge(fault, error)) },
      };
    },
    holder: '',
    open: (body) => body,
    refusalName: 'OauthRefusal',
    describe: (reply) => ({ success: reply, failure: refusalShape }),
  };
}

const refusalShape: JsonObject = {
  type: 'object',
  properties: {
    error: { type: 'string', description: 'One of the words of the protocol, such as invalid_request' },
    error_description: { type: 'string', description: 'What exactly, for people' },
  },
  required: ['error', 'error_description'],
  additionalProperties: false,
};

/** Of an authorization server and of a verifier. */
export const oauthEnvelope = createOauthEnvelope();
/** Of the credential endpoint and the deferred one. */
export const credentialEnvelope = createOauthEnvelope({
  malformed: 'invalid_credential_request',
  isResource: true,
});
export const notificationEnvelope = createOauthEnvelope({
  malformed: 'invalid_notification_request',
  isResource: true,
});

/** What a row has that wallets call, whoever made them: nothing unknown is refused, and any page may. */
export const walletRow = {
  envelope: oauthEnvelope,
  ignoresUnknown: true,
  isForWallets: true,
  cost: 'light',
} as const;

/** The same with an access token. */
export const grantRow = { ...walletRow, envelope: credentialEnvelope, access: 'grant' } as const;
