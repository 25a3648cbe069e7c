/** What wallets ask an issuer: its documents, an offer, a token, a nonce, credentials; and what they tell it. */
import { equalTexts } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { signJws } from '@symbolon/formats/jose/compact-jws';
import type { Call } from '@symbolon/wire/http/service-route';
import {
  readDecryptedCredentialOrder,
  readDecryptedDeferredOrder,
} from '@symbolon/wire/openid/issuance-requests';
import type { OpenidIssuanceHandlers } from '@symbolon/wire/openid/issuance-routes';
import type { IssuerKeys } from '../standards/issuer-keys.ts';
import { redeemAuthorization } from './authorizations/authorization-codes.ts';
import {
  type Asking,
  answerCredentialRequest,
  answerDeferred,
  type OpenidIssuing,
} from './credentials/credential-requests.ts';
import { answerMessage } from './credentials/encrypted-messages.ts';
import { takeNotification } from './credentials/notifications.ts';
import { requireClient } from './grants/client-authentication.ts';
import { redeemCode } from './grants/redemption.ts';
import { requireGrant } from './grants/shown-grants.ts';
import { findLogin } from './logins/login-rows.ts';
import {
  authorizationServerMetadata,
  credentialIssuerMetadata,
  signedMetadataClaims,
  signedMetadataType,
} from './metadata/issuer-documents.ts';
import { publishedIssuer } from './metadata/published-issuers.ts';
import { offerDocument, offerGrant } from './offers/offer-documents.ts';
import { findOfferByReference, isByLogin, standardsStateAt } from './offers/standards-offer-rows.ts';
import { issuerToken } from './parts/issuer-tokens.ts';
import { configurationsOf } from './parts/offered-configurations.ts';
import { type openidEndpoints, openidIssuerOf } from './parts/openid-parts.ts';
import { secretHash } from './parts/openid-secrets.ts';

export interface WalletParts extends OpenidIssuing {
  readonly issuerKeys: IssuerKeys;
}

export function createWalletHandlers(parts: WalletParts) {
  const { clock, database, formatIssuers, issuerKeys, openidSecrets } = parts;

  const askingBy = async (
    name: string,
    call: Call,
    endpoint: keyof typeof openidEndpoints,
  ): Promise<Asking> => {
    const issuer = openidIssuerOf(parts, name);
    return { issuer, grant: await requireGrant(parts, call, { issuer, endpoint }), actor: {} };
  };

  return {
    async getIssuerMetadata({ issuer: name }, { header }) {
      const published = await publishedIssuer(parts, name);
      const requestKey = await openidSecrets.requestKey(published.issuer.did);
      const metadata = credentialIssuerMetadata({ ...published, requestKey }, formatIssuers);
      if (!asksForToken(header('accept'))) return metadata;
      const { issuer } = published;
      const { signer } = await issuerToken(issuerKeys, issuer.did);
      const claims = signedMetadataClaims(metadata, issuer, clock.nowMs());
      return { contentType: 'application/jwt', text: await signJws(signedMetadataType, claims, signer) };
    },

    async getAuthorizationServer({ issuer: name }) {
      const published = await publishedIssuer(parts, name);
      const login = await findLogin(database.kysely, published.issuer.did);
      return authorizationServerMetadata(published, formatIssuers, login?.templateIds);
    },

    async getOfferedCredentials({ issuer: name, reference }) {
      const issuer = openidIssuerOf(parts, name);
      const referenceHash = secretHash(reference);
      const offer = await findOfferByReference(database.kysely, referenceHash);
      if (!offer || !equalTexts(offer.referenceHash, referenceHash) || offer.issuer !== issuer.did)
        throw new Fault('offerUnknown');
      const state = standardsStateAt(offer, clock.nowMs());
      if (state !== 'created') throw new Fault('offerClosed', { detail: `The offer is ${state}` });
      const kind = { isByLogin: isByLogin(offer), hasTxCode: offer.hasTxCode === 1 };
      const grant = await offerGrant(parts, { reference, ...kind });
      return offerDocument(issuer, { configurations: configurationsOf(offer), grant });
    },

    async getOpenidToken({ issuer: name, client, request }, call) {
      const issuer = openidIssuerOf(parts, name);
      const clientId = await requireClient(parts, issuer, client);
      return 'verifier' in request
        ? redeemAuthorization(parts, issuer, { request, clientId, call })
        : redeemCode(parts, issuer, { request, clientId, call });
    },

    async getOpenidNonce({ issuer: name }) {
      const { did } = openidIssuerOf(parts, name);
      return { c_nonce: await openidSecrets.nonce(did, clock.nowMs()) };
    },

    async getOpenidCredential({ issuer, sent }, call) {
      const asking = await askingBy(issuer, call, 'credential');
      const message = { issuer: asking.issuer.did, sent, read: readDecryptedCredentialOrder };
      return answerMessage(parts, message, (asked) => answerCredentialRequest(parts, asking, asked));
    },

    async getDeferredCredential({ issuer, sent }, call) {
      const asking = await askingBy(issuer, call, 'deferred');
      const message = { issuer: asking.issuer.did, sent, read: readDecryptedDeferredOrder };
      return answerMessage(parts, message, ({ transactionId }) =>
        answerDeferred(parts, asking, transactionId),
      );
    },

    async notifyOpenidIssuer({ issuer, id, event }, call) {
      await takeNotification(parts, await askingBy(issuer, call, 'notification'), { id, event });
      return null;
    },
  } satisfies Partial<OpenidIssuanceHandlers>;
}

/** Whoever takes anything gets JSON, as most do. */
const asksForToken = (accept = ''): boolean =>
  accept.split(',').some((one) => one.split(';')[0].trim().toLowerCase() === 'application/jwt');
