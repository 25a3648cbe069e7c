/**
 * Headers in which a wallet shows who it is: its key, a signature, and the text of presence that it signed.
 * Sessions and extended routes have names of their own for them.
 */
import { Fault, type FaultReason } from '@symbolon/core/faults/faults';
import type { Call, HeaderShape } from '../http/service-route.ts';
import { type GivenPresence, parsePresenceHeader } from './presence-requests.ts';
import { type PublicKeyGiven, readPublicKey, readSignature } from './request-encodings.ts';

export interface GivenSignature {
  readonly signature: Uint8Array;
  readonly publicKey: PublicKeyGiven;
  /** What was signed; without it the older form is meant. */
  readonly presence: GivenPresence | undefined;
}

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
  {
    name: names.key,
    description: `${when}the Ed25519 public key of who signs, hex with prefix and checksum`,
  },
  { name: names.signature, description: `${when}the Ed25519 signature over the text of presence, in hex` },
  { name: names.text, description: `${when}the text of presence that was signed, in base64url` },
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
