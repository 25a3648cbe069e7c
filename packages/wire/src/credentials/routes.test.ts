import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeBase58, encodeBase64Url } from '@symbolon/core/basics/bytes';
import { Fault, faults } from '@symbolon/core/faults/faults';
import {
  type ArrivedRequest,
  faultsOf,
  readServiceRequest,
  type ServiceRoute,
} from '../http/service-route.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { credentialRoutes } from './routes.ts';

type Name = keyof typeof credentialRoutes;
const rows = Object.entries(credentialRoutes) as [Name, ServiceRoute][];

const vcId = `did:zid:${'ab'.repeat(32)}`;
const did = `did:zid:${'01'.repeat(32)}`;
const signature = 'Ff'.repeat(64);
const publicKey = '0a'.repeat(32);
const longKey = `B001${'0a'.repeat(32)}01020304`;
const bbsKey = `z${encodeBase58(new Uint8Array(96).fill(7))}`;
const bbsSignature = `u${encodeBase64Url(new Uint8Array(80).fill(9))}`;

const attribute = { attribute: 'Full name', format: 'string', key: 'fullName', mandatory: true, type: 1 };
const template = { templateName: 'Course', issuerDid: did, credentialFormat: [attribute], version: '1.0.0' };
const signedBlob = { blobId: 'AB12', signBlob: signature, publicKey };
const application = {
  templateId: vcId,
  metadata: [{ key: 'fullName', value: 'Ada' }],
  signData: signature,
  holderPublicKey: publicKey,
};
const creation = {
  vcId,
  issuanceData: '{"grade":"A"}',
  expiredDate: '2030-12-31',
  templateId: vcId,
  metadata: 'x',
};
const submission = {
  vcId,
  ed25519PubKey: longKey,
  ed25519SignData: signature,
  bbsBlsPubKey: bbsKey,
  bbsBlsSignData: bbsSignature,
  keyExpiry: '2030-01-01T00:00:00.000Z',
};
const change = { vcId, remark: 'lost', issuerAddress: 'ZTX3address' };
const vc = { id: vcId };

/** A good request of every row. */
const good: Record<Name, ArrivedRequest> = {
  createTemplateBlob: { body: template },
  createTemplate: { body: { ...template, issuerPrivateKey: 'priv' } },
  submitTemplate: { body: signedBlob },
  listTemplates: { query: { q: 'course', limit: '10', cursor: 'x' } },
  getTemplate: { params: { templateId: vcId }, query: { version: '1.0.0' } },
  getTemplateSchema: { params: { templateId: vcId } },
  getTemplateHistory: { params: { templateId: vcId } },
  applyForCredential: { body: application },
  createCredential: { body: creation },
  submitCredential: { body: submission },
  downloadCredential: { body: { vcId, signVcId: signature, isIssuer: true } },
  listApplications: { query: { status: 'Pending', templateId: vcId } },
  getApplication: { params: { vcId } },
  showApplication: { body: { vcId } },
  rejectApplication: { body: { vcId, reason: 'unreadable' } },
  createRevocationBlob: { body: change },
  createBulkRevocationBlob: { body: { vcIds: [vcId], issuerAddress: 'ZTX3address' } },
  submitRevocation: { body: signedBlob },
  createSuspensionBlob: { body: change },
  submitSuspension: { body: signedBlob },
  createReinstatementBlob: { body: change },
  submitReinstatement: { body: signedBlob },
  getCredentialStatus: { query: { vcId, issuer: did } },
  getRevocationStatus: { body: { vcId, issuer: 'ZTX3address' } },
  createBbsKey: { body: { authorization: 'Bearer x', seed: 'abandon ability' } },
  signWithBbs: { body: { publicKeyMultibase: bbsKey, data: ['one', ''] } },
  createPresentation: {
    body: { vc, revealAttributes: ['fullName'], rangeProof: { attribute: 'score', min: 1 } },
  },
  submitPresentation: { body: { blobId: 'ab', ed25519SignData: signature, ed25519PubKey: publicKey } },
  verifyPresentation: { body: { vp: { type: [] }, challenge: 'c' } },
  resolveDid: { params: { did }, query: { versionTime: '2030-01-01T00:00:00Z' } },
  getSealKeys: {},
  listAuditEntries: { query: { action: 'issue' } },
  getAuditHead: {},
  getAuditProof: { params: { sequence: '7' }, query: { after: '9' } },
};

