/** What the list of its issuer says of a credential that a wallet keeps. */
import { asObject } from '@symbolon/core/basics/plain-values';
import { readHeldSdJwt } from '@symbolon/formats/sd-jwt/presenting';
import { statusComplaints } from '@symbolon/formats/status-lists/status-check';
import { viewFieldCredential } from './credential-view.ts';
import type { HeldFieldCredential } from './receiving.ts';
import type { WalletFacts } from './wallet-facts.ts';

/** `not known` where the list cannot be had: no list is no good news. */
export type KeptFieldStatus = 'valid' | 'revoked' | 'suspended' | 'expired' | 'not known';

export async function statusOfKept(
  credential: HeldFieldCredential,
  facts: WalletFacts,
): Promise<KeptFieldStatus> {
  const { issuer, untilMs } = viewFieldCredential(credential);
  if (untilMs !== undefined && untilMs <= facts.now()) return 'expired';
  const complaints = await listComplaints(credential, issuer, facts);
  if (complaints.includes(statusComplaints.revoked)) return 'revoked';
  if (complaints.includes(statusComplaints.suspended)) return 'suspended';
  return complaints.length === 0 ? 'valid' : 'not known';
}

async function listComplaints(
  { document }: HeldFieldCredential,
  issuer: string,
  { status, sha256 }: WalletFacts,
): Promise<readonly string[]> {
  if (typeof document !== 'string') {
    const entries = asObject(document)?.credentialStatus;
    return entries === undefined ? [] : status.checkEntries(entries, issuer);
  }
  const { status: claim } = readHeldSdJwt(document, sha256).token.payload;
  return claim === undefined ? [] : status.checkClaim(claim, issuer);
}
