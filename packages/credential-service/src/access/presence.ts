/**
 * Whether a signed text of presence is good at this service now. It says nothing about who signed: that is checked
 * with the bytes that come out of it.
 */
import { encodeUtf8 } from '@symbolon/core/basics/bytes';
import { Fault } from '@symbolon/core/faults/faults';
import { type ExpectedPresence, presenceProblem } from '@symbolon/core/presentation/presence-text';
import type { GivenPresence } from '@symbolon/wire/credentials/presence-requests';
import type { ServiceParts } from '../parts/service-parts.ts';

export type WantedPresence = Pick<ExpectedPresence, 'purpose' | 'subject' | 'challenge'>;

/** The bytes that were signed; throws `presenceRefused`. */
export function requirePresence(
  { settings, clock }: Pick<ServiceParts, 'settings' | 'clock'>,
  given: GivenPresence,
  wanted: WantedPresence,
): Uint8Array {
  const expected = { ...wanted, audience: settings.publicUrl, now: clock.nowMs() };
  const problem = presenceProblem(given, expected);
  if (problem !== undefined) throw new Fault('presenceRefused', { detail: `The signed text ${problem}` });
  return encodeUtf8(given.text);
}
