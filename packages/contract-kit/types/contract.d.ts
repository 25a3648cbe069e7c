/**
 * The language of contracts, for editors and type checkers: what a contract sees besides plain JavaScript. A contract
 * is one script with the functions `init(input)`, `main(input)` and `query(input)`; see docs/contracts.md.
 *
 * "Init and main only" marks what does not exist in a query. Functions that change the ledger do it at once, as a
 * transaction of the contract's own; where such a transaction fails, the whole run fails with its code.
 */

/** An asset by who issued it and its code. */
interface AssetKey {
  readonly issuer: string;
  readonly code: string;
}

/** The assets that came with a call. */
interface SentAsset {
  /** Decimal text. */
  readonly amount: string;
  readonly key: AssetKey;
}

/** How a query of another contract ended. */
type QueryResult = { readonly result: string | boolean } | { readonly error: true };

/** A 64- or 256-bit integer: canonical decimal text ("12", "-7"), or a number that prints as one. */
type Integer = string | number;

/** The ledger: what is being executed, what it holds, and ways to change it. */
declare namespace Chain {
  /** The block that is being built. */
  const block: {
    readonly number: number;
    /** Its close time in microseconds since 1970. */
    readonly timestamp: number;
  };

  /** The signed transaction at the bottom of everything. */
  const tx: {
    /** Its source. */
    readonly initiator: string;
    /** The source of its operation that is being executed. */
    readonly sender: string;
    readonly gasPrice: number;
    readonly feeLimit: number;
    /** In hex. */
    readonly hash: string;
  };

  /** What started this run: the signed transaction, or one of a calling contract. */
  const msg: {
    /** The source of the transaction that started this run. */
    readonly initiator: string;
    /** The source of its operation: who calls. A calling contract's address when a contract calls. */
    readonly sender: string;
    /** Coins sent along, decimal text; in `init` the initial balance. Init and main only. */
    readonly coinAmount: string;
    /** Assets sent along, if any. Init and main only. */
    readonly asset?: SentAsset;
    /** The nonce of the transaction that started this run. */
    readonly nonce: number;
    /** The place of the operation in that transaction. */
    readonly operationIndex: number;
  };

  /** The contract's own address. In a delegated call it stays the address of the caller. */
  const thisAddress: string;

  /** The text stored under a key, or false when there is none. */
  function load(key: string): string | false;

  /**
   * Stores a text under a key of 1 to 1,024 bytes; values have up to 262,144 bytes. Returns true. Throws on anything
   * but texts. Init and main only.
   */
  function store(key: string, value: string): true;

  /** Removes a key. Returns true; fails with code 4 when there is no such key. Init and main only. */
  function del(key: string): true;

  /** The hash, in hex, of the block so many before the last closed one (0 to 1023), or false. */
  function getBlockHash(offset: number): string | false;

  /**
   * Leaves an event on the ledger: a topic of 1 to 128 bytes and up to five values of 1 to 1,024 bytes each as text.
   * Returns true. Throws on other values. Init and main only.
   */
  function tlog(topic: string, ...values: (string | number | boolean)[]): true;

  /** What an account, also another contract, has stored under a key; false when there is none. */
  function getAccountMetadata(address: string, key: string): string | false;

  /** An account's coins as decimal text, "0" for an account that does not exist; false on a wrong argument. */
  function getBalance(address: string): string | false;

  /** How much of an asset an account holds, as decimal text; false without such an account. */
  function getAccountAsset(address: string, asset: AssetKey): string | false;

  /** An account's signers, weights and thresholds as JSON text; false without such an account. */
  function getAccountPrivilege(address: string): string | false;

  /** Whether an account is a contract, and how long its code is: type -1 and length 0 for a plain account. */
  function getContractProperty(address: string): { readonly type: number; readonly length: number } | false;

  /** The validators with their pledges as decimal text. */
  function getValidators(): readonly (readonly [address: string, pledge: string])[];

  /**
   * Pays coins; `amount` is decimal text, 0 or more. A contract at the address runs its `main` with `input`; an
   * address without an account gets one. Returns true. Fails with 100 when the balance is too low. Init and main only.
   */
  function payCoin(address: string, amount: string, input?: string, metadata?: string): true;

  /** Issues more of an asset of this contract's own. Returns true. Init and main only. */
  function issueAsset(code: string, amount: string): true;

  /**
   * Pays an asset to an account that exists; a contract there runs its `main` with `input`. Returns true. Fails with
   * 104 when the contract holds too little, 103 without the account. Init and main only.
   */
  function payAsset(
    address: string,
    issuer: string,
    code: string,
    amount: string,
    input?: string,
    metadata?: string,
  ): true;

  /**
   * Runs another contract's `main` and sends coins (`asset` is true) or an asset along. Returns what that `main`
   * returned if it is text or a boolean, else false; true for a plain account. Init and main only.
   */
  function contractCall(
    address: string,
    asset: true | AssetKey,
    amount: string,
    input: string,
  ): string | boolean;

