/**
 * The tables of the credential service as types: what `migrations.ts` makes, and what the files of rows (`*-rows.ts`)
 * of the other rooms read and write. Only texts, whole numbers (times are milliseconds since 1970) and bytes, so that
 * SQLite and PostgreSQL hold the same. Whatever may be personal or secret is `Encrypted`: only the vault makes such
 * bytes, so clear text cannot be stored by mistake.
 */
import type {
  ApplicationState,
  CredentialAct,
  RecordedStatus,
} from '@symbolon/core/credential/application-states';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { ConsoleTables } from './console-tables.ts';
import type { DeveloperTables } from './developer-tables.ts';
import type { ExchangeTables } from './exchange-tables.ts';
import type { OfferTable } from './offer-table.ts';
import type { OpenidAuthorizationTables } from './openid-authorization-tables.ts';
import type { OpenidIssuanceTables } from './openid-issuance-tables.ts';
import type { ReplicaTables } from './replica-tables.ts';
import type { StandardsTables } from './standards-tables.ts';
import type { StatusListTables } from './status-list-tables.ts';
import type { VcApiTables } from './vc-api-tables.ts';

declare const encryptedBrand: unique symbol;

/** Bytes that the vault encrypted for one table, row and purpose. */
export type Encrypted = Uint8Array & { readonly [encryptedBrand]: true };

export type BlobKind = 'template' | 'revoke' | 'suspend' | 'reinstate' | 'presentation' | 'sponsored';
export type VaultKeyKind = 'bbs' | 'registrar' | 'seal';
export type PaymentState = 'required' | 'settling' | 'settled' | 'issued' | 'failed';
export type CustodyBackend = 'vault' | 'token';
/** `none`: nobody pays for it. */
export type ActivationState = 'none' | 'pending' | 'done';

