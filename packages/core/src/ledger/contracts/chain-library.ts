/**
 * The functions a running contract sees (docs/ledger.md, "Contracts"): reading the ledger, and changing it through
 * transactions of the contract's own. Reading functions answer false to arguments of the wrong kind; writing ones
 * throw a text that names the argument. In a query the writing ones do not exist.
 */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { encodeUtf8 } from '../../basics/bytes.ts';
import { parseAmount } from '../../basics/plain-values.ts';
import { contractLimits } from '../../limits/consensus.ts';
import { AssetKeySchema, type Operation, OperationSchema } from '../../proto/ledger_pb.ts';
import type { ContractFrame, RunResult } from '../operations/operation.ts';
import type { BlockContext, LedgerRules } from '../terms/chain-parameters.ts';
import type { LedgerRefusal } from '../terms/codes.ts';
import { type BuiltIn, type ContractEntry, ContractException, type ContractValue } from '../terms/engine.ts';
import { legacyChainNames } from '../terms/legacy-names.ts';
import { operationTypes } from '../terms/operation-types.ts';
import { textSteps } from './text-steps.ts';
import { utilsSteps } from './utils-library.ts';

type OperationInit = Omit<MessageInitShape<typeof OperationSchema>, '$typeName'>;

/**
 * What the functions ask of the runs that their frame belongs to. They are handed it: what runs contracts stands above
 * them.
 */
export interface BuiltInRuns {
  readonly rules: LedgerRules;
  readonly block: BlockContext;
  /** Takes steps off the meter; whether they could be paid for. */
  spend(steps: number): boolean;
  /** A run inside another that is no transaction of its own: a query, or borrowed code. */
  nested(frame: ContractFrame): RunResult;
  /** A transaction of the contract's own, executed at once. Failing ends the contract's run with its code. */
  trigger(frame: ContractFrame, operation: Operation): Effects;
  /** Ends the contract's run; the contract cannot catch it. */
  abort(refusal: LedgerRefusal): never;
}

/** What a triggered transaction leaves for the contract that made it. */
export interface Effects {
  /** What the called `main` answered; true if none was called. */
  readonly returned: string | boolean;
  /** The address of the contract that was created. */
  readonly created: string | undefined;
}

/** Whose call it is: what every function is handed beside its arguments. */
interface Caller {
  readonly frame: ContractFrame;
  readonly runs: BuiltInRuns;
}

type LedgerBuiltIn = (args: readonly ContractValue[], caller: Caller) => ContractValue;

/** What a run may call: the names, and the functions in the same order. */
export interface Library {
  readonly names: readonly string[];
  readonly functions: readonly LedgerBuiltIn[];
}

/** Made once for each set of `Utils`, because the engine prepares for each list of names. */
const libraries = new WeakMap<
  ReadonlyMap<string, BuiltIn>,
  { readonly [Kind in 'query' | 'other']: Library }
>();

/** Everything a run may call, each call paid for before it is made. */
export function libraryOf(entry: ContractEntry, utils: ReadonlyMap<string, BuiltIn>): Library {
  const made = libraries.get(utils) ?? {
    query: makeLibrary(utils, readers),
    other: makeLibrary(utils, { ...readers, ...writers }),
  };
  libraries.set(utils, made);
  return entry === 'query' ? made.query : made.other;
}

function makeLibrary(
  utils: ReadonlyMap<string, BuiltIn>,
  chainFunctions: Readonly<Record<string, LedgerBuiltIn>>,
): Library {
  const builtIns = new Map<string, LedgerBuiltIn>();
  for (const [name, builtIn] of utils) {
    const stepsOf = utilsSteps(name);
    builtIns.set(
      name,
      payFor(builtIn, (args) => stepsOf(args) + textSteps(args)),
    );
  }
  for (const [name, builtIn] of Object.entries(chainFunctions)) {
    const { builtInSteps, creationSteps } = contractLimits;
    const steps = name === 'contractCreate' ? creationSteps : builtInSteps;
    const paid = payForAnswer(payFor(builtIn, (args) => steps + textSteps(args)));
    builtIns.set(`Chain.${name}`, paid);
    const legacyName = legacyChainNames[name];
    if (legacyName) builtIns.set(legacyName, paid);
  }
  return { names: [...builtIns.keys()], functions: [...builtIns.values()] };
}

