/**
 * What a verifier does with a credential service: ask for a presentation to be verified, and fetch the facts with
 * which presentations can be verified without it (`offline-verification.ts`); sign them, for other verifiers.
 */
import { encodeHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { type PresentationCheck, presentationChecks } from '@symbolon/core/documents/model';
import type { NetworkProfile } from '@symbolon/core/keys/profile';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import { didOfSigner, type Signer } from '../keys/signer.ts';
import type { VerifierClient } from '../service/verifier-client.ts';
import type { CallOptions } from '../transport/service-call.ts';
import {
  assertFactsDocument,
  type CollectedFacts,
  collectedOf,
  type FactsBasis,
  factsForm,
  factsToSign,
  type KnownStatus,
  type SignedFacts,
} from '../verification/collected-facts.ts';
import { documentOf, keysWithTimes } from '../verification/issuer-key-times.ts';
import type { FactsSource } from '../verification/ledger-source.ts';

type VerificationBody = Parameters<VerifierClient['verifyPresentation']>[0];

/** A presentation, and what its verifier expects of it. */
export interface PresentationQuestion
  extends Pick<
    VerificationBody,
    'challenge' | 'domain' | 'request' | 'trustedIssuers' | 'templates' | 'trustList'
  > {
  readonly presentation: JsonObject;
}

const questionMembers: MembersOf<PresentationQuestion> = {
  presentation: true,
  challenge: true,
  domain: true,
  request: true,
  trustedIssuers: true,
  templates: true,
  trustList: true,
};

type VerdictReply = Awaited<ReturnType<VerifierClient['verifyPresentation']>>;

/** A check that failed, and why. */
export interface FailedCheck {
  /** One of the six, or another name that a newer service uses. */
  readonly check: PresentationCheck | (string & {});
  readonly detail: string;
}

/** What a service says of a presentation: what was shown, or why it is refused. */
export type ServiceVerdict =
  | {
      readonly verified: true;
      readonly vcDetails: NonNullable<VerdictReply['vcDetails']>;
      /** Of each credential who issued it, whether that issuer was asked for, and what it shows and proves. */
      readonly credentials: NonNullable<VerdictReply['credentials']>;
    }
  | {
      readonly verified: false;
      readonly failures: readonly FailedCheck[];
      /** What the credentials say of themselves: nothing of it is confirmed. */
      readonly claimed: NonNullable<VerdictReply['claimed']>;
    };

/** The service's verdict, with each failure taken apart into the check's name and its words. */
export async function askVerdict(
  client: Pick<VerifierClient, 'verifyPresentation'>,
  question: PresentationQuestion,
  options?: CallOptions,
): Promise<ServiceVerdict> {
  assertMembers(question, questionMembers, 'a question');
  const { presentation, ...expected } = question;
  const body = { vp: presentation, ...expected };
  const reply = await client.verifyPresentation(body, options);
  const { verified, vcDetails = {}, credentials, errors = [], claimed = [] } = reply;
  if (!verified) return { verified, failures: errors.map(readFailure), claimed };
  // A service that knows nothing of trust would pass over whom the verifier trusts.
  if (!credentials) {
    const hint = 'Use a service of the same version as this SDK, or newer.';
    const members = ['credentials'];
    throw new SdkError('unexpectedReply', 'the service does not say who issued the credentials', {
      hint,
      members,
    });
  }
  return { verified, vcDetails, credentials };
}

function readFailure(text: string): FailedCheck {
  const check = presentationChecks.find((name) => text.startsWith(`${name}: `));
  const [name, ...rest] = text.split(': ');
  return check
    ? { check, detail: text.slice(check.length + 2) }
    : { check: name ?? '', detail: rest.join(': ') };
}

/** About whom and what facts are collected. */
export interface FactsOrder {
  readonly issuer: string;
  readonly vcIds: readonly string[];
  /** The address of the service, and what else the facts rest on: told to whoever goes by them. */
  readonly basis?: FactsBasis;
  /** Milliseconds since 1970; this machine's clock, if left out. */
  readonly now?: number;
}

/**
 * The issuer's keys, present ones and those of when its credentials were recorded, and present statuses of these, as
 * this service tells them, or a node (`ledgerFactsSource`). `signFacts` puts a name to them, for verifiers other than the one that fetched them.
 */
export async function fetchOfflineFacts(client: FactsSource, order: FactsOrder): Promise<CollectedFacts> {
  assertMembers(order, { issuer: true, vcIds: true, basis: true, now: true }, 'the order');
  const { issuer, vcIds, basis = {}, now = Date.now() } = order;
  const present = await client.resolveDid({ did: issuer });
  if (documentOf(present).id !== issuer) {
    const hint = 'Check the DID, and that the address is that of a credential service.';
    const members = ['didDocument.id'];
    throw new SdkError('unexpectedReply', 'the service answered with the document of another DID', {
      hint,
      members,
    });
  }
  const statuses: KnownStatus[] = [];
  for (const vcId of vcIds) {
    const { status, changedAt, txHash, record } = await client.getCredentialStatus({ vcId, issuer });
    statuses.push({ vcId, issuer, status, changedAt, txHash, record });
  }
  const recordedAt = statuses.flatMap(({ record }) => record?.issuedAt ?? []);
  const issuerKeys = await keysWithTimes(client, { issuer, present, recordedAt });
  const { didDocumentMetadata: metadata } = present;
  const name = isJsonObject(metadata) && typeof metadata.name === 'string' ? metadata.name : undefined;
  const issuerNames = name === undefined ? [] : [{ did: issuer, name }];
  // The time at which they were asked for: what happened meanwhile may not be in them.
  const fetchedAt = instantTextOfUnixMs(now);
  return { form: factsForm, fetchedAt, basis, issuerKeys, statuses, issuerNames };
}

/**
 * Puts a collector's name to facts. Whoever signs vouches that the service and the node which the facts name said so at
 * that time.
 */
export async function signFacts(
  facts: CollectedFacts,
  signer: Signer,
  profile?: NetworkProfile,
): Promise<SignedFacts> {
  assertFactsDocument(facts);
  const { service, node } = facts.basis;
  if (service === undefined && node === undefined) {
    const hint = 'Say in basis which service or node they are from.';
    throw new SdkError('invalidArgument', 'the facts do not say what they rest on', { hint });
  }
  const collector = didOfSigner(signer, profile);
  const signature = encodeHex(await signer.sign(factsToSign(facts)));
  return { ...collectedOf(facts), proof: { collector, signature } };
}
