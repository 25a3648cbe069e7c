/**
 * Records of an issuer as a service has them after years: credentials of three templates and a thousand holders, some
 * revoked, some suspended, a third expired, and as many applications. They stand in the database alone: the ledger is
 * asked about each that is shown, and says that it has none.
 */
import { randomBytes } from 'node:crypto';
import { contexts } from '@symbolon/credential-service/vault/encryption-contexts';
import type { AllParts } from '@symbolon/credential-service/wiring/all-parts';

export interface FillOrder {
  readonly issuer: string;
  readonly count: number;
}

const rowsAtOnce = 500;
const dayMs = 86_400_000;
const did = (digits: string): string => `did:zid:${digits.padStart(64, '0')}`;

export const benchTemplate = (place: number): string => did(`7e${place % 3}`);
export const benchHolder = (place: number): string => did(`b0${(place * 7_919) % 1_000}`);

const statusOf = (place: number) =>
  place % 50 === 0 ? ('revoked' as const) : place % 33 === 0 ? ('suspended' as const) : ('active' as const);

export async function fillRecords(
  { database, vault }: AllParts,
  { issuer, count }: FillOrder,
): Promise<void> {
  const now = Date.now();
  for (let first = 0; first < count; first += rowsAtOnce) {
    const places = Array.from({ length: Math.min(rowsAtOnce, count - first) }, (_, index) => first + index);
    const shared = places.map((place) => {
      const at = now - (count - place) * 1_000;
      return {
        vcId: did(randomBytes(32).toString('hex')),
        templateId: benchTemplate(place),
        templateVersion: '1.0.0',
        issuer,
        holder: benchHolder(place),
        createdAt: at,
        updatedAt: at,
      };
    });
    const credentials = shared.map(async (row, index) => ({
      ...row,
      digest: '00'.repeat(32),
      status: statusOf(places[index]),
      anchorTx: 'ab'.repeat(32),
      anchorSeq: 1,
      validFrom: row.createdAt,
      validUntil: places[index] % 3 === 0 ? now - dayMs : now + 1_000 * dayMs,
      label: await vault.encryptText(`Holder ${places[index]}`, contexts.credentialLabel(row.vcId)),
      downloadExpiresAt: now + dayMs,
    }));
    const applications = shared.map((row) => ({ ...row, state: 'issued' as const }));
    const rows = await Promise.all(credentials);
    await database.transaction(async (queries) => {
      await queries.insertInto('credentials').values(rows).execute();
      await queries.insertInto('applications').values(applications).execute();
    });
  }
}
