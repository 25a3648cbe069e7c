/**
 * A template that somebody builds: one state behind form and JSON. What it is on the wire, how it is read back, and what
 * is a good next version or key. Pure.
 */
import type { AttributeFormat } from '@symbolon/core/attributes/attribute-formats';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';

export interface DraftAttribute {
  /** Of this page alone, so that a row stays the same row when it is moved or renamed. */
  readonly id: number;
  readonly label: string;
  readonly key: string;
  readonly format: string;
  readonly mandatory: boolean;
}

export interface BuiltTemplate {
  readonly name: string;
  readonly version: string;
  readonly remark: string;
  readonly attributes: readonly DraftAttribute[];
}

let lastId = 0;
const newId = (): number => {
  lastId += 1;
  return lastId;
};

export const blankAttribute = (): DraftAttribute => ({
  id: newId(),
  label: '',
  key: '',
  format: 'string',
  mandatory: true,
});

export const blankTemplate = (): BuiltTemplate => ({
  name: '',
  version: '1.0.0',
  remark: '',
  attributes: [blankAttribute()],
});

const attributesOf = ({ credentialFormat }: TemplateReply): readonly DraftAttribute[] =>
  credentialFormat.map(({ attribute: label, key, format, mandatory }) => ({
    id: newId(),
    label,
    key,
    format,
    mandatory,
  }));

/** The same again with a higher version: where a new version begins. */
export const nextOf = (template: TemplateReply): BuiltTemplate => ({
  name: template.templateName,
  version: versionAfter(template.version),
  remark: template.remark ?? '',
  attributes: attributesOf(template),
});

/** `1.0.0` is followed by `1.1.0`, `2` by `3`. */
export function versionAfter(version: string): string {
  const parts = version.split('.').map(Number);
  if (parts.length === 1) return String((parts[0] ?? 0) + 1);
  return parts.map((part, at) => (at === 1 ? part + 1 : at > 1 ? 0 : part)).join('.');
}

/** `Date of birth` is `dateOfBirth`: letters, digits and underscores, beginning with a letter. */
export function keyOfLabel(label: string): string {
  const names = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .split(/[^A-Za-z0-9]+/)
    .filter((name) => name !== '');
  const joined = names
    .map((name, at) =>
      at === 0 ? name.charAt(0).toLowerCase() + name.slice(1) : name.charAt(0).toUpperCase() + name.slice(1),
    )
    .join('');
  return joined.replace(/^[0-9]+/, '').slice(0, 64);
}

/** What is sent, but for the issuer, who is whoever signs. */
export const bodyOf = ({ name, version, remark, attributes }: BuiltTemplate) => ({
  templateName: name,
  version,
  ...(remark !== '' && { remark }),
  credentialFormat: attributes.map(({ label, key, format, mandatory }) => ({
    attribute: label,
    key,
    // Whether it is one is checked before anything is sent.
    format: format as AttributeFormat,
    mandatory,
  })),
});

/** Whether what is registered is what was built, and not something else of the same name and version. */
export const isRegisteredAs = (template: TemplateReply, draft: BuiltTemplate): boolean => {
  const { templateName: name, version, remark = '' } = template;
  return jsonOf({ name, version, remark, attributes: attributesOf(template) }) === jsonOf(draft);
};

export const jsonOf = (draft: BuiltTemplate): string => JSON.stringify(bodyOf(draft), null, 2);

const textIn = (object: JsonObject, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : '';
};

/** Reads what somebody wrote as JSON. What does not fit the wire is complained about elsewhere and blank here. */
export function draftOfBody(body: JsonValue, before: BuiltTemplate): BuiltTemplate {
  const object = isJsonObject(body) ? body : {};
  const rows = Array.isArray(object.credentialFormat) ? object.credentialFormat : [];
  return {
    name: textIn(object, 'templateName'),
    version: textIn(object, 'version'),
    remark: textIn(object, 'remark'),
    attributes: rows.filter(isJsonObject).map((row, at) => ({
      // The row at this place stays the same row, unless it is another attribute.
      id:
        before.attributes[at]?.key === textIn(row, 'key') ? (before.attributes[at]?.id ?? newId()) : newId(),
      label: textIn(row, 'attribute'),
      key: textIn(row, 'key'),
      format: textIn(row, 'format'),
      mandatory: row.mandatory === true || row.mandatory === 1,
    })),
  };
}

/** One attribute in another place. */
export function movedTo<Item>(list: readonly Item[], from: number, to: number): readonly Item[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length || from === to) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}
