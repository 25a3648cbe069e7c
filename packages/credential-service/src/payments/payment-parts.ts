/**
 * What payments work with, beside the parts of the service: the ledger as payments see it, whether old clients'
 * signatures are taken, and who pays fees for others.
 */
import type { Signer } from '@symbolon/sdk/index';
import type { ServiceConfig } from '../parts/service-config.ts';
import type { ServiceParts } from '../parts/service-parts.ts';
import type { PaymentLedger } from './payment-ledger.ts';

/** With the limits that the operator sets. */
export interface Sponsor extends Omit<ServiceConfig['facilitator']['sponsor'], 'enabled' | 'accounts'> {
  /** Whom the operator funds. It sends no payments, it fills up the accounts that do. */
  readonly purse: Signer;
  /** By address; each sends one payment at a time, so that as many can be under way at once. */
  readonly accounts: ReadonlyMap<string, Signer>;
}

export interface PaymentParts extends ServiceParts {
  readonly paymentLedger: PaymentLedger;
  readonly lenientSignatures: boolean;
  /** Where the service pays fees for others. */
  readonly sponsor: Sponsor | undefined;
  /** Writes a warning to the log. */
  readonly warn: (facts: Readonly<Record<string, string>>, message: string) => void;
}
