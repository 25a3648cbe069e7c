/**
 * The key that a backup is signed with: the validator's of a node or of the demo, the registrar's of a service. The
 * registrar's is in the vault, so it takes the master key; where that one is not at hand, a key file of the operator's
 * signs (`--key`).
 */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { readServiceKey } from '@symbolon/credential-service/backup/service-backup';
import type { ServiceConfig } from '@symbolon/credential-service/parts/service-config';
import { VaultError } from '@symbolon/credential-service/vault/vault-error';
import { signerFromSeed } from '@symbolon/sdk/keys/signer';
import { readKeyFile } from '../profile/key-file.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';
import type { BackupParts } from './backup-parts.ts';
import { type BackupSigner, signerAs } from './maker.ts';

export interface SignerOrder {
  readonly parts: BackupParts;
  /** The folder with the copied database. */
  readonly copy: string;
  readonly config: ServiceConfig | undefined;
}

/** The signer of what is backed up; says what to do where its key is not there. */
export async function findSigner({ parts, copy, config }: SignerOrder): Promise<BackupSigner> {
  if (parts.ledger !== undefined) {
    const file = path.join(parts.ledger, 'validator.key');
    const isThere = await lstat(file).then(
      () => true,
      () => false,
    );
    if (!isThere) throw noSigner(`${file} is not there`);
    return signerAs('validator', await readKeyFile(file));
  }
  if (parts.service === undefined || !config) throw noSigner('there is no key in it');
  const seed = await readServiceKey(parts.service, { copy, config }).catch((error: unknown) => {
    throw error instanceof VaultError ? noSigner(error.message) : error;
  });
  if (!seed) throw noSigner('the service has never been started, and has no key of its own');
  const signer = await signerFromSeed(seed);
  seed.fill(0);
  return signerAs('service', signer);
}

const noSigner = (why: string): CommandFailure =>
  new CommandFailure(
    `The backup cannot be signed by whom it is of: ${why.replace(/\.$/, '')}.\n` +
      'Sign it with a key of yours: --key and the name of a key file ("symbolon keys new" makes one).',
    exitCodes.config,
  );
