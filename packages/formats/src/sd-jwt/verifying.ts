/**
 * An SD-JWT VC and its presentation, judged: facts in, verdict out. Every check that can be made is made and named, and
 * nothing is shown of what fails. The cheap ones come first; a key is looked for, and a list is asked, only for what has
 * passed all before, so that nobody can have work done with a text that is wrong anyhow.
 */
import { type Complaint, isComplaint } from '@symbolon/core/attributes/attribute-formats';
import type { Sha256 } from '@symbolon/core/basics/bytes';
import { asObject, type Fields } from '@symbolon/core/basics/plain-values';
import { isJwsSignedBy, type ParsedJws, parseCompactJws, type VerifyJws } from '../jose/compact-jws.ts';
import {
  readPublicJwk,
  type SignatureAlgorithm,
  type SigningJwk,
  signatureAlgorithms,
} from '../jose/public-keys.ts';
import { sdJwtLimits } from '../limits/format-limits.ts';
import { type SdJwtCheck, type ToldSdJwtCheck, tellSdJwtChecks } from './check-words.ts';
import { sdJwtType } from './claim-names.ts';
import { type CombinedForm, parseCombinedForm } from './combined-form.ts';
import { checkKeyBinding, type ExpectedBinding } from './key-binding.ts';
import { type ClaimPath, type Unpacked, unpackClaims } from './unpacking.ts';

/** Who says to have signed, and by which key. */
export interface IssuerQuestion {
  readonly issuer: string | undefined;
  readonly header: Fields;
}
/** Keys of the issuer, and by what they were found; or why none counts. */
export type FoundIssuerKeys =
  | {
      readonly keys: readonly SigningJwk[];
      readonly foundBy: 'certificate' | 'metadata' | 'did' | 'given';
    }
  | Complaint;

export interface SdJwtFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly sha256: Sha256;
  readonly verifySignature: VerifyJws;
  readonly findIssuerKeys: (question: IssuerQuestion) => Promise<FoundIssuerKeys>;
  /** What is wrong with the status that the credential refers to; nothing for one that is valid. */
  readonly checkStatus: (status: unknown, issuer: string | undefined) => Promise<readonly string[]>;
  /** Types that will do; any, if left out. */
  readonly vctValues?: readonly string[];
  /** What the holder had to sign; nothing where a wallet looks at what it received. */
  readonly binding?: ExpectedBinding;
  readonly issuerAlgorithms?: readonly SignatureAlgorithm[];
  readonly holderAlgorithms?: readonly SignatureAlgorithm[];
}

export interface VerifiedSdJwt {
  /** As the issuer calls itself; nothing where a certificate alone says who it is. */
  readonly issuer?: string;
  readonly vct: string;
  /** All that is shown, with the open claims. */
  readonly claims: Fields;
  /** Where disclosures were. */
  readonly disclosed: readonly ClaimPath[];
  readonly holderKey?: SigningJwk;
  readonly issuerKey: SigningJwk;
  readonly foundBy: 'certificate' | 'metadata' | 'did' | 'given';
}

export interface SdJwtVerdict {
  readonly verified: boolean;
  readonly checks: readonly ToldSdJwtCheck[];
  /** Only of what verifies. */
  readonly credential?: VerifiedSdJwt;
}

type Findings = Map<SdJwtCheck, readonly string[] | 'idle'>;

const hasFailed = (found: Findings): boolean =>
  [...found.values()].some((finding) => finding !== 'idle' && finding.length > 0);

const conclude = (found: Findings, credential?: VerifiedSdJwt): SdJwtVerdict => {
  const verified = credential !== undefined && !hasFailed(found);
  return { verified, checks: tellSdJwtChecks(found), ...(verified && { credential }) };
};

