/** The tables of what several processes of a service share, as types (`schema.ts`). */

export interface ReplicaTables {
  /** Buckets that all of them give tokens from (`access/rate-rows.ts`). */
  rates: {
    /** A mark of the caller and of the kind of work: addresses of people are not written down. */
    bucket: string;
    /** When it is full again, in microseconds since 1970, by the database's clock. */
    fullAt: number;
  };
}
