/**
 * Members that public clients send beside an order and that order nothing here: each with what it means to them. Every
 * other member that a schema does not name is refused, because whoever wrote it wanted something.
 */
import * as z from 'zod';

const x25519 = "The holder's X25519 key, by which old clients want answers sealed: here the header says it";

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
