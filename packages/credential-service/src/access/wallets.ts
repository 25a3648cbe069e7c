/** Wallets that show who they are by a signature in the headers of a request. */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import type { GivenSignature } from '@symbolon/wire/credentials/signed-headers';
import type { ServiceParts } from '../parts/service-parts.ts';
import { requirePresence, type WantedPresence } from './presence.ts';
import { givenKey, verifyEd25519 } from './signatures.ts';

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
  const message = presence
    ? requirePresence(parts, presence, { ...wanted, subject: subject ?? address })
    : encodeUtf8(address);
  if (!verifyEd25519(key, message, signature))
    throw new Fault('walletNotAuthenticated', {
      reason: 'walletSignatureWrong',
      detail: `The signature is not the key's over ${presence ? 'the text' : 'its own address'}`,
    });
  return key;
}
