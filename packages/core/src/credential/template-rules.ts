/**
 * What makes a template: a draft is checked whole, with every complaint and where it stands, and becomes a template
 * with its identifier. Also the JSON Schema of a template's subjects, and the reading of values against a template.
 * Whether a name or version is taken is known to the registry only.
 */

import { decimalScale, isComplaint, readDeclaredType } from '../attributes/attribute-formats.ts';
import { integerMax, integerMin, readAttributeValue } from '../attributes/attribute-values.ts';
import type { Sha256 } from '../basics/bytes.ts';
import { isWellFormed } from '../basics/jcs.ts';
import { unknownName } from '../basics/known-names.ts';
import { complain, type Place, placeIn } from '../documents/document-shapes.ts';
import type { AttributeValue, Template, TemplateAttribute } from '../documents/model.ts';
import { Fault, type FaultDetail } from '../faults/faults.ts';
import { credentialLimits } from '../limits/documents.ts';
import { nameProblem } from '../names/look-alike-names.ts';
import {
  attributeKeyPattern,
  isCleanName,
  isFrameName,
  isReservedKey,
  isVersion,
  templateId,
  tidyName,
} from '../names/template-names.ts';
import { didShape } from './credential-shapes.ts';

/** A template as somebody proposes it: nothing is known about its members yet. */
export type TemplateDraft = { readonly [Name in Exclude<keyof Template, 'id'>]?: unknown };
type AttributeDraft = { readonly [Name in keyof TemplateAttribute]?: unknown };

/** How the members of a draft are spelled where it came from, for the pointers of complaints. */
export type DraftSpelling = Readonly<Record<keyof TemplateDraft | keyof AttributeDraft, string>>;

const ownSpelling: DraftSpelling = {
  name: 'name',
  version: 'version',
  issuer: 'issuer',
  attributes: 'attributes',
  remark: 'remark',
  key: 'key',
  label: 'label',
  type: 'type',
  format: 'format',
  mandatory: 'mandatory',
};

export interface DraftOptions {
  readonly didMethod: string;
  readonly sha256: Sha256;
  readonly spelling?: Partial<DraftSpelling>;
}

/** The template of a draft. Throws the fault `templateInvalid` with everything that is wrong. */
export function templateOfDraft(
  draft: TemplateDraft,
  { didMethod, sha256, spelling }: DraftOptions,
): Template {
  const complaints: FaultDetail[] = [];
  const place: Place = { pointer: '', complaints };
  const names = { ...ownSpelling, ...spelling };
  const name = readTemplateName(draft.name, placeIn(place, names.name));
  const issuer = didShape(didMethod)(draft.issuer, placeIn(place, names.issuer));
  const version = readVersion(draft.version, placeIn(place, names.version));
  const attributes = readAttributes(draft.attributes, placeIn(place, names.attributes), names);
  const remark = readRemark(draft.remark, placeIn(place, names.remark));
  if (complaints.length > 0 || !name || !issuer || !version || !attributes)
    throw new Fault('templateInvalid', { errors: complaints });
  const id = templateId({ issuer, name }, { didMethod, sha256 });
  return { id, name, version, issuer, attributes, ...(remark === undefined ? {} : { remark }) };
}

/** What people read must be what it says: no word of letters that only look as if they belonged together. */
function readTemplateName(value: unknown, place: Place): string | undefined {
  const name = readName(value, place, credentialLimits.nameCharsMax);
  const problem = name === undefined ? undefined : nameProblem(name);
  return problem === undefined ? name : complain(place, problem);
}

function readName(value: unknown, place: Place, charsMax: number): string | undefined {
  if (typeof value !== 'string' || value.length > 2 * charsMax || !isWellFormed(value))
    return complain(place, `must be a text of 1 to ${charsMax} characters`);
  const name = tidyName(value);
  if (name === '' || name.length > charsMax)
    return complain(place, `must be a text of 1 to ${charsMax} characters`);
  return isCleanName(name) ? name : complain(place, 'holds characters that cannot be seen');
}

function readVersion(value: unknown, place: Place): string | undefined {
  return typeof value === 'string' && isVersion(value)
    ? value
    : complain(
        place,
        `must be up to ${credentialLimits.versionPartsMax} numbers with dots between, such as 1.0.0`,
      );
}

function readRemark(value: unknown, place: Place): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' && value.length <= credentialLimits.remarkCharsMax && isWellFormed(value)
    ? value
    : complain(place, `must be a text of at most ${credentialLimits.remarkCharsMax} characters`);
}

function readAttributes(
  value: unknown,
  place: Place,
  names: DraftSpelling,
): readonly TemplateAttribute[] | undefined {
  if (!Array.isArray(value) || value.length < 1 || value.length > credentialLimits.attributesMax)
    return complain(place, `must be an array of 1 to ${credentialLimits.attributesMax} attributes`);
  const attributes = Array.from(value, (item, index) => readAttribute(item, placeIn(place, index), names));
  const seen = new Set<string>();
  for (const [index, attribute] of attributes.entries()) {
    if (!attribute) continue;
    if (seen.has(attribute.key))
      complain(placeIn(placeIn(place, index), names.key), 'is the key of another attribute too');
    seen.add(attribute.key);
  }
  return attributes.every((attribute) => attribute !== undefined) ? attributes : undefined;
}

