/**
 * Requests that must be refused, by the row of the interface's table of status codes that says so. Each can be sent
 * again, plain and sealed: being refused changes nothing.
 */
import type { FaultName } from '@symbolon/core/faults';
import type { JsonObject, JsonValue } from '@symbolon/wire/json';
import { cardName, type ErrorWorld } from './service-error-world.ts';
import {
  applyBody,
  createBody,
  downloadBody,
  fewAttributes,
  fewValues,
  paths,
  presentSubmitBody,
  revokeBody,
  signBlob,
  signedBlobBody,
  submitBody,
  templateBody,
} from './service-steps.ts';

/** The endpoints of the table, with their paths and whether they are served sealed too. */
export const endpoints = {
  'template blob create': { path: paths.templateBlob, isSealable: false },
  'template submit': { path: paths.templateSubmit, isSealable: false },
  'vc apply': { path: paths.apply, isSealable: true },
  'vc create': { path: paths.create, isSealable: true },
  'vc submit': { path: paths.submit, isSealable: true },
  'vc download': { path: paths.download, isSealable: true },
  'revoke create-blob': { path: paths.revokeBlob, isSealable: false },
  'revoke submit': { path: paths.revokeSubmit, isSealable: false },
  'bbs create': { path: paths.bbsCreate, isSealable: false },
  'bbs sign': { path: paths.bbsSign, isSealable: false },
  'vp create': { path: paths.present, isSealable: true },
  'vp submit': { path: paths.presentSubmit, isSealable: true },
  'vp verify': { path: paths.verify, isSealable: true },
} as const;
export type Endpoint = keyof typeof endpoints;

/** When a case can be reached: with all in order, after blobs lapsed, without a ledger, with a damaged database. */
export type Phase = 'healthy' | 'late' | 'cut' | 'broken';

export interface RefusedCase {
  readonly endpoint: Endpoint;
  readonly status: number;
  readonly what: string;
  readonly code: FaultName;
  readonly phase: Phase;
  readonly make: (world: ErrorWorld) => Refused;
}
export interface Refused {
  /** A text is sent as it is. */
  readonly body: JsonValue | string;
  readonly apiKey?: string;
}

type Row = [what: string, status: number, code: FaultName, make: RefusedCase['make'], phase?: Phase];

const casesOf = (endpoint: Endpoint, rows: readonly Row[]): RefusedCase[] =>
  rows.map(([what, status, code, make, phase = 'healthy']) => ({
    endpoint,
    status,
    what,
    code,
    phase,
    make,
  }));

export const unknownId = `did:zid:${'a1'.repeat(32)}`;
const unknownBlobId = '0123456789ABCDEF0123456789ABCDEF';
const wrongKey = `sym_abcdefgh_${'A'.repeat(43)}`;

