/**
 * Our side of the SD-JWT rounds: issued, presented and verified as service, wallets and verifiers do it, with Node's
 * signatures; every check is made, and the issuer's key is one that the verifier was given.
 */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createNodeVerifier, nodeSigner } from '@symbolon/credential-service/jose/node-signatures';
import { readPublicJwk, type SigningJwk } from '@symbolon/formats/jose/public-keys';
import { issueSdJwts } from '@symbolon/formats/sd-jwt/issuing';
import { presentSdJwt } from '@symbolon/formats/sd-jwt/presenting';
import { verifySdJwt } from '@symbolon/formats/sd-jwt/verifying';
import { answerWork } from '../rounds.ts';
import { attributes, binding, issuer, shown, vct } from './sample.ts';

const makeKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = readPublicJwk(publicKey.export({ format: 'jwk' })) as SigningJwk;
  return { key, signer: nodeSigner('ES256', privateKey) };
};
const [issuing, holding] = [makeKey(), makeKey()];
const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
const tools = { signer: issuing.signer, sha256, randomBytes: (count: number) => randomBytes(count) };
const verifySignature = createNodeVerifier();
const yearMs = 365 * 86_400_000;

answerWork({
  async issue(): Promise<string> {
    const now = Date.now();
    const [text] = await issueSdJwts(
      {
        template: {
          attributes: Object.keys(attributes).map((key) => ({
            ...{ key, label: key, type: 'text', format: 'string', mandatory: true },
          })),
        },
        values: attributes,
        ...{ issuer, vct, issuedAt: now, validFrom: now, validUntil: now + yearMs },
      },
      [{ holderKey: holding.key }],
      tools,
    );
    return text;
  },
  derive: (text: string) =>
    presentSdJwt(
      text,
      {
        paths: shown.map((key) => [key]),
        keyBinding: { signer: holding.signer, now: Date.now(), ...binding },
      },
      sha256,
    ),
  async verify(text: string): Promise<boolean> {
    const { verified } = await verifySdJwt(text, {
      ...{ now: Date.now(), sha256, verifySignature, vctValues: [vct], binding },
      findIssuerKeys: async () => ({ keys: [issuing.key], foundBy: 'given' }),
      checkStatus: async () => [],
    });
    return verified;
  },
});
