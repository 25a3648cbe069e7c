/**
 * Templates and status changes before a service that lies: it prepares another transaction than the issuer ordered, in
 * one member each time. Nothing of it is signed, and the member is named.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import {
  type RegistryCall,
  remarkHash,
  statusCall,
  templateCall,
} from '@symbolon/core/credential/registry-calls';
import { templateOfDraft } from '@symbolon/core/credential/template-rules';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import { TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { LedgerError, SdkError } from '../errors/errors.ts';
import { registerTemplate, revokeCredential, suspendCredential } from '../flows/issuer-flows.ts';
import { didOfSigner, type Signer, signerFromSeed } from '../keys/signer.ts';
import type { Pins } from '../ledger/pins.ts';
import { clientLimits } from '../limits/client-limits.ts';
import type { CredentialClient } from '../service/credential-client.ts';
import { FeeTooHigh } from '../transactions/transaction-caps.ts';

const registry = 'ZTX3registry';
const pins = { chainId: 7n, templateRegistry: registry, credentialRegistry: registry };
const vcId = `did:zid:${'c'.repeat(64)}`;
const salt = '5'.repeat(32);

let signer: Signer;
let signed: Uint8Array[];
before(async () => {
  const own = await signerFromSeed(new Uint8Array(32).fill(7));
  const sign = (bytes: Uint8Array) => {
    signed.push(bytes);
    return own.sign(bytes);
  };
  signer = { ...own, sign };
});

type Changes = Exclude<MessageInitShape<typeof TransactionSchema>, { $typeName: string }>;

interface Lie {
  readonly call?: (call: RegistryCall) => RegistryCall;
  readonly transaction?: (transaction: Changes) => Changes;
  /** What is answered about the template that was registered. */
  readonly registered?: object;
}

const blobOf = (
  call: RegistryCall,
  { call: changed = (it) => it, transaction = (it) => it }: Lie,
): string => {
  const payCoin = { destAddress: registry, input: JSON.stringify(changed(call)) };
  const plain: Changes = {
    sourceAddress: signer.address,
    nonce: 4n,
    feeLimit: 1_000n,
    gasPrice: 1n,
    chainId: 7n,
    operations: [{ type: operationTypes.payCoin, payCoin }],
  };
  return encodeHex(encodeTransaction(create(TransactionSchema, transaction(plain))));
};

/** A service that prepares what it was asked for, but for the lie. */
function serviceWith(lie: Lie): CredentialClient {
  const status = (change: 'revoke' | 'suspend') => async (body: { vcId: string; remark?: string }) => {
    const { remark } = body;
    const remarkHashes = remark === undefined ? undefined : [remarkHash(salt, remark, sha256)];
    const call = statusCall({ change, credentials: [body.vcId], ...(remarkHashes && { remarkHashes }) });
    return { blobId: 'B', blob: blobOf(call, lie), ...(remark !== undefined && { remarkSalt: salt }) };
  };
  let prepared = '';
  const stub = {
    createTemplateBlob: async (body: Record<string, never>) => {
      const template = templateOf(body);
      const acceptsUnbound = body.acceptUnbound === true;
      const order = { template, issuerKey: signer.publicKey, acceptsUnbound };
      prepared = blobOf(templateCall(order, sha256), lie);
      return { blobId: 'B', blob: prepared };
    },
    submitTemplate: async () => {
      const txHash = encodeHex(sha256(parseHex(prepared) as Uint8Array));
      return { templateId: templateOf(template).id, txHash, ...lie.registered };
    },
    createRevocationBlob: status('revoke'),
    submitRevocation: async () => ({ vcId, status: 'Revoked' }),
    createSuspensionBlob: status('suspend'),
    submitSuspension: async () => ({ vcId, status: 'Suspended' }),
  };
  return stub as unknown as CredentialClient;
}

const template = {
  templateName: 'Library card',
  version: '1.2.0',
  remark: 'for readers',
  credentialFormat: [
    { attribute: 'Name', key: 'name', format: 'string', type: 1, mandatory: true },
    { attribute: 'Points', key: 'points', format: 'integer', type: 3, mandatory: false },
  ] as const,
};

const templateOf = (body: Partial<typeof template>) =>
  templateOfDraft(
    {
      name: body.templateName,
      version: body.version,
      remark: body.remark,
      issuer: didOfSigner(signer),
      attributes: body.credentialFormat?.map(({ attribute, ...rest }) => ({ label: attribute, ...rest })),
    },
    { didMethod: 'zid', sha256 },
  );

const param = (name: string, value: string | readonly string[]): Lie => ({
  call: (call) => ({ ...call, params: { ...call.params, [name]: value } }),
});
const format = (change: (attributes: Record<string, unknown>[]) => unknown): Lie => ({
  call: (call) => {
    const attributes = JSON.parse(call.params.applyFormat as string);
    return { ...call, params: { ...call.params, applyFormat: JSON.stringify(change(attributes)) } };
  },
});

