/** The tables of names, and of what programmers see of their keys and calls, as types (`schema.ts`). */

export interface DeveloperTables {
  /** What a party is called here, and on whose word. */
  profiles: {
    did: string;
    name: string;
    /** As names are compared and found. */
    nameKey: string;
    site: string | null;
    word: 'itself' | 'operator';
    updatedAt: number;
  };
  apiKeys: {
    id: string;
    /** SHA-256 of the secret, in hex. */
    secretHash: string;
    label: string;
    did: string | null;
    /** Names of scopes with spaces between. */
    scopes: string;
    createdAt: number;
    expiresAt: number | null;
    revokedAt: number | null;
    lastUsedAt: number | null;
    /** The key that made it, where one did. */
    madeBy: string | null;
    /** Of a key that acts for nobody and was made by another: the one that all of these come from. */
    family: string | null;
  };
  /** One post to a webhook, and what its receiver answered. */
  webhookDeliveries: {
    id: string;
    webhookId: string;
    at: number;
    /** The first and the last event in it, and how many they were. */
    firstId: number;
    lastId: number;
    events: number;
    attempt: number;
    /** Whether somebody asked for it: 1 or 0. */
    isResent: number;
    /** What the receiver answered, where it did. */
    status: number | null;
    /** Why it was not taken; null where it was. */
    problem: string | null;
    ms: number;
  };
  /** One answered call of an API key: nothing of what was in it. */
  requestLog: {
    id: string;
    keyId: string;
    at: number;
    method: string;
    /** The name of the route. */
    operation: string;
    status: number;
    /** `ok`, or the name of the fault. */
    code: string;
    ms: number;
    requestId: string;
  };
}
