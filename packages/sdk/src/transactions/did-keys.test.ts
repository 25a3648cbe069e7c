import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeBbsPublicKey, encodeMultikey } from '@symbolon/core/did/did';
import { foldDidRecords } from '@symbolon/core/did/did-document';
import { didLogKey } from '@symbolon/core/did/did-log';
import { codes } from '@symbolon/core/ledger/terms/codes';
import { LedgerError, SdkError } from '../errors/errors.ts';
import { signerFromSeed } from '../keys/signer.ts';
import { readDidHistory } from '../ledger/did-history.ts';
import { createLedgerClient, type LedgerClient } from '../ledger/ledger-client.ts';
import { waitForReceipt } from '../ledger/receipts.ts';
import { forging } from '../testing/forged-log.test.ts';
import { openTestChain } from '../testing/test-chain.test.ts';
import type { Transport } from '../transport/transport.ts';
import {
  buildDidTransaction,
  deactivateDid,
  endKey,
  endName,
  endService,
  publishKey,
  publishName,
  publishService,
  rotateKey,
} from './did-keys.ts';
import { sendTransaction, signTransaction, submitTransaction } from './transactions.ts';

const quickly = { pollIntervalMs: 2 };
const bbs = (seed: number) => ({
  type: 'Bls12381G2Key2020' as const,
  publicKeyMultibase: encodeBbsPublicKey(Uint8Array.from({ length: 96 }, (_, i) => (i === 0 ? 0x81 : seed))),
});
const didOf = ({ publicKey }: { publicKey: string }) => `did:zid:${publicKey.slice(4, 68)}`;

const isInvalid = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof SdkError && error.code === 'invalidArgument', String(error));
  assert.match(error.message, words);
  return true;
};

test('a change that lacks a member is refused by its name, before anything is asked', async () => {
  const signer = await signerFromSeed(new Uint8Array(32).fill(7));
  const client = {} as LedgerClient;
  const { publicKeyMultibase, type } = bbs(1);
  const orders: readonly [string, (order: never) => Promise<unknown>, object][] = [
    ['type', (order) => publishKey(client, order), { signer, publicKeyMultibase }],
    ['publicKeyMultibase', (order) => publishKey(client, order), { signer, type }],
    ['signer', (order) => publishKey(client, order), { type, publicKeyMultibase }],
    ['number', (order) => rotateKey(client, order), { signer, type, publicKeyMultibase }],
    ['number', (order) => endKey(client, order), { signer }],
    ['name', (order) => publishName(client, order), { signer }],
    ['id', (order) => endService(client, order), { signer }],
    ['signer', (order) => endName(client, order), {}],
    ['signer', (order) => deactivateDid(client, order), {}],
  ];
  for (const [name, act, order] of orders)
    await assert.rejects(act(order as never), isInvalid(new RegExp(`\\b${name} is missing`)), name);
});

