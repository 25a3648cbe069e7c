/** What callers of a ledger make of its answers, apart from the client and its table: nothing there, or nothing of a node. */
import { codes } from '@symbolon/core/ledger/terms/codes';
import { LedgerError, SdkError } from '../errors/errors.ts';
import type { LedgerRouteName } from './ledger-client.ts';

/** The reply, or undefined where the ledger says that there is no such thing. */
export async function unlessNotFound<Reply>(request: Promise<Reply>): Promise<Reply | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof LedgerError && error.code === codes.notFound) return undefined;
    throw error;
  }
}

/** `members` are the paths of what is wrong in it; none where it is the whole. */
export function unexpectedReply(name: LedgerRouteName, members: readonly string[]): SdkError {
  const hint = 'Is this a node, and one of this version?';
  return new SdkError('unexpectedReply', `the reply to ${name} is not what a node replies`, {
    hint,
    members,
  });
}