/** Lies that any transaction can be told with. */
const transactionLies: readonly [member: string, lie: Lie][] = [
  ['sourceAddress', { transaction: (it) => ({ ...it, sourceAddress: 'ZTX3other' }) }],
  ['chainId', { transaction: (it) => ({ ...it, chainId: 8n }) }],
  ['ceilLedgerSeq', { transaction: (it) => ({ ...it, ceilLedgerSeq: 9n }) }],
  ['metadata', { transaction: (it) => ({ ...it, metadata: Uint8Array.of(1) }) }],
  ['exprCondition', { transaction: (it) => ({ ...it, exprCondition: '1' }) }],
  ['operations', { transaction: (it) => ({ ...it, operations: [] }) }],
  [
    'operations[1]',
    { transaction: (it) => ({ ...it, operations: [0, 0].map(() => it.operations?.[0] ?? {}) }) },
  ],
  ['operations[0].sourceAddress', operation((it) => ({ ...it, sourceAddress: 'ZTX3other' }))],
  ['operations[0].metadata', operation((it) => ({ ...it, metadata: Uint8Array.of(1) }))],
  ['operations[0].type', operation((it) => ({ ...it, type: operationTypes.log }))],
  ['operations[0].payCoin.amount', payment((it) => ({ ...it, amount: 1n }))],
  ['operations[0].payCoin.destAddress', payment((it) => ({ ...it, destAddress: 'ZTX3other' }))],
  ['operations[0].payCoin.input', payment((it) => ({ ...it, input: 'something else' }))],
  ['operations[0].payCoin.input', payment((it) => ({ ...it, input: '[]' }))],
];

function operation(change: (operation: Record<string, unknown>) => unknown): Lie {
  return {
    transaction: (it) => ({ ...it, operations: [change(it.operations?.[0] as never) as never] }),
  };
}
function payment(change: (payment: Record<string, unknown>) => unknown): Lie {
  return operation((it) => ({ ...it, payCoin: change(it.payCoin as never) }));
}

async function refuses(member: string, order: Promise<unknown>): Promise<void> {
  await assert.rejects(order, (error) => {
    assert.ok(error instanceof SdkError && error.code === 'notAsOrdered', String(error));
    const named = error.message.slice(error.message.lastIndexOf(': ') + 2);
    assert.ok(named.startsWith(member), `${member} is named: ${error.message}`);
    return true;
  });
}

const at = (name: string) => `operations[0].payCoin.input.params.${name}`;

describe('a template', () => {
  test('is registered as it was ordered', async () => {
    signed = [];
    const { templateId } = await registerTemplate(serviceWith({}), { signer, ...template, pins });
    assert.equal(templateId, templateOf(template).id);
    assert.equal(signed.length, 1);
    await registerTemplate(serviceWith({}), { signer, ...template, templateName: ' Library  card ' });
  });

  const lies: readonly [member: string, lie: Lie][] = [
    ...transactionLies,
    ['operations[0].payCoin.input.method', { call: (call) => ({ ...call, method: 'setOwner' }) }],
    [at('templateId'), param('templateId', vcId)],
    [at('templateName'), param('templateName', 'Library Card')],
    [at('nameKey'), param('nameKey', 'other')],
    [at('version'), param('version', '9.0.0')],
    [at('issuerZid'), param('issuerZid', vcId)],
    [at('publicKey'), param('publicKey', 'b001')],
    [at('remarkHash'), param('remarkHash', 'f'.repeat(64))],
    [at('metadata.acceptsUnbound'), param('metadata', '{"acceptsUnbound":true}')],
    [at('metadata'), param('metadata', 'not JSON')],
    [at('price'), param('price', '5')],
    [at('applyFormat[0].key'), format(([first, second]) => [{ ...first, key: 'passport' }, second])],
    [at('applyFormat[0].attribute'), format(([first, second]) => [{ ...first, attribute: 'Alias' }, second])],
    [at('applyFormat[0].format'), format(([first, second]) => [{ ...first, format: 'email' }, second])],
    [at('applyFormat[1].type'), format(([first, second]) => [first, { ...second, type: 1 }])],
    [at('applyFormat[1].mandatory'), format(([first, second]) => [first, { ...second, mandatory: 1 }])],
    [at('applyFormat[0].key'), format(([first, second]) => [second, first])],
    [at('applyFormat[1]'), format(([first]) => [first])],
    [at('applyFormat[2]'), format((all) => [...all, { ...all[0], key: 'more' }])],
  ];
  for (const [index, [member, lie]] of lies.entries())
    test(`is not signed with another ${member} (${index})`, async () => {
      signed = [];
      await refuses(member, registerTemplate(serviceWith(lie), { signer, ...template, pins }));
      assert.deepEqual(signed, []);
    });

  test('is the one that was signed, whatever the service answers afterwards', async () => {
    for (const [member, value] of [
      ['templateId', vcId],
      ['txHash', 'f'.repeat(64)],
    ] as const)
      await refuses(
        member,
        registerTemplate(serviceWith({ registered: { [member]: value } }), { signer, ...template }),
      );
  });
});

