/**
 * Credentials that are kept in the vault, each a sealed record: the document as it was verified, names for people that the
 * service told when it came, and what the ledger said of it last, with when.
 */
import { type ParsedCredential, parseCredential } from '@symbolon/core/credential/credential-parsing';
import type { LedgerStatus } from '@symbolon/core/documents/model';
import { Fault } from '@symbolon/core/faults/faults';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { OpenedVault } from '../../../vault/vaults.ts';

/** What the ledger said of a credential. */
export interface LedgerWord {
  readonly status: LedgerStatus;
  /** When it said so, milliseconds since 1970. */
  readonly at: number;
  /** The block that set this status, where it is known. */
  readonly block?: number;
  /** The block of the issuing. The ledger tells it only until something else has happened to the card. */
  readonly recordedIn?: number;
}

/** Words for people. Nothing rests on them. */
export interface CardNames {
  readonly template: string;
  readonly issuer?: string;
  /** By key of the attribute. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface KeptCard {
  readonly vcId: string;
  readonly document: JsonObject;
  readonly parsed: ParsedCredential;
  /** Milliseconds since 1970. */
  readonly keptAt: number;
  readonly names: CardNames;
  readonly word: LedgerWord;
}

export type NewCard = Omit<KeptCard, 'parsed' | 'vcId'>;

const prefix = 'cards/';
const nameOf = (vcId: string): string => `${prefix}${vcId}`;

export async function readCards(vault: Pick<OpenedVault, 'list'>): Promise<readonly KeptCard[]> {
  const cards = (await vault.list(prefix)).flatMap(({ value }) => readCard(value) ?? []);
  return cards.toSorted((left, right) => right.keptAt - left.keptAt);
}

export async function keepCard(
  vault: OpenedVault,
  { document, keptAt, names, word }: NewCard,
): Promise<void> {
  const { id } = parseCredential(document, zetrixProfile).credential;
  const { status, at, block, recordedIn } = word;
  await vault.write(nameOf(id), {
    document,
    keptAt,
    names: { template: names.template, issuer: names.issuer ?? null, labels: { ...names.labels } },
    word: { status, at, block: block ?? null, recordedIn: recordedIn ?? null },
  });
}

/** What the ledger says now, with what it has said before and does not tell any more. */
export const toldWord = ({ recordedIn }: LedgerWord, now: LedgerWord): LedgerWord => ({
  ...(recordedIn !== undefined && { recordedIn }),
  ...now,
});

/** What the ledger says of a card that is here; one that was removed meanwhile stays away. */
export async function keepWord(vault: OpenedVault, card: KeptCard, word: LedgerWord): Promise<void> {
  if ((await vault.read(nameOf(card.vcId))) !== undefined) await keepCard(vault, { ...card, word });
}

const removedPrefix = 'removed/';

/** It is remembered that its owner does not want it: else it would come again by itself. */
export async function removeCard(vault: OpenedVault, vcId: string): Promise<void> {
  await vault.write(`${removedPrefix}${vcId}`, true);
  await vault.remove(nameOf(vcId));
}

/** Numbers of the cards that were removed. */
export const readRemoved = async (vault: OpenedVault): Promise<readonly string[]> =>
  (await vault.list(removedPrefix)).map(({ name }) => name.slice(removedPrefix.length));

/** From here on it comes again, as far as the service has it. */
export const wantAgain = (vault: OpenedVault, vcId: string): Promise<void> =>
  vault.remove(`${removedPrefix}${vcId}`);

const statuses: readonly string[] = ['active', 'suspended', 'revoked', 'unknown'] satisfies LedgerStatus[];

/** What is no card in form, as of another console or of a backup made by hand, is left alone, and not shown. */
function readCard(value: JsonValue): KeptCard | undefined {
  if (!isJsonObject(value)) return undefined;
  const { document, keptAt, names, word } = value;
  if (!isJsonObject(document) || !isJsonObject(names) || !isJsonObject(word)) return undefined;
  if (typeof keptAt !== 'number' || typeof word.at !== 'number' || !statuses.includes(String(word.status)))
    return undefined;
  const parsed = parsedOrNothing(document);
  if (!parsed) return undefined;
  return {
    vcId: parsed.credential.id,
    document,
    parsed,
    keptAt,
    names: readNames(names, parsed),
    word: {
      status: word.status as LedgerStatus,
      at: word.at,
      ...(typeof word.block === 'number' && { block: word.block }),
      ...(typeof word.recordedIn === 'number' && { recordedIn: word.recordedIn }),
    },
  };
}

function parsedOrNothing(document: JsonObject): ParsedCredential | undefined {
  try {
    return parseCredential(document, zetrixProfile);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function readNames({ template, issuer, labels }: JsonObject, { credential }: ParsedCredential): CardNames {
  const texts = isJsonObject(labels)
    ? Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    : [];
  return {
    template: typeof template === 'string' ? template : (credential.type[1] ?? ''),
    ...(typeof issuer === 'string' && { issuer }),
    labels: Object.fromEntries(texts),
  };
}
