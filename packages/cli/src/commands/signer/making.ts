/** `symbolon signer init|join|show`: the folder of a signer. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import { consensusAddress } from '@symbolon/core/ledger/terms/validators';
import { sha256 } from '@symbolon/host/work/sha256';
import { takeCometSigning } from '@symbolon/ledger-node/node/taking-over';
import { publicKeyOf } from '@symbolon/ledger-node/signatures/ed25519';
import { readSignedState, stateUpTo } from '@symbolon/ledger-node/signer/signed-state';
import {
  chainIdOfGenesis,
  makeSignerFolder,
  type NewSigner,
  readSignerFacts,
  setChain,
  socketPathOf,
  socketProblem,
} from '@symbolon/ledger-node/signer/signer-folder';
import { findOrMakeKey, seedFromFile } from '@symbolon/ledger-node/signer/signing-key';
import { isFree, makeFolder } from '../../machine/durable-files.ts';
import { recordSigner } from '../../network/member.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, processTerminal } from '../../terminal/terminal.ts';

interface InitWords {
  readonly data: string;
  readonly connect: string;
  readonly genesis?: string;
  readonly hsmModule?: string;
  readonly hsmToken?: string;
  readonly hsmKey: string;
  readonly fromHome?: string;
  readonly keyFile?: string;
  readonly after?: bigint;
  readonly json?: boolean;
}

type MadeSigner = Pick<NewSigner, 'publicKey' | 'key' | 'last' | 'chainId'>;

export async function initSigner(words: InitWords): Promise<void> {
  const { data, connect, genesis, fromHome, json } = words;
  if (socketPathOf(connect) === undefined) throw usageFailure(`--connect ${socketProblem(connect)}.`);
  if (!(await isFree(data)))
    throw usageFailure(
      `${data} is not an empty folder.\nA signer gets a folder of its own. Name another one.`,
    );
  assertOneSource(words);
  const chainId = genesis === undefined ? undefined : await chainIdOfGenesis(genesis);
  await makeFolder(path.dirname(path.resolve(data)));
  const made = fromHome === undefined ? await keyOf(words) : await takenFrom(fromHome, words, chainId);
  if (fromHome === undefined) await makeSignerFolder(data, { connect, chainId, ...made });
  const facts = {
    ...keyFacts(made.publicKey),
    chainId: made.chainId ?? chainId ?? null,
    inToken: 'hsm' in made.key,
  };
  if (json) return printJson(processTerminal, { data, ...facts });
  printFields(processTerminal, `A signer is in ${data}.`, {
    'public key': facts.publicKey,
    address: facts.address,
    'its key': facts.inToken ? `in the token ${words.hsmToken}` : path.join(data, 'validator.key'),
    ...(facts.chainId !== null && { chain: facts.chainId }),
  });
  if (fromHome !== undefined)
    processTerminal.remark(
      `The key is no longer in ${fromHome}: the CometBFT there waits for this signer at ${connect}.`,
    );
  processTerminal.remark(
    facts.chainId === null
      ? `Say for which chain: symbolon signer join --data ${shellWord(data)} --genesis <genesis.json of CometBFT>`
      : `Start it with: symbolon signer start --data ${shellWord(data)}`,
  );
}

/** Key, memory and chain of a CometBFT, moved into the folder. */
async function takenFrom(
  home: string,
  { data, connect, genesis }: InitWords,
  named: string | undefined,
): Promise<MadeSigner> {
  const moved = await takeCometSigning(home, connect, async ({ seed, last, chainId }) => {
    if (named !== undefined && named !== chainId)
      throw usageFailure(
        `${genesis} is of the chain ${named}, and ${home} of ${chainId}; nothing was changed.\nLeave out --genesis: the home names its chain.`,
      );
    const made = { publicKey: publicKeyOf(seed), key: { seed }, last, chainId };
    await makeSignerFolder(data, { connect, ...made });
    return made;
  });
  await recordSigner(home, connect);
  return moved;
}

function assertOneSource({ hsmModule, hsmToken, fromHome, keyFile, after }: InitWords): void {
  if ([hsmModule, fromHome, keyFile].filter((said) => said !== undefined).length > 1)
    throw usageFailure('A key comes from one place: --hsm-module, --from-home or --key-file.');
  if ((hsmModule === undefined) !== (hsmToken === undefined))
    throw usageFailure('A hardware module is named by --hsm-module and --hsm-token, both of them.');
  if (fromHome !== undefined && after !== undefined)
    throw usageFailure('--from-home knows what was signed, so there is no --after.');
}

async function keyOf({ hsmModule, hsmToken, hsmKey, keyFile, after }: InitWords): Promise<MadeSigner> {
  const last = stateUpTo(after ?? 0n);
  if (hsmModule === undefined || hsmToken === undefined) {
    if ((after === undefined) !== (keyFile === undefined))
      throw usageFailure(
        '--key-file and --after go together: of a key that is there it must be said up to which height it may have signed, and a new one has signed nothing.',
      );
    const seed = keyFile === undefined ? randomBytes(32) : await seedFromFile(keyFile);
    return { publicKey: publicKeyOf(seed), key: { seed }, last };
  }
  const pin = process.env.SYMBOLON_SIGNER_HSM_PIN;
  if (!pin)
    throw usageFailure(
      'The PIN of the token is missing.\nSet SYMBOLON_SIGNER_HSM_PIN; it is not kept in the folder.',
    );
  const token = { module: hsmModule, tokenLabel: hsmToken };
  const { id, publicKey, isNew } = await findOrMakeKey({ ...token, pin }, hsmKey);
  if (!isNew && after === undefined)
    throw usageFailure(
      `The token has a key with the label "${hsmKey}", and what it has signed is not known here.\nTo use it, say up to which height it may have signed: --after <height>. To have a new one, name another label: --hsm-key.`,
    );
  return { publicKey, key: { hsm: { ...token, keyId: id } }, last };
}

const keyFacts = (publicKey: Uint8Array) => ({
  publicKey: encodeHex(publicKey),
  address: encodeHex(consensusAddress(publicKey, sha256)).toUpperCase(),
});

interface JoinWords {
  readonly data: string;
  readonly genesis: string;
  readonly json?: boolean;
}

export async function joinChain({ data, genesis, json }: JoinWords): Promise<void> {
  const chainId = await chainIdOfGenesis(genesis);
  await setChain(data, chainId);
  if (json) return printJson(processTerminal, { data, chainId });
  processTerminal.print(`The signer in ${data} signs for ${chainId}, and for no other chain.`);
}

export async function showSigner({ data, json }: Omit<JoinWords, 'genesis'>): Promise<void> {
  const { publicKey, chainId, connect, inToken } = await readSignerFacts(data);
  const raw = parseHex(publicKey) as Uint8Array;
  const { height, round, step } = await readSignedState(data, raw);
  const facts = { ...keyFacts(raw), chainId: chainId ?? null, connect, inToken };
  if (json) return printJson(processTerminal, { ...facts, last: { height: Number(height), round, step } });
  printFields(processTerminal, `The signer in ${data}`, {
    'public key': facts.publicKey,
    address: facts.address,
    chain: chainId ?? 'none yet',
    connects: connect,
    'last height': height,
  });
}
