/**
 * People of the tests: key pairs made from a name, so that every run meets the same ones. `richest` is the account
 * that the test chains begin with, the publicly known first key of the vectors. Test support only.
 */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { profiles } from '@symbolon/core/keys/profile';
import { sha256 } from '@symbolon/host/work/sha256';
import { publicKeyOf, signEd25519 } from '../signatures/ed25519.ts';

export const keyFormat = createKeyFormat(profiles.zetrix, sha256);

export interface Person {
  readonly seed: Uint8Array;
  readonly address: string;
  /** Encoded, as the interface carries them. */
  readonly publicKey: string;
  readonly privateKey: string;
  sign(message: Uint8Array): Uint8Array;
}

export function personOf(seed: Uint8Array): Person {
  const raw = publicKeyOf(seed);
  return {
    seed,
    address: keyFormat.addressOf(raw),
    publicKey: keyFormat.encodePublicKey(raw),
    privateKey: keyFormat.encodePrivateKey(seed),
    sign: (message) => signEd25519(seed, message),
  };
}

export const person = (name: string): Person => personOf(sha256(encodeUtf8(name)));

const richestSeed = new Uint8Array(32);
richestSeed[31] = 1;
export const richest = personOf(richestSeed);
export const validatorPerson = person('validator');
