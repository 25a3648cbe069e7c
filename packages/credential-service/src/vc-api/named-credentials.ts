/** Credentials under the ids that their issuers gave them: which entry of the ledger is whose. */
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { sha256Hex } from '@symbolon/host/work/sha256';
import type { Queries, RowOf } from '../database/schema.ts';
import { addOnce, rowBy } from '../database/statements.ts';

const find = rowBy('vcApiCredentials', 'idHash');

export interface CredentialName {
  /** A DID of the ledger. */
  readonly issuer: string;
  readonly credentialId: string;
}

const hashOf = ({ issuer, credentialId }: CredentialName): string =>
  sha256Hex(canonicalJson([issuer, credentialId]));

export const findNamedCredential = (
  queries: Queries,
  named: CredentialName,
): Promise<RowOf<'vcApiCredentials'> | undefined> => find(queries, hashOf(named));

/** False where the id is taken. */
export const nameCredential = (
  queries: Queries,
  named: CredentialName,
  { vcId, mark, now }: { readonly vcId: string; readonly mark: string; readonly now: number },
): Promise<boolean> =>
  addOnce(queries, 'vcApiCredentials', { idHash: hashOf(named), vcId, mark, createdAt: now });
