/**
 * What a verifier asks for (the part of DCQL that verifiers of this family use), as the inside knows it. How it is
 * written is read in `wire/src/sessions/dcql-query.ts`; whether a presentation answers it is decided in
 * `dcql-matching.ts`.
 */

import type { SafePattern } from '../attributes/safe-pattern.ts';
import type { AttributeValue } from '../documents/model.ts';

export const claimTypes = ['string', 'number', 'integer', 'boolean'] as const;
export type ClaimType = (typeof claimTypes)[number];

/** What a claim's value must be. Everything that is given must hold. */
export interface ClaimConstraints {
  readonly minimum?: AttributeValue;
  readonly maximum?: AttributeValue;
  /** One of these. */
  readonly values?: readonly AttributeValue[];
  readonly constant?: AttributeValue;
  readonly pattern?: SafePattern;
  readonly type?: ClaimType;
}

export interface ClaimQuery {
  /** The attribute, or `id` for the holder. */
  readonly key: string;
  readonly isRequired: boolean;
  readonly constraints: ClaimConstraints;
}

/** What every credential shows beside its attributes, and a query can be about. */
export type FrameMember = 'issuer' | 'validFrom' | 'validUntil' | 'templateId' | 'templateVersion';

export interface FrameClaim {
  readonly member: FrameMember;
  readonly constraints: ClaimConstraints;
}

/** Lists of names: all names of one of them must be types of the credential. */
export type TypeChoice = readonly (readonly string[])[];

export interface CredentialQuery {
  readonly id: string;
  /** The id, where it is that of a template. */
  readonly templateId?: string;
  /** Every one of these must hold; none means any type. */
  readonly types: readonly TypeChoice[];
  readonly claims: readonly ClaimQuery[];
  readonly frame?: readonly FrameClaim[];
  /** Issuers that are trusted for this credential, as far as the whole query trusts them, too. */
  readonly issuers?: readonly string[];
}

export interface CredentialSet {
  readonly options: readonly (readonly string[])[];
  readonly isRequired: boolean;
}

export interface DcqlQuery {
  readonly credentials: readonly CredentialQuery[];
  /** Without any every credential is asked for. */
  readonly sets?: readonly CredentialSet[];
  /** Undefined means any issuer that the ledger knows. */
  readonly issuers?: readonly string[];
}
