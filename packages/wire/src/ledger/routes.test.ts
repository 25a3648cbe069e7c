import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refuse } from '@symbolon/core/ledger/terms/codes';
import { type BoundRoute, bindRoutes } from '../http/ledger-route.ts';
import type { JsonObject } from '../json/json.ts';
import { answerMultiQuery } from './multi-query.ts';
import { type LedgerHandlers, ledgerRoutes } from './routes.ts';

/** Every handler says what it was asked, so that a test sees what the table made of a request. */
const echo = (request: object): JsonObject => ({ asked: Object.keys(request).sort().join() });
const handlers = Object.fromEntries(
  Object.keys(ledgerRoutes).map((name) => [name, echo]),
) as unknown as LedgerHandlers;
const bound: ReadonlyMap<string, BoundRoute> = bindRoutes(ledgerRoutes, {
  ...handlers,
  getAccount: () => refuse('notFound', 'account not exist'),
  getTransactionHistory: () => refuse('notFound', 'query result not exist'),
  multiQuery: (request) =>
    answerMultiQuery(request, { routes: bound, onFailure: () => {}, nextTurn: async () => {} }),
});

async function ask(name: string, query = '', bodyText?: string): Promise<unknown> {
  const route = bound.get(name);
  assert.ok(route, name);
  return JSON.parse(await route({ query, bodyText }));
}

describe('the table of the ledger node', () => {
  it("has every operation of the interface document, of the public clients and the explorer's", () => {
    const names =
      'getGenesisAccount createKeyPair createAccount getAccount getAccountBase getAccountAssets getAccountMetaData ' +
      'getAccountMetadata getTransactionHistory getTransactionCache getLedger getLedgerValidators getLightBlock ' +
      'multiQuery ' +
      'getTransactionBlob getTransactionFromBlob submitTransaction testTransaction callContract hello getStatus ' +
      'getModulesStatus getConsensusInfo getAddress getContractTx getPeerAddresses getStateProof ' +
      'getExplorerOverview getTransactions getAccountTransactions getTransactionEffects getAccounts ' +
      'getLedgerFigures searchLedger';
    assert.deepEqual([...bound.keys()].sort(), names.split(' ').sort());
  });

  it('has no administration on the open port', () => {
    for (const name of ['updateLogLevel', 'debug', 'jslint']) assert.ok(!bound.has(name));
  });

  it('puts every route in a known group, and the genesis account where the document has it', () => {
    const groups = new Set(['account', 'transaction', 'ledger', 'contract', 'explorer', 'node']);
    for (const [name, route] of Object.entries(ledgerRoutes)) assert.ok(groups.has(route.group), name);
    assert.equal(ledgerRoutes.getGenesisAccount.group, 'account');
  });

  it('hands handlers what it read', async () => {
    assert.deepEqual(await ask('getLedgerValidators', 'seq=1'), { asked: 'seq' });
    assert.deepEqual(await ask('submitTransaction', '', '{"transaction_blob":"0a"}'), { asked: 'items' });
    assert.deepEqual(await ask('createAccount'), { asked: 'signType' });
  });
});

describe('bad JSON', () => {
  const message = 'request must be in json format';
  const listed = {
    error_code: 2,
    error_desc: message,
    result: null,
    results: [{ error_code: 2, error_desc: message }],
    success_count: 0,
  };

  it('is answered in the shape each route has for it', async () => {
    for (const bad of [undefined, '', '{', '[]', 'null']) {
      for (const name of ['submitTransaction', 'callContract', 'testTransaction'])
        assert.deepEqual(await ask(name, '', bad), listed, name);
      assert.deepEqual(await ask('multiQuery', '', bad), {
        error_code: 2,
        error_desc: message,
        results: null,
      });
      assert.deepEqual(await ask('getTransactionBlob', '', bad), {
        error_code: 2,
        error_desc: message,
        result: null,
      });
    }
  });
});

describe('refusals', () => {
  it('have the body their route shows when nothing is found', async () => {
    const notFound = { error_code: 4, error_desc: 'query result not exist' };
    const list = { ...notFound, result: { total_count: 0, transactions: [] } };
    assert.deepEqual(await ask('getTransactionHistory', `hash=${'00'.repeat(32)}`), list);
    const malformed = { ...list, error_code: 2, error_desc: 'hash: must be 64 hex digits' };
    assert.deepEqual(await ask('getTransactionHistory', 'hash=zz'), malformed);
    assert.deepEqual(await ask('getTransactionCache', 'hash=zz'), malformed);
    assert.deepEqual(await ask('getAccount', 'address=x'), {
      error_code: 4,
      error_desc: 'account not exist',
      result: null,
    });
    assert.deepEqual(await ask('getAccount'), {
      error_code: 4,
      error_desc: 'address is missing',
      result: null,
    });
  });

  it('of a sandbox request are plain envelopes', async () => {
    const reply = await ask('callContract', '', '{"code":"x","opt_type":9}');
    assert.deepEqual(reply, { error_code: 2, error_desc: 'opt_type: must be 0, 1 or 2', result: null });
  });

  it('stay inside their item of a batch', async () => {
    const body = { items: [{ url: 'getAccount?address=x' }, { url: '/getStatus' }, { url: 'getStats' }] };
    assert.deepEqual(await ask('multiQuery', '', JSON.stringify(body)), {
      error_code: 0,
      error_desc: '',
      results: [
        { error_code: 4, error_desc: 'account not exist', result: null },
        { error_code: 0, error_desc: '', asked: '' },
        {
          error_code: 4,
          error_desc: '"getStats" is not known here; did you mean "getStatus"?',
          result: null,
        },
      ],
    });
  });
});
