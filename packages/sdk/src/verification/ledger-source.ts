/**
 * Facts by a node's word instead of a service's: DID documents folded from logs that their owners have signed, statuses
 * from the entries of a registry that the collector knows. It answers what `fetchOfflineFacts` asks, so the facts are
 * of the same form.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { unixMsOf } from '@symbolon/core/basics/calendar';
import { addressOfDid } from '@symbolon/core/did/did';
import { resolveSubject } from '@symbolon/core/did/did-document';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { changedAtOf, recordReplyOf, statusWords } from '@symbolon/wire/credentials/registry-records';
import type { JsonObject } from '@symbolon/wire/json/json';
import { assertMembers } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import type { RecordedEntry } from '../ledger/did-history.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { assertPins, type Pins } from '../ledger/pins.ts';
import { readSubject } from '../ledger/published-keys.ts';
import { findTemplate, readEntry } from '../ledger/registries.ts';
import type { VerifierClient } from '../service/verifier-client.ts';

/** The node that tells facts, and what is known of its network. */
export interface LedgerSourceOrder {
  readonly ledger: LedgerClient;
  /** With the registry of credentials: which one counts is not a node's to say. */
  readonly pins: Pins & { readonly credentialRegistry: string };
  /** Milliseconds since 1970; this machine's clock, if left out. */
  readonly now?: number;
  readonly profile?: NetworkProfile;
}

/** Whoever tells facts: a client of a service, or a ledger. */
export type FactsSource = Pick<VerifierClient, 'resolveDid' | 'getCredentialStatus'>;

/** A node as the source of facts, in the place of a service. */
export function ledgerFactsSource(order: LedgerSourceOrder): FactsSource {
  assertMembers(order, { ledger: true, pins: true, now: true, profile: true }, 'the order');
  assertPins(order.pins);
  const { ledger, pins, now = Date.now(), profile = zetrixProfile } = order;
  const keys = createKeyFormat(profile, sha256);
  const entries = new Map<string, RecordedEntry>();
  const nowSeconds = Math.floor(now / 1_000);
  return {
    async resolveDid({ did, versionTime }) {
      const subject = await readSubject({ ledger, pins, profile }, did, entries);
      if (!subject) throw unknown('the issuer', 'Facts are collected of issuers of this network.');
      const at = versionTime === undefined ? undefined : unixMsOf(versionTime);
      const choice = { nowSeconds, ...(at !== undefined && { versionTime: at / 1_000 }) };
      const found = resolveSubject(subject, choice, keys);
      const { document: didDocument, metadata: didDocumentMetadata } = found ?? {};
      return { didDocument, didDocumentMetadata } as unknown as JsonObject;
    },
    async getCredentialStatus({ vcId, issuer = '' }) {
      const address = addressOfDid(issuer, keys);
      const asked = { issuer: address ?? '', credential: vcId };
      const entry =
        address === undefined ? undefined : await readEntry(ledger, pins.credentialRegistry, asked);
      if (!entry)
        throw unknown(
          'the credential',
          'Its registry, if it is genuine, is another one than the pinned one.',
        );
      const template = await findTemplate({ ledger, pins }, entry);
      return {
        vcId,
        issuer,
        status: statusWords[entry.status],
        changedAt: changedAtOf(entry),
        txHash: null,
        record: recordReplyOf(entry, template),
      };
    },
  };
}

const unknown = (what: string, hint: string): SdkError =>
  new SdkError('unexpectedReply', `the ledger does not know ${what}`, { hint });
