/**
 * A template of twelve attributes, its credential, and parties with real Ed25519 keys, for the tests beside. Proofs
 * are ideal ones: a digest of exactly what is proved, so a test sees whether the rules bind everything they should.
 * Real proofs are tested where the engine is.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import type {
  ContentsCommitment,
  Credential,
  CredentialFrame,
  DisclosureRequest,
  Presentation,
  Template,
  UnsignedPresentation,
} from '../../documents/model.ts';
import type { RecordedTemplate, RecordedTerms } from '../../presentation/ledger-terms.ts';
import { examinePresentation as examineParsed } from '../../presentation/presentation-checks.ts';
import {
  attachHolderSignature,
  buildUnsignedPresentation,
  type DerivationBinding,
  holderSigningInput,
  planPresentation,
} from '../../presentation/presentation-derivation.ts';
import type { Examination, VerificationFacts } from '../../presentation/presentation-facts.ts';
import { parsePresentation } from '../../presentation/presentation-parsing.ts';
import { concludeVerdict, type Verdict } from '../../presentation/presentation-verdict.ts';
import type { ProofStatement } from '../../proofs/proof-engine.ts';
import {
  assembleCredential,
  attachProofs,
  contentsCommitment,
  issuerSigningInput,
  type VerifyEd25519,
} from '../credential-assembly.ts';
import { type ParsedCredential, parseCredential } from '../credential-parsing.ts';
import { encodeProofValue } from '../credential-shapes.ts';
import { issuerProofOptions } from '../issuer-proof-options.ts';
import { type AttributeValues, readAttributeValues, templateOfDraft } from '../template-rules.ts';

export const sha256 = (bytes: Uint8Array): Uint8Array =>
  new Uint8Array(createHash('sha256').update(bytes).digest());

const pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface Party {
  readonly did: string;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

export function makeParty(seedByte: number): Party {
  const der = Buffer.concat([pkcs8Start, Buffer.alloc(32, seedByte)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(key).export({ format: 'jwk' }).x as string;
  return {
    did: `did:zid:${Buffer.from(raw, 'base64url').toString('hex')}`,
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
}

export const verifyEd25519: VerifyEd25519 = (publicKey, message, signature) => {
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
};

export const issuer = makeParty(1);
export const holder = makeParty(2);
export const stranger = makeParty(3);
export const issuerBbsKey = new Uint8Array(96).fill(7);
export const { didMethod } = zetrixProfile;
export const now = Date.UTC(2026, 5, 15, 12);

export const smallPng = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a00000000', 'hex').toString('base64')}`;

export const template: Template = templateOfDraft(
  {
    name: 'Residence Permit',
    version: '1.0.0',
    issuer: issuer.did,
    attributes: [
      { key: 'fullName', label: 'Full name', type: 1, format: 'string', mandatory: true },
      { key: 'email', label: 'E-mail', type: 1, format: 'email', mandatory: false },
      { key: 'photo', label: 'Photo', type: 2, format: 'image/png', mandatory: true },
      { key: 'children', label: 'Children', type: 3, format: 'integer', mandatory: true },
      { key: 'balance', label: 'Balance', type: 4, format: 'decimal', mandatory: true },
      { key: 'height', label: 'Height', type: 4, format: 'decimal(3)', mandatory: true },
      { key: 'birthDate', label: 'Date of birth', type: 5, format: 'date', mandatory: true },
      { key: 'enteredAt', label: 'Entered', type: 6, format: 'date-time', mandatory: true },
      { key: 'isResident', label: 'Resident', type: 7, format: 'boolean', mandatory: true },
      { key: 'country', label: 'Country', type: 1, format: 'text', mandatory: true },
      { key: 'website', label: 'Website', type: 1, format: 'uri', mandatory: false },
      { key: 'points', label: 'Points', type: 3, format: 'integer', mandatory: true },
    ],
  },
  { didMethod, sha256 },
);

export const values: AttributeValues = readAttributeValues(
  template,
  Object.entries({
    fullName: 'Zoë Example',
    photo: smallPng,
    children: 2,
    balance: '-12.50',
    height: '1.755',
    birthDate: '2008-06-15',
    enteredAt: '2020-02-29T23:30:00+01:00',
    isResident: true,
    country: 'Elbonia',
    website: 'https://example.com/zoe',
    points: '-3',
  }).map(([key, value]) => ({ key, value, pointer: `/${key}` })),
  { pointer: '' },
);

export interface SampleOptions {
  readonly id?: string;
  readonly template?: Template;
  readonly values?: AttributeValues;
  readonly owner?: Party;
  /** `null` for a credential that nothing on the ledger binds. */
  readonly contents?: ContentsCommitment | null;
}

/** Not a point of the curve: ideal proofs compute with none. */
export const commitment = new Uint8Array(48).fill(0x8b);
export const contents: ContentsCommitment = contentsCommitment(
  encodeProofValue(new Uint8Array(32).fill(5)),
  commitment,
);

