/**
 * Who is let in to an account: whoever knows its password, unless it is locked. An account that does not exist is
 * asked for its password like any other, with the same work and the same answer. A guess counts when its hash is
 * ready, and only if the account is not locked by then: however many come at once, a few are heard.
 */
import { type Attempts, afterFailure, isLocked, noAttempts } from '@symbolon/core/custody/password-lock';
import { Fault } from '@symbolon/core/faults/faults';
import { addressCaller, type RateLimiter } from '@symbolon/host/http/rate-limit';
import { remembered } from '@symbolon/host/work/remembered';
import type { Encrypted } from '../database/schema.ts';
import { contexts } from '../vault/encryption-contexts.ts';
import type { CustodyParts } from './custody-parts.ts';
import {
  type CustodyAccountRow,
  findCustodyAccount,
  forgetAttempts,
  readAttempts,
  writeAttempts,
} from './custody-rows.ts';
import type { PasswordHash, Passwords } from './passwords.ts';

export interface Knock {
  readonly address: string;
  readonly password: string;
  /** The network address it comes from. */
  readonly from: string;
  /** Besides the password, for what it alone cannot do: an API key of who runs the service. */
  readonly approval?: string;
}

export interface PasswordGate {
  /** The account; throws `passwordWrong`, `custodyKeyLocked`, `tooManyRequests`, `overloaded`. */
  enter(knock: Knock): Promise<CustodyAccountRow>;
  hash(password: string, from: string): Promise<PasswordHash>;
  /** The hash as the account of this address keeps it. */
  encrypt(address: string, hash: PasswordHash): Promise<Encrypted>;
}

export interface PasswordGateOptions extends CustodyParts {
  readonly passwords: Passwords;
  /** Wrong passwords of one network address. */
  readonly wrongPasswords: RateLimiter;
}

export function createPasswordGate(options: PasswordGateOptions): PasswordGate {
  const { database, vault, clock, passwords, wrongPasswords, counts } = options;
  const { kysely } = database;
  const encryptHash = (address: string, hash: PasswordHash): Promise<Encrypted> =>
    vault.encryptDocument(hash, contexts.custodyPassword(address));
  const decoyAddress = 'decoy';
  const decoy = remembered(() => encryptHash(decoyAddress, passwords.decoy()));

  const hashFor = async (account: CustodyAccountRow | undefined): Promise<PasswordHash> => {
    if (account) return vault.decryptDocument(account.password, contexts.custodyPassword(account.address));
    return vault.decryptDocument(await decoy(), contexts.custodyPassword(decoyAddress));
  };

  return {
    async enter({ address, password, from }) {
      const caller = addressCaller(from);
      const refuseTooMany = (): void => {
        const { isAllowed, resetSeconds } = wrongPasswords.look(caller);
        if (!isAllowed) throw new Fault('tooManyRequests', { retryAfterSeconds: resetSeconds });
      };
      refuseTooMany();
      const account = await findCustodyAccount(kysely, address);
      refuseLocked((await readAttempts(kysely, address)) ?? noAttempts, clock.nowMs());
      // Asked again when the hash is due: of many that came at once the first may have used up what is left.
      const isRight = await passwords.isRight(password, await hashFor(account), {
        caller,
        before: refuseTooMany,
      });
      const isIn = isRight && account !== undefined;
      if (!isIn) {
        wrongPasswords.take(caller);
        counts.wrongPasswords += 1;
      }
      if (isIn) await forgetGuesses(options, address);
      else await countGuess(options, { address, isKnown: account !== undefined });
      if (!isIn) throw new Fault('passwordWrong');
      return account;
    },
    hash: (password, from) => passwords.hash(password, addressCaller(from)),
    encrypt: encryptHash,
  };
}

/** After the right password; throws when the account was locked before it was checked. */
async function forgetGuesses({ database, clock }: PasswordGateOptions, address: string): Promise<void> {
  const attempts = await readAttempts(database.kysely, address);
  if (!attempts) return;
  refuseLocked(attempts, clock.nowMs());
  await forgetAttempts(database.kysely, address);
}

/** Counts a wrong password; one that comes too late is answered like a right one that does. */
async function countGuess(
  { database, clock, audit, counts }: PasswordGateOptions,
  { address, isKnown }: { readonly address: string; readonly isKnown: boolean },
): Promise<void> {
  const now = clock.nowMs();
  const isLockedNow = await database.transaction(async (queries) => {
    const attempts = (await readAttempts(queries, address)) ?? noAttempts;
    refuseLocked(attempts, now);
    const next = afterFailure(attempts, now);
    await writeAttempts(queries, { address, ...next, now });
    const locks = isLocked(next, now);
    // Locks of accounts that do not exist would fill the log with whatever strangers make up.
    const details = { count: next.failures };
    if (locks && isKnown) await audit.record({ action: 'custody.lock', subject: address, details }, queries);
    return locks;
  });
  if (isLockedNow) counts.locks += 1;
}

function refuseLocked(attempts: Attempts, now: number): void {
  if (!isLocked(attempts, now)) return;
  const retryAfterSeconds = Math.ceil((attempts.lockedUntil - now) / 1_000);
  throw new Fault('custodyKeyLocked', { retryAfterSeconds });
}
