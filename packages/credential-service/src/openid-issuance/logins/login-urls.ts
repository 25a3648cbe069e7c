/** Pages where people log in: they are the issuer's, and the browser is sent there with a reference in the address. */
import type { Complaint } from '@symbolon/core/attributes/attribute-formats';
import { standardsOrigin } from '@symbolon/wire/oauth/standard-places';

const referenceName = 'reference';

/** http does where the service itself is reached so, on this machine alone: in a demo. */
export function loginUrlProblem(loginUrl: string, publicUrl: string): Complaint | undefined {
  const url = URL.parse(loginUrl);
  const isGood = url !== null && standardsOrigin(url.origin) !== undefined;
  if (!isGood || (url.protocol === 'http:' && !publicUrl.startsWith('http:')))
    return { complaint: 'must be an https address' };
  if (`${url.username}${url.password}${url.hash}` !== '' || /\s/.test(loginUrl))
    return { complaint: 'must not hold a name, a password, a fragment or white space' };
  return url.searchParams.has(referenceName)
    ? { complaint: `must not have the parameter ${referenceName}, which is added to it` }
    : undefined;
}

export function loginAddress(loginUrl: string, reference: string): string {
  const url = new URL(loginUrl);
  url.searchParams.set(referenceName, reference);
  return url.href;
}
