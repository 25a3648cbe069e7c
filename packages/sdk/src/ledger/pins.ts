/**
 * What a client knows of a network from elsewhere than from the server that it talks to. A server that says otherwise
 * is not believed; what is not pinned is the server's word.
 */
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import { assertNames, notUnderstood } from '../arguments/exact-arguments.ts';

/** What a caller knows of the network from elsewhere, and holds against what it is told. */
export interface Pins {
  /** Of the ledger. */
  readonly chainId?: bigint;
  /** Addresses of validators: what one of them has signed is believed. */
  readonly validators?: readonly string[];
  /** Addresses of the registries' contracts. */
  readonly templateRegistry?: string;
  readonly credentialRegistry?: string;
  /** The most that a transaction may cost, and the most for a unit of its work. */
  readonly feeLimitMax?: bigint;
  readonly gasPriceMax?: bigint;
}

const isAmount = (value: unknown): boolean => typeof value === 'bigint' && value >= 0n;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** Whether a pin can be compared with anything, and what it must be. */
const pinForms: Readonly<Record<keyof Pins, readonly [fits: (value: unknown) => boolean, form: string]>> = {
  chainId: [isAmount, 'a bigint from 0 on'],
  validators: [areTexts, 'a list of addresses'],
  templateRegistry: [isText, 'an address'],
  credentialRegistry: [isText, 'an address'],
  feeLimitMax: [isAmount, 'a bigint from 0 on'],
  gasPriceMax: [isAmount, 'a bigint from 0 on'],
};

/** Throws `invalidArgument` for pins that are misspelt or cannot be read: they would pin nothing. */
export function assertPins(pins: Pins | undefined): void {
  if (pins === undefined) return;
  assertNames(pins, Object.keys(pinForms), 'pins');
  assertPinForms(pins, 'pins');
}

/** The same for pins among the members of something else, whose other members are not looked at. */
export function assertPinForms(holder: Pins, what: string): void {
  for (const [name, [fits, form]] of Object.entries(pinForms)) {
    const value = holder[name as keyof Pins];
    if (value !== undefined && !fits(value)) throw notUnderstood(what, `${name} must be ${form}`);
  }
}

/** What an order may say about the network that it is for. */
export interface NetworkTerms {
  readonly pins?: Pins;
  /** The default profile if left out. */
  readonly profile?: NetworkProfile;
}
