/**
 * Names that facts tell, under the rule that a service has for them: one that is read like a name of another issuer's, of
 * itself or of a template, is not shown. Which of two had it first the facts do not say, so neither is shown, unless the
 * verifier trusts one of them alone.
 */

import { addressOfDid } from '@symbolon/core/did/did';
import type { KeyFormat } from '@symbolon/core/keys/keys';
import { areAlike } from '@symbolon/core/names/look-alike-names';
import type { TrustFacts, VerifierTrust } from '@symbolon/core/presentation/trust-rules';
import type { CollectedFacts } from './collected-facts.ts';

export function namesOfFacts(
  { issuerNames = [], statuses }: Pick<CollectedFacts, 'statuses'> & Partial<CollectedFacts>,
  asked: TrustFacts['asked'],
  keys: KeyFormat,
): Pick<TrustFacts, 'ownName' | 'isOthers'> {
  // Facts name issuers by DID or address.
  const addressOf = (issuer: string): string => addressOfDid(issuer, keys) ?? issuer;
  const named = new Map<string, { readonly owner: string; readonly name: string }>();
  const know = (issuer: string, name: string): void => {
    const owner = addressOf(issuer);
    named.set(`${owner} ${name}`, { owner, name });
  };
  for (const { did, name } of issuerNames) know(did, name);
  for (const { issuer, record } of statuses) if (record?.template) know(issuer, record.template.name);
  const trusted = new Set(
    trustsIn(asked).flatMap(({ issuers = [] }) => issuers.map(({ did }) => addressOf(did))),
  );
  return {
    ownName: (issuer) => issuerNames.find(({ did }) => did === issuer)?.name,
    isOthers: (issuer, name) => {
      const own = addressOf(issuer);
      const isRival = (owner: string): boolean => owner !== own && (!trusted.has(own) || trusted.has(owner));
      return [...named.values()].some((other) => isRival(other.owner) && areAlike(other.name, name));
    },
  };
}

const trustsIn = (asked: TrustFacts['asked']): readonly VerifierTrust[] =>
  [asked].flat().filter((trust) => trust !== undefined);