/** Members of each body without which, or with rubbish in which, a request is refused. */
const needed: Partial<Record<Name, readonly string[]>> = {
  createTemplateBlob: ['templateName', 'issuerDid', 'credentialFormat', 'version'],
  createTemplate: ['templateName', 'issuerDid', 'credentialFormat', 'version', 'issuerPrivateKey'],
  submitTemplate: ['blobId', 'signBlob', 'publicKey'],
  applyForCredential: ['templateId', 'metadata', 'signData'],
  createCredential: ['vcId', 'expiredDate'],
  submitCredential: ['vcId', 'ed25519PubKey', 'ed25519SignData', 'bbsBlsPubKey', 'bbsBlsSignData'],
  downloadCredential: ['vcId', 'signVcId'],
  rejectApplication: ['vcId', 'reason'],
  createRevocationBlob: ['vcId', 'issuerAddress'],
  createBulkRevocationBlob: ['vcIds', 'issuerAddress'],
  submitRevocation: ['blobId', 'signBlob', 'publicKey'],
  createSuspensionBlob: ['vcId', 'issuerAddress'],
  submitSuspension: ['blobId', 'signBlob', 'publicKey'],
  createReinstatementBlob: ['vcId', 'issuerAddress'],
  submitReinstatement: ['blobId', 'signBlob', 'publicKey'],
  getRevocationStatus: ['vcId'],
  createBbsKey: ['seed'],
  signWithBbs: ['publicKeyMultibase', 'data'],
  createPresentation: ['vc'],
  submitPresentation: ['blobId', 'ed25519SignData', 'ed25519PubKey'],
  verifyPresentation: ['vp'],
};

const rubbish: readonly JsonValue[] = [
  null,
  '',
  7,
  true,
  [],
  {},
  [null],
  'x'.repeat(5_000_000),
  { __proto__: null },
];

const isRefused = (route: ServiceRoute) => (error: unknown) =>
  error instanceof Fault && error.status === 400 && faultsOf(route).includes(error.code);

