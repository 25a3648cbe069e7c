/** What the wallet did: what came, what was paid for, what was shared with whom, what was declined. Sealed in the vault like everything else. */
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { AssetPrice } from '../../../text/price.ts';
import type { OpenedVault } from '../../../vault/vaults.ts';
import { tellActivity } from './activity-news.ts';

export interface SharedPart {
  readonly vcId: string;
  readonly template: string;
  /** Labels and values that left. */
  readonly shared: readonly { readonly label: string; readonly text: string }[];
  /** Ranges that were proved, with the claim in words. */
  readonly proved: readonly {
    readonly key: string;
    readonly label: string;
    readonly claim: string;
    readonly min?: string | number;
    readonly max?: string | number;
  }[];
}

export interface Asker {
  readonly did?: string;
  readonly name?: string;
  /** On whose word it is called so. */
  readonly source?: string;
}

export type ActivityEntry = { readonly id: string; readonly at: number } & (
  | {
      readonly kind: 'received';
      readonly vcId: string;
      readonly template: string;
      readonly issuer: string;
      readonly issuerName?: string;
    }
  | {
      readonly kind: 'paid';
      readonly paymentId: string;
      readonly template: string;
      readonly price: AssetPrice;
      readonly txHash?: string;
    }
  | {
      readonly kind: 'shared';
      readonly request: string;
      readonly asker: Asker;
      readonly purpose?: string;
      readonly parts: readonly SharedPart[];
      /** What came of it; left out where nothing is known to have. */
      readonly isVerified?: boolean;
      /** What was handed in, as long as no answer came: handed in once more, it is the same answer and shows nothing new. */
      readonly presentation?: JsonObject;
    }
  | { readonly kind: 'declined'; readonly request: string; readonly asker: Asker }
);

export type SharedEntry = Extract<ActivityEntry, { kind: 'shared' }>;
/** What left, and nobody knows whether it arrived. */
export type SentEntry = SharedEntry & { readonly presentation: JsonObject };

type FactsOf<Kind extends ActivityEntry['kind']> = Omit<
  Extract<ActivityEntry, { kind: Kind }>,
  'id' | 'at' | 'kind'
>;

const prefix = 'activity/';

type Recorder = Pick<OpenedVault, 'write'>;

/** What has a name of its own happens once, however many ways it becomes known on: it is one entry. */
async function record<Facts extends object>(vault: Recorder, facts: Facts, name?: string) {
  const at = Date.now();
  const id = name ?? `${at}-${crypto.randomUUID()}`;
  const entry = { ...facts, id, at };
  await write(vault, entry);
  return entry;
}

async function write(vault: Recorder, entry: { readonly id: string }): Promise<void> {
  await vault.write(`${prefix}${entry.id}`, entry as unknown as JsonObject);
  tellActivity();
}

export const recordReceived = (vault: Recorder, facts: FactsOf<'received'>) =>
  record(vault, { ...facts, kind: 'received' }, `received-${facts.vcId}`);
export const recordPaid = (vault: Recorder, facts: FactsOf<'paid'>) =>
  record(vault, { ...facts, kind: 'paid' }, `paid-${facts.paymentId}`);
/** Before it leaves: an answer that is lost on its way, or a page that is closed, must not make it forgotten. */
export const recordSent = (
  vault: Recorder,
  facts: FactsOf<'shared'> & Pick<SentEntry, 'presentation'>,
): Promise<SentEntry> => record(vault, { ...facts, kind: 'shared' as const });
/** What came of it; nothing where it was not taken. */
export async function settleSent(
  vault: Recorder,
  { presentation: _sent, ...entry }: SentEntry,
  cameOfIt: Pick<SharedEntry, 'isVerified'>,
): Promise<void> {
  await write(vault, { ...entry, ...cameOfIt });
}
export const recordDeclined = (vault: Recorder, facts: FactsOf<'declined'>) =>
  record(vault, { ...facts, kind: 'declined' });

const kinds: readonly string[] = ['received', 'paid', 'shared', 'declined'] satisfies ActivityEntry['kind'][];

/** Newest first. The vault seals what it holds, so that what is read is what this console wrote. */
export async function readActivity(vault: Pick<OpenedVault, 'list'>): Promise<readonly ActivityEntry[]> {
  const entries = (await vault.list(prefix)).flatMap(({ value }) => readEntry(value) ?? []);
  return entries.toSorted((left, right) => right.at - left.at);
}

function readEntry(value: JsonValue): ActivityEntry | undefined {
  const isEntry =
    isJsonObject(value) &&
    kinds.includes(String(value.kind)) &&
    typeof value.at === 'number' &&
    typeof value.id === 'string';
  return isEntry ? (value as unknown as ActivityEntry) : undefined;
}

/** The last that was sent for a request and of which nothing was heard. */
export const sentFor = (entries: readonly ActivityEntry[], request: string): SentEntry | undefined =>
  entries.find(
    (entry): entry is SentEntry =>
      entry.kind === 'shared' && entry.request === request && entry.presentation !== undefined,
  );

/** Ranges that were proved of a fact before, whichever card it stood on: several may tell what each alone does not. */
export const rangesProvedOf = (
  entries: readonly ActivityEntry[],
  isOfFact: (vcId: string, key: string) => boolean,
) =>
  entries.flatMap((entry) =>
    entry.kind === 'shared'
      ? entry.parts.flatMap(({ vcId, proved }) => proved.filter(({ key }) => isOfFact(vcId, key)))
      : [],
  );
