/** `symbolon validator units`: the units of systemd, printed or into a folder. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readSignerFacts, socketPathOf } from '@symbolon/ledger-node/signer/signer-folder';
import { hasJoined, readOwn } from '../../network/member.ts';
import { runtimeFolderOf, unitTexts } from '../../network/units.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { processTerminal } from '../../terminal/terminal.ts';

interface UnitsWords {
  readonly data: string;
  readonly signer?: string;
  readonly user: string;
  readonly signerUser: string;
  readonly symbolon: string;
  readonly cometbft: string;
  readonly out?: string;
}

export async function writeUnits(words: UnitsWords): Promise<void> {
  const { data, signer, user, signerUser, symbolon, cometbft, out } = words;
  const own = await readOwn(data);
  if ((own.signer === undefined) !== (signer === undefined))
    throw usageFailure(
      own.signer === undefined
        ? `The key of the validator in ${data} is with its CometBFT; it has no signer.`
        : `The validator in ${data} has a signer.\nName its folder: --signer`,
    );
  const signed = signer === undefined ? undefined : await signerOf(signer, own.signer as string, signerUser);
  const texts = unitTexts({
    data: path.resolve(data),
    symbolon,
    cometbft,
    user,
    signer: signed,
  });
  const warnings = [
    ...(hasJoined(data)
      ? []
      : [
          `${data} is in no network yet, so what the units start ends at once. Join one first: symbolon validator join --data ${shellWord(data)} --founding founding.json`,
        ]),
    ...(signed === undefined || runtimeFolderOf(signed.socket) !== undefined ? [] : [socketWarning(signed)]),
  ];
  if (out === undefined) {
    for (const [name, text] of Object.entries(texts))
      processTerminal.print([`# ${name}`, ...text.split('\n')]);
    return warn(warnings);
  }
  for (const name of Object.keys(texts))
    if (existsSync(path.join(out, name)))
      throw usageFailure(`${path.join(out, name)} is there already; nothing was written.`);
  for (const [name, text] of Object.entries(texts))
    await writeFile(path.join(out, name), text, { flag: 'wx' });
  processTerminal.print(`${Object.keys(texts).join(', ')} are in ${out}.`);
  warn(warnings);
}

function warn(warnings: readonly string[]): void {
  if (warnings.length > 0) processTerminal.remark(warnings);
}

const socketWarning = ({ socket }: { readonly socket: string }): string =>
  `The signer's socket ${socket} is in no folder below /run: CometBFT may not be allowed to write there, and after "kill -9" its file stays and CometBFT cannot listen again. Have it at /run/symbolon-cometbft/privval.sock, in signer.json ("connect"), validator.json ("signer") and config.toml (priv_validator_laddr).`;

async function signerOf(folder: string, address: string, user: string) {
  const { connect } = await readSignerFacts(folder);
  if (connect !== address)
    throw usageFailure(
      `The signer in ${folder} calls ${connect}, and CometBFT will listen at ${address}.\nThey have to be the same.`,
    );
  return { data: path.resolve(folder), socket: socketPathOf(connect) as string, user };
}
