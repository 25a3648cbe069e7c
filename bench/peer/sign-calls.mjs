/**
 * `sign-calls.mjs coin|token COUNT`: transfers for the peers, signed in advance with the signer that comes with hardhat:
 * one JSON-RPC body a line, on standard output. Of an ERC-20 token the first line deploys it, which gives every sender the
 * same amount; each further one transfers a single unit. Transfer k is sent by sender k mod the senders, to a
 * receiver of its own.
 */
import process from 'node:process';
import { generateAddress, hexToBytes } from '@ethereumjs/util';
import bip39 from 'ethereum-cryptography/bip39/index.js';
import hdkey from 'ethereum-cryptography/hdkey.js';
import { addr, Transaction } from 'micro-eth-signer';
import { compileToken } from './compile-token.mjs';

/** The phrase that hardhat and anvil derive their accounts from when they are told no other. */
const phrase = `${'test '.repeat(11)}junk`;
const senders = 64;
const root = hdkey.HDKey.fromMasterSeed(bip39.mnemonicToSeedSync(phrase));
const keyOf = (index) => root.derive(`m/44'/60'/0'/0/${index}`).privateKey;
const keys = Array.from({ length: senders }, (_, index) => keyOf(index));
const holders = keys.map((key) => addr.fromPrivateKey(key));
/** As few as senders: each block costs anvil more the more accounts there are. */
const receivers = Array.from({ length: senders }, (_, index) => addr.fromPrivateKey(keyOf(senders + index)));
const unitsOfEach = 10n ** 18n;

const word = (value) => value.toString(16).padStart(64, '0');
const addressWord = (address) => address.slice(2).toLowerCase().padStart(64, '0');

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
  to: receiver,
  value: 1_000n + BigInt(index),
  gasLimit: 21_000n,
});

/** The first transaction of the first sender; gives what transfers a unit. */
function deployToken() {
  const { bytecode, selectors } = compileToken();
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
  add(sender, nonce, transfer(receivers[sender], index));
}
process.stdout.write(`${lines.join('\n')}\n`);
