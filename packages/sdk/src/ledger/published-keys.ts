/**
 * Who an identifier is by a node's word, and the issuer's BBS+ key as its DID log had it when a credential was
 * recorded. No service is asked, and a node gives nobody a key: the log is signed by whose it is.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { parseLedgerDid } from '@symbolon/core/did/did';
import { type DidSubject, findDocumentKey, resolveSubject } from '@symbolon/core/did/did-document';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import type { IssuerKey } from '@symbolon/core/presentation/presentation-facts';
import { type RegistryEntry, recordedAtMs } from '@symbolon/wire/credentials/registry-records';
import { type DidHistory, type EntryCache, logMember, readSignedDidHistory } from './did-history.ts';
import type { LedgerSource } from './registries.ts';

/** When the key was published, and when the entry was made, decide whether it could be used. */
const keyMembers = ['proof[0].verificationMethod', 'result.transactions[0].close_time', 'issuedAt'];

/**
 * Whoever an identifier of this network is, with the changes that it made to its document, and where its log could
 * not be followed, the members that do not hold; undefined for any other. Throws `notAsOrdered` where the node shows a
 * log that its owner has not signed.
 */
export async function readSubject(
  { ledger, pins, profile }: Pick<LedgerSource, 'ledger' | 'pins' | 'profile'>,
  did: string,
  cache?: EntryCache,
): Promise<(DidSubject & Pick<DidHistory, 'brokenAt'>) | undefined> {
  const publicKey = parseLedgerDid(did, profile);
  if (!publicKey) return undefined;
  const address = createKeyFormat(profile, sha256).addressOf(publicKey);
  const owner = { address, publicKey };
  const { entries, brokenAt } = await readSignedDidHistory(ledger, owner, { pins, profile, cache });
  // The chain's number is of no account for keys.
  return { did, publicKey, chainId: 0n, records: entries, ...(brokenAt && { brokenAt }) };
}

/**
 * The public key that a proof names, published when the entry was made, by an issuer who is still one; with the members
 * that it follows from.
 */
export async function readPublishedKey(
  { ledger, pins, profile, now }: LedgerSource,
  { issuer, verificationMethod }: { readonly issuer: string; readonly verificationMethod: string },
  entry: RegistryEntry,
): Promise<{ readonly key: IssuerKey | undefined; readonly members: readonly string[] }> {
  const subject = await readSubject({ ledger, pins, profile }, issuer);
  if (!subject) return { key: undefined, members: ['issuer'] };
  const members = subject.brokenAt ?? (subject.records.length === 0 ? [logMember] : keyMembers);
  const keys = createKeyFormat(profile, sha256);
  const nowSeconds = Math.floor(now / 1_000);
  const versionTime = Math.floor(recordedAtMs(entry) / 1_000);
  const present = resolveSubject(subject, { nowSeconds }, keys);
  const then = resolveSubject(subject, { versionTime, nowSeconds }, keys);
  const asked = { verificationMethod, relationship: 'assertionMethod' } as const;
  const key = present && then && findDocumentKey({ present, then }, asked);
  if (key?.keyType !== 'bls12381g2') return { key: undefined, members };
  const { compromisedSince } = key;
  const found = { publicKey: key.publicKey, ...(compromisedSince !== undefined && { compromisedSince }) };
  return { key: found, members };
}
