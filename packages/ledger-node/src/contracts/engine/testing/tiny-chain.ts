/**
 * A chain small enough to test the engine alone: storage in a map, a few built-in functions, and a call with
 * everything filled in. Not the ledger's rules; those are tested with the ledger.
 */
import {
  type BuiltIn,
  ContractAbort,
  type ContractCall,
  type ContractEngine,
  type ContractEntry,
  ContractException,
  type ContractOutcome,
  type ContractValue,
  type ContractValues,
} from '@symbolon/core/ledger/terms/engine';

export interface TinyCall {
  readonly code: string;
  readonly entry?: ContractEntry;
  readonly input?: string;
  readonly gas?: bigint;
  readonly values?: ContractValues;
}

export interface TinyResult {
  readonly outcome: ContractOutcome;
  readonly gas: bigint;
}

export const tinyGasMax = 10_240_000n;
const builtInGas = 1_000n;

export const tinyValues: ContractValues = {
  'Chain.block.number': 7,
  'Chain.block.timestamp': 1_700_000_000_000_000,
  'Chain.tx.initiator': 'ZTX3initiator',
  'Chain.tx.hash': 'ab'.repeat(32),
  'Chain.msg.sender': 'ZTX3sender',
  'Chain.msg.coinAmount': '0',
  'Chain.msg.asset.amount': '5',
  'Chain.msg.asset.key.issuer': 'ZTX3issuer',
  'Chain.msg.asset.key.code': 'ABC',
  'Chain.thisAddress': 'ZTX3contract',
  sender: 'ZTX3sender',
  blockNumber: 7,
};

export class TinyChain {
  readonly engine: ContractEngine;
  readonly storage = new Map<string, string>();
  /** The arguments of every call of `Chain.note`. */
  readonly notes: (readonly ContractValue[])[] = [];
  /** What `Chain.answer` answers. */
  answer: ContractValue;

  constructor(engine: ContractEngine) {
    this.engine = engine;
  }

  run({ gas = tinyGasMax, ...call }: TinyCall): TinyResult {
    const meter = { left: gas };
    const outcome = this.engine.run(this.callOf({ ...call }, meter));
    return { outcome, gas: gas - meter.left };
  }

  callOf(
    { code, entry = 'main', input = '', values = tinyValues }: TinyCall,
    meter: ContractCall['meter'],
  ): ContractCall {
    const builtIns = this.#builtInsOf(entry, meter);
    const functions = [...builtIns.values()];
    return {
      code,
      entry,
      input,
      values,
      builtIns: [...builtIns.keys()],
      callBuiltIn: (index, args) => (functions[index] as BuiltIn)(args),
      meter,
    };
  }

  #builtInsOf(entry: ContractEntry, meter: ContractCall['meter']): ReadonlyMap<string, BuiltIn> {
    const touching =
      (builtIn: BuiltIn): BuiltIn =>
      (args) => {
        meter.left -= builtInGas;
        return builtIn(args);
      };
    const load = touching(([key]) => (typeof key === 'string' ? (this.storage.get(key) ?? false) : false));
    const store = touching(([key, value]) => {
      if (typeof key !== 'string' || typeof value !== 'string') throw new ContractException('not a string');
      this.storage.set(key, value);
      return true;
    });
    const nested = touching(([code, input]) => {
      const outcome = this.engine.run(this.callOf({ code: String(code), input: String(input) }, meter));
      return outcome.kind === 'returned' ? outcome.value : JSON.stringify(outcome);
    });
    const readable: [string, BuiltIn][] = [
      ['Chain.load', load],
      ['Chain.note', (args) => void this.notes.push(args)],
      ['Chain.answer', () => this.answer],
      ['Chain.left', () => String(meter.left)],
      [
        'Utils.assert',
        ([condition, text]) => condition === true || raise(String(text ?? 'assertion failed')),
      ],
      ['storageLoad', load],
    ];
    const writing: [string, BuiltIn][] = [
      ['Chain.store', store],
      ['Chain.nested', nested],
      ['Chain.abort', ([text]) => abort(String(text))],
      ['Chain.crash', () => JSON.parse('no JSON')],
      ['storageStore', store],
    ];
    return new Map(entry === 'query' ? readable : [...readable, ...writing]);
  }
}

function raise(text: string): never {
  throw new ContractException(text);
}

function abort(text: string): never {
  throw new ContractAbort(text);
}
