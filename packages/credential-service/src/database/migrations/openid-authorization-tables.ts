/** Logins of issuers, and what wallets are authorized to by them. */
import type { Statements } from './statements.ts';

export const openidAuthorizationTables: Statements = ({ text, integer, bytes, strict }) => [
  `create table "openidLogins" (
    "issuer" ${text} primary key,
    "loginUrl" ${text} not null,
    "templateIds" ${text} not null,
    "updatedAt" ${integer} not null) ${strict}`,
  `create table "openidAuthorizations" (
    "id" ${text} primary key,
    "issuer" ${text} not null,
    "clientId" ${text} not null,
    "redirectUri" ${text} not null,
    "state" ${text} not null check ("state" in ('pushed', 'begun', 'granted', 'denied', 'answered')),
    "templateId" ${text} not null,
    "templateVersion" ${text} not null,
    "configurations" ${text} not null,
    "hasIdentifiers" ${integer} not null,
    "codeChallenge" ${text} not null,
    "dpopThumbprint" ${text},
    "clientState" ${bytes},
    "offerId" ${text} references "openidOffers" ("id") on delete cascade,
    "requestHash" ${text} not null unique,
    "browserHash" ${text},
    "referenceHash" ${text} unique,
    "ticketHash" ${text} unique,
    "codeHash" ${text} unique,
    "createdAt" ${integer} not null,
    "updatedAt" ${integer} not null,
    "expiresAt" ${integer} not null) ${strict}`,
  `create index "openidAuthorizationsOpen" on "openidAuthorizations" ("issuer", "clientId", "state", "expiresAt")`,
  `create index "openidAuthorizationsByOffer" on "openidAuthorizations" ("offerId")`,
  `create index "openidAuthorizationsByExpiry" on "openidAuthorizations" ("expiresAt")`,
  `alter table "openidOffers" add column "issuerStateHash" ${text}`,
  `alter table "openidOffers" add column "authorizationId" ${text}`,
  `create unique index "openidOffersByIssuerState" on "openidOffers" ("issuerStateHash")
    where "issuerStateHash" is not null`,
  `alter table "openidGrants" add column "revokedAt" ${integer}`,
];
