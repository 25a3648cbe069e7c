/**
 * Tables of whom verifiers trust and of which names are whose: as types and as the SQL that makes them. What holds for
 * all tables is said in `schema.ts` and `migrations.ts`.
 */
import type { ColumnTypes } from '@symbolon/host/database/common/values';

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

export const trustTables = ({ text, integer, strict }: ColumnTypes): string[] => [
  `create table "trustedIssuers" (
    "owner" ${text} not null,
    "list" ${text} not null,
    "did" ${text} not null,
    "name" ${text},
    "templates" ${text},
    "updatedAt" ${integer} not null,
    primary key ("owner", "list", "did")) ${strict}`,
  `create table "nameForms" (
    "form" ${text} primary key,
    "issuer" ${text} not null,
    "subject" ${text} not null) ${strict}`,
  `create index "nameFormsBySubject" on "nameForms" ("subject")`,
];
