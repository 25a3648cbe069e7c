/**
 * What tests of the registries share: templates and signed entries, put together here from the rules alone and not by
 * the product's own code. It has the ending of a test, though it holds none, because only tests sign like this.
 */
import { createHash } from 'node:crypto';

/** Whoever can sign, with an encoded public key. */
export interface TestIssuer {
  readonly publicKey: string;
  sign(message: Uint8Array): string | Promise<string>;
}

export const sha256Hex = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex');

export const didOf = ({ publicKey }: { publicKey: string }): string => `did:zid:${publicKey.slice(4, 68)}`;

export const identifierOf = (text: string): string => `did:zid:${sha256Hex(text)}`;

const attribute = { key: 'grade', attribute: 'Grade', format: 'string', type: 1, mandatory: 1 };

/** The parameters of `addTemplate`. */
export function templateParams(issuer: { publicKey: string }, changes: object = {}) {
  const issuerZid = didOf(issuer);
  return {
    templateId: identifierOf(`${issuerZid}\ndegree`),
    templateName: 'Degree',
    nameKey: 'degree',
    version: '1.0.0',
    applyFormat: JSON.stringify([attribute]),
    metadata: '{}',
    issuerZid,
    publicKey: issuer.publicKey,
    ...changes,
  };
}

export const entryTerms = (issuer: { publicKey: string }, credential: string) => ({
  credential: identifierOf(credential),
  template: templateParams(issuer).templateId,
  templateVersion: '1.0.0',
  validFrom: '2026-01-01T00:00:00Z',
  validUntil: '2027-01-01T00:00:00Z',
});

export interface EntryOrder {
  readonly issuer: TestIssuer;
  readonly credential: string;
  readonly terms?: object;
  readonly created?: string;
  readonly digest?: string;
  readonly commitment?: string;
}

/** An element of `entries`, signed over exactly what it says. */
export async function signedEntry(order: EntryOrder) {
  const { issuer, credential, created = '2026-01-01T00:00:00Z', digest = sha256Hex(credential) } = order;
  const terms = { ...entryTerms(issuer, credential), ...order.terms };
  const { commitment = `${'8b'.repeat(16)}${sha256Hex(digest)}` } = order;
  const message = signedText({ issuer, terms, created, digest, commitment });
  const signature = await issuer.sign(message);
  return { issuerKey: issuer.publicKey, ...terms, created, digest, commitment, signature };
}

interface SignedParts {
  readonly issuer: TestIssuer;
  readonly terms: ReturnType<typeof entryTerms>;
  readonly created: string;
  readonly digest: string;
  readonly commitment: string;
}

function signedText({ issuer, terms, created, digest, commitment }: SignedParts): Uint8Array {
  const options = sorted({
    type: 'Ed25519Signature2020',
    cryptosuite: 'symbolon-jcs-eddsa-2026',
    created,
    proofPurpose: 'assertionMethod',
    verificationMethod: `${didOf(issuer)}#controllerKey`,
    registryEntry: sorted(terms),
  });
  const header = Buffer.from('{"alg":"EdDSA","b64":false,"crit":["b64"]}').toString('base64url');
  const parts = [sha256Hex(JSON.stringify(options)), digest, commitment];
  return Buffer.concat([Buffer.from(`${header}.`), ...parts.map((part) => Buffer.from(part, 'hex'))]);
}

const sorted = (value: object): object =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
