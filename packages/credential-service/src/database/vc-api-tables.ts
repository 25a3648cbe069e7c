/** The table of credentials that were issued by the VC-API under an id of their issuer's choice, as a type (`schema.ts`). */
export interface VcApiTables {
  vcApiCredentials: {
    /** SHA-256 of issuer and id: an id may say something about somebody. */
    idHash: string;
    /** The entry on the ledger. */
    vcId: string;
    /** SHA-256 of the order and the salt of the dataset: only the same order again has the same entry. */
    mark: string;
    createdAt: number;
  };
}
