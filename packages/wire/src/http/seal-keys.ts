/** Where a service tells its keys for sealed requests, and how. */
import * as z from 'zod';
import { instant } from './schema-parts.ts';
import { defineServiceRoute, publicReading } from './service-route.ts';

/** The members of a public key as RFC 7517 names them. */
const jsonWebKey = z.object({
  kty: z.string(),
  kid: z.string(),
  use: z.string(),
  alg: z.string(),
  n: z.string().optional(),
  e: z.string().optional(),
  crv: z.string().optional(),
  x: z.string().optional(),
});
const sealPublicKeys = z.object({
  kid: z.string(),
  rsaPublicKeyPem: z.string(),
  x25519PublicKey: z.string().describe('X25519 public key, base58'),
  validUntil: instant.nullable(),
});
export const sealKeysReply = z.object({
  kid: z.string().describe('Name of the pair to use'),
  rsaPublicKeyPem: z.string(),
  x25519PublicKey: z.string().describe('X25519 public key, base58'),
  keys: z.array(sealPublicKeys).describe('Every pair that still opens requests, the one to use first'),
  jwks: z.object({ keys: z.array(jsonWebKey) }),
});
export type SealPublicKeys = z.output<typeof sealPublicKeys>;
export type SealKeysReply = z.output<typeof sealKeysReply>;

export const sealKeysRoute = defineServiceRoute({
  ...publicReading,
  path: '/cred/v1/keys',
  group: 'Everybody: sealed requests',
  summary: 'Public keys for sealed requests',
  reply: sealKeysReply,
  faults: [],
  read: () => ({}),
});
