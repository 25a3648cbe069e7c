/**
 * Whom a verifier trusts, as requests say it: issuers as DIDs or with a name and templates of their own, templates that
 * are wanted, or the name of a list that the service keeps for the caller. An empty list is refused, because it would
 * mean nobody or everybody.
 */
import { nameProblem } from '@symbolon/core/credential/look-alike-names';
import { tidyName } from '@symbolon/core/credential/template-names';
import type { TrustedIssuer, VerifierTrust } from '@symbolon/core/credential/trust-rules';
import { credentialLimits, trustLimits } from '@symbolon/core/limits';
import * as z from 'zod';
import { identifier, list, text } from './schema-parts.ts';
import { malformed } from './service-route.ts';

/** What is compared is one text: hex digits are small letters on the ledger. */
const lowerHex = (id: string): string => (/^did:[a-z0-9]+:[0-9A-Fa-f]{64}$/.test(id) ? id.toLowerCase() : id);

/** Issuers are identifiers of a ledger: anything else is a slip, and would trust nobody. */
export const did = identifier.transform(lowerHex);
export const templateId = identifier.transform(lowerHex);
const templateIds = list(templateId, trustLimits.templatesMax);

/** Shown in verdicts as who somebody is, so it must be what it seems. */
const issuerName = text(credentialLimits.nameCharsMax)
  .transform(tidyName)
  .superRefine((name, context) => {
    const problem = nameProblem(name);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem, input: name });
  });

export const listName = text(trustLimits.listNameCharsMax).regex(
  /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
  'must be letters, digits, dots, underscores and hyphens',
);

/** Null is no restriction, and no name: whoever sends it may mean that there is one. */
export const entryMembers = { did, name: issuerName.optional(), templates: templateIds.optional() };
export const only = (members: object) => ({
  error: (issue: { readonly code?: string }) =>
    issue.code === 'unrecognized_keys' ? `has ${Object.keys(members).join(', ')} alone` : undefined,
});
const trustedIssuer = z.strictObject(entryMembers, only(entryMembers));
const issuers = list(
  z.union([did.transform((did) => ({ did })), trustedIssuer], {
    error: 'must be a DID, or {did, name, templates}',
  }),
  trustLimits.issuersMax,
);

/** Members of a request that asks for a verdict. The three names of the first mean the same; null is no condition. */
export const trustMembers = {
  trustedIssuers: issuers.optional(),
  trusted_issuers: issuers.optional(),
  issuers: issuers.optional(),
  templates: templateIds.optional(),
  trustList: listName.describe('The name of a list that the service keeps for the caller').optional(),
};

/** What a request says, before the list that it names is looked up. */
export interface TrustOrder extends VerifierTrust {
  readonly list?: string;
}

type Given = { [Name in keyof typeof trustMembers]?: z.output<(typeof trustMembers)[Name]> };

export function readTrust({ trustList, templates, ...named }: Given): TrustOrder {
  const spellings = [named.trustedIssuers, named.trusted_issuers, named.issuers];
  const given = spellings.filter((one) => one !== undefined);
  const [first, ...others]: readonly (readonly TrustedIssuer[])[] = given;
  // Whoever says it twice, differently, may mean either.
  if (others.some((one) => JSON.stringify(one) !== JSON.stringify(first)))
    throw malformed([{ pointer: '/trustedIssuers', detail: 'is given twice, differently' }]);
  return {
    ...(first && { issuers: first }),
    ...(templates && { templates }),
    ...(trustList !== undefined && { list: trustList }),
  };
}
