/**
 * How the members of a credential's frame must agree with each other. The issuer is held to these rules when a
 * credential is assembled and the verifier looks again, because an issuer's signature covers nonsense just as well.
 */
import { unixMsOf } from '../basics/calendar.ts';
import type { CredentialFrame } from '../documents/model.ts';

export interface Disagreement {
  readonly pointer: string;
  /** Of the member that it does not agree with. */
  readonly against: string;
  readonly detail: string;
}

/** The DID before the fragment of a DID URL. */
export const didOfUrl = (url: string): string => url.split('#', 1)[0];

export function frameDisagreements(frame: CredentialFrame): readonly Disagreement[] {
  const found: Disagreement[] = [];
  if (!frame.credentialStatus.id.endsWith(`#${frame.id}`))
    found.push({
      pointer: '/credentialStatus/id',
      against: '/id',
      detail: 'the status entry is of another credential',
    });
  if (!isBefore(frame.validFrom, frame.validUntil))
    found.push({
      pointer: '/validUntil',
      against: '/validFrom',
      detail: 'the validity ends before it begins',
    });
  return found;
}

export function isBefore(earlier: string, later: string): boolean {
  const [from, until] = [unixMsOf(earlier), unixMsOf(later)];
  return from !== undefined && until !== undefined && from < until;
}
