/**
 * `sign-calls.mjs coin|token COUNT`: transfers for hardhat, signed in advance with the signer that comes with it: one
 * JSON-RPC body a line, on standard output. Of an ERC-20 token the first line deploys it, which gives every sender the
 * same amount; each further one transfers a single unit. Transfer k is sent by sender k mod the senders, to an address
 * chosen by its number.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import process from 'node:process';
import { generateAddress, hexToBytes } from '@ethereumjs/util';
import { addr, Transaction } from 'micro-eth-signer';
import { compileToken } from './compile-token.mjs';

const { networks } = createRequire(import.meta.url)('./hardhat.config.cjs');
const keys = networks.hardhat.accounts.map(({ privateKey }) => privateKey);
const receivers = 10_000;
const unitsOfEach = 10n ** 18n;

const word = (value) => value.toString(16).padStart(64, '0');
const addressWord = (address) => address.slice(2).toLowerCase().padStart(64, '0');

const receiverOf = (index) =>
  `0x${createHash('sha256')
    .update(`receiver ${(index * 7_919) % receivers}`)
    .digest('hex')
    .slice(0, 40)}`;

const lines = [];
function add(sender, nonce, call) {
  const transaction = Transaction.prepare({
    value: 0n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
    chainId: 31_337n,
    nonce: BigInt(nonce),
    ...call,
  });
  const raw = transaction.signBy(keys[sender]).toHex();
  const body = { jsonrpc: '2.0', id: lines.length, method: 'eth_sendRawTransaction', params: [raw] };
  lines.push(JSON.stringify(body));
}

const coinTransfer = (receiver, index) => ({
  to: addr.addChecksum(receiver),
  value: 1_000n + BigInt(index),
  gasLimit: 21_000n,
});

/** The first transaction of the first sender; gives what transfers a unit. */
function deployToken() {
  const { bytecode, selectors } = compileToken();
  const holders = keys.map((key) => addr.fromPrivateKey(key));
  // An array stands behind the other arguments, its place and its length before it.
  const terms = [word(64), word(unitsOfEach), word(holders.length), ...holders.map(addressWord)].join('');
  add(0, 0, { to: '0x', data: `0x${bytecode}${terms}`, gasLimit: 5_000_000n });
  const token = generateAddress(hexToBytes(holders[0].toLowerCase()), Uint8Array.of(0));
  const to = addr.addChecksum(`0x${Buffer.from(token).toString('hex')}`);
  return (receiver) => {
    const data = `0x${selectors['transfer(address,uint256)']}${addressWord(receiver)}${word(1n)}`;
    return { to, data, gasLimit: 100_000n };
  };
}

const [, , work, count] = process.argv;
const transfer = work === 'token' ? deployToken() : coinTransfer;
const deployments = lines.length;
for (let index = 0; index < Number(count); index++) {
  const sender = index % keys.length;
  const nonce = Math.floor(index / keys.length) + (sender === 0 ? deployments : 0);
  add(sender, nonce, transfer(receiverOf(index), index));
}
process.stdout.write(`${lines.join('\n')}\n`);
