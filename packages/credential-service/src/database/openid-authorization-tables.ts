/** The tables of logins and of what wallets are authorized to by them, as types (`schema.ts`). */
import type { AuthorizationState } from '@symbolon/core/openid/authorization-states';
import type { Encrypted } from './schema.ts';

export interface OpenidAuthorizationTables {
  /** Where people log in at an issuer's place. */
  openidLogins: {
    issuer: string;
    loginUrl: string;
    /** Templates that are had so: JSON text. */
    templateIds: string;
    updatedAt: number;
  };
  /** What a wallet asked for, from then until its code was redeemed. Of everything secret there is a SHA-256 alone. */
  openidAuthorizations: {
    id: string;
    issuer: string;
    clientId: string;
    redirectUri: string;
    state: AuthorizationState;
    templateId: string;
    templateVersion: string;
    /** Configurations that were asked for: JSON text. */
    configurations: string;
    /** Whether they were asked for by details, so that the token comes with identifiers. */
    hasIdentifiers: number;
    /** PKCE, S256. */
    codeChallenge: string;
    /** Of the key that alone may redeem the code. */
    dpopThumbprint: string | null;
    /** What the wallet wants back, word for word. */
    clientState: Encrypted | null;
    /** What was offered: beforehand, where the wallet came from an offer, else when the issuer decides. */
    offerId: string | null;
    requestHash: string;
    /** Of what the cookie of the browser holds. */
    browserHash: string | null;
    /** Of that by which the issuer's login names it. */
    referenceHash: string | null;
    /** Of what leads the browser back. */
    ticketHash: string | null;
    codeHash: string | null;
    createdAt: number;
    updatedAt: number;
    /** When what it waits for in its state comes too late. */
    expiresAt: number;
  };
}
