/**
 * How requests to the custody routes look on the wire (`docs/custody.md`) and what they become inside: bytes instead of
 * hex, names of operations instead of numbers, milliseconds instead of dates. Hex is read to the letter: an odd or
 * foreign character is a complaint, because what is signed must be what was meant.
 */
import { encodeUtf8, parseHex } from '@symbolon/core/basics/bytes';
import { given } from '@symbolon/core/basics/plain-values';
import { type CustodyPolicy, isOperationName } from '@symbolon/core/custody/custody-policy';
import {
  type OperationName,
  operationNames,
  operationTypes,
} from '@symbolon/core/ledger/terms/operation-types';
import { int64Max } from '@symbolon/core/limits/consensus';
import { custodyLimits as limits } from '@symbolon/core/limits/custody';
import * as z from 'zod';
import { maybe, missingOr, strict, text, type WithBody } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';

const addressCharsMax = 64;

const { passwordCharsMin, passwordCharsMax } = limits;
const address = text(addressCharsMax);
const newPassword = z
  .string({ error: missingOr('must be text') })
  .min(passwordCharsMin, `must have at least ${passwordCharsMin} characters`)
  .max(passwordCharsMax, `must have at most ${passwordCharsMax} characters`);
const note = maybe(
  z
    .string({ error: 'must be text' })
    .max(limits.noteCharsMax, `must have at most ${limits.noteCharsMax} characters`),
);

export const accountCreation = strict({ password: newPassword, label: note, purpose: note });
const account = { address, password: text(passwordCharsMax) };
export const blobSigning = strict({ blob: text(2 * limits.blobBytesMax), ...account });
export const messageSigning = strict({ message: text(limits.messageCharsMax), ...account });
export const passwordChange = strict({ ...account, newPassword });
export const addressQuery = z.object({ address });

const operation = z.union([z.string().max(limits.noteCharsMax), z.int()], {
  error: 'must be the name or the number of an operation',
});
const amount = z.union([z.string().regex(/^\d{1,19}$/), z.int().min(0), z.bigint().min(0n)], {
  error: 'must be a whole amount in the smallest unit, or null',
});
const assetCaps = z
  .record(
    z
      .string()
      .regex(/^(?:.{1,64}:)?[A-Za-z0-9]{20,64}$/u, 'must be code:issuer, or the address of a contract'),
    amount,
    { error: 'must be an object of amounts by asset, or null' },
  )
  .refine((caps) => Object.keys(caps).length <= limits.assetCapsMax, {
    error: `must have at most ${limits.assetCapsMax} members`,
  });
/** Strict: a cap whose name is misspelt must not be taken for one that was set. */
export const policyChange = strict({
  ...account,
  operations: z
    .array(operation, { error: 'must be an array' })
    .max(operationNames.length, `must have at most ${operationNames.length} elements`)
    .optional(),
  messages: z.boolean({ error: 'must be true or false' }).optional(),
  dailyAmountMax: amount.nullable().optional(),
  dailyAssetMax: assetCaps.nullable().optional(),
  dailyCountMax: z
    .int({ error: 'must be a whole number, or null' })
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .optional(),
  until: z
    .string({ error: 'must be a date and time, or null' })
    .max(limits.noteCharsMax)
    .nullable()
    .optional(),
});

/** Whose account, and the password for it. */
export interface AccountRequest {
  readonly address: string;
  readonly password: string;
}

export const readAccountCreation = ({
  body: { password, label, purpose },
}: WithBody<typeof accountCreation>) => ({
  password,
  ...given({ label, purpose }),
});

export function readBlobSigning({ body: { blob: given, ...account } }: WithBody<typeof blobSigning>) {
  const blob = parseHex(given);
  if (!blob) throw malformedAt('/blob', 'must be hex with an even number of digits');
  return { ...account, blob };
}

export const readMessageSigning = ({ body: { message, ...account } }: WithBody<typeof messageSigning>) => ({
  ...account,
  text: message,
  bytes: encodeUtf8(message),
});

/** Only what is to change. */
export function readPolicyChange({
  body: { address, password, ...policy },
}: WithBody<typeof policyChange>): AccountRequest & { readonly change: Partial<CustodyPolicy> } {
  const { operations, messages, dailyAmountMax, dailyAssetMax, dailyCountMax, until } = policy;
  const change = {
    operations: operations && readOperations(operations),
    messages,
    dailyAmountMax: unlessNull(dailyAmountMax, (amount) => readAmount(amount, '/dailyAmountMax')),
    dailyAssetMax: dailyAssetMax && readCaps(dailyAssetMax),
    dailyCountMax,
    until: unlessNull(until, readMoment),
  };
  return { address, password, change: given(change) };
}

/** Null takes a bound away; what is left out stays as it is. */
const unlessNull = <Value extends string | number | bigint, Read>(
  value: Value | null | undefined,
  read: (value: Value) => Read,
): Read | null | undefined => (value === null || value === undefined ? value : read(value));

/** An API key of scope admin: who runs the service approves what the password alone cannot do. */
export const approvalHeader = 'x-custody-approval';

/** The password of a request without a body: percent-encoded, because a header holds no other than plain characters. */
export const passwordHeader = 'x-custody-password';

export function readPasswordHeader(given: string | undefined): string {
  try {
    const password = decodeURIComponent(given ?? '');
    if (password !== '' && password.length <= passwordCharsMax) return password;
  } catch {
    // A stray percent sign; told below like the rest.
  }
  const detail = 'must hold the password, percent-encoded';
  throw malformedAt(`/${passwordHeader}`, detail);
}

/** Each once, in the ledger's order. */
function readOperations(given: readonly (string | number)[]): readonly OperationName[] {
  const names = given.map((item, index) => {
    const name =
      typeof item === 'string' ? item : operationNames.find((known) => operationTypes[known] === item);
    if (name !== undefined && isOperationName(name)) return name;
    const detail = `must be one of ${operationNames.join(', ')}`;
    throw malformedAt(`/operations/${index}`, detail);
  });
  return operationNames.filter((name) => names.includes(name));
}

const readCaps = (given: Readonly<Record<string, string | number | bigint>>): Record<string, bigint> =>
  Object.fromEntries(
    Object.entries(given).map(([asset, max]) => [asset, readAmount(max, `/dailyAssetMax/${asset}`)]),
  );

function readAmount(given: string | number | bigint, pointer: string): bigint {
  const value = BigInt(given);
  if (value <= int64Max) return value;
  throw malformedAt(pointer, `must be at most ${int64Max}`);
}

function readMoment(given: string): number {
  const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(given);
  const ms = isWhole ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw malformedAt('/until', 'must be a date and time with its zone (RFC 3339)');
}
