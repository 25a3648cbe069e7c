/** The ledger's envelope and its numbers as schemas: what every reply of a node is made of. */
import * as z from 'zod';

/** A 64-bit integer as a bare JSON number: a number where that is exact, else a bigint. */
export const int64Field = z
  .custom<number | bigint>((value) => typeof value === 'bigint' || Number.isSafeInteger(value))
  .meta({ type: 'integer', format: 'int64' });

export const code = z.int().min(0).max(999);
export const description = z.string();

/** The envelope around a result. */
export const enveloped = <Result extends z.ZodType>(result: Result) =>
  z.looseObject({ error_code: code, error_desc: description, result: result.nullable().optional() });
