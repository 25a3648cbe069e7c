/**
 * Which BBS+ key an issuer signs credentials with: the one named in the profile, or the newest that the issuer has put on
 * the ledger, which is the one that the service signs with where it keeps it. A service that says another one is not
 * believed.
 */
import { resolveSubject } from '@symbolon/core/did/did-document';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { readSubject } from '@symbolon/sdk/ledger/published-keys';
import { issuerKeysOf } from '@symbolon/sdk/verification/issuer-key-times';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import type { Connection } from './connection.ts';
import { keyFormat } from './key-format.ts';

/** `resolve` asks the service for the document of the issuer. */
export async function issuingKeyOf(
  { person, ledger, pins }: Pick<Connection, 'person' | 'ledger' | 'pins'>,
  issuer: string,
  resolve: () => Promise<JsonObject>,
): Promise<string> {
  if (person?.bbsPublicKeyMultibase !== undefined) return person.bbsPublicKeyMultibase;
  const subject = await readSubject({ ledger, pins, profile: zetrixProfile }, issuer);
  const recorded = subject && resolveSubject(subject, { nowSeconds: Date.now() / 1_000 }, keyFormat);
  const newest = newestKeyOf((recorded?.document ?? {}) as unknown as JsonObject);
  if (newest === undefined)
    throw new CommandFailure(
      "The issuer's identifier has no BBS+ key to issue with.\nIts document shows none for assertions.\nPublish one: symbolon did publish-key MULTIBASE --key FILE",
      exitCodes.failed,
      { code: 'keyNotPublished' },
    );
  const { didDocument: told } = await resolve();
  if (isJsonObject(told) && newestKeyOf(told) === newest) return newest;
  throw new CommandFailure(
    'The service says that the issuer has another key than the ledger has.\nNothing was signed.\nIf the key was changed a moment ago, try again. If not, do not use this service before you know why.',
    exitCodes.failed,
    { code: 'notAsOrdered' },
  );
}

const newestKeyOf = (document: JsonObject): string | undefined =>
  issuerKeysOf(document).at(-1)?.publicKeyMultibase;
