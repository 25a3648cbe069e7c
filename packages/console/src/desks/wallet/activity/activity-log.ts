/** What the wallet did: what came, what was paid for, what was shared with whom, what was declined. Sealed in the vault like everything else. */
import { isJsonObject, type JsonObject, type JsonValue } from '@symbolon/wire/json/json';
import type { AssetPrice } from '../../../text/price.ts';
import type { OpenedVault } from '../../../vault/vaults.ts';

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
      readonly isVerified: boolean;
    }
  | { readonly kind: 'declined'; readonly request: string; readonly asker: Asker }
);

type FactsOf<Kind extends ActivityEntry['kind']> = Omit<
  Extract<ActivityEntry, { kind: Kind }>,
  'id' | 'at' | 'kind'
>;

const prefix = 'activity/';

type Recorder = Pick<OpenedVault, 'write'>;

/** What has a name of its own happens once, however many ways it becomes known on: it is one entry. */
async function record(vault: Recorder, facts: object, name?: string): Promise<void> {
  const at = Date.now();
  const id = name ?? `${at}-${crypto.randomUUID()}`;
  await vault.write(`${prefix}${id}`, { ...facts, id, at } as unknown as JsonObject);
}

export const recordReceived = (vault: Recorder, facts: FactsOf<'received'>): Promise<void> =>
  record(vault, { ...facts, kind: 'received' }, `received-${facts.vcId}`);
export const recordPaid = (vault: Recorder, facts: FactsOf<'paid'>): Promise<void> =>
  record(vault, { ...facts, kind: 'paid' }, `paid-${facts.paymentId}`);
export const recordShared = (vault: Recorder, facts: FactsOf<'shared'>): Promise<void> =>
  record(vault, { ...facts, kind: 'shared' });
export const recordDeclined = (vault: Recorder, facts: FactsOf<'declined'>): Promise<void> =>
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
