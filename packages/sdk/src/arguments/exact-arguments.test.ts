/**
 * Every function of the SDK that takes an order, options, pins or expectations, with one member misspelt: each refuses
 * it by name, with the name that was meant, before anything is sent or signed.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import type { JsonObject } from '@symbolon/wire/json/json';
import * as sdk from '../index.ts';

const signer: sdk.Signer = {
  ...(await sdk.signerFromSeed(new Uint8Array(32).fill(3))),
  sign: () => assert.fail('nothing is signed'),
};
const service = sdk.createCredentialClient(() => assert.fail('nothing is sent'), {
  audience: 'https://a.example',
});
const verifier = sdk.createVerifierClient(() => assert.fail('nothing is sent'));
const ledger = sdk.createLedgerClient(() => assert.fail('nothing is sent'));
const did = sdk.didOfSigner(signer);
const url = 'http://127.0.0.1:1';
const registry = signer.address;
const hash = 'ab'.repeat(32);

const template = { signer, templateName: 'Degree', version: '1.0.0', credentialFormat: [] };
const issuance = {
  signer,
  bbsKey: { publicKeyMultibase: 'z' },
  vcId: did,
  holder: did,
  templateId: did,
  templateVersion: '1.0.0',
  attributes: {},
  expiredDate: '2030-01-01T00:00:00Z',
};
const change = { signer, vcId: did };
const payment = { source: registry, operations: [{ payCoin: { destAddress: registry, amount: 1n } }] };
const payer = { client: ledger, signer, amountsMax: {} };
const demand = {
  scheme: 'exact',
  network: 'x',
  asset: 'x',
  payTo: registry,
  amount: '1',
} as sdk.PaymentDemand;
const purchase = { signer, templateId: did, attributes: {}, payer: { client: ledger, amountsMax: {} } };
const bought = { vcId: did, holder: did, templateId: did, attributes: {} };
const offer = { service: 'https://a.example', templateIds: [did], code: 'c' };
const result = { text: '{}', timestamp: '1', signature: 'x' };
const expected = { keys: { keys: [] }, presentationId: 'p', request: {} };

// biome-ignore lint/suspicious/noExplicitAny: what JavaScript lets through.
type Any = any;
type Call = (more: Any) => unknown;

/** The call, a member that is misspelt, and the one that is meant. */
const orders: Readonly<Record<string, readonly [Call, string, string]>> = {
  registerTemplate: [(it) => sdk.registerTemplate(service, { ...template, ...it }), 'pin', 'pins'],
  issueCredential: [(it) => sdk.issueCredential(service, { ...issuance, ...it }), 'pinns', 'pins'],
  revokeCredential: [(it) => sdk.revokeCredential(service, { ...change, ...it }), 'registri', 'registry'],
  suspendCredential: [(it) => sdk.suspendCredential(service, { ...change, ...it }), 'remarks', 'remark'],
  reinstateCredential: [(it) => sdk.reinstateCredential(service, { ...change, ...it }), 'ledgr', 'ledger'],
  fetchTemplate: [
    (it) => sdk.fetchTemplate(service, { templateId: did, templateVersion: '1.0.0', ...it }),
    'pin',
    'pins',
  ],
  readApplication: [(it) => sdk.readApplication(service, { vcId: did, ...it }), 'vcID', 'vcId'],
  applyForCredential: [
    (it) => sdk.applyForCredential(service, { signer, templateId: did, attributes: {}, ...it }),
    'attribute',
    'attributes',
  ],
  previewOffer: [(it) => sdk.previewOffer(service, { offer, ...it }), 'txcode', 'txCode'],
  acceptOffer: [(it) => sdk.acceptOffer(service, { offer, signer, ...it }), 'previews', 'preview'],
  offerLink: [async (it) => sdk.offerLink({ ...offer, ...it }), 'templateId', 'templateIds'],
  downloadCredential: [
    (it) => sdk.downloadCredential(service, { signer, vcId: did, ledger, ...it }),
    'isIsuer',
    'isIssuer',
  ],
  downloadUnverified: [
    (it) => sdk.downloadUnverified(service, { signer, vcId: did, ...it }),
    'isIsuer',
    'isIssuer',
  ],
  presentCredential: [(it) => sdk.presentCredential(service, { signer, vc: {}, ...it }), 'domian', 'domain'],
  derivePresentation: [
    (it) => sdk.derivePresentation({ signer, vc: {}, issuerKeys: [], now: 0, ...it }),
    'challange',
    'challenge',
  ],
  buyCredential: [(it) => sdk.buyCredential(service, { ...purchase, ...it }), 'expiration', 'expirationDate'],
  'buyCredential, payer': [
    (it) => sdk.buyCredential(service, { ...purchase, payer: { ...purchase.payer, ...it } }),
    'amountMax',
    'amountsMax',
  ],
  signPayment: [(it) => sdk.signPayment(demand, { ...payer, ...it }), 'feeLimitMaximum', 'feeLimitMax'],
  createExactScheme: [(it) => sdk.createExactScheme({ ...payer, ...it }), 'chainID', 'chainId'],
  assertBought: [(it) => sdk.assertBought({}, { ...bought, ...it }), 'pin', 'pins'],
  buildTransaction: [(it) => sdk.buildTransaction(ledger, { ...payment, ...it }), 'maxFee', 'feeLimitMax'],
  sendTransaction: [
    (it) => sdk.sendTransaction(ledger, { signers: [signer], operations: payment.operations, ...it }),
    'chainID',
    'chainId',
  ],
  'an operation': [
    (it) => sdk.buildTransaction(ledger, { ...payment, operations: [{ ...payment.operations[0], ...it }] }),
    'payCoins',
    'payCoin',
  ],
  'the body of an operation': [
    (it) => sdk.buildTransaction(ledger, { ...payment, operations: [{ payCoin: { amount: 1n, ...it } }] }),
    'destAdress',
    'destAddress',
  ],
  publishKey: [
    (it) => sdk.publishKey(ledger, { signer, type: 'bbs', publicKeyMultibase: 'z', ...it }),
    'publicKey',
    'publicKeyMultibase',
  ],
  rotateKey: [
    (it) => sdk.rotateKey(ledger, { signer, number: 1, type: 'bbs', publicKeyMultibase: 'z', ...it }),
    'endedMultibases',
    'endedMultibase',
  ],
  endKey: [(it) => sdk.endKey(ledger, { signer, number: 1, ...it }), 'compromisedSinc', 'compromisedSince'],
  publishService: [
    (it) => sdk.publishService(ledger, { signer, id: 's', type: 't', serviceEndpoint: url, ...it }),
    'serviceEndpoints',
    'serviceEndpoint',
  ],
  endService: [(it) => sdk.endService(ledger, { signer, id: 's', ...it }), 'ids', 'id'],
  publishName: [(it) => sdk.publishName(ledger, { signer, name: 'n', ...it }), 'names', 'name'],
  endName: [(it) => sdk.endName(ledger, { signer, ...it }), 'signers', 'signer'],
  deactivateDid: [(it) => sdk.deactivateDid(ledger, { signer, ...it }), 'signers', 'signer'],
  buildDidTransaction: [
    (it) => sdk.buildDidTransaction(ledger, { did, changes: [], ...it }),
    'sorce',
    'source',
  ],
  verifyCredential: [(it) => sdk.verifyCredential({}, { ledger, ...it }), 'isuer', 'issuer'],
  requireCredential: [(it) => sdk.requireCredential({}, { ledger, ...it }), 'holders', 'holder'],
  openSignedResult: [
    (it) => sdk.openSignedResult(result, { ...expected, ...it }),
    'presentationID',
    'presentationId',
  ],
  verifyStateProof: [
    (it) => sdk.verifyStateProof({} as Any, { trustedRoot: hash, stateKey: 'x', ...it }),
    'trustedRoots',
    'trustedRoot',
  ],
  fetchOfflineFacts: [
    (it) => sdk.fetchOfflineFacts(verifier, { issuer: did, vcIds: [], ...it }),
    'vcids',
    'vcIds',
  ],
  ledgerFactsSource: [
    (it) => sdk.ledgerFactsSource({ ledger, pins: { credentialRegistry: registry }, ...it }),
    'profil',
    'profile',
  ],
  signerFromCustody: [
    (it) => sdk.signerFromCustody(service, { publicKey: signer.publicKey, password: 'p', ...it }),
    'pasword',
    'password',
  ],
};

