/**
 * The registrar's own transactions, one at a time: nonce, fee, signature, and the intent that is stored before the
 * ledger sees anything. A transaction whose outcome is unknown is asked for and handed in again, the very same bytes,
 * until the ledger says what became of it; only then comes the next.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeUtf8, encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { Turns } from '@symbolon/host/work/turns';
import {
  buildTransaction,
  type LedgerClient,
  SdkError,
  type Signer,
  signTransaction,
} from '@symbolon/sdk/index';
import { nextNonce } from '@symbolon/sdk/transactions/transactions';
import { registryLimits } from '../limits/service-limits.ts';
import { type ChainTerms, readChainTerms } from './chain-terms.ts';
import { type ExecutedOutcome, type FailedOutcome, handInSigned, type SignedBlob } from './hand-in.ts';

/** A transaction that is about to be handed in. */
export interface RegistrarIntent {
  readonly hash: string;
  /** The signed transaction, as `readSigned` reads it. */
  readonly blob: Uint8Array;
  /** JSON text: the entries it registers. */
  readonly entries: string;
}

/** Where intents are kept: durable before `save` resolves. */
export interface RegistrarIntents {
  save(intent: RegistrarIntent): Promise<void>;
  settled(hash: string, outcome: 'executed' | 'failed' | 'superseded'): Promise<void>;
  /** Oldest first. */
  unsettled(): Promise<readonly RegistrarIntent[]>;
}

export type SettledOutcome = ExecutedOutcome | FailedOutcome;

export interface RegistrarAccountOptions {
  readonly client: LedgerClient;
  readonly signer: Signer;
  /** The credential registry. */
  readonly registry: string;
  readonly intents: RegistrarIntents;
  /** Ends every waiting; what is under way then stays an unsettled intent. */
  readonly signal: AbortSignal;
  /** For how long after they were asked terms are taken for those of the next transactions. */
  readonly expectedTermsMs?: number;
  /** Called between the durable steps. */
  readonly crashPoint?: (name: string) => void;
}

export interface RegistrarCall {
  readonly input: object;
  readonly entries: readonly unknown[];
}

/** Money for somebody, instead of a call. */
export interface RegistrarPayment {
  readonly payTo: string;
  readonly amount: bigint;
  /** Told the hash of every attempt before the ledger sees it. */
  readonly prepared: (hash: string) => Promise<void>;
}

/** What the ledger says of its price and of the account. */
interface SendingTerms extends Pick<ChainTerms, 'chainId' | 'gasPrice'> {
  readonly nonce: bigint;
  readonly askedAtMs: number;
}

export class RegistrarAccount {
  readonly #options: RegistrarAccountOptions;
  readonly #turns = new Turns(1);
  /** Of the next call, from the transaction before it; the ledger refuses what is wrong. */
  #expected: SendingTerms | undefined;
  /** Somebody else uses the account: nothing is expected until then. */
  #sharedUntilMs = 0;

  constructor(options: RegistrarAccountOptions) {
    this.#options = options;
  }

