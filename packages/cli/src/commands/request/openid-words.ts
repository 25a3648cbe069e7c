/** What `symbolon request --openid` is told beside the words of every request, and which words belong to it alone. */
import type { openidClientIdPrefixes } from '@symbolon/wire/openid/verification-schemas';
import { usageFailure } from '../../terminal/failure.ts';
import type { RequestWords } from './session.ts';

/** Formats of credentials as queries name them. */
export const askedFormats = ['dc+sd-jwt', 'ldp_vc', 'symbolon-bbs-2026'] as const;
export type AskedFormat = (typeof askedFormats)[number];

export interface OpenidRequestWords extends RequestWords {
  readonly format?: AskedFormat;
  /** Of a credential that is of no template here. */
  readonly type?: string;
  /** Who is on no ledger. */
  readonly issuer?: readonly string[];
  readonly namedBy?: (typeof openidClientIdPrefixes)[number];
}

const ownWords = { format: '--format', type: '--type', issuer: '--issuer', namedBy: '--named-by' } as const;

export function assertOpenidWords(words: OpenidRequestWords): void {
  const used = (Object.keys(ownWords) as (keyof typeof ownWords)[]).find((name) => words[name] !== undefined);
  if (words.openid || used === undefined) return;
  throw usageFailure(
    `Nobody was asked.\n${ownWords[used]} is for requests by OpenID4VP.\nAdd --openid, or leave it out.`,
  );
}