export async function verifySdJwt(text: string, facts: SdJwtFacts): Promise<SdJwtVerdict> {
  const found: Findings = new Map();
  const read = readPresented(text, facts);
  found.set('form', isComplaint(read) ? [`the SD-JWT ${read.complaint}`] : []);
  if (isComplaint(read)) return conclude(found);
  const { form, token } = read;
  const unpacked = unpackClaims(token.payload, form.disclosures);
  const holderKey = examineClaims({ token, unpacked }, facts, found);
  await checkKeyBinding({ form, holderKey }, facts, found);
  if (hasFailed(found)) return conclude(found);
  const { iss, vct } = unpacked.claims;
  const issuer = typeof iss === 'string' ? iss : undefined;
  const keys = await facts.findIssuerKeys({ issuer, header: token.header });
  found.set('issuerKey', isComplaint(keys) ? [keys.complaint] : []);
  if (isComplaint(keys)) return conclude(found);
  const issuerKey = await signerOf(token, keys.keys, facts.verifySignature);
  found.set('issuerSignature', issuerKey ? [] : ['the signature is not the issuer’s']);
  if (!issuerKey) return conclude(found);
  const { status } = unpacked.claims;
  found.set('status', status === undefined ? 'idle' : await facts.checkStatus(status, issuer));
  return conclude(found, {
    ...(issuer !== undefined && { issuer }),
    vct: vct as string,
    claims: unpacked.claims,
    disclosed: unpacked.placed.map(({ path }) => path),
    ...(holderKey && { holderKey }),
    issuerKey,
    foundBy: keys.foundBy,
  });
}

interface ReadSdJwt {
  readonly form: CombinedForm;
  readonly token: ParsedJws;
}

function readPresented(text: string, facts: SdJwtFacts): ReadSdJwt | Complaint {
  const form = parseCombinedForm(text, facts.sha256);
  if (isComplaint(form)) return form;
  const algorithms = facts.issuerAlgorithms ?? signatureAlgorithms;
  const token = parseCompactJws(form.token, { typ: sdJwtType, algorithms });
  return isComplaint(token) ? token : { form, token };
}

/** Checks of what the claims say by themselves; answers the holder's key, if there is a good one. */
function examineClaims(
  { token, unpacked }: { readonly token: ParsedJws; readonly unpacked: Unpacked },
  facts: SdJwtFacts,
  found: Findings,
): SigningJwk | undefined {
  const { claims, complaints, hidden } = unpacked;
  found.set('disclosures', complaints);
  const openComplaints = hidden.map((name) => `the claim ${name} is disclosed and must be open`);
  if (typeof token.payload.vct !== 'string') openComplaints.push('the claim vct is missing');
  if (token.payload.iss !== undefined && typeof token.payload.iss !== 'string')
    openComplaints.push('the claim iss is no text');
  found.set('openClaims', openComplaints);
  const { vctValues } = facts;
  const isWanted = vctValues?.some((one) => one === claims.vct) ?? true;
  found.set('credentialType', vctValues ? (isWanted ? [] : ['the credential is of another type']) : 'idle');
  found.set('validity', validityComplaints(token.payload, facts.now));
  const jwk = asObject(claims.cnf)?.jwk;
  if (jwk === undefined) {
    found.set('holderKey', facts.binding ? ['the credential is bound to no key'] : 'idle');
    return undefined;
  }
  const key = readPublicJwk(jwk);
  found.set('holderKey', isComplaint(key) ? [key.complaint] : []);
  return isComplaint(key) ? undefined : key;
}

/** Seconds since 1970, read from what is open alone. Written so that a time that is no number fails. */
function validityComplaints({ iat, nbf, exp }: Fields, now: number): readonly string[] {
  const seconds = now / 1_000;
  const skew = sdJwtLimits.clockSkewSeconds;
  const complaints: string[] = [];
  if (iat !== undefined && !(typeof iat === 'number' && iat <= seconds + skew))
    complaints.push('the credential is issued in the future');
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= seconds + skew))
    complaints.push('the credential is not valid yet');
  if (exp !== undefined && !(typeof exp === 'number' && exp > seconds)) complaints.push('expired credential');
  return complaints;
}

/** Which of the issuer's keys has signed. */
async function signerOf(
  token: ParsedJws,
  keys: readonly SigningJwk[],
  verify: VerifyJws,
): Promise<SigningJwk | undefined> {
  for (const key of keys) if (await isJwsSignedBy(token, key, verify)) return key;
  return undefined;
}