/** A call that cannot be paid for is not made; the engine ends the run when it sees the empty meter. */
const payFor =
  (builtIn: LedgerBuiltIn, stepsOf: (args: readonly ContractValue[]) => number): LedgerBuiltIn =>
  (args, caller) =>
    caller.runs.spend(stepsOf(args)) && builtIn(args, caller);

const payForAnswer =
  (builtIn: LedgerBuiltIn): LedgerBuiltIn =>
  (args, caller) => {
    const answer = builtIn(args, caller);
    caller.runs.spend(textSteps([answer]));
    return answer;
  };

const accountAt = (value: ContractValue, { frame }: Caller) =>
  isText(value) ? frame.layer.account(value) : undefined;

const readers: Readonly<Record<string, LedgerBuiltIn>> = {
  load: ([key], { frame }) =>
    isText(key) ? (frame.layer.metadata(frame.address, key)?.value ?? false) : false,
  getBlockHash: ([offset], { runs }) =>
    typeof offset === 'number' &&
    Number.isInteger(offset) &&
    offset >= 0 &&
    offset < contractLimits.blockHashesMax
      ? (runs.block.hashBefore(offset) ?? false)
      : false,
  getAccountMetadata: ([account, key], caller) =>
    accountAt(account, caller) && isText(key)
      ? (caller.frame.layer.metadata(account as string, key)?.value ?? false)
      : false,
  getBalance: ([account], { frame }) =>
    isText(account) ? String(frame.layer.account(account)?.balance ?? 0n) : false,
  getAccountAsset: ([account, key], caller) => {
    const asset = readAssetKey(key);
    if (!asset || !accountAt(account, caller)) return false;
    const amount = caller.frame.layer.assetAmount(account as string, create(AssetKeySchema, asset));
    return amount > 0n && String(amount);
  },
  getAccountPrivilege: ([account], caller) => {
    const found = accountAt(account, caller);
    return found ? caller.runs.rules.describePrivilege(found) : false;
  },
  getContractProperty: ([account], caller) => {
    const found = accountAt(account, caller);
    if (!found) return false;
    const length = found.contract?.payload.length ?? 0;
    return length > 0 ? { type: found.contract?.type ?? 0, length } : { type: -1, length: 0 };
  },
  getValidators: (_args, { runs }) =>
    runs.block.validators.validators.map((it) => [it.address, String(it.pledgeCoinAmount)]),
  contractQuery: ([target, input], caller) => queried(runQuery(target, input, caller)),
  delegateQuery: ([target, input], caller) =>
    queried(runQuery(target, input, { ...caller, isDelegate: true })),
};

const queried = (result: RunResult | undefined): ContractValue =>
  result && 'value' in result ? { result: result.value } : { error: true };

function runQuery(
  target: ContractValue,
  input: ContractValue,
  { frame, runs, isDelegate }: Caller & { readonly isDelegate?: boolean },
): RunResult | undefined {
  if (!isText(target) || !isText(input)) return undefined;
  const code = frame.layer.account(target)?.contract?.payload;
  if (!code) return undefined;
  return runs.nested({
    ...frame,
    address: isDelegate ? frame.address : target,
    sender: isDelegate ? frame.sender : frame.address,
    code,
    entry: 'query',
    input,
    sent: undefined,
  });
}

const effectsOf = (
  { frame, runs }: Caller,
  type: keyof typeof operationTypes,
  body: OperationInit,
): Effects => runs.trigger(frame, create(OperationSchema, { type: operationTypes[type], ...body }));

function trigger(caller: Caller, type: keyof typeof operationTypes, body: OperationInit): true {
  effectsOf(caller, type, body);
  return true;
}

const metadataAt = (args: readonly ContractValue[], index: number): Uint8Array =>
  encodeUtf8(optionalTextAt(args, index));

