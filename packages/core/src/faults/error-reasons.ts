/**
 * Why each fault and each code of the ledger occurs, for the catalogue of errors: the part that only people read, apart
 * from the tables themselves (`faults.ts`, `core/src/ledger/terms/codes.ts`) so that programs do not carry it.
 */

import { type CodeName, codes } from '../ledger/terms/codes.ts';
import type { FaultName } from './faults.ts';

export const faultReasons: Readonly<Record<FaultName, string>> = {
  requestMalformed: 'The body is not JSON, or a member is missing, of another type, or outside its limits.',
  sealMalformed: 'The sealed text was made for another key or another path, or is damaged.',
  signatureMalformed: 'What should be a signature is not one in form.',
  publicKeyMalformed: 'What should be a public key is not one in form, or its checksum does not fit.',
  signatureInvalid:
    'The signature does not verify with the key that was named: other bytes were signed, or with another key.',
  templateInvalid:
    'A template needs attributes with keys of their own, known formats, and a version such as 1.0.0.',
  attributesInvalid:
    'A value is missing, unknown to the template, or not of the format that the template declares.',
  validityInvalid: 'An end lies before its beginning or in the past, or a date is not one.',
  seedInvalid: 'The seed is neither a mnemonic with a good checksum, nor hex, nor base64, or is too short.',
  credentialMalformed: 'A member is missing, unknown or changed, or the document is too large.',
  attributeUnknown: 'The request names an attribute that is not in the credential.',
  rangeInvalid:
    'The attribute has no order, the ends are swapped, or the value lies outside: that cannot be proved.',
  presentationMalformed: 'A member is missing, unknown or changed, or the document is too large.',
  didMalformed: 'The text is not a DID, or its address has a wrong checksum.',
  queryInvalid: 'The query asks for something that it cannot say, or contradicts itself.',
  callbackRefused: 'The service calls no private, local or otherwise unsafe addresses.',
  issuerAccountMissing:
    'The transaction costs a fee, and the account of the issuer does not exist or cannot pay it.',
  issuerWeightTooLow:
    "The signers and thresholds of the issuer's account ask for more weight than its own key has, and a blob has one signature.",
  notAuthenticated: 'There is no API key, or it is unknown here, revoked or expired.',
  notAllowed: 'The API key is good, but not for this: it lacks the scope, or belongs to another DID.',
  walletNotAuthenticated:
    'The headers that show whose wallet this is are missing, signed by another key, or of another wallet or session.',
  passwordWrong: 'Address and password do not belong together. Which of them is wrong is not told.',
  txCodeWrong:
    'The offer can be accepted only with a code that its maker tells on another way than the link.',
  signerMismatch: 'The signature is good, but by somebody else than who has to sign.',
  presenceRefused:
    'The text is for another purpose, service or thing than this request, or was created more than five minutes ago or ahead.',
  paymentRefused:
    'The payment does not fit the demand, has expired, or the payer cannot cover it; the detail says which.',
  issuerMismatch: 'Only who issues the template or credential may do this.',
  holderMismatch: 'The request is signed or sent by another wallet than the one that it is about.',
  keyNotPublished: 'The DID document did not list the key for this purpose at that time.',
  policyForbids: 'The policy limits what the key may sign: kinds, receivers or amounts.',
  proofTooCostly:
    'Proofs are paid for by their cost, ranges above all, and the whole budget would not do for these.',
  autoIssueRefused:
    'The issuer has not allowed this template to be issued without a look, or not with these values.',
  sponsorUnfunded: 'The account from which the service pays fees cannot pay for another payment.',
  sponsorRefused: 'The service pays no fees for others, or no more of them today, or not one as high.',
  pageRefused:
    'A browser sent this for a web page of another origin, which may at most read what is public here.',
  hostUnknown:
    'A service that listens on this machine alone answers to no other names: a web page can bind its own name to this machine.',
  routeUnknown: 'No route has this path.',
  methodNotAllowed: 'There is a route with this path, and it takes another method.',
  blobUnknown: 'The blob was submitted, has expired, or was made by another service.',
  blobReplaced:
    "Transactions of an account are numbered, and another one of the issuer's has used this number.",
  templateUnknown: 'No template with this id is registered here.',
  applicationUnknown: 'There is no application with this id for this caller.',
  offerUnknown: 'No offer has this code or id, or it is forgotten since its time is over.',
  credentialUnknown: 'No credential with this id is registered here, or not for this caller.',
  didUnknown: 'The ledger has no account at the address of the DID.',
  keyUnknown: 'The vault keeps no such key for this caller.',
  sessionUnknown: 'No session has this id, or it is forgotten since its time is over.',
  trustListUnknown: 'The API key has no list of this name, or every issuer was taken off it.',
  deliveryUnknown: 'The last posts to a webhook are remembered, and no others.',
  profileUnknown: 'Neither the DID itself nor the operator has said a name here, and the ledger has none.',
  apiKeyUnknown:
    "The key never was, is forgotten, or belongs to somebody else: others' keys are not told apart.",
  auditEntryUnknown: 'Entries are counted from 1 to the number of the last one.',
  webhookUnknown: 'The API key has no webhook of this name, or it was forgotten after a long pause.',
  presentationUnknown: 'No stored presentation has this id, or its time is over.',
  paymentUnknown: 'This service has taken no such payment.',
  mediaTypeUnsupported: 'The header Accept names only forms that this route does not answer in.',
  templateExists: 'Names of templates are unique; letter case and spaces make no difference.',
  nameTaken:
    'Letters that look alike, accents, case, width and punctuation make no difference to who reads a name.',
  trustListFull: 'An API key has so many lists, and a list so many issuers.',
  apiKeysFull:
    'A party has so many API keys, those that ended lately included, and the service so many in all.',
  lastAdminKey: 'Without it nobody could act as the operator over HTTP.',
  webhooksFull: 'An API key has so many webhooks, and the service so many in all.',
  applicationExists: 'This holder has an application for this template that is not decided.',
  offerExists:
    'An issuer has one offer of a template for each reference that is open or waits to be issued, so that nobody is sent two.',
  offerClosed:
    'It was accepted, withdrawn or locked, or its time is over; whoever accepted it gets the same answer again.',
  templatePriced: 'An accepted offer is not paid for, so one of a template with a price gives it away.',
  signatureUsed:
    'A signed text stands for one application, one without a moment for none after a rejection, and under the old signing rule a signature for one text, the first it came with.',
  credentialExists: 'The holder has such a credential that holds, or a payment for one is under way.',
  paymentSettled: 'The same signed payment was taken before.',
  stateForbids: 'An application goes from pending to approved or rejected to issued, never back.',
  statusForbids: 'The status does not allow this step, as with a revoked credential, or is being changed.',
  sessionClosed: 'The session was decided, cancelled, or is being decided now.',
  requestInProgress: 'The same idempotency key is in use by a request that has not ended.',
  sessionExpired: 'Nobody answered the session in its time.',
  downloadLapsed: 'The service keeps an issued credential for a limited time; the ledger goes on listing it.',
  didDeactivated: 'The owner of the DID has ended it for good.',
  bodyTooLarge: 'The body has more bytes than the route takes.',
  idempotencyMismatch: 'The key stands for an earlier request that was not the same.',
  custodyKeyLocked: 'Too many wrong passwords were tried.',
  dailyCapReached: 'The policy of the account limits what it signs in a day.',
  tooManyRequests: 'The caller has used up what it may ask in a minute.',
  internalError:
    'The service met a defect or a failing part of its own; the log has the cause under this id.',
  ledgerUnreachable: 'The ledger node of the service does not answer.',
  ledgerFailed: 'The ledger refused the transaction.',
  ledgerUnconfirmed: 'The ledger node stalls or is away; the service goes on asking it.',
  ledgerSilent:
    'The ledger node that the service passes requests on to is away, too slow, or answers too much.',
  credentialProofInvalid: 'The credential is not the one on record, or a signature of it does not verify.',
  proofFailed: 'The proof engine could not make a proof of these values, or gave no answer.',
  methodUnsupported: 'The DID belongs to another method.',
  settlementUnknown: 'The ledger took the payment but has not said yet what became of it.',
  databaseFailed:
    'The database is away, too slow, full or damaged. What was asked for was not done, or is found out by the same request.',
  statusListStale:
    'The newest list that was signed has expired, and a new one is signed over what the ledger says alone.',
  statusListUnknown: 'The issuer has no list of this number, or is none here.',
  statusListPast: 'Only the newest list of each number is kept.',
  overloaded: 'More work is waiting than the service takes on, or it is not ready yet.',
  ledgerChanged:
    'The ledger has lost blocks that the service has seen, or is another chain: nothing that it says now counts.',
  grantInvalid: 'The code or transaction code is unknown, used, expired, or was given to another client.',
  clientInvalid:
    'The client is not registered here, or its assertion or attestation does not verify, is old, or was used before.',
  clientNotAllowed: 'The client is known, but is not registered for this way to a token.',
  grantTypeUnsupported: 'The service gives tokens for the grants that its metadata lists, and for no others.',
  responseTypeUnsupported: 'The service answers authorization requests with codes alone.',
  scopeInvalid: 'A scope names a credential configuration of this issuer, and this one names none.',
  authorizationDetailsInvalid:
    'A detail is of another type, or names what this issuer does not have or the offer does not hold.',
  authorizationDenied: 'Whoever was asked to agree has not, or not in time.',
  authorizationUnknown:
    'No authorization has this request_uri, reference or ticket: it was never made, was used, has expired, or is of another issuer or client.',
  dpopProofInvalid:
    'The proof is for another request or key, is old, was used before, or its signature does not verify.',
  dpopNonceWanted: 'The service wants to know that the proof was made just now.',
  accessTokenMissing: 'The request has no header Authorization of one of these two kinds.',
  accessTokenInvalid:
    'The token is unknown, expired or ended, or is bound to another key than the one that signed the proof.',
  scopeInsufficient: 'The token was given for other things than the one that is asked for.',
  credentialRequestInvalid: 'A member is missing, of another type, or does not go with the token.',
  configurationUnknown: 'The issuer has no configuration of this name.',
  credentialIdentifierUnknown: 'The token was given without this identifier.',
  keyProofInvalid:
    'The proof is of another type, for another issuer, signed by another key than it names, or of a key that the issuer does not take.',
  proofNonceInvalid: 'The nonce is not one of the service, or too old.',
  responseEncryptionInvalid:
    'The key is of another kind, or the algorithm is unknown here; or the issuer wants encryption and none was asked for.',
  credentialRequestDenied:
    'The issuer has rejected the application, or does not issue this credential to this holder.',
  deferredUnknown: 'The transaction never was, has ended, or belongs to another token.',
  notificationUnknown: 'No credential was issued with this id for this token.',
  clientIdUnavailable: 'The prefix asks for a certificate that is not set, or that names another host.',
  responseUnbound:
    'The state, the nonce or the key is that of another request, or the answer cannot be read; the session stays open.',
  responseRefused: 'A check failed: the description says which.',
  responseCodeWrong:
    'The request has a redirectUri, so its result is told to whoever comes with the code that the wallet got.',
  standardsUnavailable:
    'Identifiers of OpenID are https addresses; http does on this machine alone, as a demo has it.',
  foreignDocumentUnavailable:
    'The host is not public, does not answer in time, or what it answers is too large, of another type, or not what it should be.',
  notificationMalformed: 'A member is missing, or the event is none that there is.',
};

