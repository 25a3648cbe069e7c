/** The examples of the ledger: a transfer from building to receipt, and every question about what it has changed. */
import { codes } from '@symbolon/core/ledger/terms/codes';
import type { JsonObject } from '@symbolon/wire/json/json';
import { at } from '../support/http.ts';
import { signBlob } from '../support/service-steps.ts';
import type { DemoWorld } from './demo-world.ts';
import type { PlayLedger } from './player.ts';

/** Mira pays Oren, makes points of her own and leaves a note on her account. */
const operationsTo = (destination: string): JsonObject[] => [
  { type: 7, pay_coin: { dest_address: destination, amount: 1_500_000 } },
  { type: 2, issue_asset: { code: 'POINTS', amount: 1_000 } },
  { type: 4, set_metadata: { key: 'greeting', value: 'Hello from Mira' } },
];

async function transfer(play: PlayLedger, { node, holder, holder2 }: DemoWorld): Promise<string> {
  const { address } = holder;
  const base = await play('getAccountBase', { query: { address } });
  const transaction = {
    source_address: address,
    nonce: Number(at(base, 'result', 'nonce') ?? 0) + 1,
    fee_limit: 10_000_000,
    gas_price: 1,
    operations: operationsTo(holder2.address),
  };
  const { fee_limit: _limit, gas_price: _price, ...evaluated } = transaction;
  await play('testTransaction', { body: { ...evaluated, signature_number: 1 } });
  const made = await play('getTransactionBlob', { body: { transfer: transaction } });
  const blob = at(made, 'result', 'transaction_blob') as string;
  await play('getTransactionFromBlob', { query: { blob } });
  const body = {
    transaction_blob: blob,
    sign_data: signBlob(holder, blob),
    public_key: holder.publicKey,
  };
  const submitted = await play('submitTransaction', { body });
  const hash = at(submitted, 'result', 'hash') as string;
  await node.record(hash);
  return hash;
}

/** A transaction that waits, because the one before it is not there. */
async function leaveWaiting({ node, holder }: DemoWorld): Promise<string> {
  const base = await node.ask('getAccountBase', { address: holder.address });
  const nonce = BigInt(at(base, 'result', 'nonce') as number) + 2n;
  const operations = [{ type: 8, log: { topic: 'example', datas: ['waits for its turn'] } }];
  return at(await node.submit({ source: holder, nonce, operations }), 'result', 'hash') as string;
}

export async function playLedger(play: PlayLedger, world: DemoWorld): Promise<void> {
  const { holder, issuer, demo } = world;
  const { address } = holder;
  await play('hello');
  await play('getGenesisAccount');
  await play('createKeyPair');
  const hash = await transfer(play, world);
  await play('getTransactionHistory', { query: { hash } });
  await play('getAccount', { query: { address, key: 'greeting' } });
  await play('getAccountAssets', { query: { address } });
  await play('getAccountMetaData', { query: { address, key: 'greeting' } });
  await play('getStateProof', { query: { address, key: 'greeting' } });
  await play('getAddress', { query: { public_key: issuer.publicKey } });
  await play('getTransactionCache', { query: { hash: await leaveWaiting(world) } });
  await play('getContractTx');
  await play('getLedger', { query: { seq: '1', with_validator: 'true', with_fee: 'true' } });
  await play('getLedgerValidators');
  // A chain of one node has none.
  await play('getLightBlock', { code: codes.notFound });
  await play('getExplorerOverview');
  await play('getTransactions', { query: { limit: '2' } });
  await play('getAccountTransactions', { query: { address, limit: '2' } });
  await play('getTransactionEffects', { query: { hash } });
  await play('getAccounts', { query: { limit: '2' } });
  await play('getLedgerFigures', { query: { limit: '2' } });
  await play('searchLedger', { query: { q: address.slice(0, 12) } });
  const input = JSON.stringify({ method: 'balanceOf', params: { address } });
  await play('callContract', {
    body: { contract_address: demo.token?.address as string, opt_type: 2, input, source_address: address },
  });
  const items = [{ url: `getAccountBase?address=${address}` }, { url: 'getLedger' }];
  await play('multiQuery', { body: { items } });
  await play('getStatus');
  await play('getModulesStatus');
  await play('getConsensusInfo');
  await play('getPeerAddresses');
}
