/**
 * What the house rules find today and let pass. Both tables only ever get shorter: an entry that is no longer needed is
 * complained about.
 */

/** Steps from one room into another that close a circle. */
export const circlesToday: readonly (readonly [from: string, to: string])[] = [
  ['core/ledger/contracts', 'core/ledger/execution'],
  ['core/ledger/contracts', 'core/ledger/operations'],
  ['credential-service/status', 'credential-service/reconcile'],
  ['cli/terminal', 'cli/acting'],
  ['cli/terminal', 'cli/starting'],
];

/** Names that are exported for two different things. */
export const doubledToday: ReadonlySet<string> = new Set(
  `AccountRequest Admission Application AttributeDraft AttributeValue AttributeValues AuditAnchor
   CallOptions Compared Complaint Connection CreationRequest CredentialOrder CustodyAccount Deed Disclosure
   ExecutedTransaction Finding Frame Given KeyQuestion KnownStatus ListWords OperationOrder Page PageRequest
   Payment PaymentState Reader Reading Receipt Refusal RegisteredTemplate RouteCall SignedTransaction
   StartWords StatusChange Submission SubmitOutcome Template TemplateOrder Verdict accountReply addressOf
   balanceOf bbsSignatureBytes callContract contentsOf dayOf did document download encodeFrame examineLedger
   fail failureOf findEntry findIssuerKey findTemplate firstDifference flag identifier int64 listName name names
   newAccount ownerOf pageOf parseBase64 parseFrame problemOf progressOf publicKeyBytes readAddress
   readApplication readCreation readMetadata readPage readTemplate readText requestOf setAutoIssue sha256
   signatureBytes statusReply submissionReply syncFolder templateId text verifyEd25519
   writeKeyFile`.split(/\s+/),
);
