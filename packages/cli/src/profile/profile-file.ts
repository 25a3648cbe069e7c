/**
 * Writing a profile, for its owner alone. What is written is checked more strictly than what is read: a member that
 * nobody knows is refused with the known one that was probably meant, because a misspelt one would say nothing.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { unknownName } from '@symbolon/core/basics/known-names';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { z } from 'zod';
import { makeFolder, writeWhole } from '../machine/durable-files.ts';
import { exists } from '../machine/files.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import { parseFileText } from '../terminal/json-file.ts';
import { printable } from '../terminal/terminal.ts';
import { pinsSchema, readProfile } from './profile.ts';

const text = z.string().min(1);

const writtenPerson = z.strictObject({
  /** What people call them. */
  name: text.optional(),
  did: text.optional(),
  address: text.optional(),
  publicKey: text.optional(),
  privateKey: text.optional(),
  keyFile: text.optional(),
  apiKey: text.optional(),
  bbsPublicKeyMultibase: text.optional(),
});
export type WrittenPerson = z.infer<typeof writtenPerson>;

const address = z.url({ protocol: /^https?$/ });
const ownMembers = {
  service: address.optional(),
  ledger: address.optional(),
  sealed: z.boolean().optional(),
  pins: pinsSchema.optional(),
};

/** Addresses, pins, and people under their names. */
export interface WrittenProfile {
  readonly service?: string;
  readonly ledger?: string;
  readonly sealed?: boolean;
  readonly pins?: JsonObject;
  readonly people: Readonly<Record<string, WrittenPerson>>;
}

/** Everything that is not a member of its own is a person; throws a failure that names the first mistake. */
export function checkProfile(content: unknown, from: string): WrittenProfile {
  const whole = z.record(z.string(), z.unknown()).safeParse(content);
  if (!whole.success) throw notWritten(from, 'It is not an object.');
  const people: Record<string, WrittenPerson> = {};
  for (const [name, value] of Object.entries(whole.data)) {
    if (Object.hasOwn(ownMembers, name)) continue;
    if (typeof value !== 'object') throw notWritten(from, unknownName(name, Object.keys(ownMembers)));
    people[name] = checked(writtenPerson, value, { from, under: name });
  }
  const own = Object.fromEntries(Object.entries(whole.data).filter(([name]) => !(name in people)));
  checked(z.strictObject(ownMembers), own, { from, under: '' });
  const { service, ledger, sealed, pins } = own as Omit<WrittenProfile, 'people'>;
  return {
    ...(service !== undefined && { service }),
    ...(ledger !== undefined && { ledger }),
    ...(sealed !== undefined && { sealed }),
    ...(pins !== undefined && { pins }),
    people,
  };
}

/** Values are never repeated: one of them may be a key in the wrong place. */
function checked<Value>(
  schema: z.ZodType<Value> & { readonly shape: object },
  value: unknown,
  { from, under }: { readonly from: string; readonly under: string },
): Value {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const place = [under, ...(issue?.path ?? [])].filter((part) => part !== '').join('.');
  const isInside = (issue?.path.length ?? 0) > 0;
  const known = Object.keys(isInside ? pinsSchema.shape : schema.shape);
  const what =
    issue?.code === 'unrecognized_keys'
      ? `${place === '' ? '' : `${place}: `}${unknownName(issue.keys[0] ?? '', known)}`
      : `"${place}" is not of the form that it must have.`;
  throw notWritten(from, what);
}

const notWritten = (from: string, why: string): CommandFailure =>
  new CommandFailure(
    `${printable(from)} cannot be a profile; nothing was written.\n${printable(why)}\nCorrect it. What a profile holds: docs/cli.md, "The file of a profile".`,
    exitCodes.usage,
  );

/** A profile that is to be added to; undefined where there is none. One that others can reach is refused. */
export async function readOwnProfile(file: string): Promise<WrittenProfile | undefined> {
  if (!(await exists(file))) return undefined;
  await readProfile(file);
  return checkProfile(parseFileText(file, await readFile(file, 'utf8')), file);
}

/** Whole or not at all, in a folder for its owner alone. */
export async function writeProfile(file: string, { people, ...own }: WrittenProfile): Promise<void> {
  await makeFolder(path.dirname(file));
  const content = stringifyJson({ ...own, ...people } as JsonObject);
  const pretty = JSON.stringify(JSON.parse(content), undefined, 2);
  await writeWhole(file, `${pretty}\n`, `${file}.${process.pid}.new`);
}
