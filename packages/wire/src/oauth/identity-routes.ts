/**
 * Rows of the route table that say who an issuer is on the web: the document of its `did:web`, its keys as wallets and
 * verifiers fetch them, and how the issuer makes and ends these.
 */
import * as z from 'zod';
import { missingOr, name, strict } from '../http/schema-parts.ts';
import { defineServiceRoute, type ServiceHandlers } from '../http/service-route.ts';
import { walletRow } from './oauth-envelope.ts';

const group = 'Issuer: identity';

/** What the service signs with for an issuer: ES256, Ed25519, BBS. */
export const signingKeyKinds = ['es256', 'ed25519', 'bbs2023'] as const;

const issuerPath = z.object({
  issuer: name.describe("The last part of the issuer's DID: 64 hex digits"),
});

const reading = {
  ...walletRow,
  method: 'GET',
  access: 'open',
  carries: 'plain',
  group,
  params: issuerPath,
  faults: ['didUnknown', 'standardsUnavailable'],
} as const;
const changing = { access: 'key', scope: 'issue', carries: 'plain', cost: 'light', group } as const;

const publicJwk = z.looseObject({
  kty: z.string(),
  crv: z.string(),
  x: z.string(),
  y: z.string().optional().describe('The second coordinate of a point of P-256, base64url'),
  kid: z.string(),
  alg: z.string(),
  use: z.string(),
});
const jwks = z.object({ keys: z.array(publicJwk) });
const kid = z.string().describe('Name of the key: the fragment in the did:web document, `kid` in the JWKS');

export const identityRoutes = {
  getIssuerDidDocument: defineServiceRoute({
    ...reading,
    path: '/oid4vci/:issuer/did.json',
    summary: "The document of the issuer's did:web, with the keys that the service signs with for it",
    replyTypes: ['application/did+json'],
    reply: z.looseObject({
      id: z.string().describe('The did:web'),
      alsoKnownAs: z.array(z.string()).describe('The DID on the ledger'),
      '@context': z.array(z.string()),
      verificationMethod: z.array(z.record(z.string(), z.unknown())),
      authentication: z.array(z.string()).optional(),
      assertionMethod: z.array(z.string()).optional(),
    }),
    read: ({ params }) => params,
  }),
  getIssuerJwks: defineServiceRoute({
    ...reading,
    path: '/oid4vci/:issuer/jwks',
    summary: 'The same keys as a JSON Web Key Set, without those that no JWK has a form for',
    reply: jwks,
    read: ({ params }) => params,
  }),
  getJwtVcIssuer: defineServiceRoute({
    ...reading,
    path: '/.well-known/jwt-vc-issuer/oid4vci/:issuer',
    summary: 'Whose keys these are: what verifiers of SD-JWT credentials fetch',
    reply: z.object({ issuer: z.string().describe('Equal to `iss` of the credentials'), jwks }),
    read: ({ params }) => params,
  }),
  makeSigningKey: defineServiceRoute({
    ...changing,
    method: 'POST',
    path: '/v1/issuer/signing-keys',
    summary: 'From now on the service signs with another key for the issuer; former ones stay published',
    body: strict({
      kind: z
        .enum(signingKeyKinds, { error: missingOr(`must be one of ${signingKeyKinds.join(', ')}`) })
        .describe('es256 for SD-JWT and status lists, ed25519 for eddsa-rdfc-2022, bbs2023 for bbs-2023'),
    }),
    reply: z.object({ kid, did: z.string().describe('The did:web whose document has it') }),
    faults: ['standardsUnavailable'],
    read: ({ body }) => body,
  }),
  endSigningKey: defineServiceRoute({
    ...changing,
    method: 'DELETE',
    path: '/v1/issuer/signing-keys/:kid',
    summary: 'Ends a key for good: nothing that it has signed is verified any more',
    params: z.object({ kid: name.describe('Name of the key') }),
    reply: z.object({ kid }),
    faults: ['keyUnknown'],
    read: ({ params }) => params,
  }),
};
export type IdentityHandlers = ServiceHandlers<typeof identityRoutes>;
