/** The tables of status lists, as types (`schema.ts`). What a slot says is nowhere here: the ledger has it. */

export interface StatusListTables {
  /** A list of an issuer, from its first slot. */
  statusLists: {
    /** A DID. */
    issuer: string;
    /** Counted from 0. */
    list: number;
    /** How many slots are given away; rises with every one, and whoever takes slots holds this row meanwhile. */
    taken: number;
    createdAt: number;
  };
  /** A slot of one instance of a credential, for ever. */
  statusSlots: {
    issuer: string;
    list: number;
    slot: number;
    /** Counted from 1 in the order in which slots of the list were taken: says nothing outside. */
    place: number;
    /** The entry on the ledger, which all instances of a batch share. */
    vcId: string;
  };
  /** A list as it was signed last: what is served while the ledger is silent. */
  signedStatusLists: {
    uri: string;
    /** The block that its facts were read at. */
    seq: number;
    text: string;
    readAt: number;
    expiresAt: number;
  };
}
