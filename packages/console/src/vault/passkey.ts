/**
 * Passkeys that give a secret (the PRF extension of WebAuthn): the authenticator makes 32 bytes of its own key and of a
 * salt, the same each time, and only after the person has shown that they are there. The passkey signs nobody in; a
 * service never hears of it.
 */
import { isNamedHost } from './page-names.ts';
import { randomBytes, secretBytes } from './sealing.ts';
import { VaultFailure } from './vault-failure.ts';

const challengeBytes = 32;
const waitMs = 120_000;
/** EdDSA, ECDSA with P-256, RSA: what authenticators have. Nothing is ever verified with it. */
const keyTypes = [-8, -7, -257].map((alg) => ({ type: 'public-key' as const, alg }));

/** Whether this browser can, as far as it tells beforehand. */
export async function hasPasskeys(): Promise<boolean> {
  if (typeof PublicKeyCredential === 'undefined' || !isNamedHost(location.hostname)) return false;
  const asked = PublicKeyCredential as { getClientCapabilities?: () => Promise<Record<string, boolean>> };
  const capabilities = await asked.getClientCapabilities?.().catch(() => undefined);
  return capabilities?.['extension:prf'] !== false;
}

export interface PasskeySecret {
  readonly credentialId: Uint8Array<ArrayBuffer>;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly secret: Uint8Array<ArrayBuffer>;
}

/** Makes a passkey and asks it for its secret. `label` is what the browser lists it under. */
export async function makePasskey(label: string): Promise<PasskeySecret> {
  const salt = randomBytes(secretBytes);
  const credential = await orRefused(() =>
    navigator.credentials.create({
      publicKey: {
        rp: { name: 'Symbolon' },
        user: { id: randomBytes(secretBytes), name: label, displayName: label },
        challenge: randomBytes(challengeBytes),
        pubKeyCredParams: keyTypes,
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        timeout: waitMs,
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const credentialId = new Uint8Array(credential.rawId);
  const { prf } = credential.getClientExtensionResults();
  if (prf?.enabled === false) throw new VaultFailure('passkeyWithoutSecret');
  // Some authenticators tell the secret only when the passkey is used.
  const secret = secretOf(prf) ?? (await askPasskey(credentialId, salt));
  return { credentialId, salt, secret };
}

export async function askPasskey(
  credentialId: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const credential = await orRefused(() =>
    navigator.credentials.get({
      publicKey: {
        challenge: randomBytes(challengeBytes),
        allowCredentials: [{ type: 'public-key', id: credentialId }],
        userVerification: 'required',
        timeout: waitMs,
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  );
  const secret = secretOf(credential.getClientExtensionResults().prf);
  if (!secret) throw new VaultFailure('passkeyWithoutSecret');
  return secret;
}

function secretOf(prf: AuthenticationExtensionsPRFOutputs | undefined): Uint8Array<ArrayBuffer> | undefined {
  const first = prf?.results?.first;
  if (first === undefined) return undefined;
  const bytes = ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
    : new Uint8Array(first);
  return bytes.length === secretBytes ? Uint8Array.from(bytes) : undefined;
}

/** Browsers do not say whether the person would not or the authenticator could not. */
async function orRefused(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let given: Credential | null;
  try {
    given = await ask();
  } catch (cause) {
    throw new VaultFailure('passkeyRefused', { cause });
  }
  if (given instanceof PublicKeyCredential) return given;
  throw new VaultFailure('passkeyRefused');
}
