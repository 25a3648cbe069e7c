/** What tests of SD-JWT VCs share: an issuer, a holder, a template, and facts by which all is right. */
import { createHash, randomBytes } from 'node:crypto';
import { encodeBase64Url, encodeUtf8, parseBase64 } from '@symbolon/core/basics/bytes';
import type { Fields } from '@symbolon/core/basics/plain-values';
import type { Template } from '@symbolon/core/documents/model';
import { type JwsSigner, signJws } from '../../jose/compact-jws.ts';
import { makeKey, nodeVerifySignature } from '../../jose/testing/node-keys.ts';
import { combinedText } from '../combined-form.ts';
import { digestOf } from '../disclosures.ts';
import { issueSdJwts, type SdJwtContents } from '../issuing.ts';
import { presentSdJwt } from '../presenting.ts';
import type { SdJwtFacts } from '../verifying.ts';

export const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
export const now = Date.parse('2026-11-19T10:11:12Z');
export const issuerUrl = 'https://issuer.example/oid4vci/ab';
export const vct = 'https://issuer.example/types/ab/1.0';
export const issuerKey = makeKey('ES256', { kid: 'key-1' });
export const holderKey = makeKey();
export const tools = { signer: issuerKey.signer, sha256, randomBytes: (count: number) => randomBytes(count) };

const attribute = (
  key: string,
  type: 'text' | 'integer' | 'decimal' | 'boolean' | 'date',
  format: string,
) => ({
  key,
  label: key.toUpperCase(),
  type,
  format,
  mandatory: key === 'fullName',
});
export const template: Pick<Template, 'name' | 'attributes'> = {
  name: 'Degree',
  attributes: [
    attribute('fullName', 'text', 'string'),
    attribute('children', 'integer', 'integer'),
    attribute('grade', 'decimal', 'decimal-2'),
    attribute('birthDate', 'date', 'date'),
    attribute('graduated', 'boolean', 'boolean'),
  ],
};
export const values = {
  fullName: 'Ada Łovelace',
  children: 3,
  grade: '1.5',
  birthDate: '1990-12-10',
  graduated: true,
};
export const contents: SdJwtContents = {
  template,
  values,
  issuer: issuerUrl,
  vct,
  issuedAt: now,
  validFrom: now,
  validUntil: now + 365 * 86_400_000,
};
export const status = { uri: 'https://issuer.example/status/ab/0.jwt', idx: 7 };

export const issueOne = async (changes: Partial<SdJwtContents> = {}): Promise<string> => {
  const instance = { holderKey: holderKey.publicKey, status };
  const [text] = await issueSdJwts({ ...contents, ...changes }, [instance], tools);
  return text;
};

export const binding = { nonce: 'n-0S6_WzA2Mj', audience: 'x509_san_dns:verifier.example' };
export const present = (text: string, keys: readonly string[]): Promise<string> =>
  presentSdJwt(
    text,
    {
      paths: keys.map((key) => [key]),
      keyBinding: { signer: holderKey.signer, now, ...binding },
    },
    sha256,
  );

export const facts: SdJwtFacts = {
  now,
  sha256,
  verifySignature: nodeVerifySignature,
  findIssuerKeys: async () => ({ keys: [issuerKey.publicKey], foundBy: 'given' }),
  checkStatus: async () => [],
  vctValues: [vct],
  binding,
};

/** What an issuer might sign, right but for what a test changes. */
export interface Crafted {
  readonly payload?: Fields;
  /** Disclosures as JSON arrays; their digests stand in the payload unless a test says otherwise. */
  readonly disclosed?: readonly (readonly unknown[])[];
  readonly digests?: (digests: readonly string[]) => readonly string[];
  readonly shown?: (texts: readonly string[]) => readonly string[];
  readonly typ?: string;
  readonly signer?: JwsSigner;
}

export async function craft({
  payload = {},
  disclosed = [['salt-salt-salt-salt', 'fullName', 'Ada']],
  digests = (all) => all,
  shown = (all) => all,
  typ = 'dc+sd-jwt',
  signer = issuerKey.signer,
}: Crafted): Promise<string> {
  const texts = disclosed.map((parts) => encodeBase64Url(encodeUtf8(JSON.stringify(parts))));
  const claims: Fields = {
    iss: issuerUrl,
    vct,
    iat: Math.floor(now / 1_000) - 60,
    exp: Math.floor(now / 1_000) + 3_600,
    cnf: { jwk: holderKey.publicKey },
    _sd: digests(texts.map((text) => digestOf(text, sha256))),
    _sd_alg: 'sha-256',
    ...payload,
  };
  return combinedText(
    await signJws(typ, claims, signer),
    shown(texts).map((text) => ({ text })),
  );
}

/** The holder's token over a text, right but for what a test changes. */
export async function bind(
  presented: string,
  changes: Fields = {},
  { signer = holderKey.signer, typ = 'kb+jwt' }: { readonly signer?: JwsSigner; readonly typ?: string } = {},
): Promise<string> {
  const payload = {
    iat: Math.floor(now / 1_000),
    aud: binding.audience,
    nonce: binding.nonce,
    sd_hash: digestOf(presented, sha256),
    ...changes,
  };
  return `${presented}${await signJws(typ, payload, signer)}`;
}

export const decodePart = (part: string): Fields =>
  JSON.parse(Buffer.from(parseBase64(part) ?? []).toString()) as Fields;