function readAttribute(item: unknown, place: Place, names: DraftSpelling): TemplateAttribute | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return complain(place, 'must be an object');
  const draft: AttributeDraft = item;
  const key = readKey(draft.key, placeIn(place, names.key));
  const label =
    draft.label === undefined
      ? key
      : readName(draft.label, placeIn(place, names.label), credentialLimits.labelCharsMax);
  const kind = readDeclaredType(draft.type, draft.format);
  if (isComplaint(kind)) complain(placeIn(place, kind.isOfType ? names.type : names.format), kind.complaint);
  if (typeof draft.mandatory !== 'boolean')
    complain(placeIn(place, names.mandatory), 'must be true or false');
  if (!key || !label || isComplaint(kind) || typeof draft.mandatory !== 'boolean') return undefined;
  return { key, label, ...kind, mandatory: draft.mandatory };
}

function readKey(value: unknown, place: Place): string | undefined {
  if (typeof value !== 'string' || !attributeKeyPattern.test(value))
    return complain(place, 'must be 1 to 64 letters, digits and underscores, beginning with a letter');
  if (isFrameName(value))
    return complain(place, 'is a reserved word: credentials have a member of that name');
  return isReservedKey(value) ? complain(place, 'is a reserved word') : value;
}

export type AttributeValues = Readonly<Record<string, AttributeValue>>;

/** A value as it arrives, and where: the pointer of the value itself. */
export interface ArrivedValue {
  readonly key: unknown;
  readonly value: unknown;
  readonly pointer: string;
}

export interface ReadValuesOptions {
  /** Where a missing attribute is complained about. */
  readonly pointer: string;
  /** False while another party may still fill in the rest. */
  readonly isComplete?: boolean;
}

/** Values in normal form, in template order. Throws the fault `attributesInvalid` with everything that is wrong. */
export function readAttributeValues(
  { attributes }: Pick<Template, 'attributes'>,
  arrived: readonly ArrivedValue[],
  { pointer, isComplete = true }: ReadValuesOptions,
): AttributeValues {
  const complaints: FaultDetail[] = [];
  const known = new Map(attributes.map((attribute) => [attribute.key, attribute]));
  const read = new Map<string, AttributeValue>();
  const seen = new Set<string>();
  const bad = new Set<string>();
  for (const { key, value, pointer } of arrived) {
    const place = { pointer, complaints };
    const attribute = typeof key === 'string' ? known.get(key) : undefined;
    if (!attribute) complain(place, unknownAttribute(key, [...known.keys()]));
    else if (seen.has(attribute.key)) complain(place, `is a second value of ${attribute.key}`);
    else {
      seen.add(attribute.key);
      if (isLeftOut(value)) continue;
      const result = readAttributeValue(attribute, value);
      if (isComplaint(result)) {
        bad.add(attribute.key);
        complain(place, `${attribute.key} ${result.complaint}`);
      } else read.set(attribute.key, result.value);
    }
  }
  if (isComplete)
    for (const { key, mandatory } of attributes)
      if (mandatory && !read.has(key) && !bad.has(key))
        complain({ pointer, complaints }, `${key} is missing`);
  if (complaints.length > 0) throw attributesInvalid(complaints);
  const inOrder = attributes.flatMap(({ key }) => (read.has(key) ? [[key, read.get(key)]] : []));
  return Object.fromEntries(inOrder) as AttributeValues;
}

/** A person who sees nothing but the detail shall know which attributes are meant. */
export function attributesInvalid(errors: readonly FaultDetail[]): Fault {
  const said = errors.slice(0, credentialLimits.attributesTold).map(({ detail }) => detail);
  const more = errors.length > said.length ? `; and ${errors.length - said.length} more` : '';
  return new Fault('attributesInvalid', { detail: said.join('; ') + more, errors });
}

const unknownAttribute = (key: unknown, known: readonly string[]): string =>
  typeof key === 'string' ? `${unknownName(key, known)}: the template has no such attribute` : 'has no key';

/** Forms send what was not filled in as an empty text. */
const isLeftOut = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The JSON Schema (2020-12) of the `credentialSubject` of a template's credentials. */
export function templateJsonSchema({ id, name, version, attributes }: Template): object {
  const properties = attributes.map((attribute) => [
    attribute.key,
    { title: attribute.label, ...schemaOf(attribute) },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${id}?version=${version}`,
    title: name,
    type: 'object',
    properties: {
      id: { title: 'DID of the holder', type: 'string', pattern: '^did:[a-z0-9]+:[0-9a-f]{64}$' },
      ...Object.fromEntries(properties),
    },
    required: ['id', ...attributes.filter(({ mandatory }) => mandatory).map(({ key }) => key)],
    additionalProperties: false,
  };
}

const textSchemas: Readonly<Record<string, object>> = {
  email: { format: 'email' },
  uri: { format: 'uri' },
  phone: { pattern: '^\\+[1-9][0-9]{5,14}$' },
  date: { format: 'date' },
  'date-time': { format: 'date-time' },
};

function schemaOf({ type, format }: TemplateAttribute): object {
  switch (type) {
    case 'text':
      return {
        type: 'string',
        minLength: 1,
        maxLength: credentialLimits.textBytesMax,
        ...(Object.hasOwn(textSchemas, format) ? textSchemas[format] : {}),
      };
    case 'image':
      return { type: 'string', pattern: `^data:${format};base64,`, contentMediaType: format };
    case 'integer':
      return { type: 'integer', minimum: Number(integerMin), maximum: Number(integerMax) };
    case 'decimal': {
      const scale = decimalScale(format) ?? 0;
      return {
        type: 'string',
        pattern: scale === 0 ? '^-?(0|[1-9][0-9]*)$' : `^-?(0|[1-9][0-9]*)(\\.[0-9]{1,${scale}})?$`,
      };
    }
    case 'date':
      return { type: 'string', format: 'date' };
    case 'dateTime':
      return { type: 'string', format: 'date-time', pattern: 'Z$' };
    case 'boolean':
      return { type: 'boolean' };
  }
}
