/**
 * Activation: an account in custody comes into being on the ledger by a small payment of the registrar. That somebody
 * is to be paid is written down with the account, the payment's hash before the ledger sees it; whatever breaks off is
 * settled later by asking the ledger, never by paying blindly again.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { LedgerClient } from '@symbolon/sdk/index';
import { findLedgerAccount, readChainTerms } from '../ledger/chain-terms.ts';
import { outcomeOf } from '../ledger/hand-in.ts';
import { withFaults } from '../ledger/ledger-faults.ts';
import type { Registrar } from '../ledger/registrar.ts';
import { recordLimits } from '../limits/service-limits.ts';
import type { CustodyParts } from './custody-parts.ts';
import { changeActivation, listPendingActivations } from './custody-rows.ts';

export interface Activations {
  /** Whether the ledger has the account, whoever made it. */
  isActivated(address: string): Promise<boolean>;
  /** Pays for an account that waits for it; the transaction's hash, or nothing where somebody else paid. */
  activate(address: string): Promise<string | undefined>;
  /** Goes on with what broke off; `leaseMs` 0 takes all but what this process is busy with. */
  recover(leaseMs?: number): Promise<void>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export interface ActivationOptions extends CustodyParts {
  readonly client: LedgerClient;
  readonly registrar: Pick<Registrar, 'pay'>;
  readonly amount: bigint;
  readonly crashPoint: (name: string) => void;
}

export function createActivations(options: ActivationOptions): Activations {
  const { client, database, clock } = options;
  const underWay = new Map<string, Promise<string | undefined>>();

  const isActivated = (address: string): Promise<boolean> =>
    withFaults(async () => (await findLedgerAccount(client, address)) !== undefined);

  const activate = (address: string): Promise<string | undefined> => {
    const known = underWay.get(address);
    if (known) return known;
    const work = (async () =>
      (await isActivated(address)) ? finish(options, { address }) : payFor(options, address))();
    const done = work.finally(() => underWay.delete(address));
    underWay.set(address, done);
    return done;
  };

  return {
    isActivated,
    activate,
    async recover(leaseMs = recordLimits.claimLeaseMs) {
      const pending = await listPendingActivations(database.kysely, clock.nowMs() - leaseMs);
      for (const { address, activationTx } of pending) {
        if (underWay.has(address)) continue;
        const outcome = activationTx === null ? undefined : await outcomeOf(client, activationTx);
        if (outcome?.kind === 'executed') await finish(options, { address, txHash: outcome.hash });
        // It may still be executed: another payment would be one too many.
        else if (outcome?.kind !== 'waiting' && outcome?.kind !== 'unknown') await activate(address);
      }
    },
    async idle() {
      await Promise.allSettled(underWay.values());
    },
  };
}

async function payFor(options: ActivationOptions, address: string): Promise<string> {
  const { client, registrar, database, clock, amount, crashPoint } = options;
  const { baseReserve } = await withFaults(() => readChainTerms(client));
  const { hash } = await registrar.pay({
    payTo: address,
    amount: amount > baseReserve ? amount : baseReserve,
    async prepared(activationTx) {
      const change = { address, activation: 'pending', activationTx, now: clock.nowMs() } as const;
      const isPending = await changeActivation(database.kysely, change);
      if (!isPending) throw new Fault('stateForbids', { detail: 'Nobody waits for this payment any more' });
    },
  });
  crashPoint('custodyPaid');
  await finish(options, { address, txHash: hash });
  return hash;
}

async function finish(
  { database, audit, clock, counts }: ActivationOptions,
  { address, txHash }: { readonly address: string; readonly txHash?: string },
): Promise<string | undefined> {
  const isChanged = await database.transaction(async (queries) => {
    const change = { address, activation: 'done', now: clock.nowMs() } as const;
    if (!(await changeActivation(queries, change))) return false;
    const details = txHash === undefined ? {} : { txHash };
    await audit.record({ action: 'custody.activate', subject: address, details }, queries);
    return true;
  });
  if (isChanged) counts.activations += 1;
  return txHash;
}
