/**
 * What can go wrong with a store on disk, each as a type of its own, each naming the folder. None of these is
 * an answer to a client: a node that meets one stops and tells its operator.
 */

export abstract class StoreError extends Error {
  readonly folder: string;

  constructor(folder: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.folder = folder;
  }
}

/** Stored bytes are not what was written: a file is damaged, cut short or missing. */
export class StoreCorrupt extends StoreError {
  override name = 'StoreCorrupt';
  readonly damage: string;
  readonly key: string | undefined;

  constructor(folder: string, damage: string, options: { key?: Uint8Array; cause?: unknown } = {}) {
    const key = options.key === undefined ? undefined : shortHex(options.key);
    const row = key === undefined ? '' : ` (row ${key})`;
    super(folder, `store ${folder} is damaged: ${damage}${row}`, { cause: options.cause });
    this.damage = damage;
    this.key = key;
  }
}

/** Another process, or another part of this one, has the folder open. */
export class StoreLocked extends StoreError {
  override name = 'StoreLocked';

  constructor(folder: string, options?: ErrorOptions) {
    super(folder, `store ${folder} is already open elsewhere`, options);
  }
}

/** The folder holds a store that another version of the node made. */
export class StoreFormatMismatch extends StoreError {
  override name = 'StoreFormatMismatch';
  readonly found: number | undefined;

  constructor(folder: string, found: number | undefined, expected: number) {
    const made = found === undefined ? 'has no format version' : `has format version ${found}`;
    super(folder, `store ${folder} ${made}; this node reads version ${expected}`);
    this.found = found;
  }
}

/** The machine refused: disk full, permission, input or output error. */
export class StoreFailed extends StoreError {
  override name = 'StoreFailed';

  constructor(folder: string, what: string, options?: ErrorOptions) {
    super(folder, `store ${folder} failed: ${what}`, options);
  }
}

const shownKeyBytes = 24;

function shortHex(key: Uint8Array): string {
  const shown = Buffer.from(key.subarray(0, shownKeyBytes)).toString('hex');
  return key.length > shownKeyBytes ? `${shown}… of ${key.length} bytes` : shown;
}

/** Turns what LevelDB or the file system throws into one of the types above. */
export function toStoreError(folder: string, thrown: unknown, key?: Uint8Array): StoreError {
  if (thrown instanceof StoreError) return thrown;
  // A failed opening arrives wrapped: the reason is its cause.
  const outer = thrown as { code?: unknown; cause?: unknown };
  const error = (outer.code === 'LEVEL_DATABASE_NOT_OPEN' && outer.cause) || thrown;
  const code = (error as { code?: unknown }).code;
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'LEVEL_LOCKED') return new StoreLocked(folder, { cause: error });
  if (code === 'LEVEL_CORRUPTION') return new StoreCorrupt(folder, message, { key, cause: error });
  if (/no such file/i.test(message)) {
    return new StoreCorrupt(folder, `a file is missing: ${message}`, { key, cause: error });
  }
  return new StoreFailed(folder, message, { cause: error });
}
