/**
 * The contracts under load. Both move an amount from the sender to somebody with two loads and two stores; the
 * sample token, which is what people will write, also checks its input, counts in 64 bits and logs an event.
 */
import { readFileSync } from 'node:fs';

export interface TokenContract {
  readonly name: string;
  readonly code: string;
  /** Under which name its storage keeps what somebody has. */
  balanceKey(address: string): string;
  transferInput(to: string, value: number): string;
}

const balanceKey = (address: string): string => `balance/${address}`;

export const sampleToken: TokenContract = {
  name: 'contracts/token.js',
  code: readFileSync(new URL('../../contracts/token.js', import.meta.url), 'utf8'),
  balanceKey,
  transferInput: (to, value) => JSON.stringify({ method: 'transfer', params: { to, value: String(value) } }),
};

/** The four storage calls and nothing else that leaves the interpreter. */
export const plainToken: TokenContract = {
  name: 'storage calls alone',
  code: `'use strict';

const balanceKey = (address) => 'balance/' + address;

function main(input) {
  const { to, value } = JSON.parse(input);
  const from = Chain.msg.sender;
  const left = Number(Chain.load(balanceKey(from))) - value;
  if (!(value > 0) || !(left >= 0)) throw 'The balance is too low.';
  const there = Number(Chain.load(balanceKey(to)) || '0');
  Chain.store(balanceKey(from), String(left));
  Chain.store(balanceKey(to), String(there + value));
  return true;
}
`,
  balanceKey,
  transferInput: (to, value) => JSON.stringify({ to, value }),
};
