/**
 * What an attacker can do who has BBS+ secret keys: sign any contents, commit to them, derive proofs from them, and,
 * as an issuer of its own making, record any entry. Nothing here asks the service for anything.
 */
import { randomBytes } from 'node:crypto';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import {
  contentsCommitment,
  issuerDigests,
  issuerSigningInput,
} from '@symbolon/core/credential/credential-assembly';
import { credentialHeader, credentialMessages, frameOf } from '@symbolon/core/credential/credential-messages';
import { encodeProofValue, parseProofValue, saltBytes } from '@symbolon/core/credential/credential-shapes';
import { issuerProofOptions } from '@symbolon/core/credential/issuer-proof-options';
import {
  type BbsCredentialProof,
  type ContentsCommitment,
  type Credential,
  type DisclosureRequest,
  proofTypes,
  type RegistryEntryTerms,
  suites,
  type UnsignedCredential,
} from '@symbolon/core/documents/model';
import {
  attachHolderSignature,
  buildUnsignedPresentation,
  holderSigningInput,
  planPresentation,
} from '@symbolon/core/presentation/presentation-derivation';
import type { RangeParameters } from '@symbolon/core/proofs/proof-engine';
import { sendTransaction } from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import type { Holder } from '../support/credential-fixtures.ts';
import { type AttackIssuer, type AttackWorld, type BbsKey, revealAttributes } from './attack-world.ts';
import { sha256 } from './three-verifiers.ts';

/** Contents under a BBS+ signature of whoever has the key, with what their commitment would be. */
export interface Counterfeit {
  readonly credential: UnsignedCredential;
  readonly bbsProof: BbsCredentialProof;
  readonly publicKey: Uint8Array;
}

export interface CounterfeitOrder {
  readonly credential: UnsignedCredential;
  readonly key: BbsKey;
  /** Which key the proof names, if not the one that signs. */
  readonly verificationMethod?: string;
  /** `null` for contents that are signed without a salt. */
  readonly salt?: string | null;
  /** What is claimed to be opened; the contents' own if left out. */
  readonly commitment?: string;
}

/** A salt of the attacker's. */
export const freshSalt = (): string => encodeProofValue(randomBytes(saltBytes));

export const unsignedOf = (credential: Credential): UnsignedCredential => ({
  ...frameOf(credential),
  credentialSubject: credential.credentialSubject,
});

export const contentsIn = ({ proof: [{ salt, commitment }] }: Credential): ContentsCommitment => {
  if (salt === undefined || commitment === undefined) throw new Error('the credential is not bound');
  return { salt, commitment };
};

/** The frame and subject of a credential, changed. */
export function altered(
  credential: UnsignedCredential,
  { subject, schema, ...frame }: Partial<UnsignedCredential> & { subject?: object; schema?: object },
): UnsignedCredential {
  const changed = { ...credential, ...frame };
  return {
    ...changed,
    credentialSubject: { ...changed.credentialSubject, ...subject },
    credentialSchema: { ...changed.credentialSchema, ...schema },
  } as UnsignedCredential;
}

/** A credential under another identifier, with the status entry of that. */
export const renamed = (credential: UnsignedCredential, id: string): UnsignedCredential => ({
  ...credential,
  id,
  credentialStatus: {
    ...credential.credentialStatus,
    id: `${credential.credentialStatus.id.split('#')[0]}#${id}`,
  },
});

export async function counterfeit(
  { engine }: Pick<AttackWorld, 'engine'>,
  { credential, key, verificationMethod = key.verificationMethod, ...order }: CounterfeitOrder,
): Promise<Counterfeit> {
  const { secretKey, publicKey } = key;
  const salt = order.salt === null ? undefined : (order.salt ?? freshSalt());
  const header = credentialHeader(credential, credential.credentialSubject.id);
  const messages = credentialMessages({ ...credential, salt }, sha256);
  const signature = await engine.sign({ interface: 'typed', publicKey, secretKey, header, messages });
  const contents =
    salt === undefined ? undefined : contentsCommitment(salt, await engine.commit({ header, messages }));
  const commitment = order.commitment ?? contents?.commitment;
  return {
    credential,
    publicKey,
    bbsProof: {
      type: proofTypes.bbs,
      cryptosuite: suites.bbs,
      created: credential.validFrom,
      proofPurpose: 'assertionMethod',
      verificationMethod,
      proofValue: encodeProofValue(signature),
      ...(salt !== undefined && { salt }),
      ...(commitment !== undefined && { commitment }),
    },
  };
}

export interface Showing {
  readonly holder: Holder;
  readonly request?: DisclosureRequest;
  readonly rangeParameters?: RangeParameters;
  readonly challenge?: string;
  readonly domain?: string;
}

/** A presentation of counterfeits, with proofs that are as good as they can be made. */
export async function show(
  { engine }: Pick<AttackWorld, 'engine'>,
  counterfeits: readonly Counterfeit[],
  { holder, request, rangeParameters, challenge, domain }: Showing,
): Promise<JsonObject> {
  const asked = request ?? { revealAttributes, ranges: [] };
  const plan = planPresentation(
    counterfeits.map(({ credential, bbsProof, publicKey }) => ({
      parsed: { credential, bbsProof },
      publicKey,
      request: asked,
    })),
    {
      challenge,
      domain,
      created: instantTextOfUnixMs(Date.now()),
      rangeParameters: rangeParameters ?? { method: 'bulletproofs' },
    },
    sha256,
  );
  const proofs: Uint8Array[] = [];
  for (const { order } of plan.disclosures) proofs.push(await engine.derive(order));
  const unsigned = buildUnsignedPresentation(plan, proofs);
  const signature = await holder.signer.sign(holderSigningInput(unsigned));
  return attachHolderSignature(unsigned, signature) as unknown as JsonObject;
}

export interface RecordOrder {
  readonly issuer: AttackIssuer;
  readonly made: Counterfeit;
  /** What the entry says where it differs from the contents that it commits to. */
  readonly terms?: Partial<RegistryEntryTerms>;
  readonly registry?: string;
}

/** Records an entry by the issuer's own account, over whatever contents it likes. */
export async function recordEntry(
  { service }: Pick<AttackWorld, 'service'>,
  { issuer, made: { credential, bbsProof }, terms, registry }: RecordOrder,
): Promise<void> {
  const { salt, commitment } = bbsProof;
  if (salt === undefined || commitment === undefined) throw new Error('an entry needs a commitment');
  const honest = issuerProofOptions({ ...credential, issuer: issuer.did }, '2026-01-01T00:00:00Z');
  const options = { ...honest, registryEntry: { ...honest.registryEntry, ...terms } };
  const statement = { credential, options, contents: { salt, commitment } };
  const entry = {
    issuerKey: issuer.signer.publicKey,
    ...options.registryEntry,
    created: options.created,
    digest: encodeHex(issuerDigests(statement, sha256).credential),
    commitment: encodeHex(parseProofValue(commitment) as Uint8Array),
    signature: encodeHex(await issuer.signer.sign(issuerSigningInput(statement, sha256))),
  };
  const input = JSON.stringify({ method: 'issue', params: { entries: [entry] } });
  const destAddress = registry ?? service.served.parts.ledger.registries.credentials;
  await sendTransaction(service.ledger, {
    signers: [issuer.signer],
    operations: [{ payCoin: { destAddress, amount: 0n, input } }],
  });
}
