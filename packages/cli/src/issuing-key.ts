/**
 * Which BBS+ key an issuer signs credentials with: the one named in the profile, or the newest in the DID document,
 * which is the one that the service signs with where it keeps it.
 */
import { issuerKeysOf } from '@symbolon/sdk/verifier-flows';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json';
import type { Connection } from './connection.ts';
import { CommandFailure, exitCodes } from './failure.ts';

export async function issuingKeyOf(
  { person }: Pick<Connection, 'person'>,
  resolve: () => Promise<JsonObject>,
): Promise<string> {
  if (person?.bbsPublicKeyMultibase !== undefined) return person.bbsPublicKeyMultibase;
  const resolution = await resolve();
  const document = isJsonObject(resolution.didDocument) ? resolution.didDocument : resolution;
  const newest = issuerKeysOf(document).at(-1);
  if (newest) return newest.publicKeyMultibase;
  throw new CommandFailure(
    "The issuer's identifier has no BBS+ key to issue with.\nIts document shows none for assertions.\nPublish one: symbolon did publish-key MULTIBASE --key FILE",
    exitCodes.failed,
    { code: 'keyNotPublished' },
  );
}
