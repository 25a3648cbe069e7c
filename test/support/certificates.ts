/**
 * Certificates for tests of TLS, made here so that nothing has to be installed: an authority of one's own, and what it
 * issues for names and addresses. X.509 version 3 with P-256 keys, written in DER by hand.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** A certificate for a server's names and addresses, or for a client of a name. */
  issue(name: string, hosts?: readonly string[]): Certificate;
}

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const hex = (text: string) => Buffer.from(text, 'hex');
const text = (value: string) => der(0x0c, Buffer.from(value));

const ecdsaWithSha256 = sequence(der(0x06, hex('2a8648ce3d040302')));
const nameOf = (value: string) => sequence(der(0x31, sequence(der(0x06, hex('550403')), text(value))));
const time = (daysFromNow: number) => {
  const at = new Date(Date.now() + daysFromNow * 86_400_000).toISOString();
  return der(0x18, Buffer.from(`${at.slice(0, 19).replaceAll(/[-:T]/g, '')}Z`));
};
const extension = (id: string, value: Uint8Array, isCritical = false) =>
  sequence(der(0x06, hex(id)), ...(isCritical ? [der(0x01, hex('ff'))] : []), der(0x04, value));

const authorityMark = extension('551d13', sequence(der(0x01, hex('ff'))), true);
const hostList = (hosts: readonly string[]) =>
  extension(
    '551d11',
    sequence(
      ...hosts.map((host) =>
        isIP(host) === 4 ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host)),
      ),
    ),
  );

interface Order {
  readonly issuer: string;
  readonly subject: string;
  readonly extensions: readonly Uint8Array[];
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
}

function certificate({ issuer, subject, extensions, publicKey, signingKey }: Order): string {
  const serial = Buffer.concat([hex('01'), randomBytes(8)]);
  const content = sequence(
    der(0xa0, der(0x02, hex('02'))),
    der(0x02, serial),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(-1), time(30)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const signature = sign('sha256', content, signingKey);
  const bytes = sequence(content, ecdsaWithSha256, der(0x03, hex('00'), signature));
  const lines = bytes.toString('base64').replaceAll(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string;

export function makeAuthority(name: string): Authority {
  const own = newKeys();
  const issued = { issuer: name, signingKey: own.privateKey };
  return {
    cert: certificate({ ...issued, subject: name, extensions: [authorityMark], publicKey: own.publicKey }),
    key: pemOf(own.privateKey),
    issue(subject, hosts = []) {
      const { publicKey, privateKey } = newKeys();
      const extensions = hosts.length > 0 ? [hostList(hosts)] : [];
      return { cert: certificate({ ...issued, subject, extensions, publicKey }), key: pemOf(privateKey) };
    },
  };
}
