import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { sha256 } from '@noble/hashes/sha2.js';
import { didLogKey, encodeDidLogEntry } from '@symbolon/core/did/did-log';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { OperationSchema, TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import type { JsonValue } from '@symbolon/wire/json/json';
import fc from 'fast-check';
import { type CredentialDeed, credentialDeeds } from '../sentences/registry-sayings.ts';
import {
  describeTransaction,
  describeTransactionParts,
  type SentenceOptions,
} from './transaction-sentence.ts';

const keys = createKeyFormat(zetrixProfile, sha256);
const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const [university, school] = [keyOf(1), keyOf(2)];
const universityAddress = keys.addressOf(university);
const did = (digit: string): string => `did:zid:${digit.repeat(64)}`;
const registries = { templates: 'templates', credentials: 'credentials' };
const options: SentenceOptions = {
  registries,
  nameOf: (address) => (address === universityAddress ? 'University' : undefined),
  nameOfTemplate: (id) => (id === did('d') ? 'Degree' : undefined),
};

const calling = (destAddress: string, call: JsonValue, amount = 0n) =>
  create(TransactionSchema, {
    sourceAddress: 'registrar',
    operations: [create(OperationSchema, { payCoin: { destAddress, amount, input: JSON.stringify(call) } })],
  });
const entry = (credential: string, { issuer = university, template = did('d') } = {}) => ({
  issuerKey: keys.encodePublicKey(issuer),
  credential,
  template,
});
const issue = (...entries: JsonValue[]) => ({ method: 'issue', params: { entries } });

describe('calls of the registries in words', () => {
  const cases: [JsonValue, string, string][] = [
    [
      issue(entry(did('a'))),
      'registrar records the credential aaaa…aaaa of University by the template Degree.',
      'University issues the credential aaaa…aaaa by the template Degree.',
    ],
    [
      issue(entry(did('a')), entry(did('b'))),
      'registrar records 2 credentials of University by the template Degree.',
      'University issues 2 credentials by the template Degree.',
    ],
    [
      issue(entry(did('a')), entry(did('b'), { template: did('e') })),
      'registrar records 2 credentials of University.',
      'University issues 2 credentials.',
    ],
    [
      issue(entry(did('a')), entry(did('b'), { issuer: school })),
      'registrar records 2 credentials of 2 issuers.',
      'registrar records 2 credentials of 2 issuers.',
    ],
    ...(['revoke', 'suspend', 'reinstate'] as const).flatMap((method): [JsonValue, string, string][] => {
      const end = method === 'revoke' ? ' for good' : '';
      const one = `registrar ${method}s the credential aaaa…aaaa${end}.`;
      const some = `registrar ${method}s 2 credentials${end}.`;
      return [
        [{ method, params: { credentials: [did('a')] } }, one, one],
        [{ method, params: { credentials: [did('a'), did('b')] } }, some, some],
      ];
    }),
    [
      { method: 'anchorAudit', params: { head: 'x', count: 7 } },
      'registrar anchors the audit log of the service at entry 7.',
      'registrar anchors the audit log of the service at entry 7.',
    ],
  ];
  for (const [call, waiting, executed] of cases)
    test(executed, () => {
      const transaction = calling('credentials', call);
      assert.equal(describeTransaction(transaction, options), waiting);
      assert.equal(describeTransaction(transaction, { ...options, isExecuted: true }), executed);
    });

  test('name a template as the reader does, else as it is called there, in quotation marks', () => {
    const registration = (templateId: string) =>
      calling('templates', {
        method: 'addTemplate',
        params: { templateId, templateName: 'University\u202e', version: '1.1.0' },
      });
    assert.equal(
      describeTransaction(registration(did('d')), options),
      'registrar registers the template Degree in version 1.1.0.',
    );
    assert.equal(
      describeTransaction(registration(did('e')), options),
      'registrar registers the template "University\u{fffd}" in version 1.1.0.',
    );
  });

  test('are calls like any other where the contract is another, coins go along or the form is not theirs', () => {
    const revocation = { method: 'revoke', params: { credentials: [did('a')] } };
    const others = [
      calling('elsewhere', revocation),
      calling('credentials', revocation, 1n),
      calling('templates', revocation),
      calling('credentials', { method: 'revoke', params: { credentials: ['<script>'] } }),
      calling('credentials', { method: 'revoke', params: { credentials: [] } }),
      calling('credentials', { method: 'revoke' }),
    ];
    for (const transaction of others)
      assert.match(describeTransaction(transaction, options), /^registrar calls "revoke" of the contract/);
    const unknown = [
      issue(),
      issue({ ...entry(did('a')), issuerKey: 'b001' }),
      issue({ ...entry(did('a')), template: 'Degree' }),
      issue(7),
    ];
    for (const call of unknown)
      for (const isExecuted of [true, false])
        assert.equal(
          describeTransaction(calling('credentials', call), { ...options, isExecuted }),
          'registrar calls "issue" of the contract credentials.',
        );
    const { registries: _, ...unaware } = options;
    assert.match(describeTransaction(calling('credentials', revocation), unaware), / calls "revoke"/);
  });

  test('have parts that know what they stand for', () => {
    const transaction = calling('credentials', issue(entry(did('a'))));
    assert.deepEqual(describeTransactionParts(transaction, { ...options, isExecuted: true }), [
      { kind: 'account', id: universityAddress, text: 'University', isNamed: true },
      { kind: 'words', text: ' issues the credential ' },
      { kind: 'credential', id: did('a'), text: 'aaaa…aaaa', isNamed: false },
      { kind: 'words', text: ' by the template ' },
      { kind: 'template', id: did('d'), text: 'Degree', isNamed: true },
      { kind: 'words', text: '.' },
    ]);
  });

  test('never carry what steers a terminal, whatever the registries are told', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: 'binary' }), (params, name) => {
        for (const call of [
          { method: 'issue', params },
          issue(params as JsonValue),
          { method: 'addTemplate', params: { templateId: did('e'), templateName: name, version: '1' } },
        ])
          for (const registry of ['templates', 'credentials']) {
            const told = describeTransaction(calling(registry, call as JsonValue), options);
            assert.doesNotMatch(told, /[\p{Cc}\p{Cf}\p{Cs}]/u);
          }
      }),
    );
  });
});