describe('a change of status', () => {
  const remark = 'lost';

  test('is signed as it was ordered, with a remark and without', async () => {
    signed = [];
    await revokeCredential(serviceWith({}), { signer, vcId, pins });
    await suspendCredential(serviceWith({}), { signer, vcId, remark, pins });
    assert.equal(signed.length, 2);
  });

  const lies: readonly [member: string, lie: Lie][] = [
    ...transactionLies,
    ['operations[0].payCoin.input.method', { call: (call) => ({ ...call, method: 'revoke' }) }],
    [at('credentials[0]'), param('credentials', [`did:zid:${'d'.repeat(64)}`])],
    [at('credentials[1]'), param('credentials', [vcId, `did:zid:${'d'.repeat(64)}`])],
    [at('remarkHashes[0]'), param('remarkHashes', ['f'.repeat(64)])],
    [at('more'), param('more', 'x')],
  ];
  for (const [index, [member, lie]] of lies.entries())
    test(`is not signed with another ${member} (${index})`, async () => {
      signed = [];
      await refuses(member, suspendCredential(serviceWith(lie), { signer, vcId, remark, pins }));
      assert.deepEqual(signed, []);
    });

  test('has no remark that nobody made', async () => {
    signed = [];
    const lie = param('remarkHashes', ['f'.repeat(64)]);
    await refuses(at('remarkHashes'), revokeCredential(serviceWith(lie), { signer, vcId }));
    assert.deepEqual(signed, []);
  });

  test('cannot be kept for later where the ledger is asked', async () => {
    signed = [];
    const ledgerWith = (nonce: number | undefined) => ({
      getAccountBase: async () => {
        if (nonce === undefined) throw new LedgerError(codes.notFound, 'not found', {});
        return { result: { nonce } };
      },
      getTransactionHistory: async ({ hash }: { readonly hash: string }) => ({
        result: {
          transactions: [
            { hash, error_code: 0, error_desc: '', ledger_seq: 2, close_time: 2, actual_fee: 2 },
          ],
        },
      }),
    });
    const order = { signer, vcId, pins };
    const revoke = (nonce?: number) =>
      revokeCredential(serviceWith({}), { ...order, ledger: ledgerWith(nonce) as never });
    await refuses('nonce', revoke(2));
    await refuses('nonce', revoke());
    const ledger = ledgerWith(2) as never;
    await refuses('nonce', registerTemplate(serviceWith({}), { signer, ...template, ledger }));
    assert.deepEqual(signed, []);
    await revoke(3);
    assert.equal(signed.length, 1);
  });

  test('is told as it was ordered', async () => {
    const lying = { ...serviceWith({}), submitRevocation: async () => ({ vcId, status: 'Active' }) };
    await refuses('status', revokeCredential(lying as never, { signer, vcId }));
  });

  test('costs no more than is pinned, or than any transaction may', async () => {
    signed = [];
    const costing = (feeLimit: bigint) =>
      serviceWith({ transaction: (it) => ({ ...it, feeLimit, gasPrice: 1n }) });
    const revoke = (feeLimit: bigint, more: Pins = {}) =>
      revokeCredential(costing(feeLimit), { signer, vcId, pins: { ...pins, ...more } });
    const { feeLimitMax } = clientLimits;
    for (const tooHigh of [
      () => revoke(1_000n, { feeLimitMax: 999n }),
      () => revoke(1_000n, { gasPriceMax: 0n }),
      () => revoke(feeLimitMax + 1n),
      () => revoke(9_000_001n, { feeLimitMax: 9_000_000n }),
    ])
      await assert.rejects(tooHigh, (error) => error instanceof FeeTooHigh && error.cost.gasPrice === 1n);
    assert.deepEqual(signed, []);
    await revoke(feeLimitMax);
    await revoke(9_000_000n, { feeLimitMax: 9_000_000n });
    assert.equal(signed.length, 2);
  });

  test('that differs from what was pinned says from which pin, with both values', async () => {
    signed = [];
    const against = (expected: object) => (error: unknown) => {
      assert.ok(error instanceof SdkError && error.code === 'notAsOrdered', String(error));
      assert.deepEqual(error.against, expected);
      return true;
    };
    const other = 'ZTX3pinned';
    const wrong = { ...pins, templateRegistry: other, credentialRegistry: other };
    const order = { signer, vcId };
    const offered = { expected: other, offered: registry };
    await assert.rejects(
      registerTemplate(serviceWith({}), { signer, ...template, pins: wrong }),
      against({ name: 'templateRegistry', ...offered }),
    );
    await assert.rejects(
      revokeCredential(serviceWith({}), { ...order, pins: wrong }),
      against({ name: 'credentialRegistry', ...offered }),
    );
    await assert.rejects(
      revokeCredential(serviceWith({}), { ...order, pins, registry: other }),
      against({ name: 'registry', ...offered }),
    );
    await assert.rejects(
      revokeCredential(serviceWith({}), { ...order, pins: { ...pins, chainId: 9n } }),
      against({ name: 'chainId', expected: '9', offered: '7' }),
    );
    assert.deepEqual(signed, []);
  });
});
