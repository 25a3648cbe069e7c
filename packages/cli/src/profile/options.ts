/**
 * The words that commands share: options that mean the same everywhere, and what their values must look like. Values
 * are never repeated in complaints: one of them may be a key that was pasted into the wrong place.
 */
import { addressOfDid } from '@symbolon/core/did/did';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { int64Max } from '@symbolon/core/limits/consensus';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { keyFormat } from './key-format.ts';

export const defaultNodeUrl = 'http://127.0.0.1:36002';
export const defaultServiceUrl = 'http://127.0.0.1:8080';

export const jsonOption = () => new Option('--json', 'print JSON');
/** Another word for --ledger or --service, for whoever is used to it. */
export const urlOption = () => new Option('--url <address>').hideHelp();
/** What commands that sign transactions are told of costs; what becomes of it is `transactions/fee-caps.ts`. */
export interface FeeWords {
  readonly feeLimit?: bigint;
  readonly feeLimitMax?: bigint;
  readonly gasPriceMax?: bigint;
}

export const addCapOptions = (command: Command): Command =>
  command
    .option(
      '--fee-limit-max <amount>',
      'the most that a node may evaluate; a small one, if left out',
      coinAmount,
    )
    .option('--gas-price-max <number>', 'the most that a unit of work may cost', amount);

export const addFeeOptions = (command: Command): Command =>
  addCapOptions(
    command.option(
      '--fee-limit <amount>',
      'the most it may cost; a tenth above what the node evaluates, if left out',
      coinAmount,
    ),
  );

/** Of commands that read backups. */
export const madeByOption = () =>
  new Option('--made-by <who>', 'the address or DID of whoever must have made the backup').argParser(
    addressOrDid,
  );

/** Of commands that find their way by a profile (`connection.ts`). */
export const profileOption = () =>
  new Option('--profile <name>', 'addresses and keys to use: a name or a file; the current, if left out').env(
    'SYMBOLON_PROFILE',
  );
export const ledgerOption = () =>
  new Option('--ledger <address>', 'where the node listens, instead of where the profile says').env(
    'SYMBOLON_LEDGER_URL',
  );
export const serviceOption = () =>
  new Option('--service <address>', 'where the service listens, instead of where the profile says').env(
    'SYMBOLON_SERVICE_URL',
  );
/** The second takes back what the profile says. */
export const addSealedOptions = (command: Command): Command =>
  command
    .option('--sealed', 'encrypt what is confidential for the service alone; refuses what cannot be')
    .addOption(new Option('--no-sealed').hideHelp());
/** However somebody spells its capitals. */
export const stateOption = (states: readonly string[]): Option =>
  new Option('--state <name>', 'only those in this state').choices(states).argParser((text) => {
    const meant = states.find((state) => state.toLowerCase() === text.toLowerCase());
    if (meant === undefined) throw new InvalidArgumentError(`Allowed choices are ${states.join(', ')}.`);
    return meant;
  });
export const personOption = (role: string) =>
  new Option('--as <person>', 'who of the profile acts').default(role);
export const keyOption = () =>
  new Option('--key <file>', "a key file, instead of the person's key in the profile");

/** Of people and agents alike: one wallet for each address. */
export const walletOption = () =>
  new Option('--wallet <folder>', 'where wallets keep credentials and count payments').default(
    '.symbolon/wallet',
  );

/** The options of a command that asks a node. */
export const addLedgerOptions = (command: Command): Command =>
  command.addOption(profileOption()).addOption(ledgerOption()).addOption(jsonOption());

/** Of a command that also signs what it sends; `person` is the option that says who does. */
export const addSignerOptions = (command: Command, person: Option): Command =>
  addLedgerOptions(command.addOption(person).addOption(keyOption()));

const coinDecimals = zetrixProfile.nativeAsset.decimals;

/** A whole number that the ledger can count. */
export function amount(text: string): bigint {
  const isNumber = /^[0-9]{1,19}$/.test(text);
  if (isNumber && BigInt(text) <= int64Max) return BigInt(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 9223372036854775807.');
}

const coinsPattern = new RegExp(`^([0-9]{1,13})(?:\\.([0-9]{1,${coinDecimals}}))? ?gas$`, 'i');

export interface CoinsWord {
  /** In the smallest unit. */
  readonly units: bigint;
  /** It was said in Gas, so it is an amount of nothing else. */
  readonly isInGas: boolean;
}

/** An amount of the network's coin: in its smallest unit, or in Gas if it says so. */
export const coinAmount = (text: string): bigint => coinsWord(text).units;

export function coinsWord(text: string): CoinsWord {
  const [, whole, fraction = ''] = coinsPattern.exec(text) ?? [];
  const isInGas = whole !== undefined;
  const units = isInGas ? `${whole}${fraction.padEnd(coinDecimals, '0')}` : text;
  if (/^[0-9]{1,19}$/.test(units) && BigInt(units) <= int64Max) return { units: BigInt(units), isInGas };
  throw new InvalidArgumentError(
    'It must be a whole number in the smallest unit, such as 1500000, or an amount of Gas, such as 1.5gas.',
  );
}

/** A parser of whole numbers from 1 on; `of` says what is counted, as in " of days". */
export const countUpTo =
  (most: number, of = '') =>
  (text: string): number => {
    if (/^[1-9][0-9]{0,14}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number${of} from 1 to ${most}.`);
  };

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** In seconds. */
export function duration(text: string): number {
  const [, count = '', unit = ''] = /^\+?([1-9][0-9]{0,5})([smhdw])$/.exec(text) ?? [];
  if (count !== '') return Number(count) * (secondsOf[unit] ?? 0);
  throw new InvalidArgumentError('It must be a duration such as 90s, 30m, 12h, 1d or 2w.');
}

/** In milliseconds since 1970. */
export function time(text: string): number {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(text);
  const milliseconds = isTime ? Date.parse(text) : Number.NaN;
  if (milliseconds >= 0) return milliseconds;
  throw new InvalidArgumentError('It must be a date or a time such as 2030-01-31 or 2030-01-31T12:00:00Z.');
}

export function accountAddress(text: string): string {
  if (keyFormat.isAddress(text)) return text;
  throw new InvalidArgumentError('It must be an address of this network.');
}

/** The address that is meant, given as such or as a DID. */
export function addressOrDid(text: string): string {
  const address = keyFormat.isAddress(text) ? text : addressOfDid(text, keyFormat);
  if (address !== undefined) return address;
  throw new InvalidArgumentError('It must be an address or a DID of this network.');
}

export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^[0-9]{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is 0 to 65535.');
  return port;
}

export function httpUrl(text: string): string {
  const { protocol } = URL.parse(text) ?? {};
  if (protocol === 'http:' || protocol === 'https:') return text;
  throw new InvalidArgumentError('It must be an address like http://127.0.0.1:36002.');
}
