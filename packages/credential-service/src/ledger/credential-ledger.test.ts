/**
 * Templates and statuses by real transactions of an issuer's account on a real node, and every way they are refused.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { Fault, type FaultName } from '@symbolon/core/faults/faults';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import {
  buildTransaction,
  createLedgerClient,
  SdkError,
  signerFromSeed,
  type Transport,
} from '@symbolon/sdk/index';
import { readMetadata } from '@symbolon/sdk/ledger/registries';
import { createCredentialLedger } from './credential-ledger.ts';
import { faultOfFailure } from './ledger-faults.ts';
import { Registrar } from './registrar.ts';
import {
  keptIntents,
  openRegistryChain,
  type RegistryChain,
  registrationBy,
  signBlob,
} from './testing/registry-chain.test.ts';
import { identifierOf, sha256Hex, templateParams } from './testing/registry-inputs.test.ts';

const isFault = (code: FaultName) => (error: unknown) => {
  assert.ok(error instanceof Fault, String(error));
  assert.equal(error.code, code, error.message);
  return true;
};

async function anchorOne(
  { chain, registrar, registries, entry }: RegistryChain,
  issuer: Awaited<ReturnType<RegistryChain['newIssuer']>>,
) {
  const intents = keptIntents();
  const service = new Registrar({
    client: chain.client,
    signer: registrar,
    registry: registries.credentials,
    intents,
  });
  const anchored = await entry(issuer, `credential of ${issuer.address}`);
  await service.recordInTime(anchored);
  await service.close();
  return anchored;
}

describe('a template', () => {
  test('is registered by what its issuer signs, read back, and listed', async (t) => {
    const { chain, ledger } = await openRegistryChain(t);
    const { client } = chain;
    const issuer = await chain.fund();
    const registration = registrationBy(issuer, { remark: 'salted' });
    const { remark: _off, ...recorded } = registration.template;
    const { blob, hash, nonce } = await ledger.registerTemplateTransaction(registration);
    assert.equal(nonce, 1n);
    assert.equal(await ledger.readTemplate(registration.template.id), undefined, 'nothing has happened yet');
    const outcome = await ledger.submitSigned(await signBlob(blob, issuer));
    assert.ok(outcome.kind === 'executed' && outcome.hash === hash);
    const found = await ledger.readTemplate(registration.template.id);
    assert.deepEqual(found, {
      template: recorded,
      issuerAddress: issuer.address,
      versionCount: 1,
      createdAtMicros: outcome.closeTimeMicros,
      changedAtMicros: outcome.closeTimeMicros,
      remarkHash: sha256Hex('salted'),
      acceptsUnbound: false,
    });
    const next = await ledger.registerTemplateTransaction(registrationBy(issuer, { version: '1.1.0' }));
    await ledger.submitSigned(await signBlob(next.blob, issuer));
    assert.equal((await ledger.readTemplate(registration.template.id))?.template.version, '1.1.0');
    assert.deepEqual(await ledger.readTemplate(registration.template.id, '1.0.0'), found);
    const registered = (name: string) => readMetadata(client, ledger.registries.templates, name);
    assert.equal(await registered('count'), '1', 'a new version is no other template');
    assert.equal(await registered('place__0'), registration.template.id);
    assert.equal(await registered('place__1'), undefined);
  });

  test('that would be refused is refused before anything is signed', async (t) => {
    const { ledger, newIssuer, chain } = await openRegistryChain(t);
    const issuer = await newIssuer();
    const register = (order: Parameters<typeof ledger.registerTemplateTransaction>[0]) =>
      ledger.registerTemplateTransaction(order);
    await assert.rejects(register(registrationBy(issuer)), isFault('templateExists'));
    await assert.rejects(register(registrationBy(issuer, { version: '0.9' })), isFault('templateExists'));
    const other = await chain.fund();
    const foreign = { ...registrationBy(issuer, { version: '2' }), issuerAddress: other.address };
    await assert.rejects(register(foreign), isFault('issuerMismatch'));
    await assert.rejects(register(registrationBy(issuer, { version: 'two' })), isFault('requestMalformed'));
    await assert.rejects(
      register(registrationBy(other, { id: identifierOf('x') })),
      isFault('requestMalformed'),
    );
  });

  test('needs an account that exists and can pay', async (t) => {
    const { ledger, chain } = await openRegistryChain(t);
    const nobody = await signerFromSeed(randomBytes(32));
    const poor = await chain.fund(100n);
    for (const issuer of [nobody, poor]) {
      await assert.rejects(
        ledger.registerTemplateTransaction(registrationBy(issuer)),
        isFault('issuerAccountMissing'),
      );
    }
  });
});

describe('a status', () => {
  test('is changed by what the issuer signs, and refused in a wrong state', async (t) => {
    const opened = await openRegistryChain(t);
    const { ledger, newIssuer, chain } = opened;
    const issuer = await newIssuer();
    const entry = await anchorOne(opened, issuer);
    const order = { issuerAddress: issuer.address, credentials: [entry.credential] };
    await assert.rejects(
      ledger.statusTransaction({ ...order, change: 'reinstate' }),
      isFault('statusForbids'),
    );
    const remarkHashes = [sha256Hex('salted')];
    for (const [change, expected] of [
      ['suspend', 'suspended'],
      ['reinstate', 'active'],
      ['revoke', 'revoked'],
    ] as const) {
      const { blob } = await ledger.statusTransaction({ ...order, change, remarkHashes });
      const outcome = await ledger.submitSigned(await signBlob(blob, issuer));
      assert.ok(outcome.kind === 'executed');
      const found = await ledger.readEntry(issuer.address, entry.credential);
      assert.equal(found?.status, expected);
      assert.equal(found?.changedInLedgerSeq, outcome.ledgerSeq);
      assert.equal(found?.remarkHash, remarkHashes[0]);
    }
    for (const change of ['revoke', 'suspend', 'reinstate'] as const) {
      await assert.rejects(ledger.statusTransaction({ ...order, change }), isFault('statusForbids'));
    }
    const other = await chain.fund();
    const foreign = { ...order, change: 'revoke' as const, issuerAddress: other.address };
    await assert.rejects(ledger.statusTransaction(foreign), isFault('credentialUnknown'));
    await assert.rejects(
      ledger.statusTransaction({ ...order, change: 'revoke', credentials: [] }),
      isFault('requestMalformed'),
    );
    assert.equal(await ledger.readEntry(other.address, entry.credential), undefined);
  });
});

describe('a submission', () => {
  test('of the same bytes again tells the same outcome, of an overtaken transaction that it is stale', async (t) => {
    const { ledger, chain } = await openRegistryChain(t);
    const issuer = await chain.fund();
    const first = await ledger.registerTemplateTransaction(registrationBy(issuer));
    const second = await ledger.registerTemplateTransaction(registrationBy(issuer, { version: '2' }));
    assert.equal((await ledger.outcomeOf(first.hash)).kind, 'missing');
    const signed = await signBlob(first.blob, issuer);
    const outcome = await ledger.submitSigned(signed);
    assert.equal(outcome.kind, 'executed');
    assert.deepEqual(await ledger.submitSigned(signed), outcome);
    assert.deepEqual(await ledger.outcomeOf(first.hash), outcome);
    assert.deepEqual(await ledger.submitSigned(await signBlob(second.blob, issuer)), {
      kind: 'stale',
      hash: second.hash,
    });
  });

  test('that fails says so, at the door and in a block', async (t) => {
    const { ledger, chain, newIssuer, registries } = await openRegistryChain(t);
    const issuer = await newIssuer();
    const stranger = await chain.fund();
    const next = await ledger.registerTemplateTransaction(registrationBy(issuer, { version: '3' }));
    const byStranger = await ledger.submitSigned(await signBlob(next.blob, stranger));
    assert.ok(byStranger.kind === 'failed' && byStranger.code === 93 && !byStranger.isRecorded);
    const garbage = await ledger.submitSigned({
      blob: 'ff',
      publicKey: issuer.publicKey,
      signature: '00'.repeat(64),
    });
    assert.ok(garbage.kind === 'failed' && !garbage.isRecorded);
    // Without the evaluation that would have refused it: a template that is there already.
    const params = templateParams(issuer);
    const payCoin = {
      destAddress: registries.templates,
      amount: 0n,
      input: JSON.stringify({ method: 'addTemplate', params }),
    };
    const order = { source: issuer.address, operations: [{ payCoin }], gasPrice: 1n, feeLimit: 100_000n };
    const blob = encodeHex(encodeTransaction(await buildTransaction(chain.client, order)));
    const inBlock = await ledger.submitSigned(await signBlob(blob, issuer));
    assert.ok(inBlock.kind === 'failed' && inBlock.code === 151 && inBlock.isRecorded);
    assert.equal(faultOfFailure(inBlock.code, inBlock.description).code, 'templateExists');
    assert.deepEqual(await ledger.outcomeOf(inBlock.hash), inBlock);
  });

  test('without an answer is unknown, and known once the ledger answers', async (t) => {
    const opened = await openRegistryChain(t);
    const { chain, registries } = opened;
    const issuer = await chain.fund();
    const { blob, hash } = await opened.ledger.registerTemplateTransaction(registrationBy(issuer));
    let isBroken = true;
    const transport: Transport = async (method, path, body) => {
      const answer = await chain.transport(method, path, body);
      if (isBroken) throw new SdkError('timedOut', 'no answer', { hint: '' });
      return answer;
    };
    const ledger = createCredentialLedger(createLedgerClient(transport), registries);
    const waiting = ledger.submitSigned(await signBlob(blob, issuer));
    assert.equal((await ledger.outcomeOf(hash)).kind, 'unknown');
    await assert.rejects(ledger.readTemplate('x'), isFault('ledgerUnreachable'));
    isBroken = false;
    assert.equal((await waiting).kind, 'executed', 'it had arrived all the same');
  });
});
