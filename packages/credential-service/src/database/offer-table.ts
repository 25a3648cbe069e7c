/** The table of offers, as a type. */
import type { OfferState } from '@symbolon/wire/offers/schemas';
import type { Encrypted } from './schema.ts';

export interface OfferTable {
  id: string;
  /** SHA-256 of the code. */
  codeHash: string;
  issuer: string;
  templateId: string;
  templateVersion: string;
  /** One that is open and whose time is over counts as expired. */
  state: OfferState;
  /** What is offered; emptied when the offer is accepted or ends. */
  attributes: Encrypted | null;
  /** Whom it is for, in the issuer's words. */
  reference: Encrypted | null;
  /** Equal for equal references alone, and of no use without the service's key. */
  referenceMark: string | null;
  /** The same of the code that is told on another way; emptied when the offer ends. */
  txCodeMark: string | null;
  /** Whether there is, or was, such a code: 1 or 0. */
  hasTxCode: number;
  wrongTxCodes: number;
  /** Who has accepted it, and the application that it became. */
  holder: string | null;
  vcId: string | null;
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
}