  /** Asks another contract's `query`. Never throws: whatever goes wrong there is `{error: true}`. */
  function contractQuery(address: string, input: string): QueryResult;

  /**
   * Creates a contract that this one owns, with `balance` coins; `type` is 0. Returns its address. Fails with 152 on
   * code that the syntax check refuses, and with what its `init` fails with. Init and main only.
   */
  function contractCreate(balance: string, type: 0, code: string, input: string): string;

  /**
   * Runs another contract's `main` as if its code stood here: with this contract's address, storage and caller.
   * Returns what that `main` returned. Trust that code as your own. Init and main only.
   */
  function delegateCall(address: string, input: string): string | boolean;

  /** Runs another contract's `query` over this contract's storage. Never throws. */
  function delegateQuery(address: string, input: string): QueryResult;

  /** For the system's own contracts; always throws in others. Init and main only. */
  function setValidators(validators: string): never;

  /** For the system's own contracts; always throws in others. Init and main only. */
  function configFee(fees: string): never;
}

/** Checks, arithmetic and cryptography. Nothing here touches the ledger; all of it exists in a query too. */
declare namespace Utils {
  /** A line for the node's own log, and for `receipt.logs` in tests. No client ever sees it. */
  function log(value: unknown): void;

  /**
   * Returns true, or throws the message ("Assertion exception occurred" without one). The condition must be a boolean.
   */
  function assert(condition: boolean, message?: string): asserts condition;

  /** Whether a text is a canonical 64-bit integer: printing the number gives the same text. */
  function stoI64Check(text: string): boolean;

  /** The sum. Throws when it exceeds 64 bits, or an argument is not canonical. */
  function int64Add(left: Integer, right: Integer): string;
  /** The difference. Throws when it exceeds 64 bits, or an argument is not canonical. */
  function int64Sub(left: Integer, right: Integer): string;
  /** The product. Throws when it exceeds 64 bits, or an argument is not canonical. */
  function int64Mul(left: Integer, right: Integer): string;
  /** The quotient, cut. Throws unless `left` is 0 or more and `right` above 0. */
  function int64Div(left: Integer, right: Integer): string;
  /** The remainder. Throws unless `left` is 0 or more and `right` above 0. */
  function int64Mod(left: Integer, right: Integer): string;
  /** 1, 0 or -1 as `left` is greater than, equal to or less than `right`. Throws on an argument that is not canonical. */
  function int64Compare(left: Integer, right: Integer): 1 | 0 | -1;
  /** Bits set in both; negative numbers are two's complement. */
  function int64And(left: Integer, right: Integer): string;
  /** Bits set in either. */
  function int64Or(left: Integer, right: Integer): string;
  /** Bits set in one of the two. */
  function int64Xor(left: Integer, right: Integer): string;
  /** Every bit turned over. */
  function int64Not(value: Integer): string;
  /** Shifted left by 0 to 63 bits; what leaves the 64 bits is lost. */
  function int64LShift(value: Integer, bits: Integer): string;
  /** Shifted right by 0 to 63 bits; the sign stays. */
  function int64RShift(value: Integer, bits: Integer): string;
  /** Shifted right by 0 to 63 bits as an unsigned number: zeros come in. */
  function uint64RShift(value: Integer, bits: Integer): string;

  /** Whether a text is a canonical 256-bit integer. */
  function stoI256Check(text: string): boolean;

  /** The sum. Throws when it exceeds 256 bits, or an argument is not canonical. */
  function int256Add(left: Integer, right: Integer): string;
  /** The difference. Throws when it exceeds 256 bits, or an argument is not canonical. */
  function int256Sub(left: Integer, right: Integer): string;
  /** The product. Throws when it exceeds 256 bits, or an argument is not canonical. */
  function int256Mul(left: Integer, right: Integer): string;
  /** The quotient, cut. Throws unless `left` is 0 or more and `right` above 0. */
  function int256Div(left: Integer, right: Integer): string;
  /** The remainder. Throws unless `left` is 0 or more and `right` above 0. */
  function int256Mod(left: Integer, right: Integer): string;
  /** 1, 0 or -1 as `left` is greater than, equal to or less than `right`. */
  function int256Compare(left: Integer, right: Integer): 1 | 0 | -1;
  /** Bits set in both; negative numbers are two's complement. */
  function int256And(left: Integer, right: Integer): string;
  /** Bits set in either. */
  function int256Or(left: Integer, right: Integer): string;
  /** Bits set in one of the two. */
  function int256Xor(left: Integer, right: Integer): string;
  /** Every bit turned over. */
  function int256Not(value: Integer): string;
  /** Shifted left by 0 to 255 bits. Throws when the result exceeds 256 bits. */
  function int256LShift(value: Integer, bits: Integer): string;
  /** Shifted right by 0 to 255 bits; the sign stays. */
  function int256RShift(value: Integer, bits: Integer): string;
  /** Shifted right by 0 to 255 bits as an unsigned number: zeros come in. */
  function uint256RShift(value: Integer, bits: Integer): string;
  /** `base` to the power of `exponent`, 0 to 10,000. Throws when the result exceeds 256 bits. */
  function int256Pow(base: Integer, exponent: Integer): string;
  /** The largest integer whose square is not greater. Throws on a negative number. */
  function int256Sqrt(value: Integer): string;
  /** The lesser of the two. */
  function int256Min(left: Integer, right: Integer): string;
  /** The greater of the two. */
  function int256Max(left: Integer, right: Integer): string;

