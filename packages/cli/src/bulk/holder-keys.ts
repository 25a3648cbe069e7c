/**
 * Holders' own keys, for tests and demonstrations: a folder with one key file a holder, named by the hex part of the
 * DID. In earnest a holder's key is the holder's, and rows are about applications that holders made themselves.
 */
import path from 'node:path';
import { didOfSigner, type Signer } from '@symbolon/sdk/keys/signer';
import { readKeyFile } from '../profile/key-file.ts';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';

/** A holder without a usable key: a matter of that row alone. */
export class HolderKeyMissing extends Error {
  override name = 'HolderKeyMissing';
}

export async function readHolderKey(folder: string, holder: string): Promise<Signer> {
  const name = `${holder.slice(holder.lastIndexOf(':') + 1)}.key`;
  let signer: Signer;
  try {
    signer = await readKeyFile(path.join(folder, name));
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const why =
      error.exitCode === exitCodes.config
        ? 'can be reached by others'
        : 'is not in the folder, or is not a key';
    throw new HolderKeyMissing(`the holder's key ${name} ${why}`);
  }
  if (didOfSigner(signer) === holder) return signer;
  throw new HolderKeyMissing(`the key in ${name} is another holder's`);
}
