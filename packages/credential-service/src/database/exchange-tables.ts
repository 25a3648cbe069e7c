/** The tables of what the service exchanges with verifiers, wallets and receivers, as types (`schema.ts`). */
import type { VerificationState } from '@symbolon/core/presentation/verification-states';
import type { SessionAborter } from '@symbolon/wire/sessions/replies';
import type { Encrypted } from './schema.ts';

export interface ExchangeTables {
  verificationSessions: {
    id: string;
    /** The API key that asked. */
    keyId: string;
    /** What the relying service knows the session by. */
    stateId: string;
    nonce: string;
    state: VerificationState;
    /** The query and the callback address. */
    request: Encrypted;
    /** How it ended. */
    result: Encrypted | null;
    /** Of the submission that is being decided. */
    claim: string | null;
    claimedAt: number | null;
    /** Who ended it without an answer; null where nobody did, or where it is not known who. */
    abortedBy: SessionAborter | null;
    /** Answers by OpenID4VP that were none to it: too many, and no further one is looked at. */
    wrongAnswers: number;
    createdAt: number;
    updatedAt: number;
    expiresAt: number;
  };
  /** The secret that results are signed with for an API key. */
  callbackSecrets: {
    keyId: string;
    secret: Encrypted;
    createdAt: number;
  };
  /** A callback that is to be delivered, written together with what it tells of. */
  outbox: {
    id: string;
    sessionId: string;
    keyId: string;
    state: 'waiting' | 'delivered' | 'abandoned';
    /** Address and body; emptied at the end. */
    content: Encrypted | null;
    attempts: number;
    nextAttemptAt: number;
    /** Why the last attempt failed, in a few words. */
    problem: string | null;
    createdAt: number;
    updatedAt: number;
  };
  /** Where the events of an API key are posted to, and how far that has come. */
  webhooks: {
    id: string;
    keyId: string;
    name: string;
    /** May hold a password of the receiver's. */
    address: Encrypted;
    /** Whose events the key may see; of an operator's key all. */
    issuerOwner: string | null;
    verifierOwner: string | null;
    isAll: number;
    /** The last event that the receiver took. */
    cursor: number;
    state: 'active' | 'paused';
    attempts: number;
    nextAttemptAt: number;
    /** Since when no attempt has been taken; null while they are. */
    failingSince: number | null;
    /** Why the last attempt failed, in a few words. */
    problem: string | null;
    deliveredAt: number | null;
    createdAt: number;
    updatedAt: number;
  };
  savedPresentations: {
    id: string;
    presentation: Encrypted;
    createdAt: number;
    expiresAt: number;
  };
}
