import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codes } from '@symbolon/core/ledger/terms/codes';
import fc from 'fast-check';
import { isRefusal } from '../http/envelope.ts';
import type { LedgerRoute } from '../http/ledger-route.ts';
import { readParameters } from '../http/parameters.ts';
import { type QueryOf, queryParameters } from './parameters.ts';
import * as requests from './requests.ts';
import { ledgerRoutes } from './routes.ts';

const hash = 'ab'.repeat(32);

/** What an address gives of a query's parameters. */
function given<Name extends keyof typeof queryParameters>(name: Name, text: string): QueryOf<Name> {
  const values = readParameters(queryParameters[name], text, {});
  assert.ok(!isRefusal(values), text);
  return values as QueryOf<Name>;
}

function codeOf(result: unknown): number {
  assert.ok(isRefusal(result), 'should have been refused');
  return result.code;
}

describe('account requests', () => {
  it('read address, key and asset', () => {
    assert.deepEqual(requests.readAccount(given('account', 'address=a&key=k&code=c&issuer=i&type=2')), {
      address: 'a',
      key: 'k',
      asset: { code: 'c', issuer: 'i', type: 2 },
    });
    assert.deepEqual(requests.readAssets(given('assets', 'address=a&code=c&issuer=i')), {
      address: 'a',
      asset: { code: 'c', issuer: 'i', type: 0 },
    });
    assert.deepEqual(requests.readMetadataQuery(given('metadata', 'address=a&key=')), {
      address: 'a',
      key: undefined,
    });
  });

  it('refuse half an asset name: answered about all, it would read as the one', () => {
    const halves = ['code=c', 'issuer=i', 'code=c&issuer=', 'code=&issuer=i', 'code=c&type=0', 'type=1'];
    for (const half of halves)
      for (const refusal of [
        requests.readAssets(given('assets', `address=a&${half}`)),
        requests.readAccount(given('account', `address=a&${half}`)),
      ])
        assert.deepEqual(refusal, {
          code: codes.invalidParameter,
          description:
            half === 'type=1' ? 'type: goes with code and issuer' : 'code and issuer belong together',
        });
    for (const none of ['', '&code=&issuer=', '&type=0'])
      assert.deepEqual(requests.readAssets(given('assets', `address=a${none}`)), {
        address: 'a',
        asset: undefined,
      });
  });

  it('find nothing without an address', () => {
    const readers = [
      requests.readAccount,
      requests.readAddress,
      requests.readAssets,
      requests.readMetadataQuery,
    ];
    for (const read of readers) assert.equal(codeOf(read({})), codes.notFound);
  });

  it('read what a state proof is about', () => {
    const read = (text: string) => requests.readStateProof(given('stateProof', text));
    assert.deepEqual(read('address=a'), { address: 'a', entry: undefined });
    assert.deepEqual(read('address=a&key=k'), { address: 'a', entry: { key: 'k' } });
    assert.deepEqual(read('address=a&code=c&issuer=i'), {
      address: 'a',
      entry: { asset: { code: 'c', issuer: 'i', type: 0 } },
    });
    for (const bad of [
      '',
      'key=k',
      'address=a&code=c',
      'address=a&issuer=i',
      'address=a&key=k&code=c&issuer=i',
    ])
      assert.equal(codeOf(read(bad)), codes.invalidParameter, bad);
  });

  it('read keys to make or to look at', () => {
    assert.deepEqual(requests.readKeyPair(given('keyPair', '')), { signType: 'ed25519' });
    assert.equal(codeOf(requests.readKeyPair(given('keyPair', 'sign_type=sm2'))), codes.invalidParameter);
    assert.deepEqual(requests.readAddressOfKey(given('addressOfKey', 'public_key=b0')), {
      privateKey: undefined,
      publicKey: 'b0',
    });
    assert.deepEqual(requests.readAddressOfKey(given('addressOfKey', 'public_key=b0&private_key=p')), {
      privateKey: 'p',
      publicKey: 'b0',
    });
    assert.equal(codeOf(requests.readAddressOfKey(given('addressOfKey', ''))), codes.invalidParameter);
  });
});

