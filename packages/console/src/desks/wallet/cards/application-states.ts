/** Where an application stands, and whether the card that it has become is still to be fetched. Pure. */
import type { OwnApplication } from './card-intake.ts';

type Status = OwnApplication['status'];

/** Whoever decides has decided where it is not `waiting`. */
export type ApplicationStanding = 'waiting' | 'rejected' | 'issued' | 'suspended' | 'revoked';

const states: Readonly<Record<Status, ApplicationStanding>> = {
  Pending: 'waiting',
  Approved: 'waiting',
  Rejected: 'rejected',
  Issued: 'issued',
  Suspended: 'suspended',
  Revoked: 'revoked',
};

export const applicationStanding = (status: Status): ApplicationStanding => states[status];

/** It has become a credential, whatever became of that: also one that is good for nothing any more is shown as that. */
const isCard = (state: ApplicationStanding): boolean => state !== 'waiting' && state !== 'rejected';

/** `known`: numbers of the cards that are here, or are not wanted, in lower case. */
export function isToFetch(
  { status, vcId, downloadExpiresAt }: Pick<OwnApplication, 'status' | 'vcId' | 'downloadExpiresAt'>,
  known: readonly string[],
  now: number,
): boolean {
  const isThere = downloadExpiresAt === undefined || Date.parse(downloadExpiresAt) > now;
  return isCard(applicationStanding(status)) && isThere && !known.includes(vcId.toLowerCase());
}
