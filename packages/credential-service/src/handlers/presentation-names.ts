/**
 * Names that a verdict may show: what issuers call themselves on the ledger, and which of these, or of the names of
 * templates, look like a name that another issuer has here. Names can be written to the ledger without asking this
 * service, so they are compared again whenever they are shown.
 */
import type { DerivedCredential } from '@symbolon/core/credential/model';
import type { TrustFacts } from '@symbolon/core/credential/trust-rules';
import type { ServiceParts } from '../service-parts.ts';
import { findOthersNames } from '../store/name-forms.ts';

/** The name that an issuer publishes now; undefined where it has none, or has given its identifier up. */
export async function ownNameOf(
  { resolver }: Pick<ServiceParts, 'resolver'>,
  issuer: string,
): Promise<string | undefined> {
  const resolution = await resolver.resolveDid(issuer);
  return typeof resolution === 'string' ? undefined : resolution.metadata.name;
}

export async function nameFacts(
  parts: Pick<ServiceParts, 'resolver' | 'database'>,
  credentials: readonly DerivedCredential[],
): Promise<Pick<TrustFacts, 'ownName' | 'isOthers'>> {
  const own = new Map<string, string>();
  for (const issuer of new Set(credentials.map(({ issuer }) => issuer))) {
    const name = await ownNameOf(parts, issuer);
    if (name !== undefined) own.set(issuer, name);
  }
  const named = [
    ...[...own].map(([issuer, name]) => ({ issuer, name })),
    ...credentials.map(({ issuer, type }) => ({ issuer, name: type[1] })),
  ];
  const others = new Map<string, ReadonlySet<string>>();
  for (const issuer of new Set(named.map(({ issuer }) => issuer)))
    others.set(
      issuer,
      await findOthersNames(
        parts.database.kysely,
        named.filter((one) => one.issuer === issuer),
      ),
    );
  return {
    ownName: (issuer) => own.get(issuer),
    isOthers: (issuer, name) => others.get(issuer)?.has(name) === true,
  };
}
