import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as replies from './node-replies.ts';
import { ledgerRoutes } from './routes.ts';

const currentTime = new Date('2024-01-02T03:04:05.678Z');

describe('what a node says about itself', () => {
  it('is as documented', () => {
    const hello = replies.helloReply({
      networkName: 'test',
      nodeVersion: '0.1.0',
      ledgerVersion: '1003',
      overlayVersion: '1000',
      networkId: 'test:local',
      currentTime,
      socketPort: 7,
    });
    ledgerRoutes.hello.reply.parse(hello);
    assert.equal(hello.test_version, '0.1.0');
    assert.equal(hello.current_time, '2024-01-02 03:04:05.678000');

    ledgerRoutes.getStatus.reply.parse(
      replies.statusReply({ transactionCount: 1n, accountCount: 2n ** 60n }),
    );

    const modules = replies.modulesStatusReply({
      transactionCount: 1n,
      accountCount: 2n,
      ledgerSequence: 3n,
      newestLedgerSequence: 4n,
      validationAddress: 'v',
      waitingTransactions: 5,
      currentTime,
      uptimeSeconds: 6,
      peers: 0,
      consensusType: 'solo',
      socketPort: 7,
      socketClients: 8,
    });
    ledgerRoutes.getModulesStatus.reply.parse(modules);
    const { ledger_manager: ledger } = modules as { ledger_manager: Record<string, unknown> };
    assert.equal(ledger.ledger_sequence, 3);
    assert.equal(ledger.chain_max_ledger_seq, 4);

    const consensus = replies.consensusInfoReply({
      type: 'solo',
      isLeader: true,
      leader: 'v',
      validators: ['v'],
      replicaId: 0,
      viewNumber: 0,
      quorumSize: 0,
      faultNumber: 0,
      lastLedgerSeq: 3n,
    });
    ledgerRoutes.getConsensusInfo.reply.parse(consensus);
  });

  it('has no result where there are no peers', () => {
    const reply = replies.peerAddressesReply();
    assert.deepEqual(reply, { error_code: 0, error_desc: '' });
    ledgerRoutes.getPeerAddresses.reply.parse(reply);
    ledgerRoutes.getContractTx.reply.parse(replies.contractTransactionsReply());
  });
});

describe('keys', () => {
  const pair = { address: 'a', publicKey: 'b0', publicKeyRaw: '00', privateKey: 'secret' };

  it('are shown as documented', () => {
    ledgerRoutes.createKeyPair.reply.parse(replies.keyPairReply(pair));
    ledgerRoutes.getAddress.reply.parse(replies.addressOfPrivateKeyReply({ ...pair, privateKeyRaw: '11' }));
  });

  it('do not show more for a public key than was asked', () => {
    const reply = replies.addressOfPublicKeyReply(pair.address, pair.publicKey);
    ledgerRoutes.getAddress.reply.parse(reply);
    assert.ok(!JSON.stringify(reply).includes('secret'));
  });
});
