/** `symbolon vp create`: derives a presentation here, or has the service do it, and says what it shows. */
import { given } from '@symbolon/core/basics/plain-values';
import { parseCredential } from '@symbolon/core/credential/credential-parsing';
import type { Credential } from '@symbolon/core/documents/model';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { derivePresentation, presentCredential } from '@symbolon/sdk/flows/holder-flows';
import type { KnownIssuerKey } from '@symbolon/sdk/verification/collected-facts';
import { issuerKeysOf } from '@symbolon/sdk/verification/issuer-key-times';
import { isJsonObject, type JsonObject } from '@symbolon/wire/json/json';
import { type DisclosureWords, disclosureOf } from '../../credentials/disclosure-options.ts';
import { readCredentialFile, writeDocumentFile } from '../../credentials/document-files.ts';
import type { Acting } from '../../credentials/party-commands.ts';
import {
  contentJson,
  contentLines,
  presentedCredentials,
  toldBy,
} from '../../credentials/presentation-contents.ts';
import type { Connection } from '../../profile/connection.ts';
import { CommandFailure, exitCodes, usageFailure } from '../../terminal/failure.ts';
import { printable, printJson, type Terminal } from '../../terminal/terminal.ts';
import { readFactsFile } from '../verify/facts.ts';

export interface CreateWords extends DisclosureWords {
  readonly tellingRange?: readonly string[];
  readonly challenge?: string;
  readonly domain?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly byService?: boolean;
  readonly facts?: string;
}

export async function create(
  { connection, words, terminal }: Acting<CreateWords>,
  file: string,
): Promise<void> {
  const { challenge, domain, out, force = false } = words;
  const vc = await readCredentialFile(file);
  const { credential, bbsProof } = parseCredential(vc, zetrixProfile);
  const { attributes } = credential.credentialSchema;
  assertAttributes(words, attributes);
  assertMeant(words, toldBy(attributes, words.range ?? []));
  warnOfValidity(credential, terminal);
  const signer = await connection.signer();
  const order = {
    signer,
    vc,
    ...disclosureOf(words),
    ...given({ tellingRanges: words.tellingRange, challenge, domain }),
  };
  const presentation = words.byService
    ? await presentCredential(connection.service, order)
    : ((await derivePresentation({
        ...order,
        issuerKeys: await issuerKeys(connection, { issuer: credential.issuer, ...bbsProof }, words.facts),
        now: Date.now(),
      })) as unknown as JsonObject);
  if (out === undefined) return printJson(terminal, presentation);
  await writeDocumentFile(out, presentation, { mayReplace: force });
  const [shown] = presentedCredentials(presentation);
  if (shown === undefined) return;
  if (words.json) return printJson(terminal, { file: out, ...contentJson(shown) });
  terminal.print(`The presentation is in ${out}.`);
  terminal.print(contentLines(terminal, shown));
}

/** Whoever mistypes a name is told which names there are; the rules of derivation do not tell. */
function assertAttributes(
  { reveal = [], range = [], age = [] }: DisclosureWords,
  attributes: readonly { readonly key: string }[],
): void {
  const known = attributes.map(({ key }) => key);
  const named = [...reveal, ...[...range, ...age].map(({ attribute }) => attribute)];
  const unknown = named.find((name) => ![...known, 'id'].includes(name));
  if (unknown === undefined) return;
  throw usageFailure(
    `The credential has no attribute ${printable(unknown)}.\nIt has ${known.map(printable).join(', ')}.\nName some of these, as they are written here.`,
    { code: 'attributeUnknown' },
  );
}

/** A range that tells the value is a value that is shown, so it must be meant as one. */
function assertMeant({ tellingRange = [] }: CreateWords, told: readonly string[]): void {
  const name = told.find((one) => !tellingRange.includes(one));
  if (name === undefined) return;
  throw usageFailure(
    `The range of ${printable(name)} is so narrow that it tells the value.\nNothing was made.\nProve a wider one, show the value with --reveal, or say that you mean it: --telling-range ${printable(name)}`,
    { code: 'rangeTells' },
  );
}

/** Who presents something that no verifier accepts is told now, and may still want to. */
function warnOfValidity(
  { validFrom, validUntil }: Pick<Credential, 'validFrom' | 'validUntil'>,
  { remark }: Terminal,
) {
  const now = new Date().toISOString();
  if (now >= validUntil)
    remark([
      `WARNING: this credential expired at ${validUntil}.`,
      'No verifier will accept it.',
      'Apply for a new one: symbolon vc apply',
    ]);
  else if (now < validFrom)
    remark([`WARNING: this credential is valid from ${validFrom} on.`, 'No verifier will accept it before.']);
}

/**
 * From a file, or from the issuer's document as the service resolves it: today's, or that of the day of issue where the
 * key has ended since. Whatever key it is, a wrong one makes nothing that verifies.
 */
async function issuerKeys(
  { service }: Connection,
  { issuer, verificationMethod, created }: SigningKey,
  factsFile: string | undefined,
): Promise<readonly KnownIssuerKey[]> {
  const keysAt = async (at: { readonly versionTime?: string }): Promise<readonly KnownIssuerKey[]> => {
    const resolution = await service.resolveDid({ did: issuer, ...at });
    return issuerKeysOf(isJsonObject(resolution.didDocument) ? resolution.didDocument : resolution);
  };
  const hasKey = (keys: readonly KnownIssuerKey[]): boolean =>
    keys.some((key) => key.verificationMethod === verificationMethod);
  const sources =
    factsFile === undefined
      ? [() => keysAt({}), () => keysAt({ versionTime: created })]
      : [async () => (await readFactsFile(factsFile)).issuerKeys];
  for (const source of sources) {
    const keys = await source();
    if (hasKey(keys)) return keys;
  }
  const where = factsFile === undefined ? "The issuer's DID document" : factsFile;
  throw new CommandFailure(
    `The key that signed this credential is not known here.\n${where} has no ${verificationMethod}.\nAsk the issuer for a new credential.`,
    exitCodes.failed,
    { code: 'keyNotPublished' },
  );
}

interface SigningKey {
  readonly issuer: string;
  readonly verificationMethod: string;
  /** When the credential was signed. */
  readonly created: string;
}
