/**
 * An application as its issuer approves it: what the service shows is held against the holder's own signature, so that
 * nobody but the holder has said who applies, for which template and with what. Which of a holder's applications it is,
 * and which version of the template it is for, is the service's word.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeUtf8, parseHex } from '@symbolon/core/basics/bytes';
import { unixMsOf } from '@symbolon/core/basics/calendar';
import { keyOfDid } from '@symbolon/core/credential/credential-assembly';
import {
  contentSubject,
  parsePresenceText,
  presenceProblem,
} from '@symbolon/core/presentation/presence-text';
import { readAttributes } from '@symbolon/wire/credentials/request-encodings';
import { readIdentifier } from '@symbolon/wire/credentials/requests';
import { isJsonObject, type JsonObject, parseJsonOrNothing } from '@symbolon/wire/json/json';
import { assertMembers } from '../arguments/exact-arguments.ts';
import { SdkError } from '../errors/errors.ts';
import { verifyWithWebCrypto } from '../keys/signer.ts';
import type { CallOptions, CredentialClient, CredentialReply } from '../service/credential-client.ts';

type ApplicationReply = CredentialReply<'getApplication'>;

/** What an order to issue takes from an application. */
export interface ReadApplication {
  readonly vcId: string;
  readonly holder: string;
  readonly templateId: string;
  readonly templateVersion: string;
  /** As the holder wrote them. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export type ApplicationsClient = Pick<CredentialClient, 'getApplication'> & { readonly audience?: string };

/**
 * Fetches an application that waits for its issuer, and verifies the holder's signature. Throws `notAsOrdered` for one that
 * does not fit, and `applicationDecided` for one that waits no longer.
 */
export async function readApplication(
  client: ApplicationsClient,
  choice: { readonly vcId: string },
  options?: CallOptions,
): Promise<ReadApplication> {
  assertMembers(choice, { vcId: true }, 'the choice');
  const { vcId } = choice;
  const shown = await client.getApplication({ vcId }, options);
  assertAskedFor(shown, vcId);
  assertWaits(shown);
  return verifyApplication(shown, client);
}

/** Whether it still waits for its issuer. What a decided one asked for may be gone. */
export const isUndecided = ({ status }: Pick<ApplicationReply, 'status'>): boolean =>
  status === 'Pending' || status === 'Approved';

function assertWaits(shown: Pick<ApplicationReply, 'status'>): void {
  if (isUndecided(shown)) return;
  throw new SdkError('applicationDecided', `the application is ${shown.status.toLowerCase()} already`, {
    hint: 'Nothing was signed. Look at it, and at what is issued.',
  });
}

/** Throws `notAsOrdered` for an application that is shown in place of the one that was asked for. */
export function assertAskedFor(shown: Pick<ApplicationReply, 'vcId'>, vcId: string): void {
  if (shown.vcId !== readIdentifier(vcId)) throw otherThanSigned('vcId');
}

/** Verifies the holder's signature of one that was fetched already. */
export async function verifyApplication(
  shown: ApplicationReply,
  { audience }: { readonly audience?: string },
): Promise<ReadApplication> {
  const { vcId, holder, templateId, templateVersion, offerId, signed } = shown;
  if (!signed) throw unsigned();
  const { content, signData, signedText } = signed;
  if (signedText !== undefined) assertAbout(signedText, { content, audience, offerId });
  const publicKey = keyOfDid(holder);
  const signature = parseHex(signData);
  const message = encodeUtf8(signedText ?? content);
  const isSigned = publicKey && signature && (await verifyWithWebCrypto({ publicKey, message, signature }));
  if (!isSigned) throw otherThanSigned('signData');
  const said = contentOf(content);
  if (typeof said?.templateId !== 'string' || readIdentifier(said.templateId) !== templateId)
    throw otherThanSigned('templateId');
  if (said.metadata === undefined) throw otherThanSigned('metadata');
  const attributes = Object.fromEntries(readAttributes(said.metadata, '/metadata'));
  return { vcId, holder, templateId, templateVersion, attributes };
}

interface SignedAbout {
  readonly content: string;
  readonly audience: string | undefined;
  /** Where the holder accepted an offer: the text names that, and the contents as its challenge. */
  readonly offerId: string | undefined;
}

/** A text of presence is good for the application that it names, at the service that it names. */
function assertAbout(text: string, { content, audience, offerId }: SignedAbout): void {
  const presence = parsePresenceText(text);
  if (!presence) throw otherThanSigned('signedText');
  const about = contentSubject(content, sha256);
  if (offerId !== undefined && presence.challenge === undefined) throw otherThanSigned('signedText');
  const problem = presenceProblem(presence, {
    ...(offerId === undefined
      ? { purpose: 'application', subject: about }
      : { purpose: 'offer-acceptance', subject: offerId, challenge: about }),
    audience: audience ?? presence.audience,
    // When it was signed is in the past by now; whether it was fresh then, the service has decided.
    now: unixMsOf(presence.created) ?? 0,
  });
  if (problem !== undefined) throw otherThanSigned('signedText', `, and its signedText ${problem}`);
}

/** The pair that is signed, alone or as the only element of a list. */
function contentOf(text: string): JsonObject | undefined {
  const said = parseJsonOrNothing(text);
  const only = Array.isArray(said) && said.length === 1 ? said[0] : said;
  return isJsonObject(only) ? only : undefined;
}

function otherThanSigned(member: string, why = ''): SdkError {
  const hint = 'Issue nothing for it. Do not use this server before you know why.';
  const message = `the application that the server shows is not what its holder signed${why}`;
  return new SdkError('notAsOrdered', message, { hint, members: [member] });
}

function unsigned(): SdkError {
  const hint =
    'Have the holder apply again, or order holder and attributes that you know from elsewhere than from this server.';
  const message = "the server shows no signature of the holder's over the application";
  return new SdkError('notAsOrdered', message, { hint, members: ['signed'] });
}
