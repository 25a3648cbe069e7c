/** Who an issuer is on the web: its `did:web` document, its keys, and the making and ending of these by the issuer. */
import { Fault } from '@symbolon/core/faults/faults';
import { jsonAnswer } from '@symbolon/wire/http/text-replies';
import type { IdentityHandlers } from '@symbolon/wire/oauth/identity-routes';
import { issuerOfSegment } from '@symbolon/wire/oauth/standard-places';
import { issuerOf } from '../desks/desk-caller.ts';
import { issuerDocument, type StandardsParts } from './standards-parts.ts';

/** Documents that change when a key does. */
const shortLived = { 'cache-control': 'public, max-age=300' };

export function createIdentityHandlers(parts: StandardsParts): IdentityHandlers {
  const { issuerKeys, places, profile, audit } = parts;

  const issuerAt = (segment: string): string => {
    const issuer = issuerOfSegment(segment, profile);
    if (issuer === undefined) throw new Fault('didUnknown');
    return issuer;
  };
  const jwksOf = async (issuer: string) => {
    const { keys } = await issuerKeys.jwksOf(issuer);
    if (keys.length === 0)
      throw new Fault('didUnknown', { detail: 'the service signs nothing for this issuer' });
    return { keys: keys.map((key) => ({ ...key })) };
  };

  return {
    async getIssuerDidDocument({ issuer }) {
      const document = await issuerDocument(parts, issuerAt(issuer));
      const text = JSON.stringify(document);
      return { contentType: 'application/did+json', text, headers: shortLived };
    },

    getIssuerJwks: async ({ issuer }) => jsonAnswer(await jwksOf(issuerAt(issuer)), { headers: shortLived }),

    async getJwtVcIssuer({ issuer: segment }) {
      const issuer = issuerAt(segment);
      const reply = { issuer: places().issuer(issuer), jwks: await jwksOf(issuer) };
      return jsonAnswer(reply, { headers: shortLived });
    },

    async makeSigningKey({ kind }, { caller }) {
      const issuer = issuerOf(caller);
      const { kid } = await issuerKeys.rotate(issuer, kind);
      await audit.record({ actor: caller, action: 'signingKey.make', subject: kid });
      return { kid, did: places().webDid(issuer) };
    },

    async endSigningKey({ kid }, { caller }) {
      await issuerKeys.end(issuerOf(caller), kid);
      await audit.record({ actor: caller, action: 'signingKey.end', subject: kid });
      return { kid };
    },
  };
}
