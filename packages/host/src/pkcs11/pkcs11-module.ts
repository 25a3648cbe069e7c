/**
 * A module that is initialised. A process has one state for each module, whoever uses it, so uses are counted: the
 * first initialises it and the last finalises it. Also finds the slot whose token has a given label.
 */
import { hsmLimits } from '../limits/server-limits.ts';
import { Turns } from '../work/turns.ts';
import { flags, resultName, resultOk } from './constants.ts';
import { type Cryptoki, loadCryptoki } from './cryptoki.ts';
import { allocate, packInitializeArguments, packWord, readWord, wordBytes } from './native-memory.ts';
import { expectOk, Pkcs11Error } from './pkcs11-error.ts';

export interface Pkcs11Module {
  readonly cryptoki: Cryptoki;
  /** For whoever works with one of its tokens; who changes what a token holds takes all of them. */
  readonly turns: Turns;
  /** To be called once, after everything opened through it is closed. */
  close(): Promise<void>;
}

interface SharedModule {
  readonly cryptoki: Cryptoki;
  readonly turns: Turns;
  uses: number;
  /** False where somebody else in this process initialised it, and will finalise it. */
  isOurs: boolean;
  /** For opening and closing, one after the other. */
  readonly useTurns: Turns;
}

/** By path: the state of a module is the process's, so this is too. */
const modules = new Map<string, SharedModule>();

export async function openPkcs11Module(file: string): Promise<Pkcs11Module> {
  const shared = modules.get(file) ?? {
    cryptoki: loadCryptoki(file),
    turns: new Turns(hsmLimits.callsMax),
    uses: 0,
    isOurs: false,
    useTurns: new Turns(1),
  };
  modules.set(file, shared);
  await shared.useTurns.run(async () => {
    if (shared.uses === 0) shared.isOurs = await initialize(shared.cryptoki);
    shared.uses += 1;
  });
  let isOpen = true;
  return {
    cryptoki: shared.cryptoki,
    turns: shared.turns,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await shared.useTurns.run(async () => {
        shared.uses -= 1;
        if (shared.uses === 0 && shared.isOurs)
          expectOk('C_Finalize', await shared.cryptoki.call('C_Finalize', null));
      });
    },
  };
}

async function initialize(cryptoki: Cryptoki): Promise<boolean> {
  const result = await cryptoki.call('C_Initialize', packInitializeArguments(flags.osLockingOk));
  if (resultName(result) === 'CKR_CRYPTOKI_ALREADY_INITIALIZED') return false;
  expectOk('C_Initialize', result);
  return true;
}

/** CK_TOKEN_INFO: the label comes first, 32 bytes filled up with spaces; flags follow after 64 bytes more. */
const tokenInfo = { bytes: 208, labelBytes: 32, flagsAt: 96, initialized: 0x400 } as const;

/** The label of a token as it stands in its description. */
export const readTokenLabel = (info: Uint8Array): string =>
  Buffer.from(info.subarray(0, tokenInfo.labelBytes))
    .toString('utf8')
    .replace(/[ \0]+$/, '');

/** The slot of the one token with this label. Slots change their numbers, labels stay. */
export async function findTokenSlot(cryptoki: Cryptoki, label: string): Promise<number> {
  const slots = await listSlots(cryptoki);
  const found: number[] = [];
  for (const slot of slots) {
    const info = allocate(tokenInfo.bytes);
    // A slot whose token cannot be described is not the one; a broken reader beside it must not be in the way.
    if ((await cryptoki.call('C_GetTokenInfo', slot, info)) !== resultOk) continue;
    const isInitialized = (readWord(info.bytes, tokenInfo.flagsAt) & tokenInfo.initialized) !== 0;
    if (isInitialized && readTokenLabel(info.bytes) === label) found.push(slot);
  }
  const [slot] = found;
  if (slot === undefined)
    throw new Pkcs11Error('tokenUnknown', `The hardware module has no token with the label "${label}".`);
  if (found.length > 1)
    throw new Pkcs11Error('tokenAmbiguous', `${found.length} tokens have the label "${label}".`);
  return slot;
}

async function listSlots(cryptoki: Cryptoki): Promise<number[]> {
  const list = allocate(hsmLimits.slotsMax * wordBytes);
  const count = packWord(hsmLimits.slotsMax);
  const withToken = 1;
  expectOk('C_GetSlotList', await cryptoki.call('C_GetSlotList', withToken, list, count));
  const slots = Math.min(readWord(count.bytes), hsmLimits.slotsMax);
  return Array.from({ length: slots }, (_, index) => readWord(list.bytes, index * wordBytes));
}
