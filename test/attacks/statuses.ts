/** Honest presentations of credentials that no longer hold, or not yet. */
import { unixMsOf } from '@symbolon/core/basics/calendar';
import { forge, forgery } from '../support/credential-fixtures.ts';
import { type AttackWorld, asJson, derive, type GoodCredentials, revealAttributes } from './attack-world.ts';
import { type Attack, proofFails } from './three-verifiers.ts';

const presented = (world: AttackWorld, of: keyof GoodCredentials) =>
  derive(world, world.holder, { vc: asJson(world.credentials[of]), revealAttributes });

const untilOver = async ({ credentials }: AttackWorld): Promise<void> => {
  const end = unixMsOf(credentials.brief.validUntil) as number;
  await new Promise((done) => setTimeout(done, Math.max(0, end - Date.now()) + 50));
};

export const statuses: readonly Attack[] = [
  { name: 'a revoked credential', checks: ['status'], forge: (world) => presented(world, 'revoked') },
  { name: 'a suspended credential', checks: ['status'], forge: (world) => presented(world, 'suspended') },
  { name: 'a credential of later', checks: ['status'], forge: (world) => presented(world, 'future') },
  {
    name: 'an expired credential',
    checks: ['status'],
    forge: async (world) => {
      await untilOver(world);
      return presented(world, 'brief');
    },
  },
  {
    name: 'an expired credential with a longer validity',
    checks: [...proofFails, 'status'],
    forge: async (world) => {
      const longer = forgery.credential({ validUntil: '2099-12-31T00:00:00Z' });
      return forge(await presented(world, 'brief'), world.holder, longer);
    },
  },
  {
    name: 'a revoked credential with the status of a good one',
    checks: [...proofFails, 'status'],
    forge: async (world) => {
      const { credentialStatus } = world.credentials.first;
      const other = forgery.credential({ credentialStatus: { ...credentialStatus } });
      return forge(await presented(world, 'revoked'), world.holder, other);
    },
  },
  {
    name: 'a revoked credential with the identifier of a good one',
    checks: proofFails,
    forge: async (world) => {
      const { id, credentialStatus, validFrom } = world.credentials.first;
      const members = { id, validFrom, credentialStatus: { ...credentialStatus } };
      return forge(await presented(world, 'revoked'), world.holder, forgery.credential(members));
    },
  },
];
