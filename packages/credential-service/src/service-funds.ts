/**
 * What is left on the accounts that the service pays from: the registrar's, and where it pays fees for others theirs that
 * do. Looked at every minute for the metrics; the log hears of a low registrar once an hour.
 */
import { healthLimits, serviceWorkLimits as limits } from '@symbolon/core/limits';
import type { Log } from '@symbolon/host/log';
import type { LedgerClient } from '@symbolon/sdk/index';
import { balanceOf } from './ledger/read-accounts.ts';
import type { ServiceParts } from './service-parts.ts';

export interface ServiceFunds {
  /** Undefined as long as nobody has looked, or there is no such account. */
  registrar(): bigint | undefined;
  /** Of several that pay fees for others, the one with the least. */
  paymaster(): bigint | undefined;
  look(parts: ServiceParts): Promise<void>;
}

const paymasters = ({ money: { sponsor } }: ServiceParts): readonly string[] =>
  sponsor ? [sponsor.signer.address] : [];

export interface FundsOrder {
  readonly client: LedgerClient;
  readonly registrarAddress: string;
  readonly log: Log;
}

export function createServiceFunds({ client, registrarAddress: address, log }: FundsOrder): ServiceFunds {
  let registrar: bigint | undefined;
  let paymaster: bigint | undefined;
  let warnedAtMs: number | undefined;
  const warn = (balance: bigint): void => {
    const now = performance.now();
    // The timer of the chore that calls this may be early by a little.
    const isDue =
      warnedAtMs === undefined || now - warnedAtMs > limits.fundsCheckMs - healthLimits.balanceCheckMs / 2;
    if (!isDue) return;
    warnedAtMs = now;
    log.warn({ address, balance }, 'the account that pays for anchors runs low: fund this address');
  };
  return {
    registrar: () => registrar,
    paymaster: () => paymaster,
    async look(parts) {
      const balance = await parts.registrar.balance();
      registrar = balance;
      if (balance < BigInt(limits.fundsLow)) warn(balance);
      const balances = await Promise.all(paymasters(parts).map((one) => balanceOf(client, one)));
      paymaster = balances
        .map((one) => one ?? 0n)
        .reduce<bigint | undefined>(
          (least, one) => (least === undefined || one < least ? one : least),
          undefined,
        );
    },
  };
}