/** The same for what stands after the order. */
const options: typeof orders = {
  createCredentialClient: [(it) => sdk.createCredentialClient(url, it), 'seal', 'sealed'],
  'createCredentialClient, sealed': [
    (sealed) => sdk.createCredentialClient(url, { sealed }),
    'alowUnsealed',
    'allowUnsealed',
  ],
  createVerifierClient: [(it) => sdk.createVerifierClient(url, it), 'apikey', 'apiKey'],
  httpTransport: [(it) => sdk.httpTransport(url, it), 'timeout', 'timeoutMs'],
  httpServiceTransport: [(it) => sdk.httpServiceTransport(url, it), 'timeoutMS', 'timeoutMs'],
  sealedTransport: [(it) => sdk.sealedTransport(() => assert.fail('nothing is sent'), it), 'key', 'keys'],
  'a call of the service': [
    (it) => service.getApplication({ vcId: did }, it),
    'idempotencyKeys',
    'idempotencyKey',
  ],
  registerTemplate: [(it) => sdk.registerTemplate(service, template as Any, it), 'signals', 'signal'],
  issueCredential: [(it) => sdk.issueCredential(service, issuance, it), 'header', 'headers'],
  revokeCredential: [(it) => sdk.revokeCredential(service, change, it), 'onHeader', 'onHeaders'],
  waitForReceipt: [(it) => sdk.waitForReceipt(ledger, hash, it), 'timeout', 'timeoutMs'],
  sendTransaction: [
    (it) => sdk.sendTransaction(ledger, { signers: [signer], operations: payment.operations }, it),
    'pollInterval',
    'pollIntervalMs',
  ],
  endName: [(it) => sdk.endName(ledger, { signer }, it), 'feeLimitMaxx', 'feeLimitMax'],
  buildDidTransaction: [
    (it) => sdk.buildDidTransaction(ledger, { did, changes: [] }, it),
    'gasPriceMaximum',
    'gasPriceMax',
  ],
  watchLedger: [(it) => sdk.watchLedger('ws://127.0.0.1:1', it).next(), 'address', 'addresses'],
  signerFromSeed: [(it) => sdk.signerFromSeed(new Uint8Array(32), it), 'profiles', 'profile'],
  provenTransactions: [(it) => sdk.provenTransactions(ledger, 1n, it), 'validator', 'validators'],
};

