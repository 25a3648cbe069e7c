/** The keys that proofs name: who controls them and what they are for. Looking them up is whoever verifies' business. */
import { didOfKey, methodOfKey, parseDidKey, type SigningKey } from '../json-ld/did-key.ts';

export type ProofPurpose = 'assertionMethod' | 'authentication';

export interface VerificationKey extends SigningKey {
  /** The verification method. */
  readonly id: string;
  readonly controller: string;
  /** What its controller's document says it is for. */
  readonly purposes: readonly string[];
}

/** Finds the key of a verification method, or nothing. It may not throw for one that does not exist. */
export type KeyResolver = (verificationMethod: string) => Promise<VerificationKey | undefined>;

const didKeyPurposes: Readonly<Record<SigningKey['keyType'], readonly ProofPurpose[]>> = {
  ed25519: ['assertionMethod', 'authentication'],
  p256: ['assertionMethod', 'authentication'],
  bls12381g2: ['assertionMethod'],
};

/** Keys that are their own identifiers. */
export function didKeyOf(verificationMethod: string): VerificationKey | undefined {
  const key = verificationMethod.includes('#') ? parseDidKey(verificationMethod) : undefined;
  return (
    key && {
      ...key,
      id: methodOfKey(key),
      controller: didOfKey(key),
      purposes: didKeyPurposes[key.keyType],
    }
  );
}

/** Resolves `did:key` by itself, and everything else with what is given. */
export const keyResolver =
  (others?: KeyResolver): KeyResolver =>
  async (verificationMethod) =>
    didKeyOf(verificationMethod) ?? (await others?.(verificationMethod));
