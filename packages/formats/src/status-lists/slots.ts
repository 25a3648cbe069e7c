/**
 * The slots of status lists as bytes. The two kinds count in opposite directions: a Token Status List begins with the
 * lowest bits of a byte, a Bitstring one with the left-most. What a bit stands for is decided in one table.
 */
import type { RecordedStatus } from '@symbolon/core/credential/application-states';

/** What a list says of a slot; the numbers are those of the draft (two bits each). */
export const slotValues = { valid: 0, invalid: 1, suspended: 2 } as const;
export type SlotStatus = keyof typeof slotValues;

export const slotOfStatus: Readonly<Record<RecordedStatus, SlotStatus>> = {
  active: 'valid',
  revoked: 'invalid',
  suspended: 'suspended',
};

/** What a Bitstring list is about, and which status sets its bits. */
export const purposes = { revocation: 'invalid', suspension: 'suspended' } as const;
export type StatusPurpose = keyof typeof purposes;
export const isPurpose = (name: unknown): name is StatusPurpose =>
  typeof name === 'string' && Object.hasOwn(purposes, name);

export type SlotBits = 1 | 2 | 4 | 8;
export const isSlotBits = (value: unknown): value is SlotBits =>
  value === 1 || value === 2 || value === 4 || value === 8;

/** Slots that are not valid; all others are. */
export type MarkedSlots = ReadonlyMap<number, SlotStatus>;

export function tokenListBytes(
  marked: MarkedSlots,
  { slots, bits }: { readonly slots: number; readonly bits: SlotBits },
): Uint8Array {
  const bytes = new Uint8Array((slots * bits) / 8);
  for (const [slot, status] of marked) {
    const at = slot * bits;
    bytes[at >> 3] |= slotValues[status] << (at & 7);
  }
  return bytes;
}

/** Undefined for a slot that the list does not have. */
export function tokenListValue(bytes: Uint8Array, bits: SlotBits, slot: number): number | undefined {
  if (!isSlot(slot, (bytes.length * 8) / bits)) return undefined;
  const at = slot * bits;
  return (bytes[Math.floor(at / 8)] >> (at % 8)) & (2 ** bits - 1);
}

export function bitstringBytes(marked: MarkedSlots, purpose: StatusPurpose, slots: number): Uint8Array {
  const bytes = new Uint8Array(slots / 8);
  for (const [slot, status] of marked)
    if (status === purposes[purpose]) bytes[slot >> 3] |= 0x80 >> (slot & 7);
  return bytes;
}

export function bitstringValue(bytes: Uint8Array, slot: number): boolean | undefined {
  if (!isSlot(slot, bytes.length * 8)) return undefined;
  return (bytes[Math.floor(slot / 8)] & (0x80 >> (slot % 8))) !== 0;
}

const isSlot = (slot: number, slots: number): boolean =>
  Number.isSafeInteger(slot) && slot >= 0 && slot < slots;
