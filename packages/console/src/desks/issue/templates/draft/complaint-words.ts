/** What is wrong with a draft and where, in the words of the form. What only JSON can have keeps the rules' own words. Pure. */
import { credentialLimits } from '@symbolon/core/limits/documents';
import { attributeKeyPattern } from '@symbolon/core/names/template-names';
import { isJsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { DeskSections } from '../../../../words/desk-words.ts';
import type { DraftComplaint } from './draft-check.ts';

type TemplateWords = DeskSections['templates'];

const attributeMember = /^\/credentialFormat\/(\d+)\/(\w+)$/;

/** What the form calls the place of a complaint; its pointer where the form has no such place. */
export function complaintPlace(pointer: string, words: TemplateWords): string {
  const [, at, member = ''] = attributeMember.exec(pointer) ?? [];
  if (at !== undefined) {
    const fields: Readonly<Record<string, string>> = {
      attribute: words.label,
      key: words.key,
      format: words.kind,
      type: words.kind,
      mandatory: words.requiredTitle,
    };
    const place = words.attributeAt(Number(at) + 1);
    return Object.hasOwn(fields, member) ? `${place}, ${fields[member]}` : place;
  }
  const places: Readonly<Record<string, string>> = {
    '/templateName': words.name,
    '/version': words.version,
    '/remark': words.remark,
    '/credentialFormat': words.attributesTitle,
  };
  return Object.hasOwn(places, pointer) ? (places[pointer] as string) : pointer;
}

/** In words that follow the name of the place, or as a sentence of its own. */
export function complaintText(complaint: DraftComplaint, body: JsonValue, words: TemplateWords): string {
  const { pointer, detail, own } = complaint;
  const { complaints } = words;
  if (own !== undefined) return complaints[own];
  const value = valueAt(body, pointer);
  const [, , member] = attributeMember.exec(pointer) ?? [];
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return complaints.missing;
  if (pointer === '/templateName') return complaints.name(credentialLimits.nameCharsMax);
  if (pointer === '/version') return complaints.version(credentialLimits.versionPartsMax);
  if (pointer === '/remark') return complaints.remark(credentialLimits.remarkCharsMax);
  if (pointer === '/credentialFormat' && Array.isArray(value))
    return complaints.attributes(credentialLimits.attributesMax);
  if (member === 'attribute') return complaints.name(credentialLimits.labelCharsMax);
  if (member === 'key') return keyText(value, body, complaints);
  if (member === 'format' || member === 'type') return complaints.kind;
  return detail;
}

function keyText(
  key: JsonValue | undefined,
  body: JsonValue,
  complaints: TemplateWords['complaints'],
): string {
  if (typeof key !== 'string' || !attributeKeyPattern.test(key)) return complaints.key;
  const rows = isJsonObject(body) && Array.isArray(body.credentialFormat) ? body.credentialFormat : [];
  const isTwice = rows.filter((row) => isJsonObject(row) && row.key === key).length > 1;
  return isTwice ? complaints.keyTwice : complaints.keyReserved;
}

const valueAt = (body: JsonValue, pointer: string): JsonValue | undefined =>
  pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((value, name) => {
      if (Array.isArray(value)) return value[Number(name)];
      return isJsonObject(value) ? value[name] : undefined;
    }, body);
