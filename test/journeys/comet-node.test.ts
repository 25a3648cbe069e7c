/** A network of one validator on a real CometBFT: what becomes of transactions, and what the node tells of its blocks. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { appHashOf } from '@symbolon/core/ledger/execution/close-block';
import { TransactionEnvSchema } from '@symbolon/core/proto/ledger_pb';
import { sha256 } from '@symbolon/host/work/sha256';
import { readBlock } from '@symbolon/ledger-node/chain/chain-reader';
import { type JsonObject, parseJson } from '@symbolon/wire/json/json';
import { type CometNode, payeePerson, startCometNode, validatorKey } from '../support/comet-node.ts';
import { at } from '../support/http.ts';
import { ownerOfSuite } from '../support/owner.ts';
import { richest } from '../support/people.ts';
import { operations } from '../support/running-node.ts';
import { until } from '../support/until.ts';

describe('a node with CometBFT', () => {
  const owner = ownerOfSuite();
  let network: CometNode;
  before(async () => {
    network = await startCometNode(owner);
  });

  test('has blocks of the numbers and app hashes that CometBFT has', async () => {
    const seq = network.height();
    await until('the block after', () => network.height() > seq + 1n);
    const { chain } = network.node.served.node;
    const header = await until('the header after', async () => {
      const { result } = await network.rpc('commit', { height: String(seq + 1n) });
      return at(result as JsonObject, 'signed_header', 'header') as JsonObject;
    });
    assert.equal(header.chain_id, network.chainId);
    const ours = appHashOf(readBlock(chain.rows, seq).header, sha256);
    assert.equal(String(header.app_hash).toLowerCase(), encodeHex(ours));
  });

  test('closes blocks at the time of CometBFT, strictly rising', async () => {
    const seq = network.height();
    const { chain } = network.node.served.node;
    const result = await until('block of CometBFT', async () => {
      const answer = await network.rpc('block', { height: String(seq) });
      return answer.result as JsonObject | undefined;
    });
    const time = String(at(result, 'block', 'header', 'time'));
    const { closeTime } = readBlock(chain.rows, seq).header;
    assert.equal(closeTime / 1_000n, BigInt(Date.parse(time)));
    for (let before = seq; before > 1n; before--)
      assert.ok(
        readBlock(chain.rows, before).header.closeTime > readBlock(chain.rows, before - 1n).header.closeTime,
      );
  });

  test('refuses what is no transaction when CometBFT asks', async () => {
    const answer = await network.rpc('broadcast_tx_sync', { tx: Buffer.from('nonsense').toString('base64') });
    assert.equal(at(answer, 'result', 'code'), 2);
  });

  test('takes one that only CometBFT was given', async () => {
    const { transaction_blob: blob, signatures } = await network.node.sign({
      operations: [operations.log('by', 'gossip')],
    });
    const envelope = envelopeBytes(blob, signatures);
    const answer = await network.rpc('broadcast_tx_sync', { tx: Buffer.from(envelope).toString('base64') });
    assert.equal(at(answer, 'result', 'code'), 0);
    const hash = encodeHex(sha256(Buffer.from(blob, 'hex')));
    assert.equal((await network.node.record(hash)).error_code, 0);
  });

  test('serves the light block of every block but the last', async () => {
    const seq = network.height();
    const { result } = await until('the light block', async () => {
      const reply = await network.node.ask('getLightBlock', { seq });
      return reply.error_code === 0 && reply;
    });
    assert.equal(at(result as JsonObject, 'signed_header', 'header', 'height'), String(seq));
    assert.equal(at(result as JsonObject, 'signed_header', 'commit', 'height'), String(seq));
    assert.equal(at(result as JsonObject, 'validators', 0, 'voting_power'), '10');
    for (let known = 2n; known < seq; known++)
      assert.equal((await network.node.ask('getLightBlock', { seq: known })).error_code, 0);
    for (const unknown of [1n, seq + 1_000n])
      assert.equal((await network.node.ask('getLightBlock', { seq: unknown })).error_code, 4);
    assert.equal((await network.node.ask('getLightBlock')).error_code, 0);
  });

  test('shows what validators signed of the block before, in the shape that a chain of one node has', async () => {
    const seq = network.height();
    const shown = async (of: bigint) => {
      const flags = { with_consvalue: true, with_validator: true };
      return (await network.node.ask('getLedger', { seq: of, ...flags })).result as JsonObject;
    };
    const { validators, consensus_value: value } = await until('what was signed', async () => {
      const block = await shown(seq);
      return at(block, 'consensus_value', 'previous_proof_plain') !== null && block;
    });
    const { result } = await network.rpc('commit', { height: String(seq - 1n) });
    const commit = at(result as JsonObject, 'signed_header', 'commit') as JsonObject;
    const signature = Buffer.from(String(at(commit, 'signatures', 0, 'signature')), 'base64');
    assert.deepEqual(validators, [payeePerson.address]);
    assert.deepEqual(at(value as JsonObject, 'previous_proof_plain'), {
      commits: [
        {
          pbft: {
            commit: {
              sequence: Number(seq - 1n),
              value_digest: String(at(commit, 'block_id', 'hash')).toLowerCase(),
            },
            type: 2,
          },
          signature: { public_key: validatorKey.publicKey, sign_data: signature.toString('hex') },
        },
      ],
    });
    // No hash covers it: what was agreed on has none.
    assert.equal(at(value as JsonObject, 'previous_proof'), undefined);
    assert.equal(at(await shown(2n), 'consensus_value', 'previous_proof_plain'), null);
  });

  test('answers questions about its state to whoever asks CometBFT', async () => {
    const query = async (path: string, data: string) => {
      const { result } = await network.rpc('abci_query', { path, data: Buffer.from(data).toString('hex') });
      return at(result as JsonObject, 'response') as JsonObject;
    };
    const good = await query('/state', JSON.stringify({ address: richest.address }));
    const proven = parseJson(Buffer.from(String(good.value), 'base64').toString()) as JsonObject;
    assert.equal(proven.state_key, `account/${richest.address}`);
    assert.equal(String(proven.ledger_seq), String(good.height));
    for (const [path, data] of [
      ['/other', '{}'],
      ['/state', ''],
      ['/state', '[]'],
      ['/state', '{"address":1}'],
      ['/state', `{"address":"${richest.address}","more":"x"}`],
      ['/state', `{"address":"${richest.address}","code":"x"}`],
    ] as const)
      assert.equal((await query(path, data)).code, 2);
  });

  test('tells what it is', async () => {
    const info = await until('what CometBFT says', async () => {
      const reply = await network.node.ask('getConsensusInfo');
      return reply.replica_id === 0 && reply;
    });
    assert.deepEqual(
      [info.type, info.is_leader, info.leader, info.quorum_size, info.fault_number],
      ['cometbft', true, payeePerson.address, 1, 0],
    );
    const status = await network.node.ask('getModulesStatus');
    assert.equal(at(status, 'ledger_manager', 'validation_address'), payeePerson.address);
    const ready = await fetch(`${network.node.url}/readyz`);
    assert.equal(ready.status, 200, await ready.text());
    const metrics = await (await fetch(`${network.node.url}/metrics`)).text();
    assert.match(metrics, /^symbolon_ledger_network_connected 1$|^ledger_network_connected 1$/m);
    assert.match(metrics, /ledger_network_missed_blocks 0$/m);
    assert.match(metrics, /ledger_network_validator_power 10$/m);
    assert.match(metrics, /ledger_network_validator_jailed 0$/m);
    assert.match(metrics, /ledger_network_catching_up 0$/m);
    assert.match(metrics, /ledger_network_behind_blocks [01]$/m);
    for (const method of ['checkTx', 'prepareProposal', 'processProposal', 'finalizeBlock', 'commit'])
      assert.match(metrics, new RegExp(`ledger_network_abci_seconds_count\\{method="${method}"\\} [1-9]`));
  });
});

function envelopeBytes(
  blob: string,
  signatures: readonly { public_key: string; sign_data: string }[],
): Uint8Array {
  return toBinary(
    TransactionEnvSchema,
    create(TransactionEnvSchema, {
      transaction: Buffer.from(blob, 'hex'),
      signatures: signatures.map(({ public_key: publicKey, sign_data: signData }) => ({
        publicKey,
        signData: Buffer.from(signData, 'hex'),
      })),
    }),
  );
}
