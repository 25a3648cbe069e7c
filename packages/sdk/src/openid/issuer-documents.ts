/**
 * What an issuer and its authorization server publish for wallets (OpenID4VCI 1.0, section 12; RFC 8414), as far as a
 * wallet needs it. Each names itself letter for letter, or it is the document of somebody else.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import {
  type AnswerEncryption,
  messageAlgorithm,
  messageCiphers,
  readAnswerEncryption,
} from '@symbolon/formats/oid4vci/message-encryption';
import { publishedUrl } from '@symbolon/formats/sd-jwt/issuer-metadata';
import { SdkError } from '../errors/errors.ts';
import { openidWalletLimits as limits } from '../limits/client-limits.ts';
import type { FieldOffer } from './credential-offers.ts';
import { parseFields, requireText, textOrNothing, textsOf, unreadable } from './openid-json.ts';
import type { WalletWeb } from './wallet-web.ts';

/** How a wallet names its key in a proof. */
export type KeyNaming = 'jwk' | 'did:key' | 'did:jwk';

/** One way in which a credential can be had. */
export interface OfferedCredential {
  readonly configurationId: string;
  readonly format: 'dc+sd-jwt' | 'ldp_vc';
  /** `vct`, or the types in JSON-LD beside `VerifiableCredential`. */
  readonly types: readonly string[];
  /** The issuer's words for it. */
  readonly name?: string;
  readonly description?: string;
  /** Names of what it says, in the issuer's words where there are some. */
  readonly claims: readonly string[];
  readonly keyNaming: KeyNaming;
}

/** Where an issuer is called; plain data, which can be kept until something is issued. */
export interface IssuerEndpoints {
  readonly issuer: string;
  readonly token: string;
  readonly credential: string;
  readonly nonce?: string;
  readonly deferred?: string;
  readonly notification?: string;
  /** What requests are encrypted for, where answers can be encrypted too. */
  readonly encryption?: AnswerEncryption;
  readonly hasDpop: boolean;
  readonly batchMax: number;
}

export interface IssuerDocuments {
  readonly places: IssuerEndpoints;
  readonly displayName?: string;
  /** Of those that are offered, the ones that can be had here. */
  readonly offered: readonly OfferedCredential[];
}

/** The well-known part stands between host and path. */
function wellKnown(issuer: string, name: string): string {
  const url = publishedUrl(issuer);
  if (!url) throw unreadable('the issuer', 'is no https address');
  return `${url.origin}/.well-known/${name}${url.pathname.replace(/\/$/, '')}`;
}

async function fetchFields(web: WalletWeb, url: string, place: string): Promise<Fields> {
  const headers = { accept: 'application/json' };
  const { status, text } = await web.call({ method: 'GET', url, place, headers, isPublic: true });
  if (status === 200) return parseFields(text, place);
  throw unreadable(place, `cannot be had: its host answered ${status}`);
}

export async function fetchIssuerDocuments(offer: FieldOffer, web: WalletWeb): Promise<IssuerDocuments> {
  const { issuer } = offer;
  const words = "the issuer's document";
  const metadata = await fetchFields(web, wellKnown(issuer, 'openid-credential-issuer'), words);
  if (metadata.credential_issuer !== issuer) throw unreadable(words, 'is about another issuer');
  const server = await fetchServer(web, offer, metadata);
  const displayName = displayOf(metadata.display).name;
  return {
    places: placesOf(issuer, metadata, server),
    ...(displayName !== undefined && { displayName }),
    offered: offeredOf(offer, asObject(metadata.credential_configurations_supported) ?? {}),
  };
}

async function fetchServer(
  web: WalletWeb,
  { issuer, authorizationServer }: FieldOffer,
  { authorization_servers: named }: Fields,
): Promise<Fields> {
  const servers = named === undefined ? [issuer] : textsOf(named);
  const server = authorizationServer ?? servers[0];
  const words = 'the document of the authorization server';
  if (server === undefined || !servers.includes(server))
    throw unreadable(words, 'is not named by the issuer');
  const document = await fetchFields(web, wellKnown(server, 'oauth-authorization-server'), words);
  if (document.issuer !== server) throw unreadable(words, 'is about another server');
  return document;
}

