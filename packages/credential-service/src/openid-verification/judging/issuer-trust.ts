/**
 * Whether an issuer counts for a verifier. Who is on the ledger counts unless the verifier names others, as in every
 * session; who is not counts only if named: anybody can make a key and sign with it. Pure.
 */
import type { IssuerTrust, VerifierTrust } from '@symbolon/core/presentation/trust-rules';
import type { FieldCredential } from '@symbolon/wire/sessions/field-replies';

export interface TrustQuestion {
  /** As it stands in the credential. */
  readonly issuer: string;
  readonly record: FieldCredential['record'];
}

export interface NamedIssuers extends VerifierTrust {
  /** As they stand in credentials. */
  readonly foreign: readonly string[];
}

/** Naming anybody is naming all: without issuers of the ledger, none of it counts where foreign ones are named. */
export const ledgerIssuersOf = ({ issuers, foreign }: NamedIssuers): VerifierTrust['issuers'] =>
  issuers ?? (foreign.length > 0 ? [] : undefined);

export function judgeIssuer(
  { issuer, record }: TrustQuestion,
  named: NamedIssuers,
): { readonly issuerTrust: IssuerTrust } | { readonly complaint: string } {
  if (!record) return judgeForeign(issuer, named);
  const { issuer: did, templateId } = record;
  const issuers = ledgerIssuersOf(named);
  const isWanted = named.templates?.includes(templateId) ?? true;
  if (!isWanted) return { complaint: `the template ${templateId} is not one of those wanted` };
  if (!issuers) return { issuerTrust: 'not asked' };
  const entries = issuers.filter((one) => one.did === did);
  if (entries.length === 0) return { complaint: `the issuer ${did} is not one of those trusted` };
  // An issuer that is named twice must be trusted for the template both times.
  return entries.every(({ templates }) => templates?.includes(templateId) ?? true)
    ? { issuerTrust: 'trusted' }
    : { complaint: `the issuer ${did} is not trusted for the template ${templateId}` };
}

function judgeForeign(issuer: string, { foreign, issuers, templates }: NamedIssuers) {
  if (templates) return { complaint: 'the credential is of no template that is wanted' };
  const isNamed =
    foreign.includes(issuer) || issuers?.some((one) => one.did === issuer && !one.templates) === true;
  return isNamed
    ? ({ issuerTrust: 'trusted' } as const)
    : { complaint: `the issuer ${issuer} is neither on the ledger nor one of those trusted` };
}
