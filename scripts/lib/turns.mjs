/**
 * One process at a time does a piece of work in this folder; others wait for it. Whose turn it is stands in a file of
 * .cache with the number of the process, and that of a process that is gone does not count.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { cacheFolder } from './node.mjs';
import { Complaint, say } from './say.mjs';

const waitMsMax = 10 * 60_000;
const pollMs = 500;
const clearedPollMs = 10;
const clearingMsMax = 5_000;

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** The process whose turn it is; 0 when it has just finished or has not signed yet. */
function holderOf(turnFile) {
  try {
    return Number(readFileSync(turnFile, 'utf8')) || 0;
  } catch {
    return 0;
  }
}

function isOlderThan(place, ms) {
  const { mtimeMs } = statSync(place, { throwIfNoEntry: false }) ?? {};
  return mtimeMs !== undefined && Date.now() - mtimeMs > ms;
}

/**
 * Takes away the file of a process that is dead. Of several that see it so only one may look again and take it away, or
 * the slower would take the file of whoever came after the dead one.
 */
function clearDead(turnFile) {
  const clearing = `${turnFile}.clearing`;
  try {
    mkdirSync(clearing);
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Complaint(`${clearing} could not be made (${error.code}).`);
    if (isOlderThan(clearing, clearingMsMax)) rmSync(clearing, { recursive: true, force: true });
    return;
  }
  try {
    const holder = holderOf(turnFile);
    if (holder > 0 && !isAlive(holder)) rmSync(turnFile, { force: true });
  } finally {
    rmSync(clearing, { recursive: true, force: true });
  }
}

/** Whether the turn was free and is ours now. */
function isTaken(turnFile) {
  try {
    writeFileSync(turnFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw new Complaint(`${turnFile} could not be written (${error.code}).`);
    return false;
  }
}

/** Waits until no other process is at it, then does `work`; `doing` is what others are told that it does. */
export async function takingTurns(name, doing, work) {
  mkdirSync(cacheFolder, { recursive: true });
  const turnFile = path.join(cacheFolder, `${name}.pid`);
  const began = Date.now();
  for (let told = false; !isTaken(turnFile); ) {
    const holder = holderOf(turnFile);
    const isDead = holder > 0 && !isAlive(holder);
    if (isDead) clearDead(turnFile);
    if (Date.now() - began > waitMsMax)
      throw new Complaint(`Process ${holder} ${doing}, and has for too long. End it, or delete ${turnFile}.`);
    if (!isDead && !told) {
      say(`  … waiting for process ${holder}, which ${doing}`);
      told = true;
    }
    await sleep(isDead ? clearedPollMs : pollMs);
  }
  try {
    return await work();
  } finally {
    rmSync(turnFile, { force: true });
  }
}