export interface ServiceSchema
  extends ExchangeTables,
    ConsoleTables,
    DeveloperTables,
    OpenidAuthorizationTables,
    OpenidIssuanceTables,
    ReplicaTables,
    StandardsTables,
    StatusListTables,
    VcApiTables {
  /** A template, once for all its versions. Without a latest version its name is only reserved. */
  templates: {
    id: string;
    name: string;
    /** The normalised name: unique on this service, and what searches look at. */
    nameKey: string;
    issuer: string;
    latestVersion: string | null;
    latestVersionKey: string | null;
    createdAt: number;
    updatedAt: number;
  };
  templateVersions: {
    templateId: string;
    version: string;
    /** Sorts as versions do, in every collation. */
    versionKey: string;
    /** The template as JSON text. */
    document: string;
    txHash: string;
    registeredAt: number;
  };
  blobs: {
    id: string;
    kind: BlobKind;
    /** The DID or address whose signature the blob waits for. */
    owner: string;
    state: 'pending' | 'claimed' | 'used';
    /** Emptied when the blob is used. */
    payload: Encrypted | null;
    /** The hash of the ledger transaction, written before the ledger is called. */
    intentHash: string | null;
    createdAt: number;
    expiresAt: number;
    claimedAt: number | null;
    /** The process that hands it in. */
    worker: string | null;
    /** Hex: what it was claimed with. */
    signature: string | null;
    /** JSON text: what became of it, for whoever has not been told (`blob-outcomes.ts`). */
    outcome: string | null;
  };
  applications: {
    vcId: string;
    templateId: string;
    templateVersion: string;
    issuer: string;
    holder: string;
    state: ApplicationState;
    /** What the holder applied with; emptied when the application ends. */
    attributes: Encrypted | null;
    /** The unsigned credential with what was computed for it; emptied when the application ends. */
    draft: Encrypted | null;
    /** What tells it from others in a list, a value of an attribute: gone when they are. */
    label: Encrypted | null;
    /** A draft that is not submitted by then may be replaced. */
    draftExpiresAt: number | null;
    /** The signed credential while it is on its way to the ledger. */
    submission: Encrypted | null;
    rejectReason: Encrypted | null;
    /** SHA-256 of the holder's signature: no other application of the holder for the template comes with it. */
    signatureHash: string | null;
    /** By these a repeated application or submission is known (`repeated-requests.ts`). */
    applyMark: string | null;
    submitMark: string | null;
    /** The offer that the holder accepted, where it came from one. */
    offerId: string | null;
    /** The process that records it. */
    worker: string | null;
    /** When the submitter was told. */
    submitAnsweredAt: number | null;
    createdAt: number;
    updatedAt: number;
  };
  /** What an issuer offers to whoever has its code, from the making of it to the credential. */
  offers: OfferTable;
  credentials: {
    vcId: string;
    templateId: string;
    templateVersion: string;
    issuer: string;
    holder: string;
    /** SHA-256 of the canonical credential without proof, in hex: what the ledger holds. */
    digest: string;
    /** The service's memory of the status; the ledger decides. */
    status: RecordedStatus;
    anchorTx: string;
    /** The block of that transaction, and the validity as it was recorded; null until the ledger was asked. */
    anchorSeq: number | null;
    validFrom: number | null;
    validUntil: number | null;
    /** The blob whose submission changes the status right now. */
    changeBlobId: string | null;
    /** The signed credential; emptied when the time to download it is over. */
    credential: Encrypted | null;
    /** What tells it from others in a list, a value of an attribute: gone with the credential. */
    label: Encrypted | null;
    downloadExpiresAt: number;
    /** The key that its BBS+ proof names; null where it was recorded before that was kept. */
    verificationMethod: string | null;
    /** What was done to it and the ledger has lost, until its issuer has done it again. */
    owedChange: CredentialAct | null;
    /** The ledger's newest block when that was found: a change in a later one is the issuer's last word. */
    owedAtSeq: number | null;
    createdAt: number;
    updatedAt: number;
  };
  /** One credential of one blob that changes statuses. */
  statusChanges: {
    blobId: string;
    vcId: string;
    kind: CredentialAct;
    state: 'prepared' | 'done';
    /** Remark and salt: the ledger holds their hash. */
    remark: Encrypted | null;
    remarkHash: string | null;
    txHash: string | null;
    createdAt: number;
    updatedAt: number;
  };
  /** A transaction of the registrar, stored before the ledger sees it. */
  anchorIntents: {
    hash: string;
    /** The very bytes that are sent, and sent again. */
    blob: Uint8Array;
    /** What is recorded, as JSON text; nothing personal. */
    entries: string;
    state: 'open' | 'settled';
    outcome: string | null;
    createdAt: number;
    settledAt: number | null;
  };
  /** One row: the chain that the service records to, and how far it has seen it. */
  ownChain: {
    id: number;
    /** The hash of the first block. */
    genesis: string;
    seq: number;
    hash: string;
    /** What was recorded before belongs to another chain. */
    since: number;
    updatedAt: number;
  };
  /**
   * A transaction of an issuer that the ledger has executed, as it was signed: it is sent again if the ledger loses it.
   */
  signedTransactions: {
    hash: string;
    /** The DID that signed. */
    owner: string;
    /** Hex; the key encoded. */
    blob: string;
    publicKey: string;
    signature: string;
    createdAt: number;
  };
  /** A version of a template that the ledger has lost for good: its issuer has to register it again. */
  owedTemplates: {
    templateId: string;
    version: string;
    name: string;
    /** The issuer's DID. */
    owner: string;
    createdAt: number;
  };
  vaultKeys: {
    id: string;
    kind: VaultKeyKind;
    /** Whose key it is: a DID, `key:<API key id>`, or `service`. */
    owner: string;
    publicKey: string;
    secret: Encrypted;
    createdAt: number;
    validFrom: number;
    validUntil: number | null;
  };
  /** A process that works on this database, until when it is taken to live, and by which connection it says so. */
  workers: {
    id: string;
    aliveUntil: number;
    session: number | null;
  };
  idempotency: {
    /** A hash of the caller and the key that the caller chose. */
    id: string;
    fingerprint: string;
    state: 'running' | 'done';
    /** Of the request that runs: a later one that took over has another. */
    claim: string;
    /** The process that runs it. */
    worker: string | null;
    response: Encrypted | null;
    createdAt: number;
    expiresAt: number;
  };
  settings: {
    name: string;
    text: string | null;
    secret: Encrypted | null;
    updatedAt: number;
  };
  auditEntries: {
    sequence: number;
    at: number;
    actorKey: string | null;
    actorDid: string | null;
    action: string;
    subject: string | null;
    outcome: string;
    /** JSON text of a few short values. */
    details: string;
    /** Whose event it is (`audit/event-owner.ts`); null for what is no event. Follows from the details. */
    owner: string | null;
    /** The hash of the entry before; nothing for the first. */
    previous: string;
    hash: string;
  };
  /** What happened and is not in the chain yet: written together with what it tells of. */
  auditInbox: {
    id: string;
    at: number;
    /** The entry's other members, as JSON text. */
    entry: string;
  };
  auditAnchors: {
    sequence: number;
    hash: string;
    txHash: string;
    at: number;
  };
  /** One issuer on one list of trusted issuers. A list is there while it has one. */
  trustedIssuers: {
    /** Whose list it is: the DID that the API key acts for, else the key's id. */
    owner: string;
    list: string;
    did: string;
    name: string | null;
    /** Ids of templates as a JSON array; null means all. */
    templates: string | null;
    updatedAt: number;
  };
  /** What a name is read as, and whose it is: no two issuers have names that are read alike. */
  nameForms: {
    form: string;
    issuer: string;
    /** The template of that name, or the issuer itself. */
    subject: string;
  };
  /** What a credential of a template costs. */
  prices: {
    templateId: string;
    issuer: string;
    /** In the smallest unit, as text. */
    amount: string;
    /** The code of the native asset, or the address of a token contract. */
    asset: string;
    symbol: string;
    decimals: number;
    payTo: string;
    updatedAt: number;
  };
  /** The Ed25519 key that an issuer has left with the service. */
  issuerKeys: {
    issuer: string;
    secret: Encrypted;
    createdAt: number;
  };
  /** For whom the service issues credentials of a template at once. */
  autoIssue: {
    templateId: string;
    issuer: string;
    isEnabled: number;
    /** DIDs with spaces between; everybody's where there is none. */
    holders: string | null;
    perDayMax: number;
    until: number;
    validSeconds: number;
    allowReissue: number;
    updatedAt: number;
  };
  /** One credential that is paid for: from the offer to the credential. */
  payments: {
    paymentId: string;
    state: PaymentState;
    templateId: string;
    templateVersion: string;
    issuer: string;
    holder: string;
    /** SHA-256 of the text that the holder signed, in hex. */
    dataHash: string;
    asset: string;
    amount: string;
    payTo: string;
    /** The credential that it becomes. */
    vcId: string;
    /** Written before the ledger is called; no two payments have the same. */
    txHash: string | null;
    /** Days since 1970, once it counts for the issuer's daily limit. */
    day: number | null;
    /** The signed credential, ready to be recorded as soon as it is paid; emptied at the end. */
    submission: Encrypted | null;
    failure: string | null;
    /** The process that brings it to its end. */
    worker: string | null;
    createdAt: number;
    expiresAt: number;
    updatedAt: number;
  };
  /** A payment that is handed to the ledger, stored before the ledger sees it. */
  settlements: {
    hash: string;
    state: 'pending' | 'executed' | 'failed';
    /** The very bytes and signatures that are sent, as JSON text. */
    signed: string;
    /** Seconds since 1970. */
    validBefore: number;
    payer: string;
    payTo: string;
    asset: string;
    amount: string;
    paymentId: string | null;
    /** Of a transaction that the sponsor has prepared. */
    blobId: string | null;
    /** What the sponsor may have to pay for it. */
    sponsoredFee: number | null;
    day: number;
    failure: string | null;
    /** The process that brings it to its end. */
    worker: string | null;
    /** The process that is telling a caller of the facilitator that it is executed, and when that was told whole. */
    teller: string | null;
    toldAt: number | null;
    createdAt: number;
    updatedAt: number;
  };
  /** An account from which fees of others are paid. */
  sponsorAccounts: {
    address: string;
    /** The prepared payment that it is held for. */
    blobId: string | null;
    heldUntil: number;
    /** Counts up with every payment that is prepared with it. */
    uses: number;
    /** Whose payment was prepared with it last. */
    payer: string | null;
    /** Who prepared it: a hash, which is only compared. */
    caller: string | null;
  };
  /** A ledger account whose key the service holds for whoever knows the password. */
  custodyAccounts: {
    address: string;
    /** Encoded. */
    publicKey: string;
    /** Where the key is. */
    backend: CustodyBackend;
    /** The key's name there. */
    keyId: string;
    /** The key itself, where no hardware holds it. */
    secret: Encrypted | null;
    /** The hash of the password, with what it was made with. */
    password: Encrypted;
    /** What its owner calls it, and what for. */
    note: Encrypted | null;
    /** JSON text. */
    policy: string;
    activation: ActivationState;
    /** The transaction that pays, written before the ledger sees it. */
    activationTx: string | null;
    createdAt: number;
    updatedAt: number;
  };
  /** What was signed on one day. */
  custodyUses: {
    subject: string;
    /** Days since 1970. */
    day: number;
    amount: string;
    count: number;
  };
  custodyAttempts: {
    address: string;
    failures: number;
    lockedUntil: number;
    updatedAt: number;
  };
  /** Which text a signature by the old rule, which fits many, came with first. */
  oldRuleSignatures: {
    /** SHA-256 of key and signature. */
    signatureHash: string;
    /** SHA-256 of the text. */
    textHash: string;
    expiresAt: number;
  };
}

/** A database or a transaction of it: every function of rows works in both. */
export type Queries = Kysely<ServiceSchema>;

/** Where whole transactions can be made. Inside of one, only its own `Queries` may be used. */
export interface ServiceDatabase {
  readonly kysely: Queries;
  transaction<Result>(work: (queries: Transaction<ServiceSchema>) => Promise<Result>): Promise<Result>;
}

export type RowOf<Table extends keyof ServiceSchema> = Selectable<ServiceSchema[Table]>;
export type NewRowOf<Table extends keyof ServiceSchema> = Insertable<ServiceSchema[Table]>;