describe('keys of a DID document', () => {
  test('are published, rotated and ended, each in one transaction', async (t) => {
    const { client, fund } = await openTestChain(t);
    const signer = await fund();
    const first = await publishKey(client, { signer, ...bbs(1) }, quickly);
    assert.equal(first.did, didOf(signer));
    assert.equal(first.verificationMethod, `${first.did}#delegateKey-1`);
    const second = await rotateKey(client, { signer, number: 1, ...bbs(2) }, quickly);
    const x25519 = {
      type: 'X25519KeyAgreementKey2020' as const,
      publicKeyMultibase: encodeMultikey('x25519', new Uint8Array(32).fill(3)),
    };
    const third = await publishKey(client, { signer, ...x25519 }, quickly);
    assert.deepEqual([second.number, third.verificationMethod], [2, `${first.did}#keyAgreementKey-3`]);
    await endKey(client, { signer, number: 2 }, quickly);
    const { entries, metadataVersion } = await readDidHistory(client, signer.address);
    assert.equal(metadataVersion, 4);
    assert.deepEqual(
      entries.slice(0, 3).map(({ hash, ledgerSeq }) => [hash, ledgerSeq]),
      [first, second, third].map(({ receipt }) => [receipt.hash, receipt.ledgerSeq]),
    );
    const ended = [...foldDidRecords(entries).keys.values()].map(({ endedAt }) => endedAt !== undefined);
    assert.deepEqual(ended, [true, true, false]);
  });

  test('stand beside services, until the identifier is given up', async (t) => {
    const { client, fund } = await openTestChain(t);
    const signer = await fund();
    const service = { id: 'files', type: 'Files', serviceEndpoint: 'https://example.com' };
    await publishService(client, { signer, ...service }, quickly);
    await endService(client, { signer, id: 'files' }, quickly);
    await publishName(client, { signer, name: 'Registry office' }, quickly);
    const named = foldDidRecords((await readDidHistory(client, signer.address)).entries);
    assert.equal(named.name, 'Registry office');
    await endName(client, { signer }, quickly);
    await deactivateDid(client, { signer }, quickly);
    const { entries } = await readDidHistory(client, signer.address);
    const state = foldDidRecords(entries);
    assert.deepEqual([state.services.size, state.name, state.isDeactivated], [0, undefined, true]);
    const again = publishKey(client, { signer, ...bbs(1) }, quickly);
    await assert.rejects(again, isInvalid(/final/));
  });

  test('are refused before anything is sent when they would have no effect', async (t) => {
    const { client, fund, node } = await openTestChain(t);
    const signer = await fund();
    await publishKey(client, { signer, ...bbs(1) }, quickly);
    await rotateKey(client, { signer, number: 1, ...bbs(2) }, quickly);
    const refusals: [() => Promise<unknown>, RegExp][] = [
      [() => endKey(client, { signer, number: 1 }), /ended already/],
      [() => endKey(client, { signer, number: 7 }), /no key 7/],
      [() => publishKey(client, { signer, ...bbs(1) }), /has ended as number 1/],
      [() => publishKey(client, { signer, ...bbs(2) }), /is published already, as number 2/],
      [() => rotateKey(client, { signer, number: 2, ...bbs(2) }), /is published already, as number 2/],
      [() => publishKey(client, { signer, ...bbs(3), validUntil: 1_000 }), /lapse/],
      [() => publishKey(client, { signer, ...bbs(3), publicKeyMultibase: 'z1' }), /malformed/],
      [
        () => publishService(client, { signer, id: 'a b', type: 'x', serviceEndpoint: 'https://e.x' }),
        /malformed/,
      ],
      [() => publishName(client, { signer, name: 'Regіstry' }), /mixes letters of Latin and Cyrillic/],
      [() => publishName(client, { signer, name: 'Office\u202e' }), /can be seen/],
      [() => endName(client, { signer }), /no name/],
      [() => buildDidTransaction(client, { did: didOf(signer), changes: [] }), /1 to 16/],
      [() => buildDidTransaction(client, { did: 'did:zid:00', changes: [] }), /not an identifier/],
    ];
    for (const [send, words] of refusals) await assert.rejects(send, isInvalid(words));
    assert.equal(node.account(signer.address)?.nonce, 2n);
  });

  test('do not overwrite one another when two are sent at the same time', async (t) => {
    const { client, fund } = await openTestChain(t);
    const signer = await fund();
    const did = didOf(signer);
    const history = await readDidHistory(client, signer.address);
    const build = (seed: number) => {
      const changes = [{ change: 'publishKey', number: 1, ...bbs(seed) } as const];
      return buildDidTransaction(client, { did, changes, history });
    };
    const [first, second] = [await build(1), await build(2)];
    const submit = async (transaction: typeof first) => {
      const signed = await signTransaction(transaction, [signer]);
      return waitForReceipt(client, await submitTransaction(client, signed), quickly);
    };
    assert.equal((await submit(first)).code, 0);
    // Made from the same history: as it is, or with the next nonce, which is not the one that its entry names.
    for (const late of [second, { ...second, nonce: 2n }]) await assert.rejects(submit(late), LedgerError);
    await assert.rejects(build(2), (error) => {
      assert.ok(error instanceof LedgerError && error.code === codes.badMetadataVersion, String(error));
      return true;
    });
    const { entries } = await readDidHistory(client, signer.address);
    assert.equal(entries.length, 1);
  });

  test('can be paid for by somebody else', async (t) => {
    const { client, fund } = await openTestChain(t);
    const [signer, payer] = [await fund(), await fund()];
    const changes = [{ change: 'publishKey', number: 1, ...bbs(1) } as const];
    const order = { did: didOf(signer), changes, source: payer.address };
    const transaction = await buildDidTransaction(client, order);
    const signed = await signTransaction(transaction, [payer, signer]);
    const receipt = await waitForReceipt(client, await submitTransaction(client, signed), quickly);
    assert.equal(receipt.code, 0);
    const { entries } = await readDidHistory(client, signer.address);
    assert.equal(entries[0]?.hash, receipt.hash);
    assert.deepEqual((await readDidHistory(client, payer.address)).entries, []);
  });

  test('cost no more than the caller allows', async (t) => {
    const { client, fund } = await openTestChain(t);
    const signer = await fund();
    const tooDear = publishKey(client, { signer, ...bbs(1) }, { feeLimitMax: 1n });
    await assert.rejects(tooDear, (error) => error instanceof SdkError && error.code === 'feeTooHigh');
  });
});