const without = (body: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** A signature with one bit changed. */
const spoilt = (signature: JsonValue | undefined): string => {
  const bytes = Buffer.from(signature as string, 'hex');
  bytes[5] = (bytes[5] as number) ^ 1;
  return bytes.toString('hex');
};

const draft = ({ issuer }: ErrorWorld, more: JsonObject = {}): Refused => ({
  body: { ...templateBody(issuer, { templateName: 'A new name' }), ...more },
  apiKey: issuer.apiKey,
});

const templateBlobCases = casesOf('template blob create', [
  ['no name', 400, 'requestMalformed', (w) => draft(w, { templateName: null })],
  ['not JSON', 400, 'requestMalformed', ({ issuer }) => ({ body: '{"templateName":', ...issuer })],
  ['no attributes', 400, 'requestMalformed', (w) => draft(w, { credentialFormat: [] })],
  [
    'a key that stands twice',
    400,
    'templateInvalid',
    (w) => draft(w, { credentialFormat: [...fewAttributes, ...fewAttributes] }),
  ],
  ['a version that is none', 400, 'templateInvalid', (w) => draft(w, { version: 'new' })],
  [
    'an issuer who cannot pay',
    400,
    'issuerAccountMissing',
    ({ poor }) => ({ body: templateBody(poor, { templateName: 'Poor card' }), apiKey: poor.apiKey }),
  ],
  ['no API key', 401, 'notAuthenticated', (w) => ({ body: draft(w).body })],
  ['a wrong API key', 401, 'notAuthenticated', (w) => ({ body: draft(w).body, apiKey: wrongKey })],
  ['a key without the scope', 401, 'notAllowed', (w) => ({ ...draft(w), apiKey: w.verifier.apiKey })],
  ["another party's DID", 401, 'notAllowed', (w) => draft(w, { issuerDid: w.otherIssuer.did })],
  ['the same name', 409, 'templateExists', (w) => draft(w, { templateName: cardName })],
  ['a similar name', 409, 'templateExists', (w) => draft(w, { templateName: ' LIBRARY  card ' })],
  [
    "another issuer's name",
    409,
    'templateExists',
    ({ otherIssuer }) => ({
      body: templateBody(otherIssuer, { templateName: cardName, version: '2.0.0' }),
      apiKey: otherIssuer.apiKey,
    }),
  ],
  ['no ledger', 500, 'ledgerUnreachable', (w) => draft(w), 'cut'],
]);

/** The cases that templates and revocations share: both submit a blob that the issuer signed. */
const signedBlobRows = (blobOf: (world: ErrorWorld) => JsonObject): Row[] => {
  const spoil = (more: (world: ErrorWorld, body: JsonObject) => JsonObject) => (world: ErrorWorld) => {
    const body = signedBlobBody(world.issuer, blobOf(world));
    return { body: more(world, body) };
  };
  return [
    ['no signature', 400, 'requestMalformed', spoil((_, body) => without(body, 'signBlob'))],
    ['a signature too short', 400, 'signatureMalformed', spoil((_, body) => ({ ...body, signBlob: 'ab' }))],
    ['no blobId', 400, 'requestMalformed', spoil((_, body) => without(body, 'blobId'))],
    ['no key', 400, 'publicKeyMalformed', spoil((_, body) => ({ ...body, publicKey: 'b001' }))],
    ["another's key", 401, 'signerMismatch', spoil((w) => signedBlobBody(w.thief, blobOf(w)))],
    [
      "another's signature",
      401,
      'signerMismatch',
      spoil((w, body) => ({ ...body, signBlob: signBlob(w.thief, blobOf(w).blob) })),
    ],
    [
      'a changed signature',
      401,
      'signerMismatch',
      spoil((_, body) => ({ ...body, signBlob: spoilt(body.signBlob) })),
    ],
    ['an unknown blob', 404, 'blobUnknown', spoil((_, body) => ({ ...body, blobId: unknownBlobId }))],
  ];
};

const templateSubmitCases = casesOf('template submit', [
  ...signedBlobRows(({ templateBlob }) => templateBlob),
  [
    'a wrong API key',
    401,
    'notAuthenticated',
    ({ issuer, templateBlob }) => ({ body: signedBlobBody(issuer, templateBlob), apiKey: wrongKey }),
  ],
  [
    'a used blob',
    404,
    'blobUnknown',
    ({ issuer, usedTemplateBlob }) => ({ body: signedBlobBody(issuer, usedTemplateBlob) }),
  ],
  [
    'a blob of another kind',
    404,
    'blobUnknown',
    ({ issuer, revocationBlob }) => ({ body: signedBlobBody(issuer, revocationBlob) }),
  ],
  [
    'a lapsed blob',
    404,
    'blobUnknown',
    ({ issuer, templateBlob }) => ({ body: signedBlobBody(issuer, templateBlob) }),
    'late',
  ],
  [
    'no ledger',
    500,
    'ledgerFailed',
    ({ issuer, templateBlob }) => ({ body: signedBlobBody(issuer, templateBlob) }),
    'cut',
  ],
]);

const application = ({ thief, templateId }: ErrorWorld, values = fewValues): JsonObject =>
  applyBody(thief, templateId, values);

const applyCases = casesOf('vc apply', [
  [
    'a mandatory attribute left out',
    400,
    'attributesInvalid',
    (w) => ({ body: application(w, { fullName: 'A' }) }),
  ],
  [
    'a value of the wrong type',
    400,
    'attributesInvalid',
    (w) => ({ body: application(w, { ...fewValues, birthDate: 'yesterday' }) }),
  ],
  [
    'an attribute that the template lacks',
    400,
    'attributesInvalid',
    (w) => ({ body: application(w, { ...fewValues, shoeSize: '44' }) }),
  ],
  ['no metadata', 400, 'requestMalformed', (w) => ({ body: without(application(w), 'metadata') })],
  ['no signature', 400, 'requestMalformed', (w) => ({ body: without(application(w), 'signData') })],
  ['no key at all', 401, 'notAuthenticated', (w) => ({ body: without(application(w), 'holderPublicKey') })],
  ['a wrong API key', 401, 'notAuthenticated', (w) => ({ body: application(w), apiKey: wrongKey })],
  [
    "another's signature",
    401,
    'signerMismatch',
    (w) => ({ body: { ...application(w), holderPublicKey: w.holder.publicKey } }),
  ],
  ['an unknown template', 404, 'templateUnknown', (w) => ({ body: applyBody(w.thief, unknownId) })],
  [
    'a pending application',
    409,
    'applicationExists',
    ({ applicants, templateId }) => ({ body: applyBody(applicants.pending, templateId) }),
  ],
  ['a damaged database', 500, 'internalError', (w) => ({ body: application(w) }), 'broken'],
]);

const creation = (world: ErrorWorld, vcId: string, more: JsonObject = {}): Refused => ({
  body: { ...createBody(vcId, world.templateId), ...more },
  apiKey: world.issuer.apiKey,
});

const createCases = casesOf('vc create', [
  ['no end', 400, 'requestMalformed', (w) => creation(w, w.pending, { expiredDate: null })],
  ['an end that is no date', 400, 'validityInvalid', (w) => creation(w, w.pending, { expiredDate: 'never' })],
  [
    'an end in the past',
    400,
    'validityInvalid',
    (w) => creation(w, w.pending, { expiredDate: '2001-01-01' }),
  ],
  ['another template', 400, 'requestMalformed', (w) => creation(w, w.pending, { templateId: unknownId })],
  [
    'a value that does not fit',
    400,
    'attributesInvalid',
    (w) => creation(w, w.pending, { issuanceData: '{"birthDate":"soon"}' }),
  ],
  [
    'another issuer',
    403,
    'issuerMismatch',
    (w) => ({ ...creation(w, w.pending), apiKey: w.otherIssuer.apiKey }),
  ],
  [
    'an issuer without a published key',
    403,
    'keyNotPublished',
    ({ keylessVcId, keyless }) => ({
      body: without(createBody(keylessVcId, ''), 'templateId'),
      apiKey: keyless.apiKey,
    }),
  ],
  ['an unknown application', 404, 'applicationUnknown', (w) => creation(w, unknownId)],
  ['one that is created already', 409, 'stateForbids', (w) => creation(w, w.approved.vcId)],
  ['one that is issued', 409, 'stateForbids', (w) => creation(w, w.issued.vcId)],
  ['one that is rejected', 409, 'stateForbids', (w) => creation(w, w.rejected)],
  ['no ledger', 500, 'ledgerUnreachable', (w) => creation(w, w.pending), 'cut'],
]);

const submission = ({ issuer, approved }: ErrorWorld, more: JsonObject = {}): Refused => ({
  body: { ...submitBody(issuer, approved.vcId, approved.created), ...more },
});

const submitCases = casesOf('vc submit', [
  ['no signature', 400, 'requestMalformed', (w) => submission(w, { ed25519SignData: null })],
  ['a signature too short', 400, 'signatureMalformed', (w) => submission(w, { ed25519SignData: 'ab' })],
  ['no identifier', 400, 'requestMalformed', (w) => submission(w, { vcId: null })],
  [
    'a BBS+ signature over something else',
    400,
    'signatureInvalid',
    (w) => {
      const { vc } = w.issued;
      const [{ proofValue }] = vc.proof as [JsonObject];
      return submission(w, { bbsBlsSignData: proofValue });
    },
  ],
  [
    "another's signature",
    401,
    'signerMismatch',
    (w) =>
      submission(w, {
        ed25519PubKey: w.thief.publicKey,
        ed25519SignData: signBlob(w.thief, w.approved.created.ed25519Blob),
      }),
  ],
  [
    'a BBS+ key that the issuer does not publish',
    401,
    'signerMismatch',
    (w) => submission(w, { bbsBlsPubKey: w.otherIssuer.bbsPublicKey }),
  ],
  ['a wrong API key', 401, 'notAuthenticated', (w) => ({ ...submission(w), apiKey: wrongKey })],
  ['an unknown identifier', 404, 'applicationUnknown', (w) => submission(w, { vcId: unknownId })],
  ['one that is issued', 409, 'stateForbids', (w) => submission(w, { vcId: w.issued.vcId })],
  ['one that is revoked', 409, 'stateForbids', (w) => submission(w, { vcId: w.revoked.vcId })],
  ['no ledger', 500, 'ledgerUnreachable', (w) => submission(w), 'cut'],
]);

const downloadCases = casesOf('vc download', [
  ['no identifier', 400, 'requestMalformed', (w) => ({ body: without(downloadBody(w.holder, 'x'), 'vcId') })],
  ['one that is none', 400, 'requestMalformed', (w) => ({ body: downloadBody(w.holder, 'did:zid:12') })],
  ["another's signature", 401, 'signerMismatch', (w) => ({ body: downloadBody(w.thief, w.issued.vcId) })],
  [
    'a holder who says to be the issuer',
    401,
    'signerMismatch',
    (w) => ({ body: downloadBody(w.holder, w.issued.vcId, true) }),
  ],
  ['an unknown one', 404, 'credentialUnknown', (w) => ({ body: downloadBody(w.holder, unknownId) })],
  [
    'one that is not issued',
    404,
    'credentialUnknown',
    (w) => ({ body: downloadBody(w.applicants.pending, w.pending) }),
  ],
  [
    'a lapsed one',
    410,
    'downloadLapsed',
    (w) => ({ body: downloadBody(w.applicants.lapsing, w.lapsing) }),
    'late',
  ],
  [
    'a damaged database',
    500,
    'internalError',
    (w) => ({ body: downloadBody(w.holder, w.issued.vcId) }),
    'broken',
  ],
]);

const revocation = (world: ErrorWorld, more: JsonObject = {}): Refused => ({
  body: { ...revokeBody(world.issuer, world.issued.vcId), ...more },
});

const revokeBlobCases = casesOf('revoke create-blob', [
  ['no identifier', 400, 'requestMalformed', (w) => revocation(w, { vcId: null })],
  ['one that is none', 400, 'requestMalformed', (w) => revocation(w, { vcId: 'did:zid:12' })],
  ['no address', 400, 'requestMalformed', (w) => revocation(w, { issuerAddress: null })],
  [
    "another's address",
    403,
    'issuerMismatch',
    (w) => revocation(w, { issuerAddress: w.otherIssuer.address }),
  ],
  [
    "another issuer's API key",
    403,
    'issuerMismatch',
    (w) => ({ ...revocation(w), apiKey: w.otherIssuer.apiKey }),
  ],
  ['an unknown one', 404, 'credentialUnknown', (w) => revocation(w, { vcId: unknownId })],
  ['one that is not issued', 404, 'credentialUnknown', (w) => revocation(w, { vcId: w.pending })],
  ['one that is revoked', 409, 'statusForbids', (w) => revocation(w, { vcId: w.revoked.vcId })],
  ['no ledger', 500, 'ledgerUnreachable', (w) => revocation(w), 'cut'],
]);

const revokeSubmitCases = casesOf('revoke submit', [
  ...signedBlobRows(({ revocationBlob }) => revocationBlob),
  [
    'a used blob',
    404,
    'blobUnknown',
    ({ issuer, usedRevocationBlob }) => ({ body: signedBlobBody(issuer, usedRevocationBlob) }),
  ],
  [
    'one that another blob revoked',
    409,
    'statusForbids',
    ({ issuer, lateRevocationBlob }) => ({ body: signedBlobBody(issuer, lateRevocationBlob) }),
  ],
  [
    'no ledger',
    500,
    'ledgerFailed',
    ({ issuer, revocationBlob }) => ({ body: signedBlobBody(issuer, revocationBlob) }),
    'cut',
  ],
]);

const seed = (text: JsonValue) => (world: ErrorWorld) => ({
  body: { seed: text },
  apiKey: world.issuer.apiKey,
});
const goodSeed = '5e'.repeat(32);

const bbsCreateCases = casesOf('bbs create', [
  ['no seed', 400, 'requestMalformed', seed(null)],
  [
    'a word that is none',
    400,
    'seedInvalid',
    seed('abandon ability able about above absent absorb abstract'),
  ],
  ['a wrong checksum', 400, 'seedInvalid', seed(`${'abandon '.repeat(11)}abandon`)],
  ['too few bytes', 400, 'seedInvalid', seed('5e'.repeat(31))],
  ['half a byte', 400, 'seedInvalid', seed(`${goodSeed}5`)],
  ['neither hex nor base64', 400, 'seedInvalid', seed('!'.repeat(64))],
  ['no key', 401, 'notAuthenticated', () => ({ body: { seed: goodSeed } })],
  [
    'a wrong key in the body',
    401,
    'notAuthenticated',
    () => ({ body: { seed: goodSeed, authorization: `Bearer ${wrongKey}` } }),
  ],
  [
    'a key without the scope',
    401,
    'notAllowed',
    (w) => ({ body: { seed: goodSeed }, apiKey: w.holder.apiKey }),
  ],
  ['a damaged database', 500, 'internalError', seed('6f'.repeat(32)), 'broken'],
]);

const signing = ({ issuer }: ErrorWorld, more: JsonObject = {}): Refused => ({
  body: { publicKeyMultibase: issuer.bbsPublicKey, data: ['one', 'two'], ...more },
  apiKey: issuer.apiKey,
});

const bbsSignCases = casesOf('bbs sign', [
  ['no data', 400, 'requestMalformed', (w) => signing(w, { data: null })],
  ['empty data', 400, 'requestMalformed', (w) => signing(w, { data: [] })],
  ['an element that is no text', 400, 'requestMalformed', (w) => signing(w, { data: ['one', 2] })],
  ['no key', 401, 'notAuthenticated', (w) => ({ body: signing(w).body })],
  ['a key without the scope', 401, 'notAllowed', (w) => ({ ...signing(w), apiKey: w.verifier.apiKey })],
  ['a damaged database', 500, 'internalError', (w) => signing(w), 'broken'],
]);

const derivation = ({ issued }: ErrorWorld, more: JsonObject = {}): Refused => ({
  body: { vc: issued.vc, revealAttributes: ['fullName'], ...more },
});
const range = (bounds: JsonObject): JsonObject => ({ rangeProof: [{ attribute: 'birthDate', ...bounds }] });
const replaced = (document: JsonObject, from: string, to: string): JsonObject =>
  JSON.parse(JSON.stringify(document).replaceAll(from, to)) as JsonObject;

const presentCases = casesOf('vp create', [
  ['no credential', 400, 'requestMalformed', (w) => derivation(w, { vc: null })],
  ['no proof', 400, 'credentialMalformed', (w) => derivation(w, { vc: without(w.issued.vc, 'proof') })],
  [
    'an attribute it lacks',
    400,
    'attributeUnknown',
    (w) => derivation(w, { revealAttributes: ['shoeSize'] }),
  ],
  [
    'a minimum above the maximum',
    400,
    'rangeInvalid',
    (w) => derivation(w, range({ min: '2000-01-02', max: '2000-01-01' })),
  ],
  ['a range that it is not in', 400, 'rangeInvalid', (w) => derivation(w, range({ min: '2000-01-01' }))],
  ["another's API key", 401, 'notAllowed', (w) => ({ ...derivation(w), apiKey: w.otherIssuer.apiKey })],
  [
    'one that the ledger lacks',
    404,
    'credentialUnknown',
    (w) => derivation(w, { vc: replaced(w.issued.vc, w.issued.vcId, unknownId) }),
  ],
  [
    'a changed value',
    500,
    'credentialProofInvalid',
    (w) => derivation(w, { vc: replaced(w.issued.vc, 'Aroha', 'Arohe') }),
  ],
]);

const holderSigned = ({ holder, presentationBlob }: ErrorWorld, more: JsonObject = {}): Refused => ({
  body: { ...presentSubmitBody(holder, presentationBlob), ...more },
});

const presentSubmitCases = casesOf('vp submit', [
  ['no blobId', 400, 'requestMalformed', (w) => holderSigned(w, { blobId: null })],
  ['no signature', 400, 'requestMalformed', (w) => holderSigned(w, { ed25519SignData: null })],
  ['a signature too short', 400, 'signatureMalformed', (w) => holderSigned(w, { ed25519SignData: '00' })],
  ['a key that is none', 400, 'publicKeyMalformed', (w) => holderSigned(w, { ed25519PubKey: 'key' })],
  [
    "another's signature",
    401,
    'signerMismatch',
    ({ thief, presentationBlob }) => ({ body: presentSubmitBody(thief, presentationBlob) }),
  ],
  ['an unknown blob', 404, 'blobUnknown', (w) => holderSigned(w, { blobId: unknownBlobId })],
  [
    'a used blob',
    404,
    'blobUnknown',
    ({ holder, usedPresentationBlob }) => ({ body: presentSubmitBody(holder, usedPresentationBlob) }),
  ],
  ['a lapsed blob', 404, 'blobUnknown', (w) => holderSigned(w), 'late'],
  ['a damaged database', 500, 'internalError', (w) => holderSigned(w), 'broken'],
]);

const verifyCases = casesOf('vp verify', [
  ['no presentation', 400, 'requestMalformed', () => ({ body: {} })],
  ['a presentation that is none', 400, 'presentationMalformed', () => ({ body: { vp: { type: 'x' } } })],
  [
    'one without its proof',
    400,
    'presentationMalformed',
    ({ presentation }) => ({ body: { vp: without(presentation, 'proof') } }),
  ],
  ['no ledger', 500, 'ledgerUnreachable', ({ presentation }) => ({ body: { vp: presentation } }), 'cut'],
]);

export const refusedCases: readonly RefusedCase[] = [
  ...templateBlobCases,
  ...templateSubmitCases,
  ...applyCases,
  ...createCases,
  ...submitCases,
  ...downloadCases,
  ...revokeBlobCases,
  ...revokeSubmitCases,
  ...bbsCreateCases,
  ...bbsSignCases,
  ...presentCases,
  ...presentSubmitCases,
  ...verifyCases,
];