test('what a transaction does to a credential is told by what it asks of the registry, and of whose it is', () => {
  const reader = { registries, profile: zetrixProfile };
  const one = { vcId: did('a'), issuer: universityAddress };
  const change = (method: string, ...credentials: JsonValue[]) => ({ method, params: { credentials } });
  const cases: [JsonValue, CredentialDeed[]][] = [
    [issue(entry(did('b')), entry(did('a'))), ['issue']],
    [issue(entry(did('b'))), []],
    [issue(entry(did('a'), { issuer: school })), []],
    [change('revoke', did('b'), did('a')), ['revoke']],
    [change('suspend', did('a')), ['suspend']],
    [change('reinstate', did('b')), []],
    [change('issue', did('a')), []],
    [{ method: 'revoke' }, []],
  ];
  for (const [call, deeds] of cases) {
    const sentBy = (sourceAddress: string, to = 'credentials') => ({
      ...calling(to, call),
      sourceAddress,
    });
    assert.deepEqual(credentialDeeds(sentBy(universityAddress), one, reader), deeds, JSON.stringify(call));
    assert.deepEqual(credentialDeeds(sentBy(universityAddress, 'elsewhere'), one, reader), []);
    // Anybody may hand in what was issued, and only the issuer changes how it stands.
    const isIssue = deeds[0] === 'issue';
    assert.deepEqual(credentialDeeds(sentBy('registrar'), one, reader), isIssue ? deeds : []);
  }
});

describe('changes of a DID document in words', () => {
  const terms = { nonce: 1n, feeLimit: 1n, gasPrice: 1n, chainId: 0n };
  const publication = {
    change: 'publishKey',
    number: 2,
    type: 'X25519KeyAgreementKey2020',
    publicKeyMultibase: 'z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc',
  } as const;
  const cases: [Parameters<typeof encodeDidLogEntry>[0]['changes'], string][] = [
    [[publication], 'publishes a key in its DID document'],
    [[{ change: 'endKey', number: 1 }], 'withdraws key 1 of its DID document'],
    [
      [{ change: 'endKey', number: 1, compromisedSince: 7 }],
      'withdraws key 1 of its DID document, which others may have',
    ],
    [[{ change: 'endKey', number: 1 }, publication], 'replaces key 1 of its DID document'],
    [[{ change: 'publishName', name: 'School' }], 'wants to be called "School"'],
    [[{ change: 'endName' }], 'gives up its name'],
    [[{ change: 'endService', id: 'hub' }], 'takes the service "hub" out of its DID document'],
    [[{ change: 'deactivate' }], 'gives up its DID'],
    [[{ change: 'endName' }, { change: 'deactivate' }], 'changes its DID document'],
  ];
  for (const [changes, deed] of cases)
    test(deed, () => {
      const value = encodeDidLogEntry({ version: 1, terms, changes });
      const operations = [create(OperationSchema, { setMetadata: { key: didLogKey, value } })];
      const transaction = create(TransactionSchema, { sourceAddress: 'ada', operations });
      assert.equal(describeTransaction(transaction), `ada ${deed}.`);
    });
});
