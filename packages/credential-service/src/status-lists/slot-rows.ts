/**
 * Slots of status lists: drawn at random among the free ones, in the transaction that issues. Whoever takes slots of a
 * list holds its row until that transaction ends, so however many processes issue at once, no slot is given away twice
 * and none is waited for in a circle.
 */
import { randomInt } from 'node:crypto';
import { assert } from '@symbolon/core/basics/assert';
import { Fault } from '@symbolon/core/faults/faults';
import { statusListLimits } from '@symbolon/formats/limits/format-limits';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Queries, ServiceSchema } from '../database/schema.ts';
import { addOnce } from '../database/statements.ts';
import { statusListWorkLimits as limits } from '../limits/service-limits.ts';

export interface ListName {
  /** A DID. */
  readonly issuer: string;
  readonly list: number;
}

export interface TakenSlot {
  readonly list: number;
  readonly slot: number;
}

export interface SlotsOrder {
  readonly issuer: string;
  /** The entry on the ledger, which all instances share. */
  readonly vcId: string;
  /** One for each instance. */
  readonly count: number;
  readonly now: number;
  /** Of a list; a power of two. */
  readonly slots?: number;
}

/** All of one list. Only in the transaction that issues: what is rolled back has taken nothing. */
export async function takeSlots(
  queries: Transaction<ServiceSchema>,
  order: SlotsOrder,
): Promise<readonly TakenSlot[]> {
  const { issuer, vcId, count, slots = statusListLimits.slots } = order;
  assert(count >= 1 && count <= limits.slotsPerIssueMax, 'so many credentials are issued at once');
  const { list, firstPlace } = await holdList(queries, order, Math.floor(slots * limits.takenShare));
  const taken: number[] = [];
  for (let draw = 0; draw < limits.drawsMax && taken.length < count; draw++) {
    const drawn = new Set<number>();
    while (drawn.size < count - taken.length) drawn.add(randomInt(slots));
    const rows = [...drawn].map((slot, index) => ({
      issuer,
      list,
      slot,
      place: firstPlace + taken.length + index,
      vcId,
    }));
    taken.push(...(await addFree(queries, rows)));
  }
  if (taken.length < count)
    throw new Fault('overloaded', { detail: 'No free slot of a status list was found' });
  return taken.map((slot) => ({ list, slot }));
}

type SlotRow = ServiceSchema['statusSlots'];

/** Those that were free, with places one behind the other. */
async function addFree(queries: Kysely<ServiceSchema>, rows: readonly SlotRow[]): Promise<number[]> {
  const [{ issuer, list, place: firstPlace }] = rows;
  const used = await queries
    .selectFrom('statusSlots')
    .select('slot')
    .where('issuer', '=', issuer)
    .where('list', '=', list)
    .where(
      'slot',
      'in',
      rows.map(({ slot }) => slot),
    )
    .execute();
  const usedSlots = new Set(used.map(({ slot }) => slot));
  const free = rows
    .filter(({ slot }) => !usedSlots.has(slot))
    .map((row, index) => ({ ...row, place: firstPlace + index }));
  if (free.length > 0) await queries.insertInto('statusSlots').values(free).execute();
  return free.map(({ slot }) => slot);
}

/** The newest list that has room, its row held; a new one where none has. */
async function holdList(
  queries: Transaction<ServiceSchema>,
  { issuer, count, now }: SlotsOrder,
  takenMax: number,
): Promise<{ readonly list: number; readonly firstPlace: number }> {
  for (let attempt = 0; attempt < limits.drawsMax; attempt++) {
    const list = await newestList(queries, issuer);
    const held =
      list === undefined
        ? undefined
        : await queries
            .updateTable('statusLists')
            .set({ taken: sql<number>`"taken" + ${count}` })
            .where('issuer', '=', issuer)
            .where('list', '=', list)
            .where('taken', '<=', takenMax - count)
            .returning('taken')
            .executeTakeFirst();
    if (held && list !== undefined) return { list, firstPlace: Number(held.taken) - count + 1 };
    const next = list === undefined ? 0 : list + 1;
    await addOnce(queries, 'statusLists', { issuer, list: next, taken: 0, createdAt: now });
  }
  throw new Fault('overloaded', { detail: 'No status list with room was found' });
}

async function newestList(queries: Queries, issuer: string): Promise<number | undefined> {
  const newest = await queries
    .selectFrom('statusLists')
    .select('list')
    .where('issuer', '=', issuer)
    .orderBy('list', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.list;
}

export async function hasList(queries: Queries, { issuer, list }: ListName): Promise<boolean> {
  const found = await queries
    .selectFrom('statusLists')
    .select('list')
    .where('issuer', '=', issuer)
    .where('list', '=', list)
    .executeTakeFirst();
  return found !== undefined;
}

export type PlacedSlot = Pick<SlotRow, 'slot' | 'place' | 'vcId'>;

/** Slots that were taken behind a place, in the order of taking. */
export const slotsBehind = (
  queries: Queries,
  { issuer, list }: ListName,
  place: number,
): Promise<readonly PlacedSlot[]> =>
  queries
    .selectFrom('statusSlots')
    .select(['slot', 'place', 'vcId'])
    .where('issuer', '=', issuer)
    .where('list', '=', list)
    .where('place', '>', place)
    .orderBy('place')
    .limit(limits.rowsPerPage)
    .execute();

/** Whose a slot is; undefined for one that was never taken. */
export async function credentialAt(
  queries: Queries,
  { issuer, list, slot }: ListName & TakenSlot,
): Promise<string | undefined> {
  const found = await queries
    .selectFrom('statusSlots')
    .select('vcId')
    .where('issuer', '=', issuer)
    .where('list', '=', list)
    .where('slot', '=', slot)
    .executeTakeFirst();
  return found?.vcId;
}

/** Slots of some credentials in a list. */
export async function slotsOf(
  queries: Queries,
  { issuer, list }: ListName,
  vcIds: readonly string[],
): Promise<readonly PlacedSlot[]> {
  const found: PlacedSlot[] = [];
  for (let at = 0; at < vcIds.length; at += limits.rowsPerPage / 10)
    found.push(
      ...(await queries
        .selectFrom('statusSlots')
        .select(['slot', 'place', 'vcId'])
        .where('vcId', 'in', vcIds.slice(at, at + limits.rowsPerPage / 10))
        .where('issuer', '=', issuer)
        .where('list', '=', list)
        .execute()),
    );
  return found;
}

/** Which entry of the ledger a slot is of. */
export async function findSlotEntry(
  queries: Queries,
  { issuer, list }: ListName,
  slot: number,
): Promise<string | undefined> {
  const found = await queries
    .selectFrom('statusSlots')
    .select('vcId')
    .where('issuer', '=', issuer)
    .where('list', '=', list)
    .where('slot', '=', slot)
    .executeTakeFirst();
  return found?.vcId;
}
