/**
 * When an issuer's keys were good, as far as a verifier without a network has to know: at the times at which the ledger
 * recorded the credentials that it has facts about. A key is looked for in the document of each of these times; what
 * the issuer says about it by now, that others may have it, is in the present one. A key never comes back, so it was
 * good all the time between the first and the last time at which it was seen.
 */
import { instantTextOfUnixMs, unixMsOf } from '@symbolon/core/basics/calendar';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { VerifierClient } from '../service/verifier-client.ts';
import type { KnownIssuerKey } from './collected-facts.ts';

const bbsKeyType = 'Bls12381G2Key2020';

/** The BBS+ keys that a DID document shows for assertions. The document is trusted as far as its source is. */
export function issuerKeysOf(document: JsonObject): readonly KnownIssuerKey[] {
  const assertions = Array.isArray(document.assertionMethod) ? document.assertionMethod : [];
  const methods = Array.isArray(document.verificationMethod) ? document.verificationMethod : [];
  return methods.flatMap((method: JsonValue) => {
    if (!isJsonObject(method)) return [];
    const { id, type, publicKeyMultibase } = method;
    const isForAssertions = typeof id === 'string' && assertions.includes(id);
    return isForAssertions && type === bbsKeyType && typeof publicKeyMultibase === 'string'
      ? [{ verificationMethod: id, publicKeyMultibase }]
      : [];
  });
}

export interface KeyQuestion {
  readonly issuer: string;
  /** The answer of `resolveDid` to the DID alone. */
  readonly present: JsonObject;
  /** When credentials were recorded. */
  readonly recordedAt: readonly string[];
}

const secondMs = 1_000;

export async function keysWithTimes(
  client: Pick<VerifierClient, 'resolveDid'>,
  { issuer, present, recordedAt }: KeyQuestion,
): Promise<readonly KnownIssuerKey[]> {
  const now = new Map(issuerKeysOf(documentOf(present)).map((key) => [key.verificationMethod, key]));
  const known = new Map(now);
  const seenAt = new Map<string, number[]>();
  const times = wholeSeconds(recordedAt);
  for (const time of times) {
    const then = await client.resolveDid({ did: issuer, versionTime: instantTextOfUnixMs(time) });
    for (const key of issuerKeysOf(documentOf(then))) {
      known.set(key.verificationMethod, key);
      seenAt.set(key.verificationMethod, [...(seenAt.get(key.verificationMethod) ?? []), time]);
    }
  }
  const compromised = compromisedOf(present);
  return [...known.values()].map((key) => {
    const { verificationMethod } = key;
    const seen = seenAt.get(verificationMethod);
    const since = compromised.get(verificationMethod);
    // One that was not there at the last of the times, and is now, came after it.
    const from = seen?.[0] ?? (times.length > 0 ? (times.at(-1) as number) + secondMs : undefined);
    const until = seen && !now.has(verificationMethod) ? (seen.at(-1) as number) + secondMs : undefined;
    return {
      ...key,
      ...(from !== undefined && { validFrom: instantTextOfUnixMs(from) }),
      ...(until !== undefined && { validUntil: instantTextOfUnixMs(until) }),
      ...(since !== undefined && { compromisedSince: since }),
    };
  });
}

/** Ascending, each once: documents know no fractions. */
function wholeSeconds(instants: readonly string[]): readonly number[] {
  const times = instants.flatMap((instant) => {
    const ms = unixMsOf(instant);
    return ms === undefined ? [] : [Math.floor(ms / secondMs) * secondMs];
  });
  return [...new Set(times)].sort((left, right) => left - right);
}

export const documentOf = (resolution: JsonObject): JsonObject =>
  isJsonObject(resolution.didDocument) ? resolution.didDocument : resolution;

function compromisedOf({ didDocumentMetadata }: JsonObject): ReadonlyMap<string, string> {
  const listed = isJsonObject(didDocumentMetadata) ? didDocumentMetadata.compromisedKeys : undefined;
  const found = new Map<string, string>();
  for (const one of Array.isArray(listed) ? listed : [])
    if (isJsonObject(one) && typeof one.id === 'string' && typeof one.since === 'string')
      found.set(one.id, one.since);
  return found;
}
