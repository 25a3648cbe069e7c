/**
 * The functions that the pure rules are given on this side: Node's SHA-256 and Ed25519, the interface's own
 * renderings, and what running contracts takes.
 */
import { createKeyFormat, type KeyFormat } from '@symbolon/core/keys/keys';
import { profiles } from '@symbolon/core/keys/profile';
import { utilsLibrary } from '@symbolon/core/ledger/contracts/utils-library';
import type {
  ChainParameters,
  ContractSupport,
  LedgerRules,
} from '@symbolon/core/ledger/terms/chain-parameters';
import { sha256 } from '@symbolon/host/work/sha256';
import { stringifyJson } from '@symbolon/wire/json/json';
import { accountAsRead } from '@symbolon/wire/ledger/replies';
import { QuickJsEngine } from '../contracts/engine/quickjs-engine.ts';
import { checkSyntaxOnThread } from '../contracts/syntax/check-on-thread.ts';
import { rememberVerdicts } from '../contracts/syntax/remember-verdicts.ts';
import { verifyLedgerSignature } from '../signatures/ed25519.ts';
import { chainParametersOf, type GenesisDocument } from './genesis-document.ts';

export interface RulesOptions {
  /** Where `Utils.log` of contracts goes. */
  readonly logContract?: (text: string) => void;
}

/** The rules of the chain that a genesis document describes, or every reason why it describes none. */
export function ledgerRulesOf(
  document: GenesisDocument,
  options: RulesOptions = {},
): { rules: LedgerRules } | { problems: string[] } {
  const keys = createKeyFormat(profiles[document.profile], sha256);
  const result = chainParametersOf(document, keys);
  return 'problems' in result ? result : { rules: rulesOf(keys, result.parameters, options) };
}

/** The rules of a chain whose parameters are known to be good. */
export function rulesOf(
  keys: KeyFormat,
  parameters: ChainParameters,
  options: RulesOptions = {},
): LedgerRules {
  return {
    parameters,
    keys,
    sha256,
    contracts: contractSupport(keys, options),
    describeAccount: (account) => stringifyJson(accountAsRead(account)),
    describePrivilege: (account) => stringifyJson(accountAsRead(account).priv ?? {}),
  };
}

export function contractSupport(
  keys: KeyFormat,
  { logContract = () => {} }: RulesOptions = {},
): ContractSupport {
  return {
    engine: new QuickJsEngine(),
    checkSyntax: rememberVerdicts(checkSyntaxOnThread, sha256),
    utils: utilsLibrary({
      keys,
      sha256,
      verifySignature: verifyLedgerSignature,
      log: logContract,
      decimals: keys.profile.nativeAsset.decimals,
    }),
  };
}
