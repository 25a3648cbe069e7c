/**
 * What tests of the way to the ledger share: a real node in memory with both registries on it. It has the ending of a
 * test, though it holds none, because only tests may know the node.
 */
import type { TestContext } from 'node:test';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import type { Template } from '@symbolon/core/documents/model';
import type { Signer } from '@symbolon/sdk/index';
import { openTestChain, type TestChain } from '@symbolon/sdk/testing/test-chain.test';
import { type CredentialLedger, createCredentialLedger } from '../credential-ledger.ts';
import { deployRegistries, type Registries } from '../deploy-registries.ts';
import type { SignedBlob } from '../hand-in.ts';
import type { CredentialEntry } from '../registrar.ts';
import type { RegistrarIntent, RegistrarIntents } from '../registrar-account.ts';
import { didOf, signedEntry, templateParams } from './registry-inputs.test.ts';

export interface RegistryChain {
  readonly chain: TestChain;
  readonly registrar: Signer;
  readonly registries: Registries;
  readonly ledger: CredentialLedger;
  /** An account with a template registered. */
  newIssuer(): Promise<Signer>;
  entry(issuer: Signer, credential: string, changes?: object): Promise<CredentialEntry>;
}

export async function openRegistryChain(t: TestContext): Promise<RegistryChain> {
  const chain = await openTestChain(t);
  const registrar = await chain.fund(10_000_000_000n);
  const registries = await deployRegistries(chain.client, { signer: registrar, didMethod: 'zid' });
  const ledger = createCredentialLedger(chain.client, registries);
  return {
    chain,
    registrar,
    registries,
    ledger,
    async newIssuer() {
      const issuer = await chain.fund();
      const { blob } = await ledger.registerTemplateTransaction(registrationBy(issuer));
      const outcome = await ledger.submitSigned(await signBlob(blob, issuer));
      if (outcome.kind !== 'executed') throw new Error(`no template: ${JSON.stringify(outcome)}`);
      return issuer;
    },
    entry: async (issuer, credential, changes) => ({
      ...(await signedEntry({ issuer: asTestIssuer(issuer), credential })),
      ...changes,
    }),
  };
}

const asTestIssuer = ({ publicKey, sign }: Signer) => ({
  publicKey,
  sign: async (message: Uint8Array) => encodeHex(await sign(message)),
});

export function registrationBy(issuer: Signer, changes: Partial<Template> = {}) {
  const { templateId, templateName, version } = templateParams(issuer);
  const template: Template = {
    id: templateId,
    name: templateName,
    version,
    issuer: didOf(issuer),
    attributes: [
      { key: 'grade', label: 'Grade', type: 'text', format: 'string', mandatory: true },
      { key: 'born', label: 'Born', type: 'date', format: 'date', mandatory: false },
    ],
    ...changes,
  };
  return { template, issuerAddress: issuer.address, issuerKey: issuer.publicKey };
}

export const signBlob = async (blob: string, signer: Signer): Promise<SignedBlob> => ({
  blob,
  publicKey: signer.publicKey,
  signature: encodeHex(await signer.sign(parseHex(blob) as Uint8Array)),
});

export interface KeptIntents extends RegistrarIntents {
  readonly saved: RegistrarIntent[];
  readonly outcomes: Map<string, string>;
}

/** Intents in memory, which outlive a registrar like those in a store. */
export function keptIntents(): KeptIntents {
  const saved: RegistrarIntent[] = [];
  const outcomes = new Map<string, string>();
  return {
    saved,
    outcomes,
    save: async (intent) => void saved.push(intent),
    settled: async (hash, outcome) => void outcomes.set(hash, outcome),
    unsettled: async () => saved.filter(({ hash }) => !outcomes.has(hash)),
  };
}
