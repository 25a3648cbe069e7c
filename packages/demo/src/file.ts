/**
 * `demo.json`: all that a first client of the demo needs, in one file for its owner alone. It is written as a whole or
 * not at all; one that cannot be read counts as missing and is made anew.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { attributeTypeOfFormat } from '@symbolon/core/attributes/attribute-formats';
import { attributeTypeCodes } from '@symbolon/core/documents/model';
import { z } from 'zod';

const person = z.object({
  name: z.string(),
  did: z.string(),
  address: z.string(),
  privateKey: z.string(),
  publicKey: z.string(),
  apiKey: z.string(),
});

const demoTemplate = z.object({
  templateId: z.string(),
  name: z.string(),
  version: z.string(),
  /** Of one that is sold: how many units of the token. */
  price: z.string().optional(),
});

const demoCredential = z.object({
  vcId: z.string(),
  title: z.string(),
  templateId: z.string(),
  /** Which person of this file it is of. */
  holder: z.string(),
  status: z.string(),
});

const demoToken = z.object({
  address: z.string(),
  name: z.string(),
  symbol: z.string(),
  decimals: z.int(),
});

/** What clients hold against the servers' word; files from before it was written have none. */
const demoPins = z.object({
  chainId: z.int(),
  templateRegistry: z.string(),
  credentialRegistry: z.string(),
});

const demoDocument = z.object({
  warning: z.string(),
  service: z.string(),
  ledger: z.string(),
  pins: demoPins.optional(),
  issuer: person.extend({ bbsPublicKeyMultibase: z.string() }),
  holder: person,
  holder2: person,
  verifier: person,
  attributeTypes: z.record(z.string(), z.int()),
  templates: z.array(demoTemplate),
  credentials: z.array(demoCredential),
  token: demoToken.optional(),
});

export type DemoDocument = z.infer<typeof demoDocument>;
/** What there is beside the people. */
export type DemoData = Pick<DemoDocument, 'templates' | 'credentials' | 'token'>;

/** The type code of every format that a template may name. */
export const attributeTypes = (): Record<string, number> =>
  Object.fromEntries(
    Object.entries(attributeTypeOfFormat).map(([format, type]) => [format, attributeTypeCodes[type]]),
  );

export async function readDemoFile(file: string): Promise<DemoDocument | undefined> {
  try {
    return demoDocument.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Missing, cut short, or somebody's own: it is made anew.
    return undefined;
  }
}

export async function writeDemoFile(file: string, document: DemoDocument): Promise<void> {
  const unfinished = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    const text = `${JSON.stringify(document, undefined, 2)}\n`;
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
}