export const codeReasons: Readonly<Record<CodeName, string>> = {
  success: 'Every rule was satisfied.',
  internalError: 'The node met a defect of its own; the request may well be right.',
  invalidParameter: 'A member of the request is missing, of another type, or outside its limits.',
  alreadyExists: 'The same transaction, by its hash, waits in the queue.',
  notFound: 'This chain holds no such thing, at least not yet.',
  timeout: 'The transaction waited longer than the queue keeps one, or the sandbox was busy.',
  mathOverflow: 'A sum would not fit into 64 bits.',
  expressionFalse: 'The condition that the transaction or operation carries does not hold now.',
  expressionError: 'The condition that the transaction or operation carries cannot be evaluated.',
  invalidPublicKey: 'A public key is not hex of the known form, or its checksum does not fit.',
  invalidPrivateKey: 'A private key is not of the known form.',
  invalidAsset: 'Code, amount, type or issuer of the asset breaks the rules of assets.',
  weightTooLow:
    'The valid signatures do not reach the threshold: a key is missing, is another one, or signed for another chain.',
  invalidAddress: 'An address has the wrong prefix, length or checksum.',
  noOperations: 'The list of operations is empty.',
  tooManyOperations: 'One transaction holds at most 100 operations.',
  badNonce: 'The nonce is used already, by this transaction or by another of the account.',
  lowBalance: 'After this the account would hold less than the reserve that every account keeps.',
  sourceIsDestination: 'An account cannot pay itself.',
  destinationExists: 'The address to be created has an account.',
  accountMissing: 'No account stands at this address on this chain.',
  lowAsset: 'The account holds less of the asset than is to be paid.',
  assetTooLarge: 'The holding would not fit into 64 bits.',
  lowInitialBalance: 'A new account needs the base reserve to exist.',
  feeTooLow: 'The fee limit does not cover what the bytes, operations and contract calls cost.',
  queueFull: 'The node keeps as many waiting transactions as it can.',
  invalidWeight: 'A weight of the account or a signer is out of bounds.',
  invalidThreshold: 'A threshold is out of bounds or for something that is no operation.',
  badMetadataVersion: 'Somebody changed the entry meanwhile, or the version is not the next one.',
  transactionTooBig: 'The signed transaction has more bytes than the limit.',
  contractFailed: 'The contract threw, or used up what it may.',
  contractSyntax: 'The code of the contract is not accepted.',
  contractTooDeep: 'Contracts called contracts deeper than the limit.',
  contractTooManyTransactions: 'One call triggered more transactions than the limit.',
  contractExpired: 'The contract used more steps, memory or time than one call may.',
  queueRefused: 'The account has too many waiting, or another one with this nonce is in the way.',
};

/** Why a service answers this code; a newer service may know more of them. */
export const faultReason = (code: string): string | undefined =>
  Object.hasOwn(faultReasons, code) ? faultReasons[code as FaultName] : undefined;

/** Why the ledger answers this code; a newer ledger may know more of them. */
export function codeReason(code: number): string | undefined {
  const name = (Object.keys(codes) as CodeName[]).find((it) => codes[it] === code);
  return name && codeReasons[name];
}