const writers: Readonly<Record<string, LedgerBuiltIn>> = {
  store: (args, caller) =>
    trigger(caller, 'setMetadata', { setMetadata: { key: textAt(args, 0), value: textAt(args, 1) } }),
  del: (args, caller) =>
    trigger(caller, 'setMetadata', { setMetadata: { key: textAt(args, 0), deleteFlag: true } }),
  tlog: (args, caller) => {
    if (args.length < 1 || args.length > contractLimits.logArgumentsMax) {
      throw new ContractException(
        `tlog takes a topic and at most ${contractLimits.logArgumentsMax - 1} values`,
      );
    }
    const datas = args.slice(1).map((value, index) => logText(value, index + 1));
    return trigger(caller, 'log', { log: { topic: textAt(args, 0), datas } });
  },
  payCoin: (args, caller) =>
    trigger(caller, 'payCoin', {
      payCoin: { destAddress: textAt(args, 0), amount: amountAt(args, 1), input: optionalTextAt(args, 2) },
      metadata: metadataAt(args, 3),
    }),
  issueAsset: (args, caller) =>
    trigger(caller, 'issueAsset', { issueAsset: { code: textAt(args, 0), amount: amountAt(args, 1) } }),
  payAsset: (args, caller) =>
    trigger(caller, 'payAsset', {
      payAsset: {
        destAddress: textAt(args, 0),
        asset: { key: { issuer: textAt(args, 1), code: textAt(args, 2) }, amount: amountAt(args, 3) },
        input: optionalTextAt(args, 4),
      },
      metadata: metadataAt(args, 5),
    }),
  contractCall: (args, caller) => {
    const [, asset] = args;
    const destAddress = textAt(args, 0);
    const amount = amountAt(args, 2);
    const input = textAt(args, 3);
    const key = asset === true ? undefined : readAssetKey(asset);
    if (asset !== true && !key) throw wrongArgument(1);
    const { returned } = key
      ? effectsOf(caller, 'payAsset', { payAsset: { destAddress, asset: { key, amount }, input } })
      : effectsOf(caller, 'payCoin', { payCoin: { destAddress, amount, input } });
    return returned;
  },
  contractCreate: (args, caller) => {
    const initBalance = amountAt(args, 0);
    if (args[1] !== 0) throw wrongArgument(1);
    const contract = { payload: textAt(args, 2), owner: caller.frame.address };
    const priv = { thresholds: { txThreshold: 1n } };
    const createAccount = { contract, priv, initBalance, initInput: textAt(args, 3) };
    return effectsOf(caller, 'createAccount', { createAccount }).created ?? false;
  },
  delegateCall: (args, { frame, runs }) => {
    const code = frame.layer.account(textAt(args, 0))?.contract?.payload;
    if (!code) throw new ContractException('there is no contract at this address');
    const result = runs.nested({ ...frame, code, entry: 'main', input: textAt(args, 1) });
    return 'refusal' in result ? runs.abort(result.refusal) : result.value;
  },
  setValidators: () => {
    throw new ContractException('only the system contract may set validators');
  },
  configFee: () => {
    throw new ContractException('only the system contract may configure fees');
  },
};

/** Most texts have no surrogates at all, and finding that out is much faster. */
const surrogate = /[\ud800-\udfff]/;
const loneSurrogate = /\p{Surrogate}/u;

/** Half a surrogate pair is no character: nothing on the ledger is called or contains it. */
const isText = (value: ContractValue): value is string =>
  typeof value === 'string' && !(surrogate.test(value) && loneSurrogate.test(value));

const wrongArgument = (index: number): ContractException =>
  new ContractException(`argument ${index} has the wrong type or value`);

function textAt(args: readonly ContractValue[], index: number): string {
  const value = args[index];
  if (!isText(value)) throw wrongArgument(index);
  return value;
}

const optionalTextAt = (args: readonly ContractValue[], index: number): string =>
  args[index] === undefined ? '' : textAt(args, index);

/** Amounts are decimal texts, so that no digit is lost in a JavaScript number. */
function amountAt(args: readonly ContractValue[], index: number): bigint {
  const amount = parseAmount(textAt(args, index));
  if (amount === undefined) throw wrongArgument(index);
  return amount;
}

function logText(value: ContractValue, index: number): string {
  if (typeof value === 'number' || typeof value === 'boolean' || isText(value)) return String(value);
  throw wrongArgument(index);
}

function readAssetKey(value: ContractValue): { issuer: string; code: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { issuer, code } = value as Readonly<Record<string, ContractValue>>;
  return isText(issuer) && isText(code) ? { issuer, code } : undefined;
}
