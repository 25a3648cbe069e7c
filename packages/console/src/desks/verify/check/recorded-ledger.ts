/** A node whose answers are written down, and one that gives the same answers again, when nobody can be asked. */
import { SdkError } from '@symbolon/sdk/errors/errors';
import type { Transport } from '@symbolon/sdk/transport/transport';
import { type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json/json';

/** Answers by what was asked. */
export type LedgerReplies = Readonly<Record<string, JsonValue>>;

const questionOf = (method: string, path: string, body: JsonValue | undefined): string =>
  [method, path, ...(body === undefined ? [] : [stringifyJson(body)])].join(' ');

export const recordingTransport =
  (node: Transport, into: Record<string, JsonValue>): Transport =>
  async (method, path, body) => {
    const reply = await node(method, path, body);
    into[questionOf(method, path, body)] = reply;
    return reply;
  };

/** What a node answers to the same questions now. */
export async function answersAnew(node: Transport, replies: LedgerReplies): Promise<LedgerReplies> {
  const now = Object.keys(replies).map(async (question) => {
    const [method = '', path = '', ...body] = question.split(' ');
    const asked = body.length === 0 ? undefined : parseJson(body.join(' '));
    return [question, await node(method as Parameters<Transport>[0], path, asked)] as const;
  });
  return Object.fromEntries(await Promise.all(now));
}

/** What was never asked has no answer: that is no verdict. */
export const replayingTransport =
  (replies: LedgerReplies): Transport =>
  async (method, path, body) => {
    const question = questionOf(method, path, body);
    if (Object.hasOwn(replies, question)) return replies[question] as JsonValue;
    const hint = 'Keep what the ledger says about the document while there is a connection.';
    throw new SdkError('unreachable', 'what the ledger says about this was not kept', { hint });
  };
