/** Documents at rest: JSON text, sealed for one column of one row. Order of members survives, as signatures need. */
import type { Sealed } from '../database/schema.ts';
import type { KeyVault, SealContext } from './vault.ts';

export const sealDocument = (vault: KeyVault, document: unknown, place: SealContext): Promise<Sealed> =>
  vault.sealText(JSON.stringify(document), place);

export const openDocument = async <Document>(
  vault: KeyVault,
  sealed: Uint8Array,
  place: SealContext,
): Promise<Document> => JSON.parse(await vault.openText(sealed, place)) as Document;
