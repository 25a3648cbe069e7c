/**
 * What the house rules find today and let pass. Both tables only ever get shorter: an entry that is no longer needed is
 * complained about.
 */

/** Steps from one room into another that close a circle. */
export const circlesToday: readonly (readonly [from: string, to: string])[] = [];

/** Names that are exported for two different things. */
export const doubledToday: ReadonlySet<string> = new Set(
  `Application AttributeValue AttributeValues    CallOptions Compared Complaint Connection CustodyAccount Disclosure
   ExecutedTransaction Finding Given KnownStatus OperationOrder    Payment PaymentState Reader Reading Receipt Refusal SignedTransaction
   StatusChange SubmitOutcome Template TemplateOrder Verdict accountReply addressOf
   callContract contentsOf dayOf did document download examineLedger
   fail failureOf findEntry findTemplate firstDifference flag identifier int64 listName name names
   newAccount ownerOf parseBase64 parseFrame problemOf publicKeyBytes readAddress
   readApplication readCreation readMetadata readPage readTemplate readText sha256
   signatureBytes statusReply syncFolder templateId text verifyEd25519
   writeKeyFile`.split(/\s+/),
);
