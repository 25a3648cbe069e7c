/**
 * What sessions that are answered by OpenID4VP say of credentials in formats of the field, beside what every session says:
 * one spelling for results, events and callbacks.
 */
import { given } from '@symbolon/core/basics/plain-values';
import type { IssuerTrust } from '@symbolon/core/presentation/trust-rules';
import * as z from 'zod';
import { documentReply } from '../credentials/verifier-replies.ts';
import type { JsonObject } from '../json/json.ts';

/** A credential in a format of the field, as relying services read of it. */
export interface FieldCredential {
  readonly queryId: string;
  readonly format: string;
  /** Its `vct`, or the full names of its types. */
  readonly types: readonly string[];
  /** As it stands in the credential; on the ledger it is the issuer of `record`. */
  readonly issuer: string;
  /** The DID of the holder, or the thumbprint of its key. */
  readonly holder?: string;
  readonly validFrom?: string;
  readonly validUntil?: string;
  /** `not stated`: the credential names no place where its status stands. */
  readonly status: 'active' | 'not stated';
  /** What the ledger has of it. */
  readonly record?: {
    readonly id: string;
    readonly issuer: string;
    readonly templateId: string;
    readonly templateVersion: string;
  };
  readonly issuerTrust: IssuerTrust;
  readonly claims: JsonObject;
}

/** The checks of one credential of the field, in the words of its format. */
export interface FieldChecks {
  readonly queryId: string;
  readonly format: string;
  readonly checks: readonly {
    readonly name: string;
    readonly title: string;
    readonly passed: boolean | null;
    readonly words: string;
  }[];
}

/** Of sessions that are answered by OpenID4VP. */
export interface FieldResult {
  readonly fieldCredentials?: readonly FieldCredential[];
  readonly fieldChecks?: readonly FieldChecks[];
}

/** A member each, in this order. */
export const renderFieldCredential = (credential: FieldCredential): JsonObject => {
  const { queryId, format, types, issuer, issuerTrust, holder, validFrom, validUntil, status } = credential;
  return {
    ...{ queryId, format, types: [...types], issuer, issuerTrust },
    ...given({ holder, validFrom, validUntil }),
    status,
    ...(credential.record && { record: { ...credential.record } }),
    claims: credential.claims,
  };
};

/** As events and callbacks have them. */
export const fieldMembers = ({ fieldCredentials }: FieldResult = {}): JsonObject =>
  fieldCredentials ? { field_credentials: fieldCredentials.map(renderFieldCredential) } : {};

export const fieldCredentialReply = z
  .looseObject({
    queryId: z.string(),
    format: z.string(),
    types: z.array(z.string()),
    issuer: z.string(),
    issuerTrust: z.string().describe('trusted, or not asked: then the ledger has recorded it'),
    holder: z.string().optional(),
    validFrom: z.string().optional(),
    validUntil: z.string().optional(),
    status: z.string().describe('active, or not stated where the credential names no list'),
    record: z
      .object({
        id: z.string(),
        issuer: z.string(),
        templateId: z.string(),
        templateVersion: z.string(),
      })
      .optional()
      .describe('What the ledger has of it, where it was issued here'),
    claims: documentReply,
  })
  .meta({
    id: 'FieldCredential',
    description: 'A credential in a format of the field that answered a session.',
  });
