/** What schemas of requests are made of: texts with bounds, names, documents, lists, each with a plain complaint. */
import { unknownName } from '@symbolon/core/basics/known-names';
import { isBlank, withoutUnsafe } from '@symbolon/core/basics/plain-text';
import { credentialRequestLimits as limits } from '@symbolon/core/limits/requests';
import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';

export const missingOr = (complaint: string) => (issue: { readonly input?: unknown }) =>
  issue.input === undefined ? 'is missing' : complaint;

export const text = (charsMax: number) =>
  z
    .string({ error: missingOr('must be text') })
    .min(1, 'must not be empty')
    .max(charsMax, `must have at most ${charsMax} characters`);

/** A request whose body has been read by this schema. */
export type WithBody<Schema extends z.ZodType> = { readonly body: z.output<Schema> };

/** Absent and null mean the same: typed clients send null for what they do not set. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** How many complaints one answer names: a body of rubbish must not become an answer of the same size. */
export const complaintsMax = 20;

/**
 * An object in which somebody states conditions or wishes: a member that is not known is refused with the name that was
 * probably meant, one line for each, which `complaintsOf` takes apart again.
 */
export const strict = <Members extends z.core.$ZodLooseShape>(members: Members) =>
  z.strictObject(members, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? (issue.keys as string[])
            .slice(0, complaintsMax)
            .map((key) => unknownName(key, Object.keys(members)))
            .join('\n')
        : missingOr('must be an object')(issue),
  });

/** A text that people read as it stands: nothing in it is obeyed instead of shown, and it is not blank. */
export const plainLine = (charsMax: number) =>
  text(charsMax).refine((given) => !isBlank(given) && withoutUnsafe(given, () => '') === given, {
    error: 'must be plain text on one line',
  });

export const name = text(limits.nameCharsMax);
export const note = z
  .string({ error: 'must be text' })
  .max(limits.noteCharsMax, `must have at most ${limits.noteCharsMax} characters`);

export const didText = name.regex(/^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/, 'must be a DID');
/** Templates and credentials: a DID made of a hash. */
export const identifier = name.regex(
  /^did:[a-z0-9]+:[0-9A-Fa-f]{64}$/,
  'must be did:, a method and 64 hex digits',
);

/** In replies: RFC 3339, UTC. */
export const instant = z.string();

export const truth = z.boolean({ error: missingOr('must be true or false') });

/** A document whose own rules check it later. It is passed on as it is. */
export const document = z.custom<JsonObject>((value) => isJsonObject(value as JsonValue), {
  error: missingOr('must be an object'),
});

export const list = <Item extends z.ZodType>(item: Item, itemsMax: number) =>
  z
    .array(item, { error: missingOr('must be an array') })
    .min(1, 'must not be empty')
    .max(itemsMax, `must have at most ${itemsMax} elements`);

export const textParameter = (charsMax: number) => text(charsMax).optional();

const x25519 = "The holder's X25519 key, by which old clients want answers sealed: here the header says it";

/**
 * Members that public clients send beside an order and that order nothing here: each with what it means to them. Every
 * other member that a schema does not name is refused, because whoever wrote it wanted something.
 */
export const toleratedMembers = {
  template: { issuerAddress: "The issuer's account: it follows from the issuer's DID" },
  application: { x25519PublicKey: x25519, x25519PubKey: x25519 },
  download: { x25519PublicKey: x25519, x25519PubKey: x25519 },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

/** As members of a schema: whatever they hold is taken. */
export const tolerated = <Kind extends keyof typeof toleratedMembers>(kind: Kind) =>
  Object.fromEntries(
    Object.entries(toleratedMembers[kind]).map(([name, why]) => [
      name,
      z.unknown().optional().describe(`Not used. ${why}`),
    ]),
  ) as { [Name in keyof (typeof toleratedMembers)[Kind]]: z.ZodOptional<z.ZodUnknown> };
