/**
 * The sessions of one token: a few, each used by one caller at a time, and one more that nobody uses, because a token
 * forgets its login with the last session. When the module loses sessions or login (it was restarted, unplugged), they
 * are made anew and what failed is tried once more. A PIN that was refused is never sent again: the next wrong try may
 * lock the token.
 *
 * Who makes or destroys a key has the whole module alone, whatever it promises about threads: SoftHSM sometimes fails
 * to make a key while others work with theirs, or does not find one that was just made.
 */
import { hsmLimits } from '../limits/server-limits.ts';
import type { Turns } from '../work/turns.ts';
import { flags, loggedInState, normalUser, resultName, resultOk } from './constants.ts';
import type { Cryptoki } from './cryptoki.ts';
import { allocate, copyIn, erase, readWord, wordBytes } from './native-memory.ts';
import { expectOk, isLostSession, isRefusedPin, Pkcs11Error } from './pkcs11-error.ts';
import { findTokenSlot, type Pkcs11Module } from './pkcs11-module.ts';

export interface Session {
  readonly handle: number;
  /** Handles of keys hold for the connection they were found in. */
  readonly connection: number;
}

export interface TokenSessionsOptions extends Pick<Pkcs11Module, 'cryptoki' | 'turns'> {
  readonly tokenLabel: string;
  readonly pin: string;
  /** How long a caller waits. */
  readonly operationMs?: number;
}

export interface RunOptions {
  /** Set for what makes or destroys a key: it has the module alone and is not tried twice, happened or not. */
  readonly isChange?: boolean;
}

export class TokenSessions {
  readonly #cryptoki: Cryptoki;
  readonly #tokenLabel: string;
  readonly #pin: Buffer;
  readonly #operationMs: number;
  readonly #turns: Turns;
  readonly #idle: Session[] = [];
  #slot = 0;
  #anchor: number | undefined;
  #connection = 0;
  #connecting: Promise<void> | undefined;
  #refusal: Pkcs11Error | undefined;
  #closing: Promise<void> | undefined;

  private constructor({
    cryptoki,
    turns,
    tokenLabel,
    pin,
    operationMs = hsmLimits.operationMs,
  }: TokenSessionsOptions) {
    this.#cryptoki = cryptoki;
    this.#turns = turns;
    this.#tokenLabel = tokenLabel;
    this.#pin = Buffer.from(pin, 'utf8');
    this.#operationMs = operationMs;
  }

  static async open(options: TokenSessionsOptions): Promise<TokenSessions> {
    const sessions = new TokenSessions(options);
    await sessions.#inTurn(() => sessions.#connect());
    return sessions;
  }

  /** Runs work in a session of its own. */
  async run<T>(work: (session: Session) => Promise<T>, options: RunOptions = {}): Promise<T> {
    if (this.#closing) throw closed();
    if (this.#turns.waiting >= hsmLimits.waitingMax)
      throw new Pkcs11Error('tooManyWaiting', 'Too many requests wait for the hardware module.');
    return await this.#inTurn(async () => {
      if (this.#closing) throw closed();
      return await this.#runOrRetry(work, options);
    }, options);
  }

  /** Waits for what is under way; what only waits is refused. Closes in the end, also when the caller was told before. */
  close(): Promise<void> {
    this.#closing ??= withinTime(this.#operationMs, () =>
      this.#turns.run(() => this.#close(), { needed: this.#turns.count }),
    );
    return this.#closing;
  }

  /** Who waits too long for a turn leaves the line; who has one keeps it until the module answers. */
  #inTurn<T>(work: () => Promise<T>, { isChange = false }: RunOptions = {}): Promise<T> {
    const needed = isChange ? this.#turns.count : 1;
    return withinTime(this.#operationMs, (signal) => this.#turns.run(work, { needed, signal }));
  }

