/**
 * Whether what a presentation shows about its credential is what the ledger holds: every term of the registry's entry,
 * and the registered version of the template, both of the very issuer that the credential names. A signature of the
 * issuer's BBS key says only that somebody has that key; the record says what was issued.
 */
import { unixMsOf } from '../basics/calendar.ts';
import type { CredentialFrame, RegistryEntryTerms, SignedAttribute, Template } from '../documents/model.ts';
import { templateId } from '../names/template-names.ts';
import { isDatasetCommitment } from '../openid/standards-dataset.ts';
import type { IssuerKey, StatusFact } from './presentation-facts.ts';

/** What the ledger's entry of a credential says beside its status, under the issuer that it is kept by. */
export interface RecordedTerms extends RegistryEntryTerms {
  /** 48 bytes; absent in an entry that binds no contents. */
  readonly commitment?: Uint8Array;
}

/** A version of a template as the ledger has it. */
export interface RecordedTemplate extends Pick<Template, 'id' | 'name' | 'version' | 'issuer'> {
  readonly attributes: readonly SignedAttribute[];
  /** Whether the newest version says that entries count which bind no contents. */
  readonly acceptsUnbound: boolean;
}

/** What an identifier of a template is reckoned with. */
type IdentifierRule = Parameters<typeof templateId>[1];

/** In words, and which member of the credential it is. */
const termWords: Readonly<Record<keyof RegistryEntryTerms, readonly [string, string]>> = {
  credential: ['identifier', 'id'],
  template: ['template', 'credentialSchema.id'],
  templateVersion: ['version of the template', 'credentialSchema.version'],
  validFrom: ['beginning of validity', 'validFrom'],
  validUntil: ['end of validity', 'validUntil'],
};

/** What is wrong, in plain words, and the members of credential and record that contradict each other. */
export interface TermProblem {
  readonly detail: string;
  readonly members: readonly string[];
}

/** Nothing where every term stands on the ledger. */
export function termProblems(
  frame: CredentialFrame,
  terms: RecordedTerms | undefined,
  template: RecordedTemplate | undefined,
  rule: IdentifierRule,
): readonly TermProblem[] {
  if (!terms) return [problem('what the ledger recorded of the credential is not known', 'id')];
  const shown: RegistryEntryTerms = {
    credential: frame.id,
    template: frame.credentialSchema.id,
    templateVersion: frame.credentialSchema.version,
    validFrom: frame.validFrom,
    validUntil: frame.validUntil,
  };
  const names = Object.keys(termWords) as (keyof RegistryEntryTerms)[];
  const other = names
    .filter((name) => shown[name] !== terms[name])
    .map((name) => {
      const [words, member] = termWords[name];
      return problem(`the ledger has recorded another ${words}`, member, name);
    });
  return [...other, ...templateProblems(frame, template, rule), ...unboundProblems(terms, template)];
}

const problem = (detail: string, ...members: readonly string[]): TermProblem => ({
  detail,
  members: [...new Set(members)],
});

function templateProblems(
  { issuer, type, credentialSchema }: CredentialFrame,
  template: RecordedTemplate | undefined,
  rule: IdentifierRule,
): readonly TermProblem[] {
  if (!template) return [problem('the ledger does not know the template', 'credentialSchema.id')];
  const found: TermProblem[] = [];
  if (template.issuer !== issuer)
    found.push(problem('the template is of another issuer', 'issuer', 'issuerZid'));
  if (template.id !== credentialSchema.id || template.version !== credentialSchema.version)
    found.push(problem('the ledger has another template under this name', 'templateId', 'version'));
  if (template.name !== type[1])
    found.push(problem('the template has another name on the ledger', 'type', 'templateName'));
  if (!areSame(template.attributes, credentialSchema.attributes))
    found.push(
      problem(
        'the template has other attributes on the ledger',
        'credentialSchema.attributes',
        'applyFormat',
      ),
    );
  // The registry takes the caller's word for the name that it hashes.
  if (found.length === 0 && templateId(template, rule) !== template.id)
    found.push(problem("the template's identifier is not that of its issuer and name", 'templateId'));
  return found;
}

const areSame = (left: readonly SignedAttribute[], right: readonly SignedAttribute[]): boolean =>
  left.length === right.length &&
  left.every(
    ({ key, type, format }, index) =>
      key === right[index].key && type === right[index].type && format === right[index].format,
  );

function unboundProblems(
  { commitment }: RecordedTerms,
  template: RecordedTemplate | undefined,
): readonly TermProblem[] {
  // No proof could be made of it either: this says why.
  if (commitment && isDatasetCommitment(commitment))
    return [
      problem('the ledger has recorded a dataset of another format under this identifier', 'commitment'),
    ];
  return commitment || template?.acceptsUnbound === true
    ? []
    : [problem('the ledger has recorded no commitment to the contents', 'commitment')];
}

/**
 * Why an issuer's key may not be relied upon for a credential, whole or derived; undefined if it may. What counts is the
 * moment at which the ledger recorded the credential; without one it is `now`.
 */
export function issuerKeyComplaint(
  key: IssuerKey,
  fact: StatusFact | undefined,
  now: number,
): string | undefined {
  const moment = fact?.issuedAt === undefined ? now : unixMsOf(fact.issuedAt);
  // Written so that a time that is no number fails.
  const isSince = (time: string): boolean => moment !== undefined && moment >= (unixMsOf(time) ?? Number.NaN);
  const isBefore = (time: string): boolean => moment !== undefined && moment < (unixMsOf(time) ?? Number.NaN);
  const isValid =
    moment !== undefined &&
    (key.validFrom === undefined || isSince(key.validFrom)) &&
    (key.validUntil === undefined || isBefore(key.validUntil));
  if (!isValid) return "the issuer's key was not valid when the credential was issued";
  if (key.compromisedSince === undefined) return undefined;
  if (!fact?.terms?.commitment)
    return "the issuer's key is compromised, and the ledger does not bind the contents";
  return isBefore(key.compromisedSince)
    ? undefined
    : "the issuer's key was compromised when the credential was issued";
}
