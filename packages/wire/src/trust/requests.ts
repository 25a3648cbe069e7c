/**
 * Whom a verifier trusts, as requests say it: issuers as DIDs or with a name and templates of their own, templates that
 * are wanted, or the name of a list that the service keeps for the caller. An empty list is refused, because it would
 * mean nobody or everybody; nobody stands twice in one (`named-once.ts`).
 */

import { credentialLimits, trustLimits } from '@symbolon/core/limits/documents';
import { nameProblem } from '@symbolon/core/names/look-alike-names';
import { tidyName } from '@symbolon/core/names/template-names';
import type { TrustedIssuer, VerifierTrust } from '@symbolon/core/presentation/trust-rules';
import * as z from 'zod';
import { identifier, strict, text } from '../http/schema-parts.ts';
import { malformedAt } from '../http/service-route.ts';
import { listOnce, lowerHex } from './named-once.ts';

/** Issuers are identifiers of a ledger: anything else is a slip, and would trust nobody. */
export const listedDid = identifier.transform(lowerHex);
export const listedTemplateId = identifier.transform(lowerHex);
const templateIds = listOnce(listedTemplateId, trustLimits.templatesMax, (id) => id);

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
export const entryMembers = {
  did: listedDid,
  name: issuerName.optional(),
  templates: templateIds.optional(),
};
const trustedIssuer = z.union(
  [listedDid.transform((did): TrustedIssuer => ({ did })), strict(entryMembers)],
  {
    error: 'must be a DID, or {did, name, templates}',
  },
);
const issuers = listOnce(trustedIssuer, trustLimits.issuersMax, ({ did }) => did);

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
  // If it is said twice, differently, either may be meant.
  if (others.some((one) => JSON.stringify(one) !== JSON.stringify(first)))
    throw malformedAt('/trustedIssuers', 'is given twice, differently');
  return {
    ...(first && { issuers: first }),
    ...(templates && { templates }),
    ...(trustList !== undefined && { list: trustList }),
  };
}