  async #runOrRetry<T>(work: (session: Session) => Promise<T>, { isChange = false }: RunOptions): Promise<T> {
    const seen = this.#connection;
    try {
      return await this.#runOnce(work);
    } catch (error) {
      if (!isLostSession(error)) throw error;
      await this.#reconnect(seen);
      if (isChange) throw error;
    }
    return await this.#runOnce(work);
  }

  async #runOnce<T>(work: (session: Session) => Promise<T>): Promise<T> {
    await this.#connecting;
    if (this.#refusal) throw this.#refusal;
    const session = this.#idle.pop() ?? (await this.#openUserSession());
    let isClean = false;
    try {
      const result = await work(session);
      isClean = session.connection === this.#connection;
      return result;
    } finally {
      // What failed may have left an operation open; a new session has none.
      if (isClean) this.#idle.push(session);
      else await this.#closeSession(session.handle);
    }
  }

  async #openSession(): Promise<number> {
    const handle = allocate(wordBytes);
    const mode = flags.serialSession | flags.rwSession;
    const result = await this.#cryptoki.call('C_OpenSession', this.#slot, mode, null, null, handle);
    expectOk('C_OpenSession', result);
    return readWord(handle.bytes);
  }

  /** A session that sees private keys: without a login a token does not refuse to look, it finds nothing. */
  async #openUserSession(): Promise<Session> {
    const connection = this.#connection;
    const handle = await this.#openSession();
    const info = allocate(sessionInfo.bytes);
    const result = await this.#cryptoki.call('C_GetSessionInfo', handle, info);
    if (result === resultOk && readWord(info.bytes, sessionInfo.stateAt) === loggedInState)
      return { handle, connection };
    await this.#closeSession(handle);
    expectOk('C_GetSessionInfo', result);
    throw new Pkcs11Error('CKR_USER_NOT_LOGGED_IN', 'The hardware token forgot its login.');
  }

  /** Best effort: a session that cannot be closed is gone already. */
  async #closeSession(handle: number): Promise<void> {
    await this.#cryptoki.call('C_CloseSession', handle);
  }

  /** Connects anew, unless somebody has since `seen`; all who noticed wait for the same attempt. */
  async #reconnect(seen: number): Promise<void> {
    if (!this.#connecting && this.#connection === seen)
      this.#connecting = this.#connect().finally(() => {
        this.#connecting = undefined;
      });
    await this.#connecting;
  }

  async #connect(): Promise<void> {
    if (this.#refusal) throw this.#refusal;
    // First, so that sessions still in use are closed and not kept when they come back.
    this.#connection += 1;
    await this.#closeUnused();
    this.#slot = await findTokenSlot(this.#cryptoki, this.#tokenLabel);
    const handle = await this.#openSession();
    try {
      await this.#login(handle);
    } catch (error) {
      await this.#closeSession(handle);
      throw error;
    }
    this.#anchor = handle;
  }

  async #login(session: number): Promise<void> {
    const pin = copyIn(this.#pin);
    try {
      const result = await this.#cryptoki.call('C_Login', session, normalUser, pin, this.#pin.length);
      // The login is the process's: another user of the same token may have made it.
      if (resultName(result) !== 'CKR_USER_ALREADY_LOGGED_IN') expectOk('C_Login', result);
    } catch (error) {
      if (isRefusedPin(error)) this.#refusal = error;
      throw error;
    } finally {
      erase(pin);
    }
  }

  async #closeUnused(): Promise<void> {
    const handles = this.#idle.splice(0).map(({ handle }) => handle);
    if (this.#anchor !== undefined) handles.push(this.#anchor);
    this.#anchor = undefined;
    for (const handle of handles) await this.#closeSession(handle);
  }

  async #close(): Promise<void> {
    await this.#closeUnused();
    this.#pin.fill(0);
  }
}

/** CK_SESSION_INFO: slot, state, flags, error of the device. */
const sessionInfo = { bytes: 4 * wordBytes, stateAt: wordBytes } as const;

const closed = (): Pkcs11Error => new Pkcs11Error('closed', 'The hardware token is closed.');
const timedOut = (): Pkcs11Error =>
  new Pkcs11Error('timedOut', 'The hardware module did not answer in time.');

/** The caller is told in time; a call that is under way goes on, and keeps its session until it returns. */
async function withinTime<T>(limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const patience = new AbortController();
  const { signal } = patience;
  const timer = setTimeout(() => patience.abort(timedOut()), limitMs);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  try {
    return await Promise.race([work(signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