  /** The decimal text of an unsigned hex number of up to 64 digits, without prefix; false for anything else. */
  function hexToDec(hex: string): string | false;

  /** "1.5" coins in the smallest unit ("1500000"). Throws on signs, needless zeros, more than 6 decimals, overflow. */
  function toBaseUnit(text: string): string;

  /** Whether a text is an address. */
  function addressCheck(text: string): boolean;

  /** The address of an encoded public key, or false. */
  function toAddress(publicKey: string): string | false;

  /** SHA-256 in hex of hex digits (`form` 0, the default), text (1) or base64 (2); false when that is nothing. */
  function sha256(data: string, form?: 0 | 1 | 2): string | false;

  /** Whether an Ed25519 signature (128 hex digits) of an encoded public key fits the data; `form` as in sha256. */
  function ecVerify(signature: string, publicKey: string, data: string, form?: 0 | 1 | 2): boolean;
}

// The plain names of the first days. Old contracts use them; new ones say `Chain` and `Utils`.

/** @deprecated Say `Chain.msg.sender`. */
declare const sender: string;
/** @deprecated Say `Chain.thisAddress`. */
declare const thisAddress: string;
/** @deprecated Say `Chain.msg.operationIndex`. */
declare const triggerIndex: number;
/** @deprecated Say `Chain.block.number`. */
declare const blockNumber: number;
/** @deprecated Say `Chain.block.timestamp`. */
declare const blockTimestamp: number;
/** @deprecated Say `Chain.msg.coinAmount`. Init and main only. */
declare const thisPayCoinAmount: string;
/** @deprecated Say `Chain.msg.asset`. Init and main only. */
declare const thisPayAsset: SentAsset | undefined;

/** @deprecated Say `Chain.load`. */
declare const storageLoad: typeof Chain.load;
/** @deprecated Say `Chain.store`. Init and main only. */
declare const storageStore: typeof Chain.store;
/** @deprecated Say `Chain.del`. Init and main only. */
declare const storageDel: typeof Chain.del;
/** @deprecated Say `Chain.getBlockHash`. */
declare const getBlockHash: typeof Chain.getBlockHash;
/** @deprecated Say `Chain.tlog`. Init and main only. */
declare const tlog: typeof Chain.tlog;
/** @deprecated Say `Chain.getBalance`. */
declare const getBalance: typeof Chain.getBalance;
/** @deprecated Say `Chain.getAccountAsset`. */
declare const getAccountAsset: typeof Chain.getAccountAsset;
/** @deprecated Say `Chain.getValidators`. */
declare const getValidators: typeof Chain.getValidators;
/** @deprecated Say `Chain.payCoin`. Init and main only. */
declare const payCoin: typeof Chain.payCoin;
/** @deprecated Say `Chain.issueAsset`. Init and main only. */
declare const issueAsset: typeof Chain.issueAsset;
/** @deprecated Say `Chain.payAsset`. Init and main only. */
declare const payAsset: typeof Chain.payAsset;
/** @deprecated Say `Chain.contractQuery`. */
declare const contractQuery: typeof Chain.contractQuery;
/** @deprecated For the system's own contracts. Init and main only. */
declare const setValidators: typeof Chain.setValidators;
/** @deprecated For the system's own contracts. Init and main only. */
declare const configFee: typeof Chain.configFee;

/** @deprecated Say `Utils.log`. */
declare const log: typeof Utils.log;
/** @deprecated Say `Utils.assert`. */
declare const assert: typeof Utils.assert;
/** @deprecated Say `Utils.addressCheck`. */
declare const addressCheck: typeof Utils.addressCheck;
/** @deprecated Say `Utils.stoI64Check`. */
declare const stoI64Check: typeof Utils.stoI64Check;
/** @deprecated Say `Utils.int64Add`. */
declare const int64Add: typeof Utils.int64Add;
/** @deprecated Say `Utils.int64Sub`. */
declare const int64Sub: typeof Utils.int64Sub;
/** @deprecated Say `Utils.int64Mul`. */
declare const int64Mul: typeof Utils.int64Mul;
/** @deprecated Say `Utils.int64Div`. */
declare const int64Div: typeof Utils.int64Div;
/** @deprecated Say `Utils.int64Mod`. */
declare const int64Mod: typeof Utils.int64Mod;
/** @deprecated Say `Utils.int64Compare`. */
declare const int64Compare: typeof Utils.int64Compare;
/** @deprecated Say `Utils.toBaseUnit`. */
declare const toBaseUnit: typeof Utils.toBaseUnit;
