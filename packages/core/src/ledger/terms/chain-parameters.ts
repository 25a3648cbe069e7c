/**
 * What is fixed for a chain at its first block: identity, fees, reward, and who validates first. Two nodes with different
 * parameters have different genesis headers, so they cannot mistake each other's chain for their own.
 */
import type { Sha256 } from '../../basics/bytes.ts';
import type { KeyFormat } from '../../keys/keys.ts';
import type { Account, FeeConfig, Misbehavior, ValidatorSet } from '../../proto/ledger_pb.ts';
import type { BuiltIn, ContractEngine } from './engine.ts';
import type { CheckContractSyntax } from './syntax.ts';

export interface ChainParameters {
  readonly chainId: bigint;
  readonly ledgerVersion: bigint;
  readonly genesisAddress: string;
  readonly genesisBalance: bigint;
  /** A text written into the first header. */
  readonly slogan: string;
  readonly fees: FeeConfig;
  /** Those of the first block. Who validates a later one is state: its block context says it. */
  readonly validators: ValidatorSet;
  /** Set where validators agree on blocks with each other (docs/ledger.md, "Networks"); else one node makes them alone. */
  readonly network?: NetworkParameters | undefined;
}

export interface NetworkParameters {
  /** The account whose `validators` entry says who validates. */
  readonly council: string;
}

/** What consensus says of a block beside its transactions and its time: nothing, where one node makes it alone. */
export interface BlockFrame {
  /** In a network: whom it pays, the `payTo` of the validator that proposed it. */
  readonly proposer?: string | undefined;
  /** In a network: what was proved against validators since the block before. */
  readonly misbehavior?: readonly Misbehavior[] | undefined;
}

/** The block a transaction is executed in. */
export interface BlockContext extends BlockFrame {
  readonly seq: bigint;
  /** Microseconds since 1970. */
  readonly closeTime: bigint;
  /** Who signs it. */
  readonly validators: ValidatorSet;
  /** The hash, in hex, of the block so many before the last closed one. */
  hashBefore(offset: number): string | undefined;
}

/** What every rule may look at besides the state: the chain's parameters and the pure functions given to core. */
export interface LedgerRules {
  readonly parameters: ChainParameters;
  readonly keys: KeyFormat;
  readonly sha256: Sha256;
  readonly contracts: ContractSupport;
  /** An account as the text that `account(…)` of an expression answers: the query interface's own rendering. */
  describeAccount(account: Account): string;
  /** An account's privileges as the text that `Chain.getAccountPrivilege` answers. */
  describePrivilege(account: Account): string;
}

/** What running contracts takes beyond the pure rules. */
export interface ContractSupport {
  readonly engine: ContractEngine;
  readonly checkSyntax: CheckContractSyntax;
  /** `Utils.*` and its older plain names. */
  readonly utils: ReadonlyMap<string, BuiltIn>;
}
