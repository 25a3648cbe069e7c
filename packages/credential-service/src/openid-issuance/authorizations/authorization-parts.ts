/** What this room works with, and what its secrets, times and refusals are called. */
import { randomBytes } from 'node:crypto';
import { Fault } from '@symbolon/core/faults/faults';
import { openidIssuanceLimits as limits } from '../../limits/openid-limits.ts';
import type { OfferedFormat } from '../parts/format-issuer.ts';
import type { OpenidParts } from '../parts/openid-parts.ts';
import type { Authorization } from './authorization-rows.ts';

export interface AuthorizingParts extends OpenidParts {
  readonly formatIssuers: readonly OfferedFormat[];
}

export const makeAuthorizationId = (): string => `vca_${randomBytes(limits.idBytes).toString('hex')}`;

export const unknownAuthorization = (): Fault => new Fault('authorizationUnknown');

/** Of the issuer, waiting, and in its time. */
export function requireWaiting(
  row: Authorization | undefined,
  {
    issuer,
    states,
    now,
  }: { readonly issuer: string; readonly states: readonly Authorization['state'][]; readonly now: number },
): Authorization {
  if (!row || row.issuer !== issuer || !states.includes(row.state) || row.expiresAt <= now)
    throw unknownAuthorization();
  return row;
}
