/**
 * What the registries' contracts store, in their spelling, and what it means inside: templates and entries. Anybody can
 * register templates, so what is read here is of the right shape and nothing more.
 */
import { parseHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { given } from '@symbolon/core/basics/plain-values';
import {
  type AttributeType,
  attributeTypeCodes,
  type Template,
  type TemplateAttribute,
} from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import type { RecordedTemplate } from '@symbolon/core/presentation/ledger-terms';
import type { StatusFact } from '@symbolon/core/presentation/presentation-facts';
import * as z from 'zod';
import { isJsonObject } from '../json/json.ts';
import type { CredentialStatusWord, RecordReply } from './verifier-replies.ts';

/** A version of a template as the ledger has it. */
export interface RegisteredTemplate {
  readonly template: Template;
  /** Whose account registered it. */
  readonly issuerAddress: string;
  /** How many versions there were with this one. */
  readonly versionCount: number;
  readonly createdAtMicros: bigint;
  readonly changedAtMicros: bigint;
  readonly remarkHash?: string;
  /** Whether this version says that entries count which bind no contents. */
  readonly acceptsUnbound: boolean;
}

/** An entry as it counts: a change that the ledger has lost has no block, and a time only if somebody else knows it. */
export type CountingEntry = Omit<RegistryEntry, 'changedAtMicros' | 'changedInLedgerSeq'> &
  Partial<Pick<RegistryEntry, 'changedAtMicros' | 'changedInLedgerSeq'>>;

export const micros = z.int().min(0).transform(BigInt);
export const hash = z.string().regex(/^[0-9a-f]{64}$/);

const attributeSchema = z.object({
  key: z.string(),
  attribute: z.string(),
  format: z.string(),
  type: z.int(),
  mandatory: z.union([z.literal(0), z.literal(1)]),
});
const attributesSchema = z.array(attributeSchema);
const flagsSchema = z.json();

const templateSchema = z.object({
  templateId: z.string(),
  templateName: z.string(),
  version: z.string(),
  issuerZid: z.string(),
  applyFormat: z.string(),
  issuer: z.string(),
  versionCount: z.int().min(1),
  createdAt: micros,
  changedAt: micros,
  remarkHash: hash.optional(),
  metadata: z.string().optional(),
});

const entrySchema = z
  .object({
    status: z.enum(['active', 'suspended', 'revoked']),
    digest: hash,
    /** Absent in a registry that binds no contents. */
    commitment: z
      .string()
      .regex(/^[0-9a-f]{96}$/)
      .optional(),
    template: z.string(),
    templateVersion: z.string(),
    validFrom: z.string(),
    validUntil: z.string(),
    issuedAt: micros,
    changedAt: micros,
    changedIn: micros,
    remarkHash: hash.optional(),
  })
  .transform(({ issuedAt, changedAt, changedIn, ...entry }) => ({
    ...entry,
    issuedAtMicros: issuedAt,
    changedAtMicros: changedAt,
    /** The block of the last change. */
    changedInLedgerSeq: changedIn,
  }));

/** What the ledger knows of a credential, and in which registry. */
export type RegistryEntry = Readonly<z.output<typeof entrySchema>> & { readonly registry: string };

/** A version of a template, and whether the issuer accepts unbound entries by now. */
export function recordedTemplateOf(
  { template }: RegisteredTemplate,
  newest: RegisteredTemplate | undefined,
): RecordedTemplate {
  const { id, version, name, issuer, attributes } = template;
  return { id, version, name, issuer, attributes, acceptsUnbound: newest?.acceptsUnbound === true };
}

const msOf = (micros: bigint): number => Number(micros / 1_000n);

/** When the ledger recorded a credential, in milliseconds since 1970. */
export const recordedAtMs = ({ issuedAtMicros }: Pick<RegistryEntry, 'issuedAtMicros'>): number =>
  msOf(issuedAtMicros);

/** What an entry says of a credential; without one the ledger does not know it. */
export function statusFactOf(credential: string, entry: CountingEntry | undefined): StatusFact {
  if (!entry) return { status: 'unknown' };
  const { template, templateVersion, validFrom, validUntil, changedAtMicros, changedInLedgerSeq } = entry;
  const commitment = entry.commitment === undefined ? undefined : parseHex(entry.commitment);
  return {
    status: entry.status,
    issuedAt: instantTextOfUnixMs(recordedAtMs(entry)),
    ...(changedAtMicros !== undefined && { since: instantTextOfUnixMs(msOf(changedAtMicros)) }),
    ...given({ ledgerSeq: changedInLedgerSeq?.toString() }),
    terms: {
      credential,
      template,
      templateVersion,
      validFrom,
      validUntil,
      ...(commitment && { commitment }),
    },
  };
}

/** An entry with the registered template that it names, as `getCredentialStatus` tells it. */
export const recordReplyOf = (entry: CountingEntry, template: RecordedTemplate | undefined): RecordReply => ({
  registry: entry.registry,
  issuedAt: instantTextOfUnixMs(recordedAtMs(entry)),
  ledgerSeq: entry.changedInLedgerSeq === undefined ? null : String(entry.changedInLedgerSeq),
  validFrom: entry.validFrom,
  validUntil: entry.validUntil,
  commitment: entry.commitment ?? null,
  template: template
    ? {
        ...template,
        attributes: template.attributes.map(({ key, type, format }) => ({ key, type, format })),
      }
    : null,
});

/** The words of replies. */
export const statusWords: Readonly<Record<RegistryEntry['status'], CredentialStatusWord>> = {
  active: 'Active',
  suspended: 'Suspended',
  revoked: 'Revoked',
};

/** When the status was set, if that is known. */
export const changedAtOf = ({ changedAtMicros }: CountingEntry): string | null =>
  changedAtMicros === undefined ? null : new Date(msOf(changedAtMicros)).toISOString();

const typesByCode = new Map<number, AttributeType>(
  Object.entries(attributeTypeCodes).map(([name, code]) => [code, name as AttributeType]),
);

/** Throws the fault `ledgerFailed` for what no registry stores. */
export const parseStoredEntry = (registry: string, text: string, pointer = ''): RegistryEntry => ({
  ...parseStored(entrySchema, text, pointer),
  registry,
});

const settingsSchema = z.object({ templateRegistry: z.string(), registrar: z.string().optional() });

/** Where the templates are that a registry of credentials goes by, and whose account records what was issued. */
export const parseStoredSettings = (
  text: string,
  pointer = '',
): { readonly templateRegistry: string; readonly registrar?: string | undefined } =>
  parseStored(settingsSchema, text, pointer);

/** Undefined for one of a shape that cannot be used. Throws the fault `ledgerFailed` for what no registry stores. */
export function parseStoredTemplate(text: string, pointer = ''): RegisteredTemplate | undefined {
  const { createdAt, changedAt, issuer, versionCount, remarkHash, ...stored } = parseStored(
    templateSchema,
    text,
    pointer,
  );
  const attributes = parseAttributes(stored.applyFormat, `${pointer}/applyFormat`);
  if (!attributes) return undefined;
  return {
    template: {
      id: stored.templateId,
      name: stored.templateName,
      version: stored.version,
      issuer: stored.issuerZid,
      attributes,
    },
    issuerAddress: issuer,
    versionCount,
    createdAtMicros: createdAt,
    changedAtMicros: changedAt,
    ...given({ remarkHash }),
    acceptsUnbound: isUnboundAccepted(stored.metadata, `${pointer}/metadata`),
  };
}

/** Anybody's JSON: only the one word in its one form says so. */
function isUnboundAccepted(metadata: string | undefined, pointer: string): boolean {
  const flags = metadata === undefined ? undefined : parseStored(flagsSchema, metadata, pointer);
  return isJsonObject(flags) && flags.acceptsUnbound === true;
}

/** Undefined when an attribute has a type that this product does not know. */
function parseAttributes(text: string, pointer: string): TemplateAttribute[] | undefined {
  const stored = parseStored(attributesSchema, text, pointer);
  const attributes = stored.flatMap(({ attribute: label, type: code, mandatory, key, format }) => {
    const type = typesByCode.get(code);
    return type === undefined ? [] : [{ key, label, type, format, mandatory: mandatory === 1 }];
  });
  return attributes.length === stored.length ? attributes : undefined;
}

/**
 * The registries store nothing of another shape: a node that says otherwise is not to be trusted. `pointer` says where
 * the text stands in the node's answer.
 */
export function parseStored<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  pointer = '',
): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    const inside = cause instanceof z.ZodError ? (cause.issues[0]?.path ?? []) : [];
    const place = [pointer, ...inside.map(String)].join('/');
    const errors = [{ pointer: place, detail: 'is not what a registry stores' }];
    throw new Fault('ledgerFailed', { detail: 'The ledger holds something unexpected', errors, cause });
  }
}