/** A credential with a real issuer's signature and a BBS signature of made-up bytes. */
export function sampleCredential(options: SampleOptions = {}): Credential {
  const unsigned = assembleCredential({
    id: options.id ?? `did:zid:${'ab'.repeat(32)}`,
    template: options.template ?? template,
    holder: (options.owner ?? holder).did,
    values: options.values ?? values,
    validFrom: '2026-01-01T00:00:00Z',
    validUntil: '2027-01-01T00:00:00Z',
    registry: { networkId: zetrixProfile.networkId, address: 'ZTX3SaMw164VpkvH5EGvbJ5Kit9jFWd6GjLjy' },
  });
  const proofOptions = issuerProofOptions(unsigned, '2026-01-01T00:00:00Z');
  const bound = options.contents === null ? undefined : (options.contents ?? contents);
  const statement = { credential: unsigned, options: proofOptions, contents: bound };
  return attachProofs(unsigned, {
    bbs: {
      created: '2026-01-01T00:00:00Z',
      verificationMethod: `${issuer.did}#delegateKey-1`,
      signature: new Uint8Array(80).fill(9),
      contents: bound,
    },
    issuer: {
      options: proofOptions,
      signature: issuer.sign(issuerSigningInput(statement, sha256)),
    },
  });
}

export const parsed = (credential: unknown = sampleCredential()): ParsedCredential =>
  parseCredential(credential, { didMethod });

/** A proof of exactly this statement and nothing else. */
export function idealProof(statement: ProofStatement): Uint8Array {
  const {
    interface: kind,
    publicKey,
    header,
    messageCount,
    revealed,
    ranges,
    rangeParameters,
    commitment: bound,
    context,
    nonce,
  } = statement;
  const proved = { kind, publicKey, header, messageCount, revealed, ranges, rangeParameters };
  const parts = { ...proved, bound, context, nonce };
  const text = JSON.stringify(parts, (_key, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  });
  return sha256(new TextEncoder().encode(text));
}

export const binding: DerivationBinding = {
  created: '2026-06-15T12:00:00Z',
  challenge: 'c-1',
  domain: 'verifier.example',
  rangeParameters: { method: 'bulletproofs' },
};

export const request: DisclosureRequest = {
  revealAttributes: ['fullName', 'country', 'children'],
  ranges: [{ attribute: 'birthDate', max: '2008-06-15' }],
};

export const signAs = (party: Party, presentation: UnsignedPresentation): Presentation =>
  attachHolderSignature(presentation, party.sign(holderSigningInput(presentation)));

/** One request for all of them, or one for each. */
export function samplePresentation(
  asked: DisclosureRequest | readonly DisclosureRequest[] = request,
  bound: DerivationBinding = binding,
  credentials: readonly ParsedCredential[] = [parsed()],
): Presentation {
  const plan = planPresentation(
    credentials.map((credential, position) => ({
      parsed: credential,
      publicKey: issuerBbsKey,
      request: [asked].flat()[position] ?? [asked].flat()[0],
    })),
    bound,
    sha256,
  );
  const proofs = plan.disclosures.map(({ order }) => idealProof(order));
  return signAs(holder, buildUnsignedPresentation(plan, proofs));
}

/** What the ledger holds of every sample credential but for its identifier. */
export const recordedTerms = ({ id }: Pick<CredentialFrame, 'id'>): RecordedTerms => ({
  credential: id,
  template: template.id,
  templateVersion: template.version,
  validFrom: '2026-01-01T00:00:00Z',
  validUntil: '2027-01-01T00:00:00Z',
  commitment,
});

export const recordedTemplate = ({ credentialSchema }: CredentialFrame): RecordedTemplate | undefined =>
  credentialSchema.id === template.id && credentialSchema.version === template.version
    ? { ...template, acceptsUnbound: false }
    : undefined;

export const facts: VerificationFacts = {
  now,
  profile: zetrixProfile,
  expectedChallenge: binding.challenge,
  expectedDomain: binding.domain,
  issuerKeys: (did, method) =>
    did === issuer.did && method === `${issuer.did}#delegateKey-1` ? { publicKey: issuerBbsKey } : undefined,
  status: (frame) => ({ status: 'active', issuedAt: '2026-01-01T00:00:00Z', terms: recordedTerms(frame) }),
  template: recordedTemplate,
  verifyEd25519,
  sha256,
};

/** What the checks find of a document as it arrives. */
export const examinePresentation = (document: unknown, known: VerificationFacts): Examination =>
  examineParsed(parsePresentation(document, known.profile), known);

export function verdictOn(presentation: unknown, known: VerificationFacts = facts): Verdict {
  const examination = examinePresentation(presentation, known);
  const results = examination.proofOrders.map(
    ({ order }) => Buffer.compare(idealProof(order), order.proof) === 0,
  );
  return concludeVerdict(examination, results);
}
