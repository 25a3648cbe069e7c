/** The tables of the standards plane, as types (`schema.ts`): OpenID4VCI, OpenID4VP, VC-API, status lists. */
import type { Encrypted } from './schema.ts';

/** What a key signs with: ES256, Ed25519, BBS. */
export type DelegatedKeyKind = 'es256' | 'ed25519' | 'bbs2023';

export interface StandardsTables {
  /** Keys by which the service signs for an issuer (`standards/issuer-keys.ts`). */
  delegatedKeys: {
    /** Issuer, kind and number: the first of a kind has number 1. */
    id: string;
    /** The issuer's DID. */
    issuer: string;
    kind: DelegatedKeyKind;
    number: number;
    /** Hex. */
    publicKey: string;
    /** Emptied when the key ends. */
    secret: Encrypted | null;
    createdAt: number;
    endedAt: number | null;
  };
}
