/**
 * `symbolon request --openid`: a verification session that any wallet of OpenID4VP answers. It is followed to its end as
 * every session is (`session.ts`).
 */
import { randomUUID } from 'node:crypto';
import { given } from '@symbolon/core/basics/plain-values';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import type { JsonObject } from '@symbolon/wire/json/json';
import { issuerSegment } from '@symbolon/wire/oauth/standard-places';
import encodeQR from 'qr';
import { lookUpTemplate } from '../../credentials/template-lookup.ts';
import { trustOf } from '../../credentials/trust-options.ts';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { printFields } from '../../terminal/layout.ts';
import { printable, printJson, type Terminal } from '../../terminal/terminal.ts';
import { formatOf, kindsOfTemplate, openidQueryOf } from './openid-query.ts';
import type { AskedFormat, OpenidRequestWords } from './openid-words.ts';
import { assertAttributes, dayAsked, followSession, keysOfResult } from './session.ts';

/** `open`: nobody waited for the end. */
export async function requestOfField(
  connection: Connection,
  words: PartyWords & OpenidRequestWords,
  terminal: Terminal,
): Promise<'open' | 'verified' | 'notVerified'> {
  const { callback, minutes, purpose, issuer = [], namedBy } = words;
  const format = formatOf(words);
  const keys = await keysOfResult(connection, words, terminal);
  const kinds = await kindsMeant(connection, words, format);
  const asked = {
    dcqlQuery: openidQueryOf(words, { format, kinds }, dayAsked()),
    // New each time, as with every request: no older result is taken for this one's.
    stateId: randomUUID(),
    ...(await trustOf(words)),
    ...(issuer.length > 0 && { foreignIssuers: issuer.map((one) => ({ issuer: one })) }),
    ...given({
      ...{ callbackUrl: callback, expirationMinutes: minutes, purpose, clientIdPrefix: namedBy },
    }),
  };
  const session = await connection.service.requestOpenidVerification(asked);
  tellRequest(session, words, terminal);
  if (!words.wait) return 'open';
  const { id, expiresAt } = session;
  const expected = { keys, presentationId: id, request: asked as unknown as JsonObject };
  return followSession({ connection, words, terminal }, { expiresAt, expected });
}

async function kindsMeant(
  connection: Connection,
  words: OpenidRequestWords,
  format: AskedFormat,
): Promise<readonly string[]> {
  const { template, type } = words;
  if ((template === undefined) === (type === undefined))
    throw usageFailure(
      'Nobody was asked.\nIt has to be said which credential is meant.\nSay --template TEMPLATE of this service, or --type TYPE of somebody else.',
    );
  if (type !== undefined) return [type];
  const meant = await lookUpTemplate(connection, template as string);
  assertAttributes(words, meant);
  const { templateId, issuerDid, templateName } = meant;
  const metadata = await connection.service.getIssuerMetadata({ issuer: issuerSegment(issuerDid) });
  const kinds = kindsOfTemplate(metadata as unknown as JsonObject, { templateId, format });
  if (kinds.length > 0) return kinds;
  throw usageFailure(
    `Nobody was asked.\nThe template "${printable(templateName)}" has no credentials in the format ${format}.\nTake another --format.`,
  );
}

function tellRequest(
  session: CredentialReply<'requestOpenidVerification'>,
  { qr, json, wait }: OpenidRequestWords & { readonly json?: boolean },
  terminal: Terminal,
): void {
  const { id, clientId, request: link, expiresAt } = session;
  if (json) return printJson(terminal, { ...session });
  if (qr) terminal.print(encodeQR(link, 'ascii', { border: 2 }).trimEnd().split('\n'));
  printFields(terminal, 'Open this link in any wallet of OpenID4VP.', {
    link,
    session: id,
    'asks as': clientId,
    'valid until': expiresAt,
  });
  terminal.remark(['Answer it with your own wallet, in another terminal:', '  symbolon wallet present -']);
  if (!wait) terminal.remark('Add --wait to follow what becomes of it.');
}
