/**
 * What the registries hold, read from their accounts' metadata at the ledger's head: no contract has to run for it.
 * Anybody can register templates, so what is read here is of the right shape and nothing more; whether a template can
 * be used is for the rules of templates to say.
 */

import {
  type AttributeType,
  attributeTypeCodes,
  type LedgerStatus,
  type Template,
  type TemplateAttribute,
} from '@symbolon/core/credential/model';
import { Fault } from '@symbolon/core/faults';
import { codes } from '@symbolon/core/ledger/codes';
import { registryLimits } from '@symbolon/core/limits';
import { type LedgerClient, LedgerError } from '@symbolon/sdk/index';
import { isJsonObject, parseJson } from '@symbolon/wire/json';
import * as z from 'zod';

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

/** What the ledger knows of a credential. */
export interface RegistryEntry {
  /** Where it is kept. */
  readonly registry: string;
  readonly status: Exclude<LedgerStatus, 'unknown'>;
  readonly digest: string;
  /** Hex; absent in a registry that binds no contents. */
  readonly commitment?: string;
  readonly template: string;
  readonly templateVersion: string;
  readonly validFrom: string;
  readonly validUntil: string;
  readonly issuedAtMicros: bigint;
  readonly changedAtMicros: bigint;
  /** The block of the last change. */
  readonly changedInLedgerSeq: bigint;
  readonly remarkHash?: string;
}

export interface AuditAnchor {
  readonly head: string;
  readonly count: number;
  readonly anchoredAtMicros: bigint;
}

export interface Page {
  readonly start: number;
  readonly limit: number;
}

const micros = z.int().min(0).transform(BigInt);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const attributeSchema = z.object({
  key: z.string(),
  attribute: z.string(),
  format: z.string(),
  type: z.int(),
  mandatory: z.union([z.literal(0), z.literal(1)]),
});

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

const entrySchema = z.object({
  status: z.enum(['active', 'suspended', 'revoked']),
  digest: hash,
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
});

const auditSchema = z.object({ head: hash, count: z.int().min(1), anchoredAt: micros });

const typesByCode = new Map<number, AttributeType>(
  Object.entries(attributeTypeCodes).map(([name, code]) => [code, name as AttributeType]),
);

/** The value that an account has stored under a key. */
export async function readMetadata(
  client: LedgerClient,
  address: string,
  key: string,
): Promise<string | undefined> {
  try {
    const { result } = await client.getAccountMetaData({ address, key });
    return result && Object.hasOwn(result, key) ? result[key].value : undefined;
  } catch (error) {
    if (error instanceof LedgerError && error.code === codes.notFound) return undefined;
    throw error;
  }
}

/** Undefined when there is none, or one of a shape that cannot be used. */
export async function readTemplate(
  client: LedgerClient,
  registry: string,
  { id, version }: { readonly id: string; readonly version?: string },
): Promise<RegisteredTemplate | undefined> {
  const key = version === undefined ? `template__${id}` : `template__${id}__${version}`;
  const text = await readMetadata(client, registry, key);
  return text === undefined ? undefined : parseTemplate(text);
}

export async function readEntry(
  client: LedgerClient,
  registry: string,
  { issuer, credential }: { readonly issuer: string; readonly credential: string },
): Promise<RegistryEntry | undefined> {
  const text = await readMetadata(client, registry, `credential__${issuer}__${credential}`);
  if (text === undefined) return undefined;
  const { issuedAt, changedAt, changedIn, ...entry } = parseStored(entrySchema, text);
  const times = { issuedAtMicros: issuedAt, changedAtMicros: changedAt, changedInLedgerSeq: changedIn };
  return { ...entry, registry, ...times };
}

export async function readAuditAnchor(
  client: LedgerClient,
  registry: string,
): Promise<AuditAnchor | undefined> {
  const text = await readMetadata(client, registry, 'audit__head');
  if (text === undefined) return undefined;
  const { anchoredAt, ...anchor } = parseStored(auditSchema, text);
  return { ...anchor, anchoredAtMicros: anchoredAt };
}

export interface TemplatePage {
  readonly total: number;
  /** The newest version of each, in the order of registration; what cannot be used is left out. */
  readonly templates: readonly RegisteredTemplate[];
}

export async function listTemplates(
  client: LedgerClient,
  registry: string,
  page: Page,
): Promise<TemplatePage> {
  const total = Number((await readMetadata(client, registry, 'count')) ?? 0);
  const ids = await readRow(page, total, (place) => readMetadata(client, registry, `place__${place}`));
  const found = await Promise.all(ids.map((id) => readTemplate(client, registry, { id })));
  return { total, templates: found.filter((it) => it !== undefined) };
}

export interface VersionPage {
  readonly total: number;
  readonly versions: readonly string[];
}

/** The versions of a template, oldest first. */
export async function listVersions(
  client: LedgerClient,
  registry: string,
  { id, ...page }: Page & { readonly id: string },
): Promise<VersionPage> {
  const newest = await readTemplate(client, registry, { id });
  const total = newest?.versionCount ?? 0;
  const versions = await readRow(page, total, (place) =>
    readMetadata(client, registry, `version__${id}__${place}`),
  );
  return { total, versions };
}

async function readRow(
  { start, limit }: Page,
  total: number,
  read: (place: number) => Promise<string | undefined>,
): Promise<string[]> {
  const end = Math.min(total, start + Math.min(limit, registryLimits.pageMax));
  const places = Array.from({ length: Math.max(end - start, 0) }, (_, index) => start + index);
  return (await Promise.all(places.map(read))).filter((it) => it !== undefined);
}

function parseTemplate(text: string): RegisteredTemplate | undefined {
  const { createdAt, changedAt, issuer, versionCount, remarkHash, ...stored } = parseStored(
    templateSchema,
    text,
  );
  const attributes = parseAttributes(stored.applyFormat);
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
    ...(remarkHash === undefined ? {} : { remarkHash }),
    acceptsUnbound: isUnboundAccepted(stored.metadata),
  };
}

/** Anybody's JSON: only the one word in its one form says so. */
function isUnboundAccepted(metadata: string | undefined): boolean {
  const flags = metadata === undefined ? undefined : parseJson(metadata);
  return isJsonObject(flags) && flags.acceptsUnbound === true;
}

/** Undefined when an attribute has a type that this product does not know. */
function parseAttributes(text: string): TemplateAttribute[] | undefined {
  const attributes: TemplateAttribute[] = [];
  for (const { attribute: label, type: code, mandatory, key, format } of parseStored(
    z.array(attributeSchema),
    text,
  )) {
    const type = typesByCode.get(code);
    if (type === undefined) return undefined;
    attributes.push({ key, label, type, format, mandatory: mandatory === 1 });
  }
  return attributes;
}

/** The registries store nothing of another shape: a node that says otherwise is not to be trusted. */
function parseStored<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Fault('ledgerFailed', { detail: 'The ledger holds something unexpected', cause });
  }
}
