/**
 * What the slots of a list say, derived from the ledger and never edited: all entries once, and from then on those that
 * are new in the list or were changed on the ledger since.
 */
import type { RecordedStatus } from '@symbolon/core/credential/application-states';
import { type MarkedSlots, type SlotStatus, slotOfStatus } from '@symbolon/formats/status-lists/slots';
import { Turns } from '@symbolon/host/work/turns';
import type { Queries } from '../database/schema.ts';
import { statusListWorkLimits as limits } from '../limits/service-limits.ts';
import type { LedgerChanges } from './ledger-changes.ts';
import { type ListName, type PlacedSlot, slotsBehind, slotsOf } from './slot-rows.ts';

export interface DerivedList {
  /** The block that it was derived at, or an earlier one than some of it. */
  readonly seq: number;
  /** Slots taken behind this place are not looked at yet. */
  readonly place: number;
  readonly marked: MarkedSlots;
}

export interface ListSources {
  readonly queries: Queries;
  readonly changes: LedgerChanges;
  readonly addressOf: (issuer: string) => string;
  /** Undefined for what the ledger does not have (yet). Rejects when it does not answer. */
  readonly readStatus: (address: string, vcId: string) => Promise<RecordedStatus | undefined>;
}

const nothing: DerivedList = { seq: 0, place: 0, marked: new Map() };

/** Rejects when the ledger does not answer: then nothing new is known. */
export async function deriveList(
  sources: ListSources,
  name: ListName,
  known: DerivedList | undefined,
): Promise<DerivedList> {
  const address = sources.addressOf(name.issuer);
  const looked = await sources.changes.look();
  const changed = known && looked.changedSince(known.seq, address);
  const before = known && changed ? known : nothing;
  const fresh = await allSlotsBehind(sources.queries, name, before.place);
  const touched = await slotsOf(sources.queries, name, changed ?? []);
  const slots = [...fresh, ...touched];
  const place = fresh.at(-1)?.place ?? before.place;
  if (slots.length === 0) return { ...before, seq: looked.seq };
  const statuses = await readStatuses(sources, address, slots);
  const marked = new Map<number, SlotStatus>(before.marked);
  for (const { slot, vcId } of slots) {
    const status = slotOfStatus[statuses.get(vcId) ?? 'active'];
    if (status === 'valid') marked.delete(slot);
    else marked.set(slot, status);
  }
  return { seq: looked.seq, place, marked };
}

async function allSlotsBehind(
  queries: Queries,
  name: ListName,
  place: number,
): Promise<readonly PlacedSlot[]> {
  const found: PlacedSlot[] = [];
  for (;;) {
    const page = await slotsBehind(queries, name, found.at(-1)?.place ?? place);
    found.push(...page);
    if (page.length < limits.rowsPerPage) return found;
  }
}

async function readStatuses(
  { readStatus }: ListSources,
  address: string,
  slots: readonly PlacedSlot[],
): Promise<ReadonlyMap<string, RecordedStatus>> {
  const turns = new Turns(limits.questionsAtOnce);
  const ids = [...new Set(slots.map(({ vcId }) => vcId))];
  const found = await Promise.all(
    ids.map((vcId) => turns.run(async () => [vcId, await readStatus(address, vcId)] as const)),
  );
  return new Map(found.flatMap(([vcId, status]) => (status ? [[vcId, status] as const] : [])));
}

export const areSameMarks = (left: MarkedSlots, right: MarkedSlots): boolean =>
  left.size === right.size && [...left].every(([slot, status]) => right.get(slot) === status);
