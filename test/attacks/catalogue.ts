/** All kinds of attacks, by theme. */
import { frames } from './frames.ts';
import { bindings, disclosures, holders } from './holders.ts';
import { proofBytes } from './proof-bytes.ts';
import { ranges } from './ranges.ts';
import { revealedValues } from './revealed-values.ts';
import { registries, selfMadeIssuers } from './self-made-issuers.ts';
import { severalCredentials } from './several-credentials.ts';
import { statuses } from './statuses.ts';
import { stolenKeys } from './stolen-keys.ts';
import type { Attack } from './three-verifiers.ts';

export const catalogue: Readonly<Record<string, readonly Attack[]>> = {
  'revealed values': revealedValues,
  ranges,
  frames,
  holders,
  'challenge and domain': bindings,
  'what was asked for': disclosures,
  'several credentials': severalCredentials,
  'bytes of the proof': proofBytes,
  'self-made issuers': selfMadeIssuers,
  'stolen keys': stolenKeys,
  registries,
  statuses,
};
