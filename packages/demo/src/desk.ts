/**
 * What a demo adds to the console: its people, a click away on this machine, and coins for whoever tries something out.
 * Payments go one after the other: they are of one account.
 */
import type { DemoDesk, DemoFigure } from '@symbolon/credential-service/console/console-parts';
import { findLedgerAccount } from '@symbolon/credential-service/ledger/chain-terms';
import { Turns } from '@symbolon/host/work/turns';
import { type LedgerClient, type Signer, sendTransaction } from '@symbolon/sdk/index';
import { accountCreationOrder } from '@symbolon/sdk/transactions/transactions';
import type { DemoDocument } from './file.ts';
import { demoLimits } from './limits.ts';
import { demoRoles, demoScopes } from './people.ts';

export interface DemoDeskOptions {
  readonly client: LedgerClient;
  readonly funder: Signer;
  readonly folder: string | undefined;
  /** What stands in `demo.json`, as soon as it does. */
  readonly demo: () => DemoDocument | undefined;
}

export function createDemoDesk({ client, funder, folder, demo }: DemoDeskOptions): DemoDesk {
  const turns = new Turns(1);
  const { faucetAmount: amount, pollIntervalMs } = demoLimits;
  return {
    folder,
    people: () => peopleOf(demo()),
    pay: (address) =>
      turns.run(async () => {
        const isThere = (await findLedgerAccount(client, address)) !== undefined;
        const operation = isThere
          ? { payCoin: { destAddress: address, amount } }
          : accountCreationOrder(address, amount);
        const { hash } = await sendTransaction(
          client,
          { signers: [funder], operations: [operation] },
          { pollIntervalMs },
        );
        return { hash, amount };
      }),
  };
}

function peopleOf(demo: DemoDocument | undefined): readonly DemoFigure[] {
  if (!demo) return [];
  return demoRoles.map((person) => {
    const { name, did, address, publicKey, privateKey } = demo[person];
    return { person, name, did, address, publicKey, privateKey, scopes: demoScopes[person] };
  });
}
