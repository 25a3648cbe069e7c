/** Lists as they were signed last, for every process of the service: none goes back to older facts. */
import type { Queries, RowOf } from '../database/schema.ts';
import { rowBy } from '../database/statements.ts';

export type SignedList = RowOf<'signedStatusLists'>;

export const findSignedList: (queries: Queries, uri: string) => Promise<SignedList | undefined> = rowBy(
  'signedStatusLists',
  'uri',
);

/** Kept unless a newer one is there. */
export async function keepSignedList(queries: Queries, signed: SignedList): Promise<void> {
  const { uri: _uri, ...rest } = signed;
  await queries
    .insertInto('signedStatusLists')
    .values(signed)
    .onConflict((conflict) =>
      conflict.column('uri').doUpdateSet(rest).where('signedStatusLists.seq', '<=', signed.seq),
    )
    .execute();
}

/** After a ledger was exchanged: what was signed over the other one says nothing any more. */
export async function forgetSignedLists(queries: Queries): Promise<void> {
  await queries.deleteFrom('signedStatusLists').execute();
}
