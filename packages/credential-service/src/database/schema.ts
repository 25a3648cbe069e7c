/**
 * The tables of the credential service as types: what `migrations.ts` makes and the repositories beside read and
 * write. Only texts, whole numbers (times are milliseconds since 1970) and bytes, so that SQLite and PostgreSQL hold
 * the same. Whatever may be personal or secret is `Sealed`: only the vault makes such bytes, so a repository cannot be
 * handed clear text by mistake.
 */
import type {
  ApplicationState,
  CredentialAct,
  KnownStatus,
} from '@symbolon/core/credential/application-states';
import type { VerificationState } from '@symbolon/core/presentation/verification-states';
import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type {
  AutoIssueTable,
  CustodyAccountsTable,
  CustodyAttemptsTable,
  CustodyUsesTable,
  IssuerKeysTable,
  OldRuleSignaturesTable,
  PaymentsTable,
  PricesTable,
  SettlementsTable,
  SponsorAccountsTable,
} from './payment-tables.ts';

declare const sealedBrand: unique symbol;

/** Bytes that the vault sealed for one table, row and purpose. */
export type Sealed = Uint8Array & { readonly [sealedBrand]: true };

/** A template, once for all its versions. Without a latest version its name is only reserved. */
export interface TemplatesTable {
  id: string;
  name: string;
  /** The normalised name: unique on this service, and what searches look at. */
  nameKey: string;
  issuer: string;
  latestVersion: string | null;
  latestVersionKey: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface TemplateVersionsTable {
  templateId: string;
  version: string;
  /** Sorts as versions do, in every collation. */
  versionKey: string;
  /** The template as JSON text. */
  document: string;
  txHash: string;
  registeredAt: number;
}

export const blobKinds = ['template', 'revoke', 'suspend', 'reinstate', 'presentation', 'sponsored'] as const;
export type BlobKind = (typeof blobKinds)[number];
export type BlobState = 'pending' | 'claimed' | 'used';

export interface BlobsTable {
  id: string;
  kind: BlobKind;
  /** The DID or address whose signature the blob waits for. */
  owner: string;
  state: BlobState;
  /** Emptied when the blob is used. */
  payload: Sealed | null;
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
}

export interface ApplicationsTable {
  vcId: string;
  templateId: string;
  templateVersion: string;
  issuer: string;
  holder: string;
  state: ApplicationState;
  /** What the holder applied with; emptied when the application ends. */
  attributes: Sealed | null;
  /** The unsigned credential with what was computed for it; emptied when the application ends. */
  draft: Sealed | null;
  /** A draft that is not submitted by then may be replaced. */
  draftExpiresAt: number | null;
  /** The signed credential while it is on its way to the ledger. */
  submission: Sealed | null;
  rejectReason: Sealed | null;
  /** SHA-256 of the holder's signature: no other application of the holder for the template comes with it. */
  signatureHash: string | null;
  /** What tells a repetition of the application, and of the submission, from anything else (`repeated-requests.ts`). */
  applyMark: string | null;
  submitMark: string | null;
  /** The process that records it. */
  worker: string | null;
  /** When the submitter was told. */
  submitAnsweredAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface CredentialsTable {
  vcId: string;
  templateId: string;
  templateVersion: string;
  issuer: string;
  holder: string;
  /** SHA-256 of the canonical credential without proof, in hex: what the ledger holds. */
  digest: string;
  /** The service's memory of the status; the ledger decides. */
  status: KnownStatus;
  anchorTx: string;
  /** The blob whose submission changes the status right now. */
  changeBlobId: string | null;
  /** The signed credential; emptied when the time to download it is over. */
  credential: Sealed | null;
  downloadExpiresAt: number;
  /** The key that its BBS+ proof names; null where it was recorded before that was kept. */
  verificationMethod: string | null;
  /** What was done to it and the ledger has lost, until its issuer has done it again. */
  owedChange: CredentialAct | null;
  /** The ledger's newest block when that was found: a change in a later one is the issuer's last word. */
  owedAtSeq: number | null;
  createdAt: number;
  updatedAt: number;
}

export type StatusChangeState = 'prepared' | 'done';

/** One credential of one blob that changes statuses. */
export interface StatusChangesTable {
  blobId: string;
  vcId: string;
  kind: CredentialAct;
  state: StatusChangeState;
  /** Remark and salt: the ledger holds their hash. */
  remark: Sealed | null;
  remarkHash: string | null;
  txHash: string | null;
  createdAt: number;
  updatedAt: number;
}

/** A transaction of the registrar, stored before the ledger sees it. */
export interface AnchorIntentsTable {
  hash: string;
  /** The very bytes that are sent, and sent again. */
  blob: Uint8Array;
  /** What is anchored, as JSON text; nothing personal. */
  entries: string;
  state: 'open' | 'settled';
  outcome: string | null;
  createdAt: number;
  settledAt: number | null;
}

export interface ApiKeysTable {
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
}

export type VaultKeyKind = 'bbs' | 'registrar' | 'seal';

export interface VaultKeysTable {
  id: string;
  kind: VaultKeyKind;
  /** Whose key it is: a DID, `key:<API key id>`, or `service`. */
  owner: string;
  publicKey: string;
  secret: Sealed;
  createdAt: number;
  validFrom: number;
  validUntil: number | null;
}

export interface IdempotencyTable {
  /** A hash of the caller and the key that the caller chose. */
  id: string;
  fingerprint: string;
  state: 'running' | 'done';
  /** Of the request that runs: a later one that took over has another. */
  claim: string;
  /** The process that runs it. */
  worker: string | null;
  response: Sealed | null;
  createdAt: number;
  expiresAt: number;
}

export interface SettingsTable {
  name: string;
  text: string | null;
  secret: Sealed | null;
  updatedAt: number;
}

export interface AuditEntriesTable {
  sequence: number;
  at: number;
  actorKey: string | null;
  actorDid: string | null;
  action: string;
  subject: string | null;
  outcome: string;
  /** JSON text of a few short values. */
  details: string;
  /** The hash of the entry before; nothing for the first. */
  previous: string;
  hash: string;
}

/** What happened and is not in the chain yet: written together with what it tells of. */
export interface AuditInboxTable {
  id: string;
  at: number;
  /** The entry's other members, as JSON text. */
  entry: string;
}

export interface AuditAnchorsTable {
  sequence: number;
  hash: string;
  txHash: string;
  at: number;
}

/** One row: the chain that the service records to, and how far it has seen it. */
export interface OwnChainTable {
  id: number;
  /** The hash of the first block. */
  genesis: string;
  seq: number;
  hash: string;
  /** What was recorded before belongs to another chain. */
  since: number;
  updatedAt: number;
}

/** A transaction of an issuer that the ledger has executed: the very bytes, which are good again if it loses them. */
export interface SignedTransactionsTable {
  hash: string;
  /** The DID that signed. */
  owner: string;
  /** Hex; the key encoded. */
  blob: string;
  publicKey: string;
  signature: string;
  createdAt: number;
}

/** A version of a template that the ledger has lost for good: its issuer has to register it again. */
export interface OwedTemplatesTable {
  templateId: string;
  version: string;
  name: string;
  /** The issuer's DID. */
  owner: string;
  createdAt: number;
}

export interface VerificationSessionsTable {
  id: string;
  /** The API key that asked. */
  keyId: string;
  /** What the relying service knows the session by. */
  stateId: string;
  nonce: string;
  state: VerificationState;
  /** The query and the callback address. */
  request: Sealed;
  /** How it ended. */
  result: Sealed | null;
  /** Of the submission that is being decided. */
  claim: string | null;
  claimedAt: number | null;
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
}

/** The secret that results are signed with for an API key. */
export interface CallbackSecretsTable {
  keyId: string;
  secret: Sealed;
  createdAt: number;
}

export type DeliveryState = 'waiting' | 'delivered' | 'abandoned';

/** A callback that is to be delivered, written together with what it tells of. */
export interface OutboxTable {
  id: string;
  sessionId: string;
  keyId: string;
  state: DeliveryState;
  /** Address and body; emptied at the end. */
  content: Sealed | null;
  attempts: number;
  nextAttemptAt: number;
  /** Why the last attempt failed, in a few words. */
  problem: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface SavedPresentationsTable {
  id: string;
  presentation: Sealed;
  createdAt: number;
  expiresAt: number;
}

/** A process that works on this database, until when it is taken to live, and by which connection it says so. */
export interface WorkersTable {
  id: string;
  aliveUntil: number;
  session: number | null;
}

/** One issuer on one list of trusted issuers. A list is there while it has one. */
export interface TrustedIssuersTable {
  /** Whose list it is: the DID that the API key acts for, else the key's id. */
  owner: string;
  list: string;
  did: string;
  name: string | null;
  /** Ids of templates as a JSON array; null means all. */
  templates: string | null;
  updatedAt: number;
}

/** What a name is read as, and whose it is: no two issuers have names that are read alike. */
export interface NameFormsTable {
  form: string;
  issuer: string;
  /** The template of that name, or the issuer itself. */
  subject: string;
}

export type PaymentState = 'required' | 'settling' | 'settled' | 'issued' | 'failed';

export type CustodyBackend = 'vault' | 'token';
/** `none`: nobody pays for it. */
export type ActivationState = 'none' | 'pending' | 'done';

export interface ServiceSchema {
  templates: TemplatesTable;
  templateVersions: TemplateVersionsTable;
  blobs: BlobsTable;
  applications: ApplicationsTable;
  credentials: CredentialsTable;
  statusChanges: StatusChangesTable;
  anchorIntents: AnchorIntentsTable;
  ownChain: OwnChainTable;
  signedTransactions: SignedTransactionsTable;
  owedTemplates: OwedTemplatesTable;
  apiKeys: ApiKeysTable;
  vaultKeys: VaultKeysTable;
  workers: WorkersTable;
  idempotency: IdempotencyTable;
  settings: SettingsTable;
  auditEntries: AuditEntriesTable;
  auditInbox: AuditInboxTable;
  auditAnchors: AuditAnchorsTable;
  verificationSessions: VerificationSessionsTable;
  callbackSecrets: CallbackSecretsTable;
  outbox: OutboxTable;
  savedPresentations: SavedPresentationsTable;
  trustedIssuers: TrustedIssuersTable;
  nameForms: NameFormsTable;
  prices: PricesTable;
  issuerKeys: IssuerKeysTable;
  autoIssue: AutoIssueTable;
  payments: PaymentsTable;
  settlements: SettlementsTable;
  sponsorAccounts: SponsorAccountsTable;
  custodyAccounts: CustodyAccountsTable;
  custodyUses: CustodyUsesTable;
  custodyAttempts: CustodyAttemptsTable;
  oldRuleSignatures: OldRuleSignaturesTable;
}

/** A database or a transaction of it: every repository function works in both. */
export type Queries = Kysely<ServiceSchema>;

/** Where whole transactions can be made. Inside of one, only its own `Queries` may be used. */
export interface ServiceDatabase {
  readonly kysely: Queries;
  transaction<Result>(work: (queries: Transaction<ServiceSchema>) => Promise<Result>): Promise<Result>;
}

export type RowOf<Table extends keyof ServiceSchema> = Selectable<ServiceSchema[Table]>;
export type NewRowOf<Table extends keyof ServiceSchema> = Insertable<ServiceSchema[Table]>;
