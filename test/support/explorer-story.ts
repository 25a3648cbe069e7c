/** What the explorer shows in its tests: transactions that were executed, and one that failed. */
import assert from 'node:assert/strict';
import { signerFromPrivateKey } from '@symbolon/sdk/keys/signer';
import { createLedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import { TransactionFailed } from '@symbolon/sdk/ledger/receipts';
import { sendTransaction } from '@symbolon/sdk/transactions/transactions';
import { httpTransport } from '@symbolon/sdk/transport/transport';
import type { ConsoleWorld } from './console-world.ts';

const quickly = { pollIntervalMs: 20 };

async function issuerOf({ service }: ConsoleWorld) {
  const config = await service.stranger.getConsoleConfig();
  const person = config.people?.find((one) => one.did === service.issuer.did);
  assert.ok(person, 'the demo has an issuer');
  return signerFromPrivateKey(person.privateKey);
}

/** A payment from the issuer, to the holder unless told; gives its hash and its block. */
export async function pay(
  world: ConsoleWorld,
  amount = 1_500_000n,
  destAddress = world.service.holder.address,
) {
  const { service } = world;
  const operations = [{ payCoin: { destAddress, amount } }];
  return sendTransaction(service.ledger, { signers: [await issuerOf(world)], operations }, quickly);
}

/** Another block, of which the holder's account knows nothing. */
export const passBlock = (world: ConsoleWorld) => pay(world, undefined, world.service.verifier.address);

/** A payment of more than the issuer has: it costs its fee and does nothing. */
export async function failingPayment(world: ConsoleWorld): Promise<string> {
  try {
    await pay(world, 900_000_000_000_000n);
  } catch (error) {
    if (error instanceof TransactionFailed) return error.receipt.hash;
    throw error;
  }
  throw new Error('nobody has so much');
}

/** The newest call of the credential registry. */
export async function someCall({ service }: ConsoleWorld): Promise<string> {
  const { network } = await service.stranger.getConsoleConfig();
  const address = network.credentialRegistry;
  // The index is asked as the console asks it: the client in this process has none.
  const ledger = createLedgerClient(httpTransport(service.node.url));
  const { result } = await ledger.getAccountTransactions({ address });
  const [call] = result?.transactions.filter(({ roles }) => roles.includes('contract')) ?? [];
  assert.ok(call, 'the demo has issued something');
  return call.hash;
}