describe('the history of a DID document', () => {
  const set = (value: string) => ({ setMetadata: { key: didLogKey, value } });

  /** A node of a chain that let anything be written there. */
  const withStored = (transport: Transport, entry: { value: string; version: number }) =>
    createLedgerClient(async (method, path, body) =>
      path.startsWith('/getAccountMetaData')
        ? { error_code: 0, error_desc: '', result: { [didLogKey]: { key: didLogKey, ...entry } } }
        : transport(method, path, body),
    );

  test('is empty for an account that does not exist or has something else there', async (t) => {
    const { client, transport, fund } = await openTestChain(t);
    const stranger = await signerFromSeed(new Uint8Array(32).fill(5));
    const none = await readDidHistory(client, stranger.address);
    assert.deepEqual(none, { entries: [], metadataVersion: 0 });
    const signer = await fund();
    for (const value of ['x', '{}', 'null', '{"version":3}']) {
      const lenient = withStored(transport, { value, version: 1 });
      assert.deepEqual((await readDidHistory(lenient, signer.address)).entries, []);
    }
  });

  test('does not believe metadata of another account, or of another version', async (t) => {
    const { client, transport, fund } = await openTestChain(t);
    const [issuer, victim] = [await fund(), await fund()];
    await publishKey(client, { signer: issuer, ...bbs(1) }, quickly);
    const stored = await client.getAccountMetaData({ address: issuer.address, key: didLogKey });
    const value = stored.result?.[didLogKey]?.value as string;
    const planted = await readDidHistory(withStored(transport, { value, version: 1 }), victim.address);
    const brokenAt = ['result.did.log.value'];
    assert.deepEqual(planted, { entries: [], metadataVersion: 1, brokenAt });
    const later = await readDidHistory(withStored(transport, { value, version: 3 }), issuer.address);
    const contradiction = [...brokenAt, 'result.did.log.version'];
    assert.deepEqual(later, { entries: [], metadataVersion: 3, brokenAt: contradiction });
  });

  test('is not lost: nobody deletes, blanks or begins again a log', async (t) => {
    const { client, fund } = await openTestChain(t);
    const signer = await fund();
    await publishKey(client, { signer, ...bbs(1) }, quickly);
    const stored = await client.getAccountMetaData({ address: signer.address, key: didLogKey });
    const value = stored.result?.[didLogKey]?.value as string;
    await endKey(client, { signer, number: 1, compromisedSince: 1 }, quickly);
    await deactivateDid(client, { signer }, quickly);
    const before = await readDidHistory(client, signer.address);
    assert.equal(before.entries.length, 3);
    const remove = { setMetadata: { key: didLogKey, deleteFlag: true } };
    for (const operation of [remove, set(''), set('x'), set(value)])
      await assert.rejects(
        sendTransaction(client, { signers: [signer], operations: [operation] }, quickly),
        LedgerError,
      );
    const changes = [{ change: 'publishKey', number: 1, ...bbs(1) } as const];
    for (const metadataVersion of [0, 3]) {
      const history = { entries: [], metadataVersion };
      await assert.rejects(
        buildDidTransaction(client, { did: didOf(signer), changes, history }),
        LedgerError,
      );
    }
    assert.deepEqual(await readDidHistory(client, signer.address), before);
  });

  test('does not take up the log of another account', async (t) => {
    const { client, fund } = await openTestChain(t);
    const [issuer, thief] = [await fund(), await fund()];
    const { receipt } = await publishKey(client, { signer: issuer, ...bbs(1) }, quickly);
    const cache = new Map();
    await readDidHistory(client, issuer.address, cache);
    await publishKey(client, { signer: thief, ...bbs(2) }, quickly);
    const own = await readDidHistory(client, thief.address, cache);
    const forged = { ...own.entries[0], hash: receipt.hash, version: 1 } as (typeof own.entries)[0];
    const history = { entries: [forged], metadataVersion: 1 };
    const changes = [{ change: 'publishKey', number: 2, ...bbs(3) } as const];
    await assert.rejects(buildDidTransaction(client, { did: didOf(thief), changes, history }), LedgerError);
  });

  test('is asked for once: what was executed is remembered', async (t) => {
    const { client, transport, fund } = await openTestChain(t);
    const signer = await fund();
    for (let seed = 1; seed <= 5; seed++) await publishKey(client, { signer, ...bbs(seed) }, quickly);
    let asked = 0;
    const counting = createLedgerClient((method, path, body) => {
      asked++;
      return transport(method, path, body);
    });
    const cache = new Map();
    const first = await readDidHistory(counting, signer.address, cache);
    assert.deepEqual([first.entries.length, asked], [5, 6]);
    assert.deepEqual(await readDidHistory(counting, signer.address, cache), first);
    assert.equal(asked, 7);
  });

  test('is an error when the node gives no answer', async (t) => {
    const { transport, client, fund } = await openTestChain(t);
    const signer = await fund();
    await publishKey(client, { signer, ...bbs(1) }, quickly);
    for (const route of ['getAccountMetaData', 'getTransactionHistory']) {
      const broken = createLedgerClient((method, path, body) => {
        if (path.startsWith(`/${route}`)) throw new SdkError('unreachable', 'gone', { hint: 'none' });
        return transport(method, path, body);
      });
      await assert.rejects(readDidHistory(broken, signer.address), SdkError);
      const refusing = createLedgerClient(async (method, path, body) =>
        path.startsWith(`/${route}`)
          ? { error_code: 1, error_desc: 'busy', result: null }
          : transport(method, path, body),
      );
      await assert.rejects(readDidHistory(refusing, signer.address), LedgerError);
    }
  });
});

