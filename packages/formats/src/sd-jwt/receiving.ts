/**
 * What a wallet looks at before it keeps an SD-JWT VC: that it is of the issuer it was ordered from, of the type, bound
 * to the wallet's own key, and that the values are those it agreed to.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { isSameKey, type SigningJwk } from '../jose/public-keys.ts';
import { hasClaim } from './claim-paths.ts';
import { type FetchText, fetchTypeMetadata, type TypeClaim, typeComplaints } from './type-metadata.ts';
import type { ClaimPath } from './unpacking.ts';
import { type SdJwtFacts, type SdJwtVerdict, type VerifiedSdJwt, verifySdJwt } from './verifying.ts';

export interface OrderedSdJwt {
  readonly issuer: string;
  readonly vct: string;
  readonly holderKey: SigningJwk;
  /** Values that the wallet knows beforehand; others are not compared. */
  readonly values?: Readonly<Record<string, unknown>>;
}

export interface ReceivedSdJwt {
  readonly verdict: SdJwtVerdict;
  /** How it differs from what was ordered; empty where it is just that. */
  readonly complaints: readonly string[];
}

export type ReceivingFacts = Omit<SdJwtFacts, 'binding' | 'vctValues'> & {
  /** The type is looked at too where it can be fetched. */
  readonly fetchText?: FetchText;
};

export async function receiveSdJwt(
  text: string,
  ordered: OrderedSdJwt,
  { fetchText, ...facts }: ReceivingFacts,
): Promise<ReceivedSdJwt> {
  const verdict = await verifySdJwt(text, { ...facts, vctValues: [ordered.vct] });
  if (!verdict.credential) return { verdict, complaints: ['the credential does not verify'] };
  const complaints = [
    ...differences(verdict.credential, ordered),
    ...(fetchText ? await typeFindings(verdict.credential, fetchText, facts) : []),
  ];
  return { verdict, complaints };
}

function differences({ issuer, holderKey, claims }: VerifiedSdJwt, ordered: OrderedSdJwt): string[] {
  const complaints: string[] = [];
  if (issuer !== ordered.issuer) complaints.push('it is of another issuer');
  if (!holderKey || !isSameKey(holderKey, ordered.holderKey)) complaints.push('it is bound to another key');
  for (const [name, value] of Object.entries(ordered.values ?? {}))
    if (!Object.hasOwn(claims, name)) complaints.push(`${name} is missing`);
    else if (canonicalJson(claims[name]) !== canonicalJson(value)) complaints.push(`${name} is another`);
  return complaints;
}

async function typeFindings(
  { vct, claims, disclosed }: VerifiedSdJwt,
  fetchText: FetchText,
  { sha256 }: Pick<SdJwtFacts, 'sha256'>,
): Promise<readonly string[]> {
  const integrity = claims['vct#integrity'];
  const question = { vct, ...(typeof integrity === 'string' && { integrity }) };
  const type = await fetchTypeMetadata(question, { fetchText, sha256 });
  if (isComplaint(type)) return [type.complaint];
  const isSame = (path: TypeClaim['path'], other: ClaimPath): boolean =>
    path.length === other.length && path.every((step, place) => step === null || step === other[place]);
  return typeComplaints(type, {
    has: (path) => hasClaim(claims, path),
    isDisclosed: (path) => disclosed.some((one) => isSame(path, one)),
  });
}
