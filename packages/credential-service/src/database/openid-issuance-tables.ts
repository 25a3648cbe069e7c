/** The tables of credentials that wallets fetch by OpenID4VCI, as types (`schema.ts`). */
import type { ApplicationState } from '@symbolon/core/credential/application-states';
import type { StandardsOfferState } from '@symbolon/core/openid/standards-offer-states';
import type { Encrypted } from './schema.ts';

export interface OpenidIssuanceTables {
  /** What the ledger has one entry for, however many credentials are made of it. */
  openidDatasets: {
    vcId: string;
    issuer: string;
    templateId: string;
    templateVersion: string;
    /** Pending until its issuer has signed it, then approved; submitting while it is recorded. */
    state: ApplicationState;
    /** Values, salt and terms; emptied when no credential is made of it any more. */
    contents: Encrypted | null;
    /** Hex: what the ledger gets. */
    digest: string;
    /** The issuer's, in hex, over digest and terms. */
    signature: string | null;
    rejectReason: Encrypted | null;
    /** The process that records it. */
    worker: string | null;
    createdAt: number;
    updatedAt: number;
  };
  openidOffers: {
    id: string;
    issuer: string;
    templateId: string;
    templateVersion: string;
    vcId: string;
    state: StandardsOfferState;
    /** Configurations that it is good for: JSON text. */
    configurations: string;
    /** SHA-256 of what the wallet's link names it by. */
    referenceHash: string;
    /** SHA-256 of its code; null where none is good. */
    codeHash: string | null;
    /** Of the code that is told on another way; emptied when it is redeemed or ends. */
    txCodeMark: string | null;
    hasTxCode: number;
    wrongTxCodes: number;
    /** For whom, in the issuer's words. */
    reference: Encrypted | null;
    /** SHA-256 of what a wallet names it by whose holder logs in first: then it has no code. */
    issuerStateHash: string | null;
    /** By whose code alone it is redeemed, once somebody has logged in. */
    authorizationId: string | null;
    createdAt: number;
    updatedAt: number;
    /** When what it waits for in its state comes too late. */
    expiresAt: number;
  };
  /** An access token, and what it is good for. */
  openidGrants: {
    id: string;
    offerId: string;
    issuer: string;
    tokenHash: string;
    /** Of the key that has to be shown with it; null for one that whoever bears it may use. */
    dpopThumbprint: string | null;
    clientId: string | null;
    configurations: string;
    /** Whether the wallet was told identifiers of datasets, and must name one. */
    hasIdentifiers: number;
    /** Of the whole request that it was given for. */
    redeemMark: string;
    answeredAt: number | null;
    /** It is good for nothing since its code came again. */
    revokedAt: number | null;
    createdAt: number;
    expiresAt: number;
  };
  /** One request for credentials; the same request again has the same answer. */
  openidRequests: {
    /** By which a wallet asks again for what was not ready. */
    id: string;
    grantId: string;
    vcId: string;
    configurationId: string;
    /** SHA-256 of what was asked for and proved. */
    mark: string;
    /** Keys that the credentials are bound to. */
    holderKeys: Encrypted;
    /** The credentials; durable before the ledger is called. */
    answer: Encrypted | null;
    notificationId: string;
    /** What the wallet said became of them. */
    event: string | null;
    createdAt: number;
    updatedAt: number;
  };
  /** Proofs that are good once, until they are too old anyway. */
  openidSeenProofs: {
    id: string;
    expiresAt: number;
  };
}
