/**
 * Facts about credentials that nobody has to be believed for: the entries of the registries, with proofs of the state
 * and the blocks of the network that lead there from an anchor. They are collected with a light client; a verifier with
 * an anchor derives the statuses from the proofs and goes by nothing else.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { addressOfDid } from '@symbolon/core/did/did';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type StateEntry, stateKeys } from '@symbolon/core/ledger/terms/state';
import { msOfTime } from '@symbolon/core/light/light-block';
import { lightLimits } from '@symbolon/core/limits/light';
import type { RecordedTemplate } from '@symbolon/core/presentation/ledger-terms';
import type { MetadataEntry } from '@symbolon/core/proto/ledger_pb';
import {
  changedAtOf,
  parseStoredEntry,
  parseStoredSettings,
  parseStoredTemplate,
  type RegistryEntry,
  recordedTemplateOf,
  recordReplyOf,
  statusWords,
} from '@symbolon/wire/credentials/registry-records';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import { assertMembers, notUnderstood } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import type { LedgerReply } from '../ledger/ledger-client.ts';
import { entryKey, templateKey } from '../ledger/registries.ts';
import { believeChain } from '../light/light-chain.ts';
import type { LightClient } from '../light/light-client.ts';
import { provenEntry, seqOfProof } from '../light/proven-state.ts';
import { type LightTrust, lightTermsOf, trustedHashOf } from '../light/trust-anchor.ts';
import { factsLimits } from '../limits/client-limits.ts';
import type {
  FactsProofs,
  FactsProofTerms,
  FactsProver,
  KnownStatus,
  OfflineFacts,
} from './collected-facts.ts';

/** A credential by the issuer's address. */
interface NamedCredential {
  readonly vcId: string;
  /** DID or address, as the facts say it. */
  readonly issuer: string;
  readonly address: string;
}

/** The value that an account has under a key of its metadata; undefined where it has none. */
type ValueReader = (address: string, key: string) => Promise<string | undefined>;

/** Entry and template of a credential, as the verifier will read them from the proofs. */
async function statusFrom(
  read: ValueReader,
  registry: string,
  { vcId, issuer, address }: NamedCredential,
): Promise<KnownStatus | undefined> {
  const text = await read(registry, entryKey(address, vcId));
  if (text === undefined) return undefined;
  const entry = parseStoredEntry(registry, text);
  return {
    vcId,
    issuer,
    status: statusWords[entry.status],
    changedAt: changedAtOf(entry),
    txHash: null,
    record: recordReplyOf(entry, await templateFrom(read, entry)),
  };
}

async function templateFrom(
  read: ValueReader,
  { registry, template: id, templateVersion: version }: RegistryEntry,
): Promise<RecordedTemplate | undefined> {
  const settings = await read(registry, 'settings');
  if (settings === undefined) return undefined;
  const { templateRegistry } = parseStoredSettings(settings);
  const [named, newest] = [
    await read(templateRegistry, templateKey(id, version)),
    await read(templateRegistry, templateKey(id)),
  ].map((text) => (text === undefined ? undefined : parseStoredTemplate(text)));
  return named && recordedTemplateOf(named, newest);
}

/** The statuses of an issuer's credentials with what proves them. Throws `unexpectedReply` for one that is not recorded. */
export async function collectProvenStatuses(
  light: Pick<LightClient, 'metadata' | 'chain'>,
  credentials: readonly (NamedCredential & { readonly registry: string })[],
): Promise<{ readonly statuses: readonly KnownStatus[]; readonly proofs: FactsProofs }> {
  const states = new Map<string, { readonly reply: JsonValue; readonly value: string | undefined }>();
  const read: ValueReader = async (address, key) => {
    const stateKey = stateKeys.metadata(address, key);
    const known = states.get(stateKey);
    if (known) return known.value;
    const { entry, reply } = await light.metadata(address, key);
    states.set(stateKey, { reply: reply as JsonValue, value: entry?.value });
    return entry?.value;
  };
  const statuses: KnownStatus[] = [];
  for (const credential of credentials) {
    const status = await statusFrom(read, credential.registry, credential);
    if (!status) {
      const hint = 'Its registry, if it is genuine, is another one.';
      throw new SdkError('unexpectedReply', 'the registry has not recorded the credential', { hint });
    }
    statuses.push(status);
  }
  const proofs = { chain: await light.chain(), states: [...states.values()].map(({ reply }) => reply) };
  return { statuses, proofs };
}