function placesOf(issuer: string, metadata: Fields, server: Fields): IssuerEndpoints {
  const endpoint = (name: string) => textOrNothing(metadata[`${name}_endpoint`]);
  const encryption = encryptionOf(metadata);
  const size = asObject(metadata.batch_credential_issuance)?.batch_size;
  const optional = {
    nonce: endpoint('nonce'),
    deferred: endpoint('deferred_credential'),
    notification: endpoint('notification'),
  };
  return {
    issuer,
    token: requireText(server, 'token_endpoint', 'the document of the authorization server'),
    credential: requireText(metadata, 'credential_endpoint', "the issuer's document"),
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, url]) => url !== undefined),
    ) as typeof optional),
    ...(encryption && { encryption }),
    hasDpop: textsOf(server.dpop_signing_alg_values_supported).includes('ES256'),
    batchMax: Number.isSafeInteger(size) ? Math.min(Math.max(size as number, 1), limits.copiesMax) : 1,
  };
}

/** Undefined where messages go in clear; throws where they must not and cannot be encrypted here. */
function encryptionOf(metadata: Fields): AnswerEncryption | undefined {
  const [request, response] = (['request', 'response'] as const).map((way) =>
    asObject(metadata[`credential_${way}_encryption`]),
  );
  const isDemanded = [request, response].some((one) => one?.encryption_required === true);
  const enc = messageCiphers.find((cipher) =>
    [request, response].every((one) => textsOf(one?.enc_values_supported).includes(cipher)),
  );
  const algorithms = textsOf(response?.alg_values_supported);
  const keys: readonly unknown[] = Array.isArray(asObject(request?.jwks)?.keys)
    ? (asObject(request?.jwks)?.keys as readonly unknown[])
    : [];
  const read = keys.slice(0, 32).map((jwk) => readAnswerEncryption({ jwk, enc }));
  const found = read.find((one): one is AnswerEncryption => !isComplaint(one));
  if (found && algorithms.includes(messageAlgorithm)) return found;
  if (isDemanded) throw unreadable("the issuer's document", 'wants an encryption that is not known here');
  return undefined;
}

function offeredOf(offer: FieldOffer, supported: Fields): readonly OfferedCredential[] {
  const offered = offer.configurationIds.flatMap((id) => {
    const configuration = Object.hasOwn(supported, id) ? asObject(supported[id]) : undefined;
    const read = configuration && readConfiguration(id, configuration);
    return read ? [read] : [];
  });
  if (offered.length > 0) return offered;
  throw new SdkError('openidRefused', 'nothing that is offered can be kept in this wallet', {
    hint: 'It keeps dc+sd-jwt and ldp_vc, bound to a key of P-256. Ask the issuer for one of these.',
  });
}

function readConfiguration(configurationId: string, configuration: Fields): OfferedCredential | undefined {
  const { format } = configuration;
  const types = typesOf(configuration);
  const keyNaming = namingOf(configuration);
  if ((format !== 'dc+sd-jwt' && format !== 'ldp_vc') || types.length === 0 || !keyNaming) return undefined;
  const metadata = asObject(configuration.credential_metadata) ?? {};
  const { name, description } = displayOf(metadata.display);
  return {
    ...{ configurationId, format, types, keyNaming },
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    claims: claimNames(metadata.claims),
  };
}

function typesOf({ format, vct, credential_definition: definition }: Fields): readonly string[] {
  if (format === 'dc+sd-jwt') return typeof vct === 'string' ? [vct] : [];
  return textsOf(asObject(definition)?.type).filter((type) => type !== 'VerifiableCredential');
}

/** A credential that belongs to no key could be shown by whoever has seen it. */
function namingOf(configuration: Fields): KeyNaming | undefined {
  const jwt = asObject(asObject(configuration.proof_types_supported)?.jwt);
  if (!textsOf(jwt?.proof_signing_alg_values_supported).includes('ES256')) return undefined;
  if (jwt?.key_attestations_required !== undefined) return undefined;
  const ways = textsOf(configuration.cryptographic_binding_methods_supported);
  return (['jwk', 'did:key', 'did:jwk'] as const).find((way) => ways.includes(way));
}

function displayOf(display: unknown): { readonly name?: string; readonly description?: string } {
  const all: readonly unknown[] = Array.isArray(display) ? display : [];
  const english = all.map(asObject).find((one) => /^en\b/.test(String(one?.locale)));
  const { name, description } = english ?? asObject(all[0]) ?? {};
  return {
    ...(typeof name === 'string' && { name: name.slice(0, limits.namesMax) }),
    ...(typeof description === 'string' && { description: description.slice(0, 1_000) }),
  };
}

function claimNames(claims: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(claims) ? claims : [];
  return all.slice(0, limits.namesMax).flatMap((claim) => {
    const { path, display } = asObject(claim) ?? {};
    const steps: readonly unknown[] = Array.isArray(path) ? path : [];
    const name = displayOf(display).name ?? textOrNothing(steps.at(-1));
    return name === undefined ? [] : [name];
  });
}
