/**
 * What is left on the accounts that the service pays from: the registrar's, and where it pays fees for others those that
 * do. Looked at every minute for the metrics; the log hears of too little once an hour.
 */
import { healthLimits } from '@symbolon/host/limits/server-limits';
import type { Log } from '@symbolon/host/telemetry/log';
import { serviceWorkLimits as limits } from '../limits/service-limits.ts';
import { isSponsorFunded, sponsorFunds } from '../payments/sponsor-funds.ts';
import type { AllParts } from '../wiring/all-parts.ts';

export interface ServiceFunds {
  /** Undefined as long as nobody has looked, or there is no such account. */
  registrar(): bigint | undefined;
  /** What is there for fees of others: of the purse and of the accounts that it fills. */
  paymaster(): bigint | undefined;
  look(parts: AllParts): Promise<void>;
}

export function createServiceFunds(registrarAddress: string, log: Log): ServiceFunds {
  let registrar: bigint | undefined;
  let paymaster: bigint | undefined;
  const warnOfRegistrar = hourly((balance: bigint) => {
    const account = { address: registrarAddress, balance };
    log.warn(account, 'the account that pays for anchors runs low: fund this address');
  });
  const warnOfPaymaster = hourly((address: string) => {
    log.warn({ address }, 'the account that pays fees for others has too little: fund this address');
  });
  return {
    registrar: () => registrar,
    paymaster: () => paymaster,
    async look(parts) {
      registrar = await parts.registrar.balance();
      if (registrar < BigInt(limits.fundsLow)) warnOfRegistrar(registrar);
      const { sponsor } = parts;
      const funds = await sponsorFunds(parts);
      if (!sponsor || !funds) return;
      paymaster = [...funds.accounts.values()].reduce((sum, one) => sum + one, funds.purse);
      if (!(await isSponsorFunded(parts))) warnOfPaymaster(sponsor.purse.address);
    },
  };
}

/** Warns at once, and again as long as there is reason to. */
function hourly<What>(warn: (what: What) => void): (what: What) => void {
  let warnedAtMs: number | undefined;
  return (what) => {
    const now = performance.now();
    // The timer of the chore that calls this may be early by a little.
    const isDue =
      warnedAtMs === undefined || now - warnedAtMs > limits.fundsCheckMs - healthLimits.balanceCheckMs / 2;
    if (!isDue) return;
    warnedAtMs = now;
    warn(what);
  };
}
