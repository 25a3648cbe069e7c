/**
 * Whether what a presentation shows about its credential is what the ledger holds: every term of the registry's entry,
 * and the registered version of the template, both of the very issuer that the credential names. A signature of the
 * issuer's BBS key says only that somebody has that key; the record says what was issued.
 */
import type { CredentialFrame, RegistryEntryTerms, SignedAttribute, Template } from './model.ts';
import { templateId } from './template-names.ts';

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

const termWords: Readonly<Record<keyof RegistryEntryTerms, string>> = {
  credential: 'identifier',
  template: 'template',
  templateVersion: 'version of the template',
  validFrom: 'beginning of validity',
  validUntil: 'end of validity',
};

/** What is wrong, in plain words; nothing where every term stands on the ledger. */
export function termComplaints(
  frame: CredentialFrame,
  terms: RecordedTerms | undefined,
  template: RecordedTemplate | undefined,
  rule: IdentifierRule,
): readonly string[] {
  if (!terms) return ['what the ledger recorded of the credential is not known'];
  const shown: RegistryEntryTerms = {
    credential: frame.id,
    template: frame.credentialSchema.id,
    templateVersion: frame.credentialSchema.version,
    validFrom: frame.validFrom,
    validUntil: frame.validUntil,
  };
  const names = Object.keys(termWords) as (keyof RegistryEntryTerms)[];
  const complaints = names
    .filter((name) => shown[name] !== terms[name])
    .map((name) => `the ledger has recorded another ${termWords[name]}`);
  return [...complaints, ...templateComplaints(frame, template, rule), ...unboundComplaints(terms, template)];
}

function templateComplaints(
  { issuer, type, credentialSchema }: CredentialFrame,
  template: RecordedTemplate | undefined,
  rule: IdentifierRule,
): readonly string[] {
  if (!template) return ['the ledger does not know the template'];
  const complaints: string[] = [];
  if (template.issuer !== issuer) complaints.push('the template is of another issuer');
  if (template.id !== credentialSchema.id || template.version !== credentialSchema.version)
    complaints.push('the ledger has another template under this name');
  if (template.name !== type[1]) complaints.push('the template has another name on the ledger');
  if (!areSame(template.attributes, credentialSchema.attributes))
    complaints.push('the template has other attributes on the ledger');
  // The registry takes the caller's word for the name that it hashes.
  if (complaints.length === 0 && templateId(template, rule) !== template.id)
    complaints.push("the template's identifier is not that of its issuer and name");
  return complaints;
}

const areSame = (left: readonly SignedAttribute[], right: readonly SignedAttribute[]): boolean =>
  left.length === right.length &&
  left.every(
    ({ key, type, format }, index) =>
      key === right[index].key && type === right[index].type && format === right[index].format,
  );

function unboundComplaints(
  { commitment }: RecordedTerms,
  template: RecordedTemplate | undefined,
): readonly string[] {
  return commitment || template?.acceptsUnbound === true
    ? []
    : ['the ledger has recorded no commitment to the contents'];
}
