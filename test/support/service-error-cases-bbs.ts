/** Cases of the table of status codes about BBS+ keys and presentations. */
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import { casesOf, type Refused, unknownBlobId, unknownId, without, wrongKey } from './service-error-case.ts';
import type { ErrorWorld } from './service-error-world.ts';
import { presentSubmitBody } from './service-steps.ts';

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

export const bbsAndPresentationCases = [
  ...bbsCreateCases,
  ...bbsSignCases,
  ...presentCases,
  ...presentSubmitCases,
  ...verifyCases,
];
