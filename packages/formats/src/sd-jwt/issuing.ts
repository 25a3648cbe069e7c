/**
 * An SD-JWT VC of a template: every attribute a disclosure, and open only what a verifier needs of all of them. Times
 * are whole days, and digests stand also for attributes that are left out, so that two credentials differ in nothing
 * that tells one holder from another.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { encodeBase64Url, type Sha256 } from '@symbolon/core/basics/bytes';
import type { AttributeValues } from '@symbolon/core/credential/template-rules';
import type { Template } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { type JwsSigner, signJws } from '../jose/compact-jws.ts';
import { keyThumbprint, readPublicJwk, type SigningJwk } from '../jose/public-keys.ts';
import { sdJwtLimits } from '../limits/format-limits.ts';
import { algorithmMember, digestAlgorithm, digestsMember, isTakenClaim, sdJwtType } from './claim-names.ts';
import { combinedText } from './combined-form.ts';
import { digestOf, makeDisclosure } from './disclosures.ts';

/** Where the status of one instance stands (Token Status List). */
export interface StatusReference {
  readonly uri: string;
  readonly idx: number;
}

/** What all instances of a batch have in common. */
export interface SdJwtContents {
  readonly template: Pick<Template, 'attributes'>;
  readonly values: AttributeValues;
  /** The https identifier of the issuer. */
  readonly issuer: string;
  readonly vct: string;
  /** Of the type metadata at `vct`: `sha256-` and base64. */
  readonly vctIntegrity?: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  readonly validFrom: number;
  readonly validUntil: number;
}

/** What is one instance's own. */
export interface SdJwtInstance {
  /** The holder's public key, as the proof of it came. */
  readonly holderKey: unknown;
  readonly status?: StatusReference;
}

export interface IssuingTools {
  readonly signer: JwsSigner;
  readonly sha256: Sha256;
  readonly randomBytes: (count: number) => Uint8Array;
}

const secondsPerDay = 86_400;

/** Seconds since 1970 of the day's beginning, in UTC: a moment would be a mark of the holder. */
export const startOfDay = (ms: number): number => Math.floor(ms / 1_000 / secondsPerDay) * secondsPerDay;

const refuse = (detail: string): Fault => new Fault('requestMalformed', { detail });

/** Throws `requestMalformed` for what no SD-JWT VC can say. One text for each instance, in their order. */
export async function issueSdJwts(
  contents: SdJwtContents,
  instances: readonly SdJwtInstance[],
  tools: IssuingTools,
): Promise<string[]> {
  if (instances.length < 1 || instances.length > sdJwtLimits.batchMax)
    throw refuse(`A batch has 1 to ${sdJwtLimits.batchMax} credentials`);
  const open = openClaims(contents);
  const keys = instances.map(({ holderKey }) => holderKeyOf(holderKey));
  requireDistinct(instances, keys, tools.sha256);
  const texts: string[] = [];
  for (const [position, { status }] of instances.entries()) {
    const { digests, disclosures } = discloseAll(contents, tools);
    const payload = {
      ...open,
      cnf: { jwk: keys[position] },
      ...(status && { status: { status_list: { idx: status.idx, uri: status.uri } } }),
      [digestsMember]: digests,
      [algorithmMember]: digestAlgorithm,
    };
    texts.push(combinedText(await signJws(sdJwtType, payload, tools.signer), disclosures));
  }
  return texts;
}

function openClaims(contents: SdJwtContents): object {
  const { template, issuer, vct, vctIntegrity, issuedAt, validFrom, validUntil } = contents;
  const taken = template.attributes.filter(({ key }) => isTakenClaim(key)).map(({ key }) => key);
  if (taken.length > 0)
    throw refuse(
      `Templates with the attribute ${taken.join(', ')} have no SD-JWT VC: it is a claim of its own there`,
    );
  const [iat, nbf, exp] = [issuedAt, validFrom, validUntil].map(startOfDay);
  if (!(exp > nbf && exp > iat)) throw refuse('An SD-JWT VC is valid for a day at least: its times are days');
  return {
    iss: issuer,
    vct,
    ...(vctIntegrity !== undefined && { 'vct#integrity': vctIntegrity }),
    iat,
    nbf,
    exp,
  };
}

function holderKeyOf(jwk: unknown): SigningJwk {
  const key: SigningJwk | Complaint = readPublicJwk(jwk);
  if (isComplaint(key)) throw refuse(`The key of the holder cannot be used: ${key.complaint}`);
  return key;
}

/** Two instances with one key or one slot are known to be one holder's. */
function requireDistinct(
  instances: readonly SdJwtInstance[],
  keys: readonly SigningJwk[],
  sha256: Sha256,
): void {
  if (new Set(keys.map((key) => keyThumbprint(key, sha256))).size < keys.length)
    throw refuse('Every credential of a batch has a key of its own');
  const slots = instances.flatMap(({ status }) => (status ? [`${status.uri}#${status.idx}`] : []));
  if (new Set(slots).size < slots.length) throw refuse('Every credential of a batch has a status of its own');
}

function discloseAll(
  { template, values }: SdJwtContents,
  { sha256, randomBytes }: IssuingTools,
): { readonly digests: readonly string[]; readonly disclosures: readonly { readonly text: string }[] } {
  const unknown = Object.keys(values).find((key) => template.attributes.every((one) => one.key !== key));
  if (unknown !== undefined) throw refuse(`The template has no attribute ${unknown}`);
  const freshSalt = (): string => encodeBase64Url(randomBytes(sdJwtLimits.saltBytes));
  const disclosures = template.attributes.flatMap(({ key }) =>
    Object.hasOwn(values, key)
      ? [makeDisclosure({ salt: freshSalt(), name: key, value: values[key] }, sha256)]
      : [],
  );
  const absent = template.attributes.length - disclosures.length;
  const decoys = Array.from({ length: absent }, () => digestOf(freshSalt(), sha256));
  // Sorted, digests say nothing of the order of attributes.
  const digests = [...disclosures.map(({ digest }) => digest), ...decoys].sort();
  return { digests, disclosures };
}
