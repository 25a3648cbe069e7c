/**
 * The secrets of offers. The code in a link has so many random bits that a plain hash of it can be kept. References and
 * the short codes that are told on another way can be guessed, so of these only a mark is kept that nobody can make
 * without a key of the vault.
 */
import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { offerLimits } from '@symbolon/core/limits/waiting';
import { sha256Hex } from '@symbolon/host/work/sha256';
import { createMarkKey, type MarkKeyParts } from '../vault/mark-key.ts';

/** It is no secret: enough that no two are the same. */
const idBytes = 10;

export const makeOfferId = (): string => `offer_${randomBytes(idBytes).toString('hex')}`;
export const makeOfferCode = (): string => randomBytes(offerLimits.codeBytes).toString('base64url');
export const offerCodeHash = (code: string): string => sha256Hex(code);

export const makeTxCode = (): string =>
  String(randomInt(10 ** offerLimits.txCodeDigits)).padStart(offerLimits.txCodeDigits, '0');

/** Marks of texts that belong to a place: equal for equal texts of the same place alone. */
export interface OfferMarks {
  reference(issuer: string, templateId: string, reference: string): Promise<string>;
  txCode(offerId: string, txCode: string): Promise<string>;
}

export function createOfferMarks(parts: MarkKeyParts): OfferMarks {
  const key = createMarkKey(parts, 'offers.markKey');
  const mark = async (parts: readonly string[]): Promise<string> =>
    createHmac('sha256', await key())
      .update(JSON.stringify(parts))
      .digest('hex');
  return {
    // Accents may be a letter's own or signs of their own, and look the same.
    reference: (issuer, templateId, reference) =>
      mark(['reference', issuer, templateId, reference.normalize('NFC')]),
    txCode: (offerId, txCode) => mark(['txCode', offerId, txCode]),
  };
}
