/** The tables of what browsers hold at a service, as types (`schema.ts`). */
import type { SignInWay } from '@symbolon/wire/console/replies';

export interface ConsoleTables {
  browserSessions: {
    /** SHA-256 of what the tab calls it. */
    id: string;
    /** SHA-256 of what the cookie holds. */
    secretHash: string;
    way: SignInWay;
    /** Whose sessions are counted together: the DID, or without one the API key. */
    party: string;
    did: string | null;
    /** The API key that it had at the beginning; one that had none keeps on without. */
    keyId: string | null;
    /** What was signed, so that nobody signs in with it again. */
    challenge: string | null;
    createdAt: number;
    usedAt: number;
    endedAt: number | null;
  };
}
