/**
 * The issuer's BBS+ keys in one list: those of its DID log, published and ended, and those that the service keeps and
 * nobody has published. Pure.
 */
import type { PublishedKey } from '@symbolon/core/did/did-document';
import { encodePublishedKey } from '@symbolon/core/did/did-document';

export interface HeldKey {
  readonly publicKeyMultibase: string;
  readonly since: string;
}

export interface IssuerKeyRow {
  readonly publicKeyMultibase: string;
  /** In the DID document; undefined where it was never published. */
  readonly number?: number;
  readonly state: 'published' | 'ended' | 'kept';
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly endedAt?: number;
  readonly compromisedSince?: number;
  /** Whether the service can sign with it. */
  readonly isHeld: boolean;
}

const issuingType = 'Bls12381G2Key2020';

/** Published ones first, newest number first; then kept ones; then ended ones. */
export function issuerKeyRows(
  published: Iterable<PublishedKey>,
  held: readonly HeldKey[],
): readonly IssuerKeyRow[] {
  const heldKeys = new Set(held.map(({ publicKeyMultibase }) => publicKeyMultibase));
  const recorded = [...published]
    .filter(({ type }) => type === issuingType)
    .map((key): IssuerKeyRow => {
      const publicKeyMultibase = encodePublishedKey(key.type, key.publicKey);
      return {
        publicKeyMultibase,
        number: key.number,
        state: key.endedAt === undefined ? 'published' : 'ended',
        since: key.validFrom * 1_000,
        ...(key.endedAt !== undefined && { endedAt: key.endedAt * 1_000 }),
        ...(key.compromisedSince !== undefined && { compromisedSince: key.compromisedSince * 1_000 }),
        isHeld: heldKeys.has(publicKeyMultibase),
      };
    });
  const known = new Set(recorded.map(({ publicKeyMultibase }) => publicKeyMultibase));
  const kept = held
    .filter(({ publicKeyMultibase }) => !known.has(publicKeyMultibase))
    .map(
      ({ publicKeyMultibase, since }): IssuerKeyRow => ({
        publicKeyMultibase,
        state: 'kept',
        since: Date.parse(since),
        isHeld: true,
      }),
    );
  const order = { published: 0, kept: 1, ended: 2 } as const;
  return [...recorded, ...kept].toSorted(
    (left, right) => order[left.state] - order[right.state] || right.since - left.since,
  );
}
