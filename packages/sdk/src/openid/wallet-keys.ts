/** Keys of a wallet: one for each credential, so that two of them never belong together by their key. */
import { encodeBase64Url, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { keyOfJwk } from '@symbolon/core/did/public-jwk';
import type { JwsSigner } from '@symbolon/formats/jose/compact-jws';
import { publicHalf, type SecretSigningJwk, signerOfSecretKey } from '@symbolon/formats/jose/web-signatures';
import { methodOfKey, type SigningKey } from '@symbolon/formats/json-ld/did-key';
import type { KeyNaming } from './issuer-documents.ts';

/** The key as `did:key` has it. */
export const signingKeyOf = (key: SecretSigningJwk): SigningKey => keyOfJwk(publicHalf(key)) as SigningKey;

/** Signs with the key, which the header names in a way that the issuer takes. */
export function namedSigner(key: SecretSigningJwk, naming: KeyNaming): Promise<JwsSigner> {
  const jwk = publicHalf(key);
  if (naming === 'jwk') return signerOfSecretKey(key, { jwk });
  if (naming === 'did:key') return signerOfSecretKey(key, { kid: methodOfKey(signingKeyOf(key)) });
  const did = `did:jwk:${encodeBase64Url(encodeUtf8(JSON.stringify(jwk)))}`;
  return signerOfSecretKey(key, { kid: `${did}#0` });
}