describe('transaction queries', () => {
  it('read hash, block and page', () => {
    const request = requests.readHistory(
      given('history', `hash=${hash.toUpperCase()}&ledger_seq=7&start=-3&limit=5`),
    );
    assert.deepEqual(request, { hash: new Uint8Array(32).fill(0xab), ledgerSeq: 7n, start: 0, limit: 5 });
  });

  it('cap and default the page', () => {
    const limitOf = (limit: string) => {
      const request = requests.readHistory(given('history', `limit=${limit}`));
      assert.ok(!isRefusal(request));
      return request.limit;
    };
    for (const limit of ['', '0', '-1', '1001', '9223372036854775807']) assert.equal(limitOf(limit), 1_000);
    assert.equal(limitOf('1'), 1);
    const far = requests.readPageRange(given('page', 'start=9223372036854775807'));
    assert.ok(!isRefusal(far) && Number.isSafeInteger(far.start));
  });

  it('refuse what cannot be a hash: that it names nothing would be said of what was executed', () => {
    const half = hash.slice(2);
    for (const bad of [
      'x',
      hash.slice(1),
      `${hash}00`,
      `0x${hash}`,
      `${hash}%20`,
      `zz${half}`,
      `${half}%00%00`,
    ])
      for (const refusal of [
        requests.readHistory(given('history', `hash=${bad}`)),
        requests.readCache(given('cache', `hash=${bad}`)),
      ])
        assert.deepEqual(refusal, {
          code: codes.invalidParameter,
          description: 'hash: must be 64 hex digits',
        });
  });
});

describe('ledger requests', () => {
  it('read the block and what is asked for beside it', () => {
    assert.deepEqual(requests.readLedger(given('ledger', 'seq=2&with_validator=true&with_fee=false')), {
      seq: 2n,
      withValidators: true,
      withConsensusValue: false,
      withFees: false,
      withBlockReward: false,
    });
    assert.deepEqual(requests.readLedgerSeq(given('ledgerSeq', 'seq=')), { seq: undefined });
  });

  it('take the older name of a block for it, unless both are given and differ', () => {
    for (const text of ['ledger_seq=2', 'ledger_seq=2&seq=2'])
      assert.equal((requests.readLedger(given('ledger', text)) as { seq?: bigint }).seq, 2n);
    assert.equal(codeOf(requests.readLedger(given('ledger', 'ledger_seq=2&seq=3'))), codes.invalidParameter);
  });
});

describe('callContract', () => {
  const read = (body: Parameters<typeof requests.readCallContract>[1]) => requests.readCallContract({}, body);

  it('reads numbers as text and leaves blanks at their defaults', () => {
    const request = read({
      contract_address: 'c',
      input: '{}',
      contract_balance: '100000000000000000',
      fee_limit: '',
      gas_price: 5,
      opt_type: '2',
    });
    assert.deepEqual(request, {
      contractAddress: 'c',
      code: '',
      input: '{}',
      contractBalance: 100000000000000000n,
      feeLimit: 0n,
      gasPrice: 5n,
      entry: 'query',
      sourceAddress: '',
    });
    const init = read({ code: 'x' });
    assert.ok(!isRefusal(init) && init.entry === 'init');
  });

  it('refuses what it cannot mean', () => {
    assert.equal(codeOf(read({})), codes.notFound);
    assert.equal(codeOf(read({ contract_address: '', code: null })), codes.notFound);
    for (const opt_type of [3, -1, 'x', 1.5, {}])
      assert.equal(codeOf(read({ code: 'x', opt_type })), codes.invalidParameter);
    for (const name of ['contract_balance', 'fee_limit', 'gas_price'])
      for (const value of [-1, 'x', [], 9223372036854775808n])
        assert.equal(codeOf(read({ code: 'x', [name]: value })), codes.invalidParameter, name);
    for (const name of ['contract_address', 'code', 'input', 'source_address'])
      assert.equal(codeOf(read({ code: 'x', [name]: {} })), codes.invalidParameter, name);
  });
});

describe('any query text', () => {
  it('gives a request or a refusal', () => {
    const names = [
      'address',
      'key',
      'code',
      'issuer',
      'type',
      'hash',
      'ledger_seq',
      'start',
      'limit',
      'seq',
      'sign_type',
    ];
    const pairs = fc.array(fc.tuple(fc.constantFrom(...names), fc.string()));
    fc.assert(
      fc.property(pairs, (entries) => {
        const query = new URLSearchParams(entries).toString();
        for (const { query: table, read } of Object.values<LedgerRoute>(ledgerRoutes)) {
          const values = readParameters(table, query, {});
          if (!isRefusal(values)) (read as (values: object, body: object) => unknown)(values, {});
        }
      }),
    );
  });
});
