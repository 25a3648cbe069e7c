/**
 * What a flow is here: an order given to the SDK, what may be signed for it, and what its caller relies on afterwards.
 * Every key is watched: whatever it is put under becomes a statement, whoever asked for it.
 */

import type { BbsSigningTask } from '@symbolon/sdk/flows/issuer-flows';
import {
  type CredentialClient,
  createCredentialClient,
  createLedgerClient,
  type LedgerClient,
  type Signer,
} from '@symbolon/sdk/index';
import type { WaitOptions } from '@symbolon/sdk/ledger/receipts';
import type { JsonValue } from '@symbolon/wire/json/json';
import type { Servers, Tape } from './tape.ts';

/** What an order says of what is to be signed, in the words of `statements.ts`. */
export interface OrderedStatement {
  readonly kind: string;
  readonly says: JsonValue;
}

export interface Flow {
  readonly name: string;
  /** What is signed for it, in this order. */
  readonly ordered: readonly OrderedStatement[];
  /** Where an order leaves something open: whether a statement is within it all the same. */
  readonly isWithin?: (statement: OrderedStatement) => boolean;
  /** Carries the order out; resolves to what its caller relies on, without what is but a server's word. */
  readonly run: (parts: RunParts) => Promise<JsonValue>;
  /** The same for another order, whose answers a server may give instead. */
  readonly other?: (parts: RunParts) => Promise<JsonValue>;
  /** What it is answered, where that is not taken down from servers. */
  readonly tape?: Tape;
  /** Whether the outcome is shown to others: then nothing may be in it that was not meant to be. */
  readonly isShown?: true;
  /** The most that its transactions may cost. */
  readonly feeLimitMax?: bigint;
}

/** What a run works with. */
export interface RunParts {
  /** Of a caller with this API key, or of a stranger. */
  readonly service: (apiKey?: string) => CredentialClient;
  readonly ledger: LedgerClient;
  /** The same signer, watched. */
  readonly watched: (signer: Signer) => Signer;
  readonly watchedBbs: (sign: BbsSign) => BbsSign;
  /** For receipts: who lies about them is soon given up. */
  readonly wait: WaitOptions;
}
type BbsSign = (task: BbsSigningTask) => Promise<Uint8Array>;

/** What keys were put under during a run. */
export interface Watch {
  readonly signed: Uint8Array[];
  readonly signedWithBbs: BbsSigningTask[];
}

export const createWatch = (): Watch => ({ signed: [], signedWithBbs: [] });

export interface RunTerms {
  readonly audience: string;
  readonly wait: WaitOptions;
}

export function partsOf({ service, node }: Servers, watch: Watch, { audience, wait }: RunTerms): RunParts {
  return {
    wait,
    service: (apiKey) =>
      createCredentialClient(service, { audience, ...(apiKey !== undefined && { apiKey }) }),
    ledger: createLedgerClient(node),
    watched: (signer) => ({
      ...signer,
      sign: (bytes) => {
        watch.signed.push(Uint8Array.from(bytes));
        return signer.sign(bytes);
      },
    }),
    watchedBbs: (sign) => (task) => {
      watch.signedWithBbs.push(task);
      return sign(task);
    },
  };
}
