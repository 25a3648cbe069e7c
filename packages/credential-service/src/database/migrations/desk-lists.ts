/** What the lists of issuers, holders and verifiers are found by, and what a row of them shows. */
import type { Statements } from './statements.ts';

const applications: Statements = ({ bytes }) => [
  `alter table "applications" add column "label" ${bytes}`,
  `create index "applicationsByState" on "applications" ("issuer", "state", "createdAt", "vcId")`,
  `create index "applicationsByTemplate" on "applications" ("issuer", "templateId", "createdAt", "vcId")`,
  `create index "applicationsByTemplateState" on "applications"
    ("issuer", "templateId", "state", "createdAt", "vcId")`,
  `create index "applicationsByIssuerHolder" on "applications" ("issuer", "holder", "createdAt", "vcId")`,
  `create index "applicationsOfHolder" on "applications" ("holder", "createdAt", "vcId")`,
];

/** Status and end of validity stand in the index, so that what has expired is told apart without reading each row. */
const credentials: Statements = ({ integer, bytes }) => [
  `alter table "credentials" add column "label" ${bytes}`,
  `alter table "credentials" add column "anchorSeq" ${integer}`,
  `alter table "credentials" add column "validFrom" ${integer}`,
  `alter table "credentials" add column "validUntil" ${integer}`,
  `drop index "credentialsByIssuer"`,
  `create index "credentialsByIssuer" on "credentials"
    ("issuer", "createdAt", "vcId", "validUntil", "status")`,
  `create index "credentialsByStatus" on "credentials"
    ("issuer", "status", "createdAt", "vcId", "validUntil")`,
  `create index "credentialsByTemplate" on "credentials"
    ("issuer", "templateId", "createdAt", "vcId", "validUntil", "status")`,
  `create index "credentialsByTemplateStatus" on "credentials"
    ("issuer", "templateId", "status", "createdAt", "vcId", "validUntil")`,
  `create index "credentialsByIssuerHolder" on "credentials" ("issuer", "holder", "createdAt", "vcId")`,
];

const sessions: Statements = () => [
  `create index "sessionsByKey" on "verificationSessions" ("keyId", "createdAt", "id")`,
  `create index "sessionsByState" on "verificationSessions" ("keyId", "state", "createdAt", "id")`,
  `create index "outboxBySession" on "outbox" ("sessionId")`,
];

const settings: Statements = () => [
  `create index "pricesByIssuer" on "prices" ("issuer", "templateId")`,
  `create index "autoIssueByIssuer" on "autoIssue" ("issuer", "templateId")`,
];

const all = [applications, credentials, sessions, settings];

export const deskLists: Statements = (types) => all.flatMap((part) => part(types));