/** What a verifier knows of the network itself: whom it asks for facts could name an account of its own as the registry. */
export interface ProvenTrust extends LightTrust {
  /** The address of the registry of credentials. */
  readonly registry: string;
}

/**
 * Of a block and the registry of the network that the verifier knows, what `verifyPresentationOffline` takes as `prover`: statuses are
 * then derived from the proofs of the facts alone. It throws `factsNotProven` where one of them is not proven,
 * `factsStale` where the network has signed it longer ago than facts may be old, and what a light client throws for
 * blocks that are not to be believed.
 */
export function provenFrom(network: ProvenTrust): FactsProver {
  const members = { anchor: true, trustingPeriodMs: true, clockDriftMs: true, registry: true };
  assertMembers(network, members, 'the trust');
  if (typeof network.registry !== 'string' || network.registry === '')
    throw notUnderstood('the trust', 'registry must be the address of the registry of credentials');
  trustedHashOf(network.anchor);
  return (facts, terms) => withProvenStatuses(facts, network, terms);
}

async function withProvenStatuses(
  facts: OfflineFacts,
  network: ProvenTrust,
  { now, maxAgeSeconds = factsLimits.ageSecondsMax, profile }: FactsProofTerms,
): Promise<OfflineFacts> {
  const { statuses, proofs } = facts;
  if (!proofs) throw notProven('the facts bring no proofs along');
  if (proofs.states.length > lightLimits.statesMax) throw notProven('the facts bring too many proofs along');
  const terms = lightTermsOf(network, now);
  const blocks = await believeChain(trustedHashOf(network.anchor), proofs.chain, terms);
  const values = new Map<string, StateEntry | undefined>();
  for (const state of proofs.states) {
    const reply = state as LedgerReply<'getStateProof'>;
    const stateKey = stateKeyOf(state);
    const block = blocks.get(seqOfProof(reply) + 1n);
    // Of two moments the older could be meant.
    if (values.has(stateKey)) throw notProven('an entry is proven twice');
    if (!block) throw notProven('a state is of a block that the facts do not bring along');
    if (now - msOfTime(block.block.header.time) > maxAgeSeconds * 1_000)
      throw new SdkError('factsStale', `what is proven is older than ${maxAgeSeconds} seconds`, {
        hint: 'Collect new ones, or allow older ones: maxAgeSeconds.',
      });
    values.set(stateKey, provenEntry(reply, stateKey, block));
  }
  const read: ValueReader = async (address, key) => {
    const stateKey = stateKeys.metadata(address, key);
    if (!values.has(stateKey)) throw notProven('an entry of a registry is not proven');
    return (values.get(stateKey) as MetadataEntry | undefined)?.value;
  };
  const keys = createKeyFormat(profile, sha256);
  const proven: KnownStatus[] = [];
  for (const { vcId, issuer } of statuses) {
    const address = addressOfDid(issuer, keys) ?? issuer;
    const status = await statusFrom(read, network.registry, { vcId, issuer, address });
    if (!status) throw notProven('a credential is proven not to be recorded');
    proven.push(status);
  }
  return { ...facts, statuses: proven };
}

function stateKeyOf(state: JsonValue): string {
  const result = isJsonObject(state) ? (state.result as JsonObject | undefined) : undefined;
  if (isJsonObject(result) && typeof result.state_key === 'string') return result.state_key;
  throw notProven('a proof of the state is none');
}

function notProven(message: string): SdkError {
  const hint = 'Collect facts with fetchProvenFacts, from the anchor on that the verifier has.';
  return new SdkError('factsNotProven', message, { hint });
}