  /**
   * Calls the registry, or pays, after all calls before. Rejects only when the signal ends it, or an intent cannot be
   * kept.
   */
  send(call: RegistrarCall | RegistrarPayment): Promise<SettledOutcome> {
    return this.#turns.run(async () => {
      let refused: FailedOutcome | undefined;
      for (;;) {
        const expected = this.#takeExpected(call);
        const terms = expected ?? (await this.#askTerms());
        const signed = await this.#sign(call, terms);
        const { hash } = signed;
        if (hash === refused?.hash) return refused;
        const { intents, crashPoint } = this.#options;
        if ('payTo' in call) await call.prepared(hash);
        const entries = JSON.stringify('payTo' in call ? [] : call.entries);
        await intents.save({ hash, blob: writeSigned(signed), entries });
        crashPoint?.('intentStored');
        const outcome = await this.#settle(signed);
        crashPoint?.('intentExecuted');
        await intents.settled(hash, outcome.kind === 'stale' ? 'superseded' : outcome.kind);
        crashPoint?.('intentSettled');
        if (outcome.kind === 'executed') this.#expected = { ...terms, nonce: terms.nonce + 1n };
        if (outcome.kind === 'stale')
          this.#sharedUntilMs = performance.now() + registryLimits.sharedAccountMs;
        // Somebody else used the nonce, or the price has changed: the same call once more, on terms that were asked for.
        if (outcome.kind === 'stale') continue;
        if (outcome.kind === 'executed' || outcome.isRecorded || !expected) return outcome;
        refused = outcome;
      }
    });
  }

  /** What became of an intent of an earlier run; undefined when it can never be executed. */
  recover({ hash, blob }: RegistrarIntent): Promise<SettledOutcome | undefined> {
    return this.#turns.run(async () => {
      const outcome = await this.#settle({ hash, ...readSigned(blob) });
      await this.#options.intents.settled(hash, outcome.kind === 'stale' ? 'superseded' : outcome.kind);
      return outcome.kind === 'stale' ? undefined : outcome;
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#turns.run(async () => undefined);
  }

  /** Asked in one request, so of one node. */
  #askTerms(): Promise<SendingTerms> {
    const { client, signer } = this.#options;
    return this.#untilAnswered(async () => {
      const askedAtMs = performance.now();
      const [{ chainId, gasPrice }, nonce] = await Promise.all([
        readChainTerms(client),
        nextNonce(client, signer.address),
      ]);
      return { chainId, gasPrice, nonce, askedAtMs };
    });
  }

  /** Never of a payment: one that was refused may be taken later, and the same on other terms would be a second one. */
  #takeExpected(call: RegistrarCall | RegistrarPayment): SendingTerms | undefined {
    const { expectedTermsMs = registryLimits.expectedTermsMs } = this.#options;
    const expected = this.#expected;
    this.#expected = undefined;
    const now = performance.now();
    const isGood = expected && now < expected.askedAtMs + expectedTermsMs && now >= this.#sharedUntilMs;
    return isGood && !('payTo' in call) ? expected : undefined;
  }

  /** The limit of the fee is reckoned, because trying out costs as much work as doing. */
  async #sign(
    call: RegistrarCall | RegistrarPayment,
    { chainId, gasPrice, nonce }: SendingTerms,
  ): Promise<SignedBlob & { hash: string }> {
    const { client, signer } = this.#options;
    const { payCoin, gas } = this.#operationOf(call);
    const transaction = await buildTransaction(client, {
      source: signer.address,
      nonce,
      operations: [{ payCoin }],
      chainId,
      gasPrice,
      feeLimit: gasPrice * BigInt(gas),
    });
    const signed = await signTransaction(transaction, [signer]);
    return {
      hash: encodeHex(signed.hash),
      blob: encodeHex(signed.blob),
      publicKey: signer.publicKey,
      signature: encodeHex(signed.signatures[0].signData),
    };
  }

  #operationOf(call: RegistrarCall | RegistrarPayment) {
    const { gasPerEntryMax } = registryLimits;
    if ('payTo' in call)
      return { payCoin: { destAddress: call.payTo, amount: call.amount }, gas: 2 * gasPerEntryMax };
    const input = JSON.stringify(call.input);
    const gas = input.length + (call.entries.length + 2) * gasPerEntryMax;
    return { payCoin: { destAddress: this.#options.registry, amount: 0n, input }, gas };
  }

  async #settle(signed: SignedBlob & { hash: string }) {
    for (let attempt = 0; ; attempt++) {
      const outcome = await handInSigned(this.#options.client, signed, this.#options.signal);
      if (outcome.kind !== 'unknown') return outcome;
      await this.#pause(attempt);
    }
  }

  async #untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        if (!isAway(error)) throw error;
      }
      await this.#pause(attempt);
    }
  }

  async #pause(attempt: number): Promise<void> {
    const ms = Math.min(registryLimits.retryMs * 2 ** Math.min(attempt, 10), registryLimits.retryMsMax);
    await sleep(ms, undefined, { signal: this.#options.signal });
  }
}

const isAway = (error: unknown): boolean => error instanceof SdkError && error.code !== 'invalidArgument';

const writeSigned = ({ blob, publicKey, signature }: SignedBlob): Uint8Array =>
  encodeUtf8(JSON.stringify({ blob, publicKey, signature }));

const readSigned = (bytes: Uint8Array): SignedBlob => JSON.parse(decodeUtf8(bytes));
