/** Requests and acts as pages show them, for the tests that look over all samples. */
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { allRoutes } from '@symbolon/wire/openapi/all-routes';
import { type ActName, actRows } from '../acts.ts';
import type { CodeRequest, NodeRouteName, ServiceRouteName } from '../code-request.ts';

const did = `did:zid:${'0f'.repeat(32)}`;
const templateId = did;
const vcId = did;
const address = 'ZTX3Ta7d4GyAXD41H2kFCTd2eXhDesM83rvC3';
const attributes = { name: "Mira O'Brien", birthDate: '2001-05-14', points: 250, isMember: true };
const credentialFormat = [
  { attribute: 'Name', key: 'name', format: 'string', mandatory: true },
  { attribute: 'Date of birth', key: 'birthDate', format: 'date', mandatory: false },
];

/** Every act, with what a page says of it. */
export const actExamples: Readonly<Record<ActName, CodeRequest>> = {
  apply: { act: 'apply', given: { templateId, attributes } },
  buy: { act: 'buy', given: { templateId, attributes, asset: 'ZTX', amount: '2500000' } },
  listOwn: { act: 'listOwn' },
  download: { act: 'download', given: { vcId, isIssuer: true } },
  accept: { act: 'accept' },
  answer: {
    act: 'answer',
    given: {
      id: 'p_1',
      parts: [
        { revealAttributes: ['name'], rangeProof: [{ attribute: 'points', min: 100 }] },
        { revealAttributes: [], rangeProof: [{ attribute: 'birthDate', max: '2008-01-01' }] },
      ],
    },
  },
  issue: {
    act: 'issue',
    given: { vcId, templateId, issuanceData: attributes, expiredDate: '2099-12-31' },
  },
  issueMany: { act: 'issueMany', given: { templateId, expiredDate: '2099-12-31' } },
  suspend: { act: 'suspend', given: { vcId, issuerAddress: address, remark: 'fee not paid' } },
  reinstate: { act: 'reinstate', given: { vcId, issuerAddress: address } },
  revoke: { act: 'revoke', given: { vcId, issuerAddress: address, remark: 'left the club' } },
  register: {
    act: 'register',
    given: { templateName: 'Library card', version: '1.0.0', credentialFormat, issuerDid: did },
  },
  publishKey: { act: 'publishKey' },
  send: { act: 'send', given: { blob: '0a25'.repeat(20) } },
};

/** What pages ask for, of every command at least once. */
export const routeExamples: readonly CodeRequest[] = [
  { server: 'service', route: 'listTemplates', given: { limit: 100, q: 'card', issuer: did } },
  { server: 'service', route: 'getTemplate', given: { templateId, version: '1.0.0' } },
  { server: 'service', route: 'listApplications', given: { status: 'Pending', templateId, limit: '50' } },
  { server: 'service', route: 'rejectApplication', given: { vcId, reason: 'Not yours' } },
  { server: 'service', route: 'getCredentialStatus', given: { vcId, issuer: did } },
  { server: 'service', route: 'listAuditEntries', given: { limit: '5' } },
  {
    server: 'service',
    route: 'makeOffer',
    given: {
      templateId,
      metadata: Object.entries(attributes).map(([key, value]) => ({ key, value })),
      reference: 'mira@example.org',
      expiresInSeconds: 604_800,
      txCode: true,
    },
  },
  {
    server: 'service',
    route: 'requestVerification',
    given: {
      requirements: {
        credentials: [
          {
            id: templateId,
            format: 'ldp_vc',
            claims: [
              { path: ['credentialSubject', 'name'] },
              { path: ['credentialSubject', 'points'], constraints: { minimum: 100 } },
            ],
          },
        ],
      },
      expirationMinutes: 10,
      purpose: 'To open an account',
      trustedIssuers: [did],
    },
  },
  {
    server: 'service',
    route: 'requestVerification',
    given: {
      requirements: {
        credentials: [{ id: templateId, format: 'ldp_vc', claims: [] }],
        trusted_issuers: [did],
      },
      expirationMinutes: 10,
    },
  },
  { server: 'service', route: 'setPrice', given: { templateId, amount: '2500000' } },
  {
    server: 'service',
    route: 'setAutoIssue',
    given: { templateId, perDayMax: 100, until: '2027-12-31T23:59:59Z' },
  },
  { server: 'service', route: 'setTrustedIssuer', given: { list: 'universities', did, name: 'Aster' } },
  { server: 'service', route: 'makeApiKey', given: { label: 'nightly', scopes: ['issue'] } },
  { server: 'service', route: 'verifyPresentation', given: { vp: { type: ['VerifiablePresentation'] } } },
  { server: 'ledger', route: 'getLedger', given: { seq: 7, with_validator: true } },
  { server: 'ledger', route: 'getAccountBase', given: { address } },
  { server: 'ledger', route: 'getTransactionHistory', given: { hash: 'ab'.repeat(32) } },
  { server: 'ledger', route: 'getTransactionFromBlob', given: { blob: '0a25'.repeat(20) } },
  { server: 'ledger', route: 'callContract', given: { contract_address: address, opt_type: 2, input: '' } },
];

/** Every route and every act of which nobody said anything. */
export const bareExamples: readonly CodeRequest[] = [
  ...Object.keys(allRoutes).map(
    (route) => ({ server: 'service', route: route as ServiceRouteName }) as const,
  ),
  ...Object.keys(ledgerRoutes).map((route) => ({ server: 'ledger', route: route as NodeRouteName }) as const),
  ...Object.keys(actRows).map((act) => ({ act: act as ActName }) as const),
];

export const allExamples: readonly CodeRequest[] = [
  ...Object.values(actExamples),
  ...routeExamples,
  ...bareExamples,
];
