/** The functions that the pure rules are given on this side: Node's SHA-256 and the interface's own rendering. */
import { hash } from 'node:crypto';
import type { Sha256 } from '@symbolon/core/bytes';
import { createKeyFormat } from '@symbolon/core/keys';
import type { LedgerRules } from '@symbolon/core/ledger/chain-parameters';
import { profiles } from '@symbolon/core/profile';
import { stringifyJson } from '@symbolon/wire/json';
import { accountToJson } from '@symbolon/wire/ledger-replies';
import { chainParametersOf, type GenesisDocument } from './genesis-document.ts';

/** Through a text of one character a byte, which Node hands over in half the time a buffer takes. */
export const sha256: Sha256 = (bytes) => Buffer.from(hash('sha256', bytes, 'binary'), 'latin1');

/** The rules of the chain that a genesis document describes, or every reason why it describes none. */
export function ledgerRulesOf(document: GenesisDocument): { rules: LedgerRules } | { problems: string[] } {
  const keys = createKeyFormat(profiles[document.profile], sha256);
  const result = chainParametersOf(document, keys);
  if ('problems' in result) return result;
  const describeAccount: LedgerRules['describeAccount'] = (account) => stringifyJson(accountToJson(account));
  return { rules: { parameters: result.parameters, keys, sha256, describeAccount } };
}
