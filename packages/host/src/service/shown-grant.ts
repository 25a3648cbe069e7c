/**
 * Access tokens as requests show them: in the header Authorization alone, as Bearer (RFC 6750) or as DPoP with a proof
 * beside it (RFC 9449). Nothing is believed here: whose token it is, and whether it holds, is the handler's to find out.
 */
import { Fault } from '@symbolon/core/faults/faults';
import type { ShownGrant } from '@symbolon/wire/http/service-route';
import { queryPairs } from '@symbolon/wire/json/query-text';
import { serviceHttpLimits } from '../limits/server-limits.ts';
import type { ShownHeaders } from './service-access.ts';

const shown = /^(Bearer|DPoP) +([A-Za-z0-9._~+/-]+=*)$/i;
const compactProof = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Throws `requestMalformed`, `accessTokenMissing`, `accessTokenInvalid`, `dpopProofInvalid`. */
export function readGrant({ authorization, dpop }: ShownHeaders, queryText: string): ShownGrant {
  // Addresses stand in logs and histories.
  if (queryPairs(queryText).some(([name]) => name === 'access_token'))
    throw new Fault('requestMalformed', { detail: 'an access token does not belong into the address' });
  if (typeof authorization !== 'string' || !/^(?:Bearer|DPoP)(?: |$)/i.test(authorization))
    throw new Fault('accessTokenMissing');
  const [, scheme, token] = shown.exec(authorization.trimEnd()) ?? [];
  if (token === undefined || token.length > serviceHttpLimits.accessTokenCharsMax)
    throw new Fault('accessTokenInvalid', { detail: 'this is not an access token' });
  const dpopProof = readDpopProof(dpop);
  if (scheme.toLowerCase() === 'bearer') return { scheme: 'Bearer', token, ...(dpopProof && { dpopProof }) };
  if (dpopProof === undefined) throw new Fault('dpopProofInvalid', { detail: 'the header DPoP is missing' });
  return { scheme: 'DPoP', token, dpopProof };
}

/** Of several headers the proof would be a guess: HTTP joins them, which is none. */
function readDpopProof(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (
    typeof header === 'string' &&
    header.length <= serviceHttpLimits.dpopProofCharsMax &&
    compactProof.test(header)
  )
    return header;
  throw new Fault('dpopProofInvalid', { detail: 'the header DPoP is not one signed JWT' });
}
