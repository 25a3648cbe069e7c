/**
 * Signatures that show who is present: whether a signed text is good at this service now, and the key of a wallet that
 * shows itself in the headers of a request. A good text alone says nothing about who signed: that is checked with its
 * bytes.
 */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { type ExpectedPresence, presenceProblem } from '@symbolon/core/presentation/presence-text';
import type { GivenPresence } from '@symbolon/wire/credentials/presence-requests';
import type { GivenSignature } from '@symbolon/wire/credentials/signed-headers';
import type { ServiceParts } from '../parts/service-parts.ts';
import { givenKey, verifyEd25519 } from './signatures.ts';

type WantedPresence = Pick<ExpectedPresence, 'purpose' | 'subject' | 'challenge'>;

/** The bytes that were signed; throws `presenceRefused`. */
export function requirePresence(
  { settings, clock }: Pick<ServiceParts, 'settings' | 'clock'>,
  given: GivenPresence,
  wanted: WantedPresence,
): Uint8Array {
  const expected = { ...wanted, audience: settings.publicUrl, now: clock.nowMs() };
  const problem = presenceProblem(given, expected);
  if (problem !== undefined) throw new Fault('presenceRefused', { detail: `The signed text ${problem}` });
  return encodeUtf8(given.text);
}

/** The bytes that a signature is over: those of the text that came with it, without one those of the older form. */
export const signedMessage = (
  parts: Pick<ServiceParts, 'settings' | 'clock'>,
  presence: GivenPresence | undefined,
  { older, ...wanted }: WantedPresence & { readonly older: Uint8Array },
): Uint8Array => (presence ? requirePresence(parts, presence, wanted) : older);

/** What a wallet is to show; the subject is its own address if nothing else is named. */
interface WantedWallet extends Omit<WantedPresence, 'subject'> {
  readonly subject?: string;
  /** The signed address alone, which is good for ever and for everything, is not taken. */
  readonly isTextNeeded?: boolean;
}

/** The key of a wallet that has signed a text for this purpose, or in the older form its own address. */
export function requireWallet(
  parts: Pick<ServiceParts, 'keys' | 'settings' | 'clock'>,
  { publicKey, signature, presence }: GivenSignature,
  { subject, isTextNeeded = false, ...wanted }: WantedWallet,
): Uint8Array {
  const { keys } = parts;
  const key = givenKey(publicKey, keys);
  const address = keys.addressOf(key);
  if (!presence && isTextNeeded)
    throw new Fault('walletNotAuthenticated', {
      reason: 'walletHeadersMalformed',
      detail: 'The signed address does not do here: sign a text with purpose, audience and time',
    });
  const older = encodeUtf8(address);
  const message = signedMessage(parts, presence, { ...wanted, subject: subject ?? address, older });
  if (!verifyEd25519(key, message, signature))
    throw new Fault('walletNotAuthenticated', {
      reason: 'walletSignatureWrong',
      detail: `The signature is not the key's over ${presence ? 'the text' : 'its own address'}`,
    });
  return key;
}
