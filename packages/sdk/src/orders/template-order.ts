/**
 * The version of a template that a credential is ordered of: as the issuer gives it, as the registry on the ledger has
 * it, or as the service says. Whoever says it, its identifier is computed from issuer and name, so no other template
 * can stand for it; which attributes it has is the word of whoever was asked.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import {
  type AttributeFormat,
  isComplaint,
  readTypeAndFormat,
} from '@symbolon/core/attributes/attribute-formats';
import type {
  AttributeType,
  AttributeTypeCode,
  Template,
  TemplateAttribute,
} from '@symbolon/core/documents/model';
import { type NetworkProfile, zetrixProfile } from '@symbolon/core/keys/profile';
import { templateId } from '@symbolon/core/names/template-names';
import { isJsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { assertMembers, type MembersOf } from '../arguments/exact-arguments.ts';
import { memberPath } from '../arguments/member-paths.ts';
import { assertAsOrdered, notAsOrdered } from '../comparison/order-comparison.ts';
import { type SdkError, unlessNotFound } from '../errors/errors.ts';
import type { LedgerClient } from '../ledger/ledger-client.ts';
import { assertPins, type NetworkTerms } from '../ledger/pins.ts';
import { templateKey } from '../ledger/registries.ts';
import type { CredentialClient } from '../service/credential-client.ts';

/** One attribute of a template, as its issuer declares it. */
export interface DeclaredAttribute {
  /** The name that people read. */
  readonly attribute: string;
  /** The name that programs use: under it a credential has the value. */
  readonly key: string;
  readonly format: AttributeFormat;
  /** Whether a credential must have it. */
  readonly mandatory: boolean | 0 | 1;
  /** By its name or by the interface's number, `attributeTypeCodes`; that of the format, if left out. */
  readonly type?: AttributeType | AttributeTypeCode | null | undefined;
}

/** A template as `registerTemplate` takes it and `getTemplate` answers it. */
export interface GivenTemplate {
  readonly templateName: string;
  readonly version: string;
  readonly credentialFormat: readonly DeclaredAttribute[];
}

/** Which version of which template is meant, and who is asked for it. */
export interface TemplateChoice extends NetworkTerms {
  readonly templateId: string;
  readonly templateVersion: string;
  /** As the issuer knows it; asked for if left out. */
  readonly template?: GivenTemplate;
  /** Asked instead of the service where the registry is pinned. */
  readonly ledger?: TemplateLedger;
}

export type TemplateLedger = Pick<LedgerClient, 'getAccountMetaData'>;

export const templateChoiceMembers: MembersOf<TemplateChoice> = {
  templateId: true,
  templateVersion: true,
  template: true,
  ledger: true,
  pins: true,
  profile: true,
};

const what = 'the template';

/** Throws `notAsOrdered` for another template than the one chosen. */
export async function orderedTemplate(
  client: Pick<CredentialClient, 'getTemplate'>,
  issuer: string,
  choice: TemplateChoice,
): Promise<Template> {
  const { templateId: id, templateVersion: version, profile = zetrixProfile } = choice;
  const given = choice.template ?? (await askTemplate(client, choice));
  const template = templateOf(given, issuer, profile);
  assertAsOrdered(
    {
      what,
      rootMember: '',
      // The identifier is made of the name, so it may be the name that is another.
      derivedFrom: { templateId: 'templateName' },
      // It hangs on who issues as well, so that the key of somebody else makes another one.
      callerTerms: { templateId: { name: 'signer', expected: issuer, offered: id } },
    },
    { templateId: id, version },
    { templateId: template.id, version: template.version },
  );
  return template;
}

/** From the ledger where its registry is pinned, else from the service. For whoever orders many credentials of one. */
export async function fetchTemplate(
  client: Pick<CredentialClient, 'getTemplate'>,
  choice: Omit<TemplateChoice, 'template'>,
): Promise<GivenTemplate> {
  assertMembers<TemplateChoice>(choice, templateChoiceMembers, 'the choice');
  assertPins(choice.pins);
  return askTemplate(client, choice);
}

async function askTemplate(
  client: Pick<CredentialClient, 'getTemplate'>,
  { templateId: id, templateVersion: version, ledger, pins }: TemplateChoice,
): Promise<GivenTemplate> {
  const registry = pins?.templateRegistry;
  if (ledger === undefined || registry === undefined) return client.getTemplate({ templateId: id, version });
  const key = templateKey(id, version);
  const result = (await unlessNotFound(ledger.getAccountMetaData({ address: registry, key })))?.result;
  if (!result || !Object.hasOwn(result, key)) throw noneOnLedger(memberPath(['result', key]));
  const text = result[key].value;
  if (text === undefined) throw noneOnLedger(memberPath(['result', key, 'value']));
  return readRecorded(text);
}

const noneOnLedger = (member: string): SdkError =>
  notAsOrdered(what, ['templateVersion', member], {
    why: 'and the ledger has none of this identifier and version',
  });

/** What the registry stores; anything else is refused when it is compared. */
function readRecorded(text: string): GivenTemplate {
  const stored = parseJsonOrNothing(text);
  const { templateName, version, applyFormat } = isJsonObject(stored) ? stored : {};
  const credentialFormat = typeof applyFormat === 'string' ? parseJsonOrNothing(applyFormat) : undefined;
  return { templateName, version, credentialFormat } as unknown as GivenTemplate;
}

function templateOf(
  { templateName: name, version, credentialFormat }: GivenTemplate,
  issuer: string,
  { didMethod }: NetworkProfile,
): Template {
  if (typeof name !== 'string') throw notAsOrdered(what, ['templateName']);
  if (!Array.isArray(credentialFormat)) throw notAsOrdered(what, ['credentialFormat']);
  const attributes = credentialFormat.map(attributeOf);
  return { id: templateId({ issuer, name }, { didMethod, sha256 }), name, version, issuer, attributes };
}

function attributeOf(
  { key, attribute: label, type, format, mandatory }: DeclaredAttribute,
  index: number,
): TemplateAttribute {
  const kind = readTypeAndFormat(type, format);
  const at = `credentialFormat[${index}]`;
  if (typeof key !== 'string') throw notAsOrdered(what, [`${at}.key`]);
  if (isComplaint(kind)) throw notAsOrdered(what, [`${at}.type`, `${at}.format`]);
  return { key, label, ...kind, mandatory: Boolean(mandatory) };
}

/** Values by their names, each with the place that a complaint names. */
export const valuesBelow = (
  pointer: string,
  attributes: Readonly<Record<string, string | number | boolean>>,
) => Object.entries(attributes).map(([key, value]) => ({ key, value, pointer: `${pointer}/${key}` }));
