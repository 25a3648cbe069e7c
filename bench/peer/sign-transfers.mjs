/**
 * Transfers for hardhat, signed in advance with the signer that comes with it: one JSON-RPC body a line, on
 * standard output. Transfer k is sent by sender k mod the senders, to an address chosen by its number.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import process from 'node:process';
import { addr, Transaction } from 'micro-eth-signer';

const { networks } = createRequire(import.meta.url)('./hardhat.config.cjs');
const keys = networks.hardhat.accounts.map(({ privateKey }) => privateKey);
const receivers = 10_000;

const receiverOf = (index) => {
  const digest = createHash('sha256')
    .update(`receiver ${(index * 7_919) % receivers}`)
    .digest('hex');
  return addr.addChecksum(`0x${digest.slice(0, 40)}`);
};

const count = Number(process.argv[2]);
const lines = [];
for (let index = 0; index < count; index++) {
  const transfer = Transaction.prepare({
    to: receiverOf(index),
    value: 1_000n + BigInt(index),
    nonce: BigInt(Math.floor(index / keys.length)),
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
    chainId: 31_337n,
    gasLimit: 21_000n,
  });
  const raw = transfer.signBy(keys[index % keys.length]).toHex();
  lines.push(JSON.stringify({ jsonrpc: '2.0', id: index, method: 'eth_sendRawTransaction', params: [raw] }));
}
process.stdout.write(`${lines.join('\n')}\n`);