describe('the routes of the credential service', () => {
  it('are those of the interface document, each once', () => {
    const paths = rows.flatMap(([, route]) => [
      `${route.method} ${route.path}`,
      ...(route.aliases ?? []).map((path) => `${route.method} ${path}`),
      ...(route.sealedPath ? [`${route.method} ${route.sealedPath}`] : []),
    ]);
    assert.equal(new Set(paths).size, paths.length);
    const required = [
      '/cred/tds/template/blob/create',
      '/cred/tds/template/create',
      '/cred/tds/template/submit',
      ...['apply', 'create', 'submit', 'download'].flatMap((step) => [
        `/cred/v1/vc/${step}`,
        `/cred/v1/vc/enc/${step}`,
      ]),
      '/cred/v1/vc/revoke/create-blob',
      '/cred/v1/vc/revoke/create',
      '/cred/v1/vc/revoke/submit',
      '/cred/bbs/create',
      '/cred/bbs/vc/sign',
      ...['create', 'submit', 'verify'].flatMap((step) => [`/cred/v1/vp/${step}`, `/cred/v1/vp/enc/${step}`]),
    ];
    for (const path of required) assert.ok(paths.includes(`POST ${path}`), path);
  });

  it('name a scope where a key is needed, and only known faults', () => {
    for (const [name, route] of rows) {
      assert.equal(route.access === 'key', route.scope !== undefined, name);
      if (route.access === 'key') assert.ok(faultsOf(route).includes('notAuthenticated'), name);
      for (const code of faultsOf(route)) assert.ok(Object.hasOwn(faults, code), code);
      assert.equal(new Set(faultsOf(route)).size, faultsOf(route).length, name);
      for (const segment of route.path.match(/:[A-Za-z]+/g) ?? []) {
        assert.ok(route.params && segment.slice(1) in route.params.shape, name);
      }
    }
  });

  it('answer with every status of the error table', () => {
    const table: Partial<Record<Name, readonly number[]>> = {
      createTemplateBlob: [400, 401, 409, 500],
      submitTemplate: [400, 401, 404, 500],
      applyForCredential: [400, 401, 404, 409],
      createCredential: [400, 403, 404, 409, 500],
      submitCredential: [400, 401, 404, 409, 500],
      downloadCredential: [400, 401, 404, 410],
      createRevocationBlob: [400, 403, 404, 409, 500],
      submitRevocation: [400, 401, 404, 409, 500],
      createBbsKey: [400, 401],
      signWithBbs: [400, 401, 500],
      createPresentation: [400, 401, 404, 500],
      submitPresentation: [400, 401, 404],
      verifyPresentation: [400, 500],
    };
    for (const [name, statuses] of Object.entries(table)) {
      const possible = faultsOf(credentialRoutes[name as Name]).map((code) => faults[code][0]);
      for (const status of statuses) assert.ok(possible.includes(status as never), `${name} ${status}`);
    }
  });

  for (const [name, route] of rows) {
    it(`${name} reads a good request`, () => {
      assert.equal(typeof readServiceRequest(route, good[name]), 'object');
    });

    if (!route.body) continue;
    it(`${name} refuses bad bodies with words`, () => {
      for (const body of [undefined, null, 'text', 7, [], {}, [good[name].body as JsonObject]]) {
        assert.throws(() => readServiceRequest(route, { body }), isRefused(route));
      }
      for (const member of needed[name] ?? []) {
        const { [member]: _, ...rest } = good[name].body as JsonObject;
        assert.throws(
          () => readServiceRequest(route, { body: rest }),
          (error: Fault) => error.status === 400 && error.errors[0].pointer === `/${member}`,
          member,
        );
        for (const value of rubbish) {
          const isDocument = ['vc', 'vp', 'metadata'].includes(member) && typeof value === 'object' && value;
          if (isDocument || (member === 'expiredDate' && value === 7)) continue;
          const body = { ...rest, [member]: value };
          assert.throws(
            () => readServiceRequest(route, { body }),
            isRefused(route),
            `${member} ${typeof value}`,
          );
        }
      }
    });
  }

  it('refuse bad paths and queries with words', () => {
    const bad: [Name, ArrivedRequest][] = [
      ['listTemplates', { query: { limit: '0' } }],
      ['listTemplates', { query: { limit: '201' } }],
      ['listTemplates', { query: { limit: '1e2' } }],
      ['listTemplates', { query: { issuer: 'not a did' } }],
      ['listTemplates', { query: { cursor: 'x'.repeat(513) } }],
      ['listApplications', { query: { status: 'pending' } }],
      ['getTemplate', { params: { templateId: '' } }],
      ['getApplication', {}],
      ['getCredentialStatus', { query: {} }],
      ['getCredentialStatus', { query: { vcId: 'did:zid:1' } }],
      ['resolveDid', { params: { did: 'd'.repeat(2000) } }],
      ['listAuditEntries', { query: { limit: '-1' } }],
    ];
    for (const [name, request] of bad) {
      const isMalformed = (error: Fault) => error.code === 'requestMalformed' && error.errors.length > 0;
      assert.throws(() => readServiceRequest(credentialRoutes[name], request), isMalformed, name);
    }
  });

  it('name no more than twenty complaints', () => {
    const credentialFormat = Array.from({ length: 60 }, () => ({}));
    assert.throws(
      () =>
        readServiceRequest(credentialRoutes.createTemplateBlob, { body: { ...template, credentialFormat } }),
      (error: Fault) =>
        error.errors.length === 20 && error.errors[0].pointer === '/credentialFormat/0/attribute',
    );
  });
});
