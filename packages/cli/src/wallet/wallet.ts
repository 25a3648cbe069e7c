/**
 * What every tool works with: whose wallet it is, what its owner allows, what it keeps, and the ways to ledger and
 * service. Payments go one after the other, because each takes the next nonce of the account.
 */
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import { Turns } from '@symbolon/host/work/turns';
import { didOfSigner, type Signer } from '@symbolon/sdk/keys/signer';
import type { LedgerClient } from '@symbolon/sdk/ledger/ledger-client';
import type { Pins } from '@symbolon/sdk/ledger/pins';
import type { OpenidWallet } from '@symbolon/sdk/openid/openid-wallet';
import { createProofEngine } from '@symbolon/sdk/proofs/engine-choice';
import { type CredentialClient, createCredentialClient } from '@symbolon/sdk/service/credential-client';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { type CallableOrigins, callableOrigins } from './calling-policy.ts';
import { fieldFetch } from './field-fetch.ts';
import { type KeptCredentials, openKeptCredentials } from './kept-credentials.ts';
import { type KeptFields, openKeptFields } from './kept-fields.ts';
import type { Caps } from './spending.ts';
import { openWalletDatabase } from './wallet-database.ts';

/** What the owner allows; nothing of it can be changed by a tool. */
export interface WalletPolicy {
  readonly caps: Caps;
  /** Attributes whose values may be shown to a verifier that asks for them. */
  readonly mayReveal: ReadonlySet<string>;
  /** Origins beside the service's. */
  readonly mayCall: readonly string[];
}

export interface WalletOrder {
  /** Under which each address has a folder. */
  readonly folder: string;
  readonly signer: Signer;
  readonly ledger: LedgerClient;
  readonly serviceUrl: string;
  /** What the owner knows of the network. */
  readonly pins: Pins;
  readonly policy: WalletPolicy;
}

export interface FieldMeeting {
  /** A file with certificates of those who may vouch for hosts, beside those that every browser knows. */
  readonly authorities?: string | undefined;
}

export interface Wallet {
  readonly signer: Signer;
  readonly did: string;
  readonly policy: WalletPolicy;
  readonly origins: CallableOrigins;
  readonly database: DatabaseSync;
  readonly credentials: KeptCredentials;
  /** Credentials in formats of the field. */
  readonly fields: KeptFields;
  /** Meets issuers and verifiers of the field. */
  readonly openid: (meeting?: FieldMeeting) => Promise<OpenidWallet>;
  readonly ledger: LedgerClient;
  readonly pins: Pins;
  /** Without an API key: a holder shows who it is by signatures. */
  readonly service: CredentialClient;
  readonly serviceOrigin: string;
  readonly proofEngine: () => Promise<ProofEngine>;
  /** Runs after everything that was given before has ended. */
  readonly inTurn: <Value>(act: () => Promise<Value>) => Promise<Value>;
  /** Waits for what is under way. */
  readonly close: () => Promise<void>;
}

export async function openWallet(order: WalletOrder): Promise<Wallet> {
  const { folder, signer, ledger, serviceUrl, pins, policy } = order;
  const service = createCredentialClient(serviceUrl, {
    timeoutMs: walletLimits.answerTimeoutMs,
    // Signed texts and payments are meant for this service alone.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
  });
  const database = await openWalletDatabase(path.join(folder, signer.address));
  const kept = Promise.all([openKeptCredentials(database, signer), openKeptFields(database, signer)]);
  const [credentials, fields] = await kept.catch((error) => {
    database.close();
    throw error;
  });
  const turns = new Turns(1);
  let engine: Promise<ProofEngine> | undefined;
  const proofEngine = () => {
    engine ??= createProofEngine();
    return engine;
  };
  return {
    signer,
    did: didOfSigner(signer),
    policy,
    origins: callableOrigins(serviceUrl, policy.mayCall),
    database,
    credentials,
    fields,
    openid: async ({ authorities } = {}) => {
      const { createOpenidWallet } = await import('@symbolon/sdk/openid/openid-wallet');
      const { verifierCertificates } = await import('./verifier-certificates.ts');
      return createOpenidWallet({
        ...{ engine: proofEngine, timeoutMs: walletLimits.answerTimeoutMs, fetch: fieldFetch(serviceUrl) },
        checkCertificates: await verifierCertificates(authorities),
        // The owner is shown all of what is to be agreed to.
        transactionTypes: 'any',
      });
    },
    ledger,
    pins,
    service,
    serviceOrigin: new URL(serviceUrl).origin,
    proofEngine,
    inTurn: (act) => {
      // Besides those that wait, one is under way.
      if (turns.waiting + 1 >= walletLimits.paymentsWaitingMax) throw tooManyWait();
      return turns.run(act);
    },
    close: async () => {
      await turns.run(async () => undefined);
      await (await engine)?.close();
      database.close();
    },
  };
}

const tooManyWait = () =>
  new CommandFailure('The wallet did not pay.\nToo many payments wait already.\nTry again later.');
