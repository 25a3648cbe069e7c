/**
 * Who signed: public keys and Ed25519 signatures of callers, checked the same way by every handler. A key that a
 * caller gives is only ever compared with the one that is expected; it decides nothing by itself.
 */
import { verify } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { equalBytes } from '@symbolon/core/basics/bytes';
import { addressOfDid, parseLedgerDid } from '@symbolon/core/did/did';
import { Fault } from '@symbolon/core/faults/faults';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { createKeyImporter } from '@symbolon/host/work/imported-keys';
import type { PublicKeyGiven } from '@symbolon/wire/credentials/request-encodings';
import type { Caller } from '@symbolon/wire/http/service-route';
import { importedKeysMax } from '../limits/service-limits.ts';

const importKey = createKeyImporter(importedKeysMax);

export function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify(null, message, importKey(publicKey), signature);
  } catch {
    // Thrown for 32 bytes that are no point of the curve: nobody can have signed with that.
    return false;
  }
}

/** The raw key of a given one, whose checksum must hold where it has one. */
export function givenKey(given: PublicKeyGiven, keys: KeyFormat): Uint8Array {
  if (given.encoded !== undefined && !keys.parsePublicKey(given.encoded)) {
    throw new Fault('publicKeyMalformed', { detail: 'The checksum of the public key does not fit' });
  }
  return given.bytes;
}

/** The key that a DID of the ledger's own method is made of. */
export function keyOfLedgerDid(did: string, keys: KeyFormat): Uint8Array {
  const publicKey = parseLedgerDid(did, keys.profile);
  if (!publicKey) throw new Fault('didMalformed', { detail: 'The DID is not one of this ledger' });
  return publicKey;
}

/** Of an issuer of this ledger. */
export function addressOfIssuer(issuer: string, keys: KeyFormat): string {
  const address = addressOfDid(issuer, keys);
  assert(address, 'an issuer here has an address');
  return address;
}

/** Throws `signerMismatch` unless a given key is the expected one. */
export function requireKey(given: PublicKeyGiven, expectedKey: Uint8Array, keys: KeyFormat): void {
  if (!equalBytes(givenKey(given, keys), expectedKey))
    throw new Fault('signerMismatch', { detail: 'The public key is not the expected one' });
}

export interface SignatureToCheck {
  /** Any of these, all saying the same, may be what was signed. */
  readonly messages: readonly Uint8Array[];
  readonly signature: Uint8Array;
  readonly expectedKey: Uint8Array;
  readonly given?: PublicKeyGiven;
}

/** The message that the expected key, which is the given one if one is given, has signed; throws `signerMismatch`. */
export function requireSignature(
  { messages, signature, expectedKey, given }: SignatureToCheck,
  keys: KeyFormat,
): Uint8Array {
  if (given) requireKey(given, expectedKey, keys);
  const signed = messages.find((message) => verifyEd25519(expectedKey, message, signature));
  if (!signed)
    throw new Fault('signerMismatch', { detail: 'The signature does not verify with the expected key' });
  return signed;
}

/** A caller that shows an API key may use it only for the DID it acts for. */
export function refuseOtherParty(caller: Caller, did: string): void {
  if (caller.did !== undefined && caller.did !== did && !caller.scopes.has('admin')) {
    throw new Fault('notAllowed', { detail: 'The API key acts for another DID' });
  }
}
