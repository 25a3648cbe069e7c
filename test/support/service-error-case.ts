/**
 * What a case of the table of status codes is: a request that must be refused, the row that says so, and when it can be
 * reached. Also what several cases spoil their requests with.
 */
import type { FaultName } from '@symbolon/core/faults/faults';
import type { JsonObject, JsonValue } from '@symbolon/wire/json/json';
import type { ErrorWorld } from './service-error-world.ts';
import { paths } from './service-steps.ts';

/** The endpoints of the table, with their paths and whether they are served sealed too. */
export const endpoints = {
  'template blob create': { path: paths.templateBlob, isSealable: false },
  'template submit': { path: paths.templateSubmit, isSealable: false },
  'vc apply': { path: paths.apply, isSealable: true },
  'vc create': { path: paths.create, isSealable: true },
  'vc submit': { path: paths.submit, isSealable: true },
  'vc download': { path: paths.download, isSealable: true },
  'revoke create-blob': { path: paths.revokeBlob, isSealable: false },
  'revoke submit': { path: paths.revokeSubmit, isSealable: false },
  'bbs create': { path: paths.bbsCreate, isSealable: false },
  'bbs sign': { path: paths.bbsSign, isSealable: false },
  'vp create': { path: paths.present, isSealable: true },
  'vp submit': { path: paths.presentSubmit, isSealable: true },
  'vp verify': { path: paths.verify, isSealable: true },
} as const;
export type Endpoint = keyof typeof endpoints;

/** When a case can be reached: with all in order, after blobs lapsed, without a ledger, with a damaged database. */
export type Phase = 'healthy' | 'late' | 'cut' | 'broken';

export interface RefusedCase {
  readonly endpoint: Endpoint;
  readonly status: number;
  readonly what: string;
  readonly code: FaultName;
  readonly phase: Phase;
  readonly make: (world: ErrorWorld) => Refused;
}
export interface Refused {
  /** A text is sent as it is. */
  readonly body: JsonValue | string;
  readonly apiKey?: string;
}

export type Row = [what: string, status: number, code: FaultName, make: RefusedCase['make'], phase?: Phase];

export const casesOf = (endpoint: Endpoint, rows: readonly Row[]): RefusedCase[] =>
  rows.map(([what, status, code, make, phase = 'healthy']) => ({
    endpoint,
    status,
    what,
    code,
    phase,
    make,
  }));

export const unknownId = `did:zid:${'a1'.repeat(32)}`;
export const unknownBlobId = '0123456789ABCDEF0123456789ABCDEF';
export const wrongKey = `sym_abcdefgh_${'A'.repeat(43)}`;

export const without = (body: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** A signature with one bit changed. */
export const spoilt = (signature: JsonValue | undefined): string => {
  const bytes = Buffer.from(signature as string, 'hex');
  bytes[5] = (bytes[5] as number) ^ 1;
  return bytes.toString('hex');
};
