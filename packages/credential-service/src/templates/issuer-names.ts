/**
 * Names that a verdict may show: what issuers call themselves on the ledger, and which of these, or of the names of
 * templates, look like a name that another issuer has here. Names can be written to the ledger without asking this
 * service, so they are compared again whenever they are shown.
 */
import type { DerivedCredential } from '@symbolon/core/documents/model';
import type { TrustFacts } from '@symbolon/core/presentation/trust-rules';
import type { ServiceParts } from '../parts/service-parts.ts';
import { findOthersNames, findOwnNameHolders, releaseOwnNames } from './name-form-rows.ts';

/** The name that an issuer publishes now; undefined where it has none, or has given its identifier up. */
export async function ownNameOf(
  { resolver }: Pick<ServiceParts, 'resolver'>,
  issuer: string,
): Promise<string | undefined> {
  const resolution = await resolver.resolveDid(issuer);
  return typeof resolution === 'string' ? undefined : resolution.metadata.name;
}

/**
 * Which of these names look like one that another issuer has. An issuer's own name counts while the issuer goes by it: what
 * it has given up is released first.
 */
export async function releaseAndFindOthersNames(
  parts: Pick<ServiceParts, 'resolver' | 'database'>,
  named: readonly { readonly name: string; readonly issuer: string }[],
): Promise<ReadonlySet<string>> {
  const { kysely } = parts.database;
  const found = await findOthersNames(kysely, named);
  if (found.size === 0) return found;
  for (const issuer of await findOwnNameHolders(kysely, [...found]))
    await releaseOwnNames(kysely, { issuer, name: await ownNameOf(parts, issuer) });
  return findOthersNames(kysely, named);
}

export async function releaseAndReadNames(
  parts: Pick<ServiceParts, 'resolver' | 'database'>,
  credentials: readonly DerivedCredential[],
): Promise<Pick<TrustFacts, 'ownName' | 'isOthers'>> {
  const own = new Map<string, string>();
  const others = new Map<string, ReadonlySet<string>>();
  for (const issuer of new Set(credentials.map((one) => one.issuer))) {
    const templates = credentials.filter((one) => one.issuer === issuer).map(({ type }) => type[1]);
    const name = await ownNameOf(parts, issuer);
    if (name !== undefined) own.set(issuer, name);
    const names = name === undefined ? templates : [name, ...templates];
    const named = names.map((each) => ({ issuer, name: each }));
    others.set(issuer, await releaseAndFindOthersNames(parts, named));
  }
  return {
    ownName: (issuer) => own.get(issuer),
    isOthers: (issuer, name) => others.get(issuer)?.has(name) === true,
  };
}
