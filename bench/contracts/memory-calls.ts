/**
 * Calls of a token contract for the engine alone: everything a contract sees on the ledger, names, values and gas
 * included, but the storage is a map, and an event is only counted.
 */
import { create } from '@bufbuild/protobuf';
import { assert } from '@symbolon/core/basics/assert';
import { libraryOf } from '@symbolon/core/ledger/contracts/chain-library';
import { valuesOf } from '@symbolon/core/ledger/contracts/chain-values';
import { ContractRuns } from '@symbolon/core/ledger/contracts/contract-runs';
import type { ContractFrame } from '@symbolon/core/ledger/operations/operation';
import type { BuiltIn, ContractCall, ContractEngine } from '@symbolon/core/ledger/terms/engine';
import { StateLayer } from '@symbolon/core/ledger/terms/state';
import { contractLimits } from '@symbolon/core/limits/consensus';
import { TransactionSchema } from '@symbolon/core/proto/ledger_pb';
import { genesisSchema } from '@symbolon/ledger-node/chain/genesis-document';
import { ledgerRulesOf } from '@symbolon/ledger-node/chain/ledger-rules';
import { addressOfPerson, seedOf } from '../ledger/people.ts';
import { createRandom } from '../statistics.ts';
import type { TokenContract } from './token-contracts.ts';

const people = 1_000;
const balanceOfEach = 1_000_000;
const callGas = BigInt(contractLimits.builtInSteps) * contractLimits.gasPerStep;

export class MemoryCalls {
  /** What transfers did outside the interpreter, in calls. */
  readonly counts = { loads: 0, stores: 0, events: 0 };
  readonly #storage = new Map<string, string>();
  readonly #calls: readonly ContractCall[];
  #next = 0;

  constructor(token: TokenContract) {
    const addresses = Array.from({ length: people }, (_, index) => addressOfPerson(index));
    for (const address of addresses) this.#storage.set(token.balanceKey(address), String(balanceOfEach));
    const { frame, runs } = beginningOf(token);
    const library = libraryOf(frame.entry, runs.rules.contracts.utils);
    const functions = [...library.functions];
    for (const [name, builtIn] of Object.entries(this.#storageCalls())) {
      assert(library.names.includes(name), `contracts see ${name}`);
      functions[library.names.indexOf(name)] = (args) => {
        runs.meter.left -= callGas;
        return builtIn(args);
      };
    }
    const caller = { frame, runs };
    const random = createRandom(3);
    this.#calls = addresses.map((sender, index) => ({
      code: token.code,
      entry: 'main',
      // Anybody but oneself.
      input: token.transferInput(addresses[(index + 1 + random(people - 1)) % people], 1 + random(9)),
      values: valuesOf({ ...frame, sender }, { ...runs, outermostSender: frame.sender }),
      builtIns: library.names,
      callBuiltIn: (place, args) => functions[place](args, caller),
      meter: runs.meter,
    }));
  }

  #storageCalls(): Record<string, BuiltIn> {
    return {
      'Chain.load': ([key]) => {
        this.counts.loads += 1;
        return this.#storage.get(key as string) ?? false;
      },
      'Chain.store': ([key, value]) => {
        this.counts.stores += 1;
        this.#storage.set(key as string, value as string);
        return true;
      },
      'Chain.tlog': () => {
        this.counts.events += 1;
        return true;
      },
    };
  }

  /** The next transfer; answers the gas it took. `code` instead of the token's own. */
  run(engine: ContractEngine, code?: string): bigint {
    const planned = this.#calls[this.#next++ % people];
    const call = code === undefined ? planned : { ...planned, code };
    call.meter.left = contractLimits.gasMax;
    const outcome = engine.run(call);
    assert(
      outcome.kind === 'returned' && outcome.value === true,
      `a transfer ended with ${JSON.stringify(outcome)}`,
    );
    return contractLimits.gasMax - call.meter.left;
  }

  /** Nothing may have come or gone. */
  check(): void {
    let sum = 0;
    for (const value of this.#storage.values()) sum += Number(value);
    assert(sum === people * balanceOfEach, 'transfers conserve the sum of all balances');
  }
}

/** A run as the ledger would begin it, with nothing but the contract's own code and an empty state below. */
function beginningOf({ code }: TokenContract): { frame: ContractFrame; runs: ContractRuns } {
  const [genesisAddress, validator] = [addressOfPerson(0), addressOfPerson(1)];
  const result = ledgerRulesOf(
    genesisSchema.parse({ profile: 'zetrix', genesisAddress, validators: [validator] }),
  );
  assert('rules' in result, 'the benchmark has rules');
  const sourceAddress = addressOfPerson(2);
  const transaction = create(TransactionSchema, {
    sourceAddress,
    nonce: 7n,
    gasPrice: 1n,
    feeLimit: 100_000n,
  });
  const hash = seedOf('transaction');
  const block = {
    seq: 1_000n,
    closeTime: 1_700_000_000_000_000n,
    validators: result.rules.parameters.validators,
    hashBefore: () => undefined,
  };
  const runs = new ContractRuns({ transaction, hash, envelopeBytes: 0 }, block, result.rules);
  const frame: ContractFrame = {
    address: addressOfPerson(3),
    code,
    entry: 'main',
    input: '',
    layer: new StateLayer({ read: () => undefined }),
    startedBy: { transaction, hash },
    sender: sourceAddress,
    operationIndex: 0,
    sent: { coinAmount: 0n },
  };
  return { frame, runs };
}
