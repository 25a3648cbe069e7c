/**
 * Signed transactions for the whole ledger: the one that deploys the sample token, those that give every sender
 * some of it, and the transfers. One JSON body of submitTransaction each, made in advance like all load.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import type { OperationSchema } from '@symbolon/core/proto/ledger_pb';
import { addressOfPerson, benchKeys, seedOf, senderOf, senderSeed, signedBody } from '../ledger/people.ts';
import { createRandom } from '../statistics.ts';
import { sampleToken } from './token-contracts.ts';

/** The first senders of a prepared chain; a multiple of the connections. */
export const tokenSenders = 1_024;
/** Who may receive: the first accounts of a prepared chain, so that a token has about as many entries. */
export const tokenHolders = 10_000;

const assignmentsPerTransaction = 32;
const unitsOfEach = 1_000_000;

type Operation = Exclude<MessageInitShape<typeof OperationSchema>, { $typeName: string }>;

const callOf = (destAddress: string, input: string): Operation => ({
  type: operationTypes.payCoin,
  payCoin: { destAddress, amount: 0n, input },
});

/** By the genesis account of a prepared chain, which has sent nothing yet. */
export function deployment(): { readonly bodies: readonly string[]; readonly token: string } {
  const owner = senderOf(seedOf('genesis'));
  const feeLimit = 10_000_000n;
  const terms = {
    contract: { payload: sampleToken.code },
    priv: { thresholds: { txThreshold: 1n } },
    initInput: JSON.stringify({
      params: { name: 'Bench', symbol: 'BENCH', decimals: 6, supply: '1000000000' },
    }),
  };
  const creation: Operation = { type: operationTypes.createAccount, createAccount: terms };
  const token = benchKeys.addressOfText(`${owner.address}-1-0`);
  const bodies = [signedBody(owner, 1, { operations: [creation], feeLimit })];
  for (let from = 0; from < tokenSenders; from += assignmentsPerTransaction) {
    const operations = Array.from({ length: assignmentsPerTransaction }, (_, index) => {
      const params = { to: addressOfPerson(from + index), value: String(unitsOfEach) };
      return callOf(token, JSON.stringify({ method: 'assign', params }));
    });
    bodies.push(signedBody(owner, bodies.length + 1, { operations, feeLimit }));
  }
  return { bodies, token };
}

/** Transfer k is sent by sender k mod the senders with its next nonce, to a holder chosen at random. */
export function transferBodies(token: string, count: number): string[] {
  const senders = Array.from({ length: tokenSenders }, (_, index) => senderOf(senderSeed(index)));
  const holders = Array.from({ length: tokenHolders }, (_, index) => addressOfPerson(index));
  const random = createRandom(4);
  return Array.from({ length: count }, (_, index) => {
    const at = index % tokenSenders;
    const receiver = holders[(at + 1 + random(tokenHolders - 1)) % tokenHolders];
    const operations = [callOf(token, sampleToken.transferInput(receiver, 1 + random(9)))];
    const nonce = Math.floor(index / tokenSenders) + 1;
    return signedBody(senders[at], nonce, { operations, feeLimit: 100_000n });
  });
}