const refused = async (call: () => unknown): Promise<string> => {
  try {
    await call();
  } catch (error) {
    const isRefusal =
      (error instanceof sdk.SdkError && error.code === 'invalidArgument') ||
      (error instanceof Fault && error.code === 'requestMalformed');
    assert.ok(isRefusal, String(error));
    return error instanceof Fault ? JSON.stringify(error.errors) : error.message;
  }
  return assert.fail('nothing was refused');
};

for (const [kind, table] of Object.entries({ orders, options }))
  describe(`a member of ${kind} that is misspelt is refused`, () => {
    for (const [name, [call, wrong, meant]] of Object.entries(table))
      test(name, async () => {
        const message = await refused(() => call({ [wrong]: undefined }));
        for (const word of [wrong, meant])
          assert.ok(message.replaceAll('\\', '').includes(`"${word}"`), message);
      });
  });

/** Every function that takes pins. */
const pinned: Readonly<Record<string, Call>> = {
  registerTemplate: (pins) => sdk.registerTemplate(service, { ...template, pins } as Any),
  issueCredential: (pins) => sdk.issueCredential(service, { ...issuance, pins }),
  revokeCredential: (pins) => sdk.revokeCredential(service, { ...change, pins }),
  fetchTemplate: (pins) => sdk.fetchTemplate(service, { templateId: did, templateVersion: '1.0.0', pins }),
  buyCredential: (pins) => sdk.buyCredential(service, { ...purchase, pins }),
  assertBought: (pins) => sdk.assertBought({}, { ...bought, pins }),
  downloadCredential: (pins) => sdk.downloadCredential(service, { signer, vcId: did, ledger, pins }),
  verifyCredential: (pins) => sdk.verifyCredential({}, { ledger, pins }),
  ledgerFactsSource: (pins) => sdk.ledgerFactsSource({ ledger, pins }),
};
const goodPins = { chainId: 0n, credentialRegistry: registry, templateRegistry: registry };

describe('pins that are misspelt or unreadable are refused', () => {
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ credentialRegistri: registry }, /"credentialRegistri".*"credentialRegistry"/],
    [{ templateRegistri: registry }, /"templateRegistri".*"templateRegistry"/],
    [{ feeLimitMax: 'abc' }, /feeLimitMax/],
    [{ feeLimitMax: Number.NaN }, /feeLimitMax/],
    [{ gasPriceMax: 5 }, /gasPriceMax/],
    [{ gasPriceMax: -1n }, /gasPriceMax/],
    [{ chainId: '0' }, /chainId/],
    [{ chainId: null }, /chainId/],
    [{ validators: registry }, /validators/],
    [{ validators: [1] }, /validators/],
    [{ credentialRegistry: '' }, /credentialRegistry/],
    [{ templateRegistry: null }, /templateRegistry/],
  ];
  for (const [name, call] of Object.entries(pinned))
    test(name, async () => {
      for (const [pins, words] of wrong)
        assert.match(await refused(() => call({ ...goodPins, ...pins })), words);
      for (const pins of [null, 'pins', [registry]]) assert.match(await refused(() => call(pins)), /pins/);
    });

  test('and so are caps of orders and options', async () => {
    const caps = [{ feeLimitMax: 'abc' }, { gasPriceMax: Number.NaN }, { chainId: 9 }];
    for (const cap of caps)
      for (const call of [
        () => sdk.buildTransaction(ledger, { ...payment, ...(cap as object) }),
        () => sdk.signPayment(demand, { ...payer, ...(cap as object) }),
        () => sdk.endName(ledger, { signer }, cap as object),
      ])
        assert.match(await refused(call), new RegExp(Object.keys(cap)[0] ?? ''));
  });
});

test('what is said right is not refused for its form', async () => {
  const pins = { ...goodPins, validators: [registry], feeLimitMax: 1n, gasPriceMax: 0n };
  const verdict = await sdk.verifyCredential({} as JsonObject, { ledger, pins });
  assert.equal(verdict.problem?.name, 'malformed');
  assert.ok(sdk.createCredentialClient(url, { sealed: { allowUnsealed: true }, apiKey: 'k', timeoutMs: 1 }));
  assert.ok(sdk.httpTransport(url, { timeoutMs: 1, fetch: undefined }));
});
