/** Credentials of the VC-API that callers have named. */
import type { Statements } from './statements.ts';

export const vcApiTables: Statements = ({ text, integer, strict }) => [
  `create table "vcApiCredentials" (
    "idHash" ${text} primary key,
    "vcId" ${text} not null references "openidDatasets" ("vcId"),
    "mark" ${text} not null,
    "createdAt" ${integer} not null) ${strict}`,
];
