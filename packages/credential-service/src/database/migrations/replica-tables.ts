/** What several processes of a service count together. */
import type { Statements } from './statements.ts';

export const replicaTables: Statements = ({ text, integer, strict, unlogged }) => [
  `create ${unlogged}table "rates" (
    "bucket" ${text} primary key,
    "fullAt" ${integer} not null) ${strict}`,
  `create index "ratesByTime" on "rates" ("fullAt")`,
];
