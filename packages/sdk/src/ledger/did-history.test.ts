/** Whose word the keys of an identifier are, for those who go by them: a node shows a log, its owner has signed it. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import { SdkError } from '../errors/errors.ts';
import { forging } from '../testing/forged-log.test.ts';
import { openTestChain } from '../testing/test-chain.test.ts';
import { buildDidTransaction, publishKey } from '../transactions/did-keys.ts';
import { sendTransaction, settleTransaction, signTransaction } from '../transactions/transactions.ts';
import { issuerKeysOf } from '../verification/issuer-key-times.ts';
import { ledgerFactsSource } from '../verification/ledger-source.ts';
import { readDidHistory } from './did-history.ts';
import type { LedgerClient } from './ledger-client.ts';
import type { Pins } from './pins.ts';

const quickly = { pollIntervalMs: 2 };
const bbs = (seed: number) => ({
  type: 'Bls12381G2Key2020' as const,
  publicKeyMultibase: encodeBbsPublicKey(Uint8Array.from({ length: 96 }, (_, i) => (i === 0 ? 0x81 : seed))),
});
const registry = 'ZTX3Ta7d4GyAXD41H2kFCTd2eXhDesM83rvC3';

async function openIssuer(t: TestContext) {
  const chain = await openTestChain(t);
  const signer = await chain.fund();
  const did = `did:zid:${signer.publicKey.slice(4, 68)}`;
  const keysBy = async (ledger: LedgerClient, pins: Pins = {}) => {
    const source = ledgerFactsSource({ ledger, pins: { ...pins, credentialRegistry: registry } });
    const { didDocument } = await source.resolveDid({ did });
    return issuerKeysOf(didDocument as never).map(({ publicKeyMultibase }) => publicKeyMultibase);
  };
  return { ...chain, signer, did, keysBy };
}

const isUnsigned = (error: unknown) => {
  assert.ok(error instanceof SdkError && error.code === 'notAsOrdered', String(error));
  assert.match(error.message, /not signed/);
  return true;
};

describe('the keys of an issuer, by the word of a node', () => {
  test('are those that the issuer has signed, and no others', async (t) => {
    const { client, signer, keysBy } = await openIssuer(t);
    await publishKey(client, { signer, ...bbs(1) }, quickly);
    assert.deepEqual(await keysBy(client), [bbs(1).publicKeyMultibase]);
    const other = (text: string) => text.replace(bbs(1).publicKeyMultibase, bbs(9).publicKeyMultibase);
    await assert.rejects(keysBy(forging(client, signer.address, other)), isUnsigned);
  });

  test('are those that a pinned validator has signed, where others sign for the account', async (t) => {
    const { client, fund, signer, did, keysBy } = await openIssuer(t);
    const deputy = await fund();
    const setPrivilege = { masterWeight: '0', signers: [{ address: deputy.address, weight: 1n }] };
    await sendTransaction(client, { signers: [signer], operations: [{ setPrivilege }] }, quickly);
    const changes = [{ change: 'publishKey', number: 1, ...bbs(2) }] as const;
    const history = await readDidHistory(client, signer.address);
    const transaction = await buildDidTransaction(client, { did, changes, history });
    await settleTransaction(client, await signTransaction(transaction, [deputy]), quickly);
    await fund();
    const { result } = await client.getLedger({ with_validator: 'true' });
    const validators = result?.validators ?? [];
    await assert.rejects(keysBy(client), isUnsigned);
    assert.deepEqual(await keysBy(client, { validators }), [bbs(2).publicKeyMultibase]);
    await assert.rejects(keysBy(client, { validators: [deputy.address] }), isUnsigned);
  });
});
