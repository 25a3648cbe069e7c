/**
 * Requests that must be refused, by the row of the interface's table of status codes that says so. Each can be sent
 * again, plain and sealed: being refused changes nothing.
 */
import type { JsonObject } from '@symbolon/wire/json/json';
import {
  casesOf,
  type Refused,
  type RefusedCase,
  type Row,
  spoilt,
  unknownBlobId,
  unknownId,
  without,
  wrongKey,
} from './service-error-case.ts';
import { bbsAndPresentationCases } from './service-error-cases-bbs.ts';
import { cardName, type ErrorWorld } from './service-error-world.ts';
import {
  applyBody,
  createBody,
  downloadBody,
  fewAttributes,
  fewValues,
  revokeBody,
  signBlob,
  signedBlobBody,
  submitBody,
  templateBody,
} from './service-steps.ts';

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
    'ledgerUnconfirmed',
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
  ['one that is issued', 409, 'stateForbids', (w) => creation(w, w.issued.vcId)],
  ['one that is revoked', 409, 'stateForbids', (w) => creation(w, w.revoked.vcId)],
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
    'ledgerUnconfirmed',
    ({ issuer, revocationBlob }) => ({ body: signedBlobBody(issuer, revocationBlob) }),
    'cut',
  ],
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
  ...bbsAndPresentationCases,
];
