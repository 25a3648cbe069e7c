import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import { didOfSigner } from '@symbolon/sdk/keys/signer';
import { forging } from '@symbolon/sdk/testing/forged-log.test';
import { openTestChain } from '@symbolon/sdk/testing/test-chain.test';
import { publishKey, rotateKey } from '@symbolon/sdk/transactions/did-keys';
import { ledgerFactsSource } from '@symbolon/sdk/verification/ledger-source';
import type { JsonObject } from '@symbolon/wire/json/json';
import { failureOf } from '../terminal/failure.ts';
import { issuingKeyOf } from './issuing-key.ts';

const quickly = { pollIntervalMs: 2 };
const bbs = (seed: number) =>
  encodeBbsPublicKey(Uint8Array.from({ length: 96 }, (_, index) => (index === 0 ? 0x81 : seed)));
const type = 'Bls12381G2Key2020' as const;

/** An issuer with a key that gave way to another, and a service that reads the same ledger. */
async function openIssuer(t: TestContext) {
  const { client: ledger, fund } = await openTestChain(t);
  const signer = await fund();
  const issuer = didOfSigner(signer);
  await publishKey(ledger, { signer, type, publicKeyMultibase: bbs(1) }, quickly);
  await rotateKey(ledger, { signer, number: 1, type, publicKeyMultibase: bbs(2) }, quickly);
  const service = ledgerFactsSource({ ledger, pins: { credentialRegistry: signer.address } });
  return { ledger, signer, issuer, resolve: () => service.resolveDid({ did: issuer }) };
}

const refusal = (code: string, words: RegExp) => (error: unknown) => {
  const { message, facts } = failureOf(error);
  assert.match(message, words);
  assert.equal(facts?.code, code);
  return true;
};

describe('the key that an issuer signs with', () => {
  test('is the newest that the ledger has, where the profile names none', async (t) => {
    const { ledger, issuer, resolve } = await openIssuer(t);
    const connection = { ledger, pins: {}, person: undefined };
    assert.equal(await issuingKeyOf(connection, issuer, resolve), bbs(2));
    const person = { bbsPublicKeyMultibase: bbs(1) } as never;
    assert.equal(await issuingKeyOf({ ...connection, person }, issuer, resolve), bbs(1));
  });

  test('is not what a service says it is', async (t) => {
    const { ledger, issuer, resolve } = await openIssuer(t);
    const connection = { ledger, pins: {}, person: undefined };
    const told = JSON.parse(JSON.stringify(await resolve()).replaceAll(bbs(2), bbs(9))) as JsonObject;
    for (const lie of [told, {}])
      await assert.rejects(
        issuingKeyOf(connection, issuer, async () => lie),
        refusal('notAsOrdered', /another key .*\nNothing was signed/),
      );
  });

  test('is not what a node says without the signature of its owner', async (t) => {
    const { ledger, signer, issuer, resolve } = await openIssuer(t);
    const lying = forging(ledger, signer.address, (text) => text.replace(bbs(2), bbs(9)));
    const connection = { ledger: lying, pins: {}, person: undefined };
    await assert.rejects(
      issuingKeyOf(connection, issuer, resolve),
      refusal('notAsOrdered', /not signed by its owner/),
    );
  });

  test('is none where none was published', async (t) => {
    const { client: ledger, fund } = await openTestChain(t);
    const issuer = didOfSigner(await fund());
    const resolve = async () => ({});
    await assert.rejects(
      issuingKeyOf({ ledger, pins: {}, person: undefined }, issuer, resolve),
      refusal('keyNotPublished', /no BBS\+ key/),
    );
  });
});
