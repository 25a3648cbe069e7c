/**
 * Whom a verifier trusts, and what a verdict may say about who issued a credential. A good proof only shows that
 * somebody issued it: whether that somebody counts is for the verifier to say, as DIDs and templates. Pure: the names
 * and the list that are used here are facts of the caller's. A name is shown only together with where it comes from,
 * and never where it looks like a name that is another's.
 */
import { given } from '../basics/plain-values.ts';
import type { DerivedCredential, LedgerStatus } from '../documents/model.ts';
import { areAlike, nameProblem } from '../names/look-alike-names.ts';
import { agesProved, type ProvedAge } from './age-claims.ts';
import type { CheckFailure, StatusFact, VerificationFacts } from './presentation-facts.ts';

/** An issuer that a verifier trusts, perhaps for some templates alone, with the verifier's own name for it. */
export interface TrustedIssuer {
  readonly did: string;
  readonly name?: string;
  /** Undefined means every template of this issuer's. */
  readonly templates?: readonly string[];
}

export interface VerifierTrust {
  /** Undefined means that the verifier did not say. */
  readonly issuers?: readonly TrustedIssuer[];
  /** Templates that are wanted; undefined means any. */
  readonly templates?: readonly string[];
}

export interface TrustFacts {
  /** For every credential alike, or for each in its place. */
  readonly asked?: VerifierTrust | readonly (VerifierTrust | undefined)[];
  /** The name that an issuer publishes of itself. */
  readonly ownName?: (issuer: string) => string | undefined;
  /** Whether a name looks like one that is registered for another issuer. */
  readonly isOthers?: (issuer: string, name: string) => boolean;
  /** Attributes by which the verifier asked for an age. */
  readonly agesAskedOf?: readonly string[];
}

export type IssuerTrust = 'trusted' | 'not asked';
/** `trustList`: the verifier's own word for the issuer. `issuer`: the issuer's word about itself. */
export type NameSource = 'trustList' | 'issuer';

/** What the facts say about one credential beside its contents. */
export interface CredentialOrigin {
  readonly issuerTrust: IssuerTrust;
  readonly issuerName?: { readonly name: string; readonly nameSource: NameSource };
  /** Undefined where it looks like a name that another issuer has. */
  readonly templateName?: string;
  readonly status: {
    readonly state: LedgerStatus;
    /** The block in which the ledger last recorded it, and when. */
    readonly ledgerSeq?: string;
    readonly since?: string;
  };
  /** By attribute: the ages that proved ranges mean. */
  readonly ages: ReadonlyMap<string, ProvedAge>;
}

const trustAt = ({ asked }: TrustFacts, position: number): VerifierTrust =>
  (asked && 'length' in asked ? asked[position] : asked) ?? {};

/** Check 4, as far as it is about who issued what. */
export function trustFailures(
  { issuer, credentialSchema, type }: DerivedCredential,
  position: number,
  facts: TrustFacts = {},
): readonly CheckFailure[] {
  const { issuers, templates } = trustAt(facts, position);
  const template = `the template "${type[1]}" (${credentialSchema.id})`;
  const entries = issuers?.filter(({ did }) => did === issuer);
  const details: string[] = [];
  if (entries?.length === 0) details.push(`the issuer ${issuer} is not one of those trusted`);
  // An issuer that is named twice must be trusted for the template both times.
  else if (entries && !entries.every(({ templates }) => isAmong(templates, credentialSchema.id)))
    details.push(`the issuer ${issuer} is not trusted for ${template}`);
  if (!isAmong(templates, credentialSchema.id)) details.push(`${template} is not one of those wanted`);
  return details.map((detail) => ({ check: 'disclosure', detail }));
}

const isAmong = (ids: readonly string[] | undefined, id: string): boolean =>
  ids === undefined || ids.includes(id);

export function originOf(
  credential: DerivedCredential,
  {
    position,
    created,
    fact,
  }: { readonly position: number; readonly created: string; readonly fact: StatusFact | undefined },
  { trust: names = {}, now }: VerificationFacts,
): CredentialOrigin {
  const trust = trustAt(names, position);
  const { status: state = 'unknown', ledgerSeq, since } = fact ?? {};
  const issuerName = issuerNameOf(credential.issuer, trust, names);
  const [, templateName] = credential.type;
  return {
    issuerTrust: trust.issuers ? 'trusted' : 'not asked',
    ...(issuerName && { issuerName }),
    ...(isShowable(credential.issuer, templateName, { ...names, ...trust }) && { templateName }),
    status: { state, ...given({ ledgerSeq, since }) },
    ages: agesProved(credential, { created, now, asked: names.agesAskedOf }),
  };
}

/** The verifier's own word counts first; what an issuer says of itself must not be mistaken for another's name. */
function issuerNameOf(
  issuer: string,
  { issuers = [] }: VerifierTrust,
  facts: TrustFacts,
): CredentialOrigin['issuerName'] {
  const listed = issuers.find(({ did, name }) => did === issuer && name !== undefined)?.name;
  if (listed !== undefined) return { name: listed, nameSource: 'trustList' };
  const own = facts.ownName?.(issuer);
  if (own === undefined || !isShowable(issuer, own, { ...facts, issuers })) return undefined;
  return { name: own, nameSource: 'issuer' };
}

/**
 * Anybody can write any name to the ledger. So a name is not shown if another issuer is known by it, to the facts or to
 * the verifier.
 */
const isShowable = (
  issuer: string,
  name: string,
  { isOthers, issuers = [] }: Pick<TrustFacts, 'isOthers'> & Pick<VerifierTrust, 'issuers'>,
): boolean =>
  nameProblem(name) === undefined &&
  isOthers?.(issuer, name) !== true &&
  !issuers.some(({ did, name: listed }) => did !== issuer && listed !== undefined && areAlike(listed, name));
