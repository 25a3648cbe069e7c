/** Tokens by the key that an issuer's service signs with now, as the formats want a signer. */

import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { assert } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import type { JwsSigner } from '@symbolon/formats/jose/compact-jws';
import type { SigningJwk } from '@symbolon/formats/jose/public-keys';
import { readPublicJwk } from '@symbolon/formats/jose/public-keys';
import type { IssuerKeys } from '../../standards/issuer-keys.ts';

export interface IssuerToken {
  readonly kid: string;
  readonly publicKey: SigningJwk;
  readonly signer: JwsSigner;
}

/** Made where there is none; never inside of a transaction, because the keys are read from the database. */
export async function issuerToken(keys: IssuerKeys, issuer: string): Promise<IssuerToken> {
  const { kid } = await keys.currentKey(issuer, 'es256');
  const named = (await keys.jwksOf(issuer)).keys.find((one) => one.kid === kid);
  const publicKey = readPublicJwk(named);
  assert(!isComplaint(publicKey), 'a key of ours can be read');
  const sign = async (bytes: Uint8Array): Promise<Uint8Array> => {
    const signed = await keys.sign(issuer, 'es256', bytes);
    if (signed.kid !== kid)
      throw new Fault('overloaded', { detail: 'The key of the issuer was changed meanwhile' });
    return signed.signature;
  };
  return { kid, publicKey, signer: { alg: 'ES256', header: { kid }, sign } };
}
