/**
 * The words and numbers by which clients of the family know a refusal, in one place: nothing outside this package knows
 * any of them. Faults and reasons of the inside go in, what envelopes print comes out.
 */
import type { Fault, FaultName, FaultReason } from '@symbolon/core/faults/faults';
import type { PaymentRefusal, PaymentRefusalWord } from '@symbolon/core/faults/payment-refusals';

interface FamilyTerm {
  /** Stands in front of the message, so that programs can read it. */
  readonly word?: string;
  readonly number?: number;
}

/** Of a payment that is refused for a reason without a number of its own. */
const paymentRefusedCode = 4006;

/** Numbers of faults that clients branch on. A fault without one is told by its status. */
export const familyCodes: Readonly<Partial<Record<FaultName, number>>> = {
  credentialUnknown: 650_200,
  downloadLapsed: 650_201,
  templateUnknown: 650_502,
  paymentRefused: paymentRefusedCode,
  settlementUnknown: 4012,
};

/** Codes of custody that wallets know. */
export const custodyCodes: Readonly<Partial<Record<FaultName, number>>> = {
  requestMalformed: 1,
  passwordWrong: 1_000_026,
  custodyKeyLocked: 1_000_026,
  policyForbids: 1_000_027,
  dailyCapReached: 1_000_028,
};
/** Whatever else is wrong with custody. */
export const custodySystemError = 400_000;

/** Why a payment is refused: the words are those that payment protocols print as reasons, so they never change. */
export const paymentTerms = {
  unsupportedScheme: { word: 'unsupported_scheme' },
  unsupportedNetwork: { word: 'unsupported_network', number: 461_407 },
  payloadDecodeFailed: { word: 'payload_decode_failed' },
  payloadRequirementsMismatch: { word: 'payload_requirements_mismatch' },
  invalidSignature: { word: 'invalid_signature', number: 460_801 },
  blobExpired: { word: 'blob_expired', number: 460_807 },
  insufficientFunds: { word: 'insufficient_funds', number: 460_808 },
  blobAlreadySettled: { word: 'blob_already_settled', number: 460_810 },
  nonceNotNext: { word: 'nonce_not_next' },
  feeOutOfBounds: { word: 'fee_out_of_bounds' },
  sponsorRefused: { word: 'sponsor_refused' },
  sponsorUnfunded: { word: 'sponsor_unfunded' },
  blobUnknown: { word: 'blob_unknown' },
  settlementFailed: { word: 'settlement_failed', number: 461_405 },
} as const satisfies Readonly<Record<PaymentRefusalWord, FamilyTerm>>;

const reasonTerms: Readonly<Record<FaultReason, FamilyTerm>> = {
  ...paymentTerms,
  walletKeyMissing: { word: 'WALLET_AUTH_MISSING_PUBLIC_KEY' },
  walletSignatureMissing: { word: 'WALLET_AUTH_MISSING_SIGNED_DATA' },
  walletHeadersMalformed: { word: 'WALLET_AUTH_INVALID' },
  walletSignatureWrong: { word: 'WALLET_AUTH_INVALID_SIGNATURE' },
  walletNotHolder: { word: 'WALLET_AUTH_HOLDER_MISMATCH' },
  stateWrong: { word: 'STATE_MISMATCH' },
  hardwareFailed: { number: 1_000_026 },
};

/** Of a session that was not answered in time, in answers and in callbacks. */
export const expiredWord = 'VERIFICATION_REQUEST_EXPIRED';

const faultWords: Readonly<Partial<Record<FaultName, string>>> = { sessionExpired: expiredWord };

/** The number of the very case, where it has one. */
export const reasonNumber = ({ reason }: Pick<Fault, 'reason'>): number | undefined =>
  reason && reasonTerms[reason].number;

export const familyCodeOf = (fault: Fault): number =>
  familyCodes[fault.code] ?? reasonNumber(fault) ?? fault.status;

const withWord = (word: string | undefined, text: string): string =>
  word === undefined ? text : `${word}: ${text}`;

/** The message with the word in front that clients look for. */
export const familyMessage = ({ code, reason, message }: Fault): string =>
  withWord(reason ? reasonTerms[reason].word : faultWords[code], message);

/** `word: what exactly`, as it is stored and shown. */
export const refusalText = ({ word, detail }: PaymentRefusal): string =>
  withWord(paymentTerms[word].word, detail);

export interface RefusalFacts {
  readonly errorCode: number;
  readonly errorMsg: string;
}

/** A refusal as answers show it. */
export function refusalFacts(refusal: PaymentRefusal): RefusalFacts {
  const { number = paymentRefusedCode }: FamilyTerm = paymentTerms[refusal.word];
  return { errorCode: number, errorMsg: refusalText(refusal) };
}

/** What `refusalText` wrote, as answers show it. */
export function refusalInWords(errorMsg: string): RefusalFacts {
  const terms: readonly FamilyTerm[] = Object.values(paymentTerms);
  const term = terms.find(({ word }) => errorMsg.startsWith(`${word}: `));
  return { errorCode: term?.number ?? paymentRefusedCode, errorMsg };
}

/** The same of a fault whose reason is one of a payment; nothing of any other. */
export const faultFacts = (fault: Fault): RefusalFacts | undefined =>
  fault.reason && Object.hasOwn(paymentTerms, fault.reason)
    ? refusalFacts({ word: fault.reason as PaymentRefusalWord, detail: fault.message })
    : undefined;
