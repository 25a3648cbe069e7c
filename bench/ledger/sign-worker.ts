/** The thread of `transfers.ts`: signs one part of the transfers. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { encodeTransaction } from '@symbolon/core/ledger/terms/transaction';
import type { PayCoin, Transaction } from '@symbolon/core/proto/ledger_pb';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import { createRandom } from '../statistics.ts';
import { addressOfPerson, benchKeys, senderSeed, senders } from './people.ts';
import type { SigningOrder } from './transfers.ts';

const payCoinType = 7;
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

interface Sender {
  readonly address: string;
  readonly publicKey: string;
  readonly key: KeyObject;
}

function createSender(index: number): Sender {
  const seed = senderSeed(index);
  const publicKey = publicKeyOf(seed);
  return {
    address: benchKeys.addressOf(publicKey),
    publicKey: benchKeys.encodePublicKey(publicKey),
    key: createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' }),
  };
}

function transferOf(
  sender: Sender,
  nonce: number,
  payCoin: Pick<PayCoin, 'destAddress' | 'amount'>,
): Transaction {
  const none = new Uint8Array(0);
  return {
    $typeName: 'symbolon.ledger.v1.Transaction',
    sourceAddress: sender.address,
    nonce: BigInt(nonce),
    exprCondition: '',
    metadata: none,
    feeLimit: 10_000n,
    gasPrice: 1n,
    ceilLedgerSeq: 0n,
    chainId: 0n,
    operations: [
      {
        $typeName: 'symbolon.ledger.v1.Operation',
        type: payCoinType,
        sourceAddress: '',
        metadata: none,
        exprCondition: '',
        payCoin: { $typeName: 'symbolon.ledger.v1.PayCoin', input: '', ...payCoin },
      },
    ],
  };
}

const { accounts, from, to } = workerData as SigningOrder;
const random = createRandom(accounts + from);
const people = new Map<number, Sender>();
const lines: string[] = [];
for (let index = from; index < to; index++) {
  const at = index % senders;
  const sender = people.get(at) ?? createSender(at);
  people.set(at, sender);
  const nonce = Math.floor(index / senders) + 1;
  // Anybody but oneself.
  const receiver = (at + 1 + random(accounts - 1)) % accounts;
  const transaction = transferOf(sender, nonce, {
    destAddress: addressOfPerson(receiver),
    amount: BigInt(1 + random(1_000)),
  });
  const blob = encodeTransaction(transaction);
  const signatures = [{ sign_data: encodeHex(sign(null, blob, sender.key)), public_key: sender.publicKey }];
  lines.push(JSON.stringify({ items: [{ transaction_blob: encodeHex(blob), signatures }] }));
}
parentPort?.postMessage(`${lines.join('\n')}\n`);