describe('a node that lies about the log', () => {
  const isRefused = (words: RegExp) => (error: unknown) => {
    assert.ok(error instanceof SdkError, String(error));
    assert.equal(error.code, 'notAsOrdered', error.message);
    assert.match(`${error.message} ${error.hint}`, words);
    return true;
  };

  test('cannot have keys forgotten: a log that is not whole is not followed by another', async (t) => {
    const { client, fund, node } = await openTestChain(t);
    const signer = await fund();
    for (const seed of [1, 2]) await publishKey(client, { signer, ...bbs(seed) }, quickly);
    const { entries } = await readDidHistory(client, signer.address);
    const notFound = new LedgerError(codes.notFound, 'no such transaction', {});
    for (const { hash } of entries) {
      const hiding: LedgerClient = {
        ...client,
        getTransactionHistory: async (query) => {
          if (query?.hash === hash) throw notFound;
          return client.getTransactionHistory(query);
        },
      };
      await assert.rejects(publishKey(hiding, { signer, ...bbs(3) }, quickly), isRefused(/whole/));
      await assert.rejects(endKey(hiding, { signer, number: 2 }, quickly), isRefused(/whole/));
      const changes = [{ change: 'deactivate' } as const];
      await assert.rejects(buildDidTransaction(hiding, { did: didOf(signer), changes }), isRefused(/whole/));
    }
    assert.equal(node.account(signer.address)?.nonce, 2n);
  });

  test('cannot have a log begun again by calling its version 0', async (t) => {
    const { client, fund, node } = await openTestChain(t);
    const signer = await fund();
    await publishKey(client, { signer, ...bbs(1) }, quickly);
    const unversioned: LedgerClient = {
      ...client,
      getAccountMetaData: async (query) => {
        const reply = await client.getAccountMetaData(query);
        const { version: _left, ...entry } = reply.result?.[didLogKey] ?? {};
        return { ...reply, result: { [didLogKey]: entry } } as typeof reply;
      },
    };
    await assert.rejects(
      publishKey(unversioned, { signer, ...bbs(2) }, quickly),
      isRefused(/result\.did\.log\.version/),
    );
    assert.equal(node.account(signer.address)?.nonce, 1n);
  });

  test('cannot have another key ended, or a key numbered otherwise: every entry is signed by its owner', async (t) => {
    const { client, fund, node } = await openTestChain(t);
    const signer = await fund();
    await publishKey(client, { signer, ...bbs(1) }, quickly);
    const other = (text: string) => text.replace(bbs(1).publicKeyMultibase, bbs(9).publicKeyMultibase);
    const lying = forging(client, signer.address, other);
    const shown = await readDidHistory(lying, signer.address);
    assert.equal(foldDidRecords(shown.entries).keys.get(1)?.publicKey[5], 9, 'the lie is a good one');
    await assert.rejects(endKey(lying, { signer, number: 1 }, quickly), isRefused(/not signed/));
    await assert.rejects(
      rotateKey(lying, { signer, number: 1, ...bbs(2) }, quickly),
      isRefused(/not signed/),
    );
    await assert.rejects(publishKey(lying, { signer, ...bbs(2) }, quickly), isRefused(/not signed/));
    assert.equal(node.account(signer.address)?.nonce, 1n);
  });

  test('a key that the owner names is ended under its own number only, and is told', async (t) => {
    const { client, fund, node } = await openTestChain(t);
    const signer = await fund();
    for (const seed of [1, 2]) await publishKey(client, { signer, ...bbs(seed) }, quickly);
    const endedMultibase = bbs(1).publicKeyMultibase;
    const wrong = { signer, number: 2, endedMultibase };
    await assert.rejects(endKey(client, wrong, quickly), isRefused(/key 2/));
    await assert.rejects(rotateKey(client, { ...wrong, ...bbs(3) }, quickly), isRefused(/key 2/));
    assert.equal(node.account(signer.address)?.nonce, 2n);
    const ended = await endKey(client, { signer, number: 1, endedMultibase }, quickly);
    assert.equal(ended.endedMultibase, endedMultibase);
    const rotated = await rotateKey(client, { signer, number: 2, ...bbs(3) }, quickly);
    assert.deepEqual([rotated.number, rotated.endedMultibase], [3, bbs(2).publicKeyMultibase]);
  });
});
