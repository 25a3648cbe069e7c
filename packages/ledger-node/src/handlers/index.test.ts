import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { encodeEntry, stateKeys } from '@symbolon/core/ledger/terms/state';
import { operation } from '@symbolon/core/ledger/testing/test-ledger';
import { queryLimits } from '@symbolon/core/limits/requests';
import { MetadataEntrySchema } from '@symbolon/core/proto/ledger_pb';
import { bindRoutes } from '@symbolon/wire/http/ledger-route';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { ledgerRoutes } from '@symbolon/wire/ledger/routes';
import { stateRow } from '../chain/rows.ts';
import { LedgerNode } from '../node/node.ts';
import type { Row } from '../store/store.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { person, richest, validatorPerson } from '../testing/people.ts';
import { signed, testRules } from '../testing/test-chain.ts';
import { createHandlers } from './index.ts';

const metadataRows = (count: number, value: string): Row[] =>
  Array.from({ length: count }, (_, index) => {
    const key = String(index).padStart(6, '0');
    const entry = create(MetadataEntrySchema, { key, value, version: 1n });
    return [stateRow(stateKeys.metadata(richest.address, key)), encodeEntry(entry)];
  });

describe('the handlers', () => {
  const failures: [name: string, error: unknown][] = [];
  const store = new MemoryStore();
  let node: LedgerNode;
  /** Into the state, behind the chain's back. */
  const put = async (rows: readonly Row[]) => {
    await store.write(rows);
    node.chain.rows.advance();
  };
  let call: (name: string, query: string, body?: JsonObject) => Promise<JsonObject>;

  before(async () => {
    node = await LedgerNode.open({
      store,
      rules: testRules(),
      validator: validatorPerson,
      settings: { signatureWorkers: 0 },
      onFailure: (error) => assert.fail(String(error)),
    });
    const handlers = createHandlers(node, {
      version: '1.2.3',
      socketPort: () => 5,
      socketClients: () => 6,
      onFailure: (name, error) => failures.push([name, error]),
    });
    const routes = bindRoutes(ledgerRoutes, handlers);
    call = async (name, query, body) =>
      parseJson((await routes.get(name)?.({ query, body })) ?? '') as JsonObject;
  });

  after(() => node.close());

  describe('an account with very much', () => {
    const keysOf = ({ result }: JsonObject) => Object.keys(result as JsonObject);

    test('shows as many entries as one answer may hold, and each by its key', async () => {
      const count = queryLimits.accountEntriesMax + 5;
      const rows = metadataRows(count, 'v');
      await put(rows);
      const shown = keysOf(await call('getAccountMetaData', `address=${richest.address}`));
      assert.equal(shown.length, queryLimits.accountEntriesMax);
      const account = await call('getAccount', `address=${richest.address}`);
      assert.equal(
        ((account.result as JsonObject).metadatas as unknown[]).length,
        queryLimits.accountEntriesMax,
      );
      const last = String(count - 1).padStart(6, '0');
      assert.deepEqual(keysOf(await call('getAccountMetaData', `address=${richest.address}&key=${last}`)), [
        last,
      ]);
      await put(rows.map(([key]): Row => [key, undefined]));
    });

    test('shows as many bytes as one answer may hold', async () => {
      const rows = metadataRows(50, 'v'.repeat(250_000));
      await put(rows);
      const shown = keysOf(await call('getAccountMetaData', `address=${richest.address}`));
      assert.equal(shown.length, Math.floor(queryLimits.bodyBytesMax / (250_000 + 14)));
      await put(rows.map(([key]): Row => [key, undefined]));
    });
  });

  describe('the queue', () => {
    test('lists as many bytes as one answer may hold, and each transaction by its hash', async () => {
      const hashes: string[] = [];
      // Beyond a gap in the nonces, so that no block takes them.
      for (let nonce = 10n; nonce < 22n; nonce++) {
        const operations = ['a', 'b', 'c', 'd'].map((key) =>
          operation('setMetadata', { key, value: 'v'.repeat(250_000) }),
        );
        const { blob, signatures } = signed({ nonce, operations });
        hashes.push((await node.submit(blob, signatures)).hash as string);
      }
      const { result } = await call('getTransactionCache', '');
      const listed = (result as JsonObject).transactions as JsonObject[];
      assert.deepEqual(
        listed.map(({ hash }) => hash),
        hashes.slice(0, Math.floor(queryLimits.bodyBytesMax / 1_000_400)),
      );
      assert.equal((await call('getTransactionCache', `hash=${hashes[11]}`)).error_code, 0);
    });
  });

  describe('a batch', () => {
    test('is cut when its answers become too large together', async () => {
      const rows = metadataRows(30, 'v'.repeat(250_000));
      await put(rows);
      const items = Array.from({ length: 10 }, () => ({ url: `getAccount?address=${richest.address}` }));
      const { results } = await call('multiQuery', '', { items });
      const answered = (results as JsonObject[]).map(({ error_code }) => error_code);
      assert.deepEqual(answered, [0, 0, 0, 0, 0, 2, 2, 2, 2, 2]);
      await put(rows.map(([key]): Row => [key, undefined]));
    });

    test('lets everybody else have a turn after each of its queries', async () => {
      let turns = 0;
      let isOver = false;
      const others = (): void => {
        turns += 1;
        if (!isOver) setImmediate(others);
      };
      setImmediate(others);
      const items = Array.from({ length: 20 }, () => ({ url: 'getTransactionHistory' }));
      await call('multiQuery', '', { items });
      isOver = true;
      assert.ok(turns >= items.length, `${turns} turns`);
    });

    test('survives a query that fails by a defect, and tells of it', async () => {
      const bob = person('bob');
      await put([[stateRow(stateKeys.account(bob.address)), Uint8Array.of(255)]]);
      const items = [{ url: `getAccount?address=${bob.address}` }, { url: 'getStatus' }];
      const { error_code, results } = await call('multiQuery', '', { items });
      assert.equal(error_code, 0);
      const [broken, status] = results as JsonObject[];
      assert.deepEqual(broken, { error_code: 1, error_desc: 'Internal service defect', result: null });
      assert.equal(status.error_code, 0);
      assert.deepEqual(
        failures.map(([name]) => name),
        ['getAccount'],
      );
    });
  });

  describe("the node's word about itself", () => {
    test('says what it was told and what the chain knows', async () => {
      const hello = await call('hello', '');
      assert.deepEqual([hello.zetrix_version, hello.websocket_address], ['1.2.3', 5]);
      assert.match(hello.current_time as string, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
      const modules = await call('getModulesStatus', '');
      assert.deepEqual(modules.websocket_server, { clients: 6, listen_port: 5 });
      const consensus = await call('getConsensusInfo', '');
      assert.deepEqual(
        [consensus.leader, consensus.validators],
        [validatorPerson.address, [validatorPerson.address]],
      );
    });
  });
});
