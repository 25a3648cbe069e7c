/**
 * Messages between a wallet and the endpoints of credentials, in clear or encrypted (OpenID4VCI 1.0, section 10). Whoever
 * wants an encrypted answer must have encrypted its request, or anybody on the way could have put a key of its own there.
 */
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import { Fault } from '@symbolon/core/faults/faults';
import {
  type AnswerEncryption,
  decryptMessage,
  encryptMessage,
  readAnswerEncryption,
} from '@symbolon/formats/oid4vci/message-encryption';
import { isTextReply, type TextReply } from '@symbolon/wire/http/service-route';
import { type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import type { Sent } from '@symbolon/wire/openid/issuance-requests';
import type { OpenidParts } from '../parts/openid-parts.ts';

export interface Message<Asked> {
  /** The issuer's DID. */
  readonly issuer: string;
  readonly sent: Sent<Asked>;
  /** Reads what stood in a JWE. */
  readonly read: (text: string) => Asked;
}

/** Answers as the request wants it. Refusals are never encrypted. Only for requests whose token was found good. */
export async function answerMessage<Asked extends { readonly encryption: unknown }>(
  { openidSecrets }: Pick<OpenidParts, 'openidSecrets'>,
  { issuer, sent, read }: Message<Asked>,
  answer: (asked: Asked) => Promise<JsonObject | TextReply>,
): Promise<JsonObject | TextReply> {
  const isEncrypted = 'jwe' in sent;
  const asked = isEncrypted ? read(await decrypted(openidSecrets, issuer, sent.jwe)) : sent.asked;
  if (asked.encryption === undefined) return answer(asked);
  const encryption = readAnswerEncryption(asked.encryption);
  if (isComplaint(encryption)) throw unencryptable(encryption.complaint);
  if (!isEncrypted) throw unencryptable('a request for an encrypted answer has to be encrypted, too');
  // Before anything is made, or what was made could be answered to nobody.
  if ((await encryptMessage('', encryption)) === undefined)
    throw unencryptable('the key is no point of the curve');
  return encryptedReply(await answer(asked), encryption);
}

const unencryptable = (complaint: string): Fault =>
  new Fault('responseEncryptionInvalid', { detail: `credential_response_encryption: ${complaint}` });

async function decrypted(
  secrets: OpenidParts['openidSecrets'],
  issuer: string,
  jwe: string,
): Promise<string> {
  const opened = await decryptMessage(jwe, await secrets.requestKey(issuer));
  if (isComplaint(opened)) throw new Fault('credentialRequestInvalid', { detail: opened.complaint });
  return opened.text;
}

async function encryptedReply(
  reply: JsonObject | TextReply,
  encryption: AnswerEncryption,
): Promise<TextReply> {
  const [text, status] = isTextReply(reply) ? [reply.text, reply.status] : [stringifyJson(reply), undefined];
  const jwe = (await encryptMessage(text, encryption)) as string;
  return { contentType: 'application/jwt', text: jwe, ...(status !== undefined && { status }) };
}
