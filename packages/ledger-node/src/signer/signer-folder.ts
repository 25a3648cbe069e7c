/**
 * The folder of a signer: `signer.json` (its settings), `validator.key` (its key, where that is not in a hardware token)
 * and `signed.json` (what it has signed last). One process has it at a time.
 */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { encodeHex, equalBytes, parseHex } from '@symbolon/core/basics/bytes';
import { SetupError } from '@symbolon/core/faults/operator-errors';
import type { LastSigned } from '@symbolon/core/voting/signing-rule';
import { loadConfig, secret } from '@symbolon/host/config/config';
import { assertClosed, SecretFileError } from '@symbolon/host/config/secret-file';
import { ownSqlite } from '@symbolon/host/database/sqlite/sqlite-files';
import { hsmLimits } from '@symbolon/host/limits/server-limits';
import { logLevels } from '@symbolon/host/telemetry/log';
import { syncFolder } from '@symbolon/host/work/sync-folder';
import { z } from 'zod';
import { parseAbciAddress } from '../abci/abci-address.ts';
import { signerLimits } from '../limits/node-limits.ts';
import { ballotFacts } from './comet-key-files.ts';
import { readSignedState, signedStatePath, writeSignedState } from './signed-state.ts';
import {
  keyFromFile,
  keyFromToken,
  SigningKeyUnusable,
  type TokenKeySettings,
  type VoteKey,
  validatorKeyFormat,
} from './signing-key.ts';

/** Something in the folder is missing or wrong; the message says what and what to do. */
export class SignerFolderError extends SetupError {
  override name = 'SignerFolderError';
}

/** The file of the socket in CometBFT's spelling; anything else is not spoken. */
export function socketPathOf(address: string): string | undefined {
  const parsed = parseAbciAddress(address);
  return parsed && 'path' in parsed ? parsed.path : undefined;
}

export const socketProblem = (address: string): string =>
  /^tcp:/i.test(address)
    ? 'must be unix:///path: over tcp CometBFT speaks an encryption of its own, which is not spoken here. Signer and CometBFT share a machine, or a socket that ssh forwards'
    : 'must be unix:///path, as in priv_validator_laddr';

export const chainIdPattern: RegExp = new RegExp(`^[\\x21-\\x7e]{1,${signerLimits.chainIdCharsMax}}$`);

export const signerConfigSchema = z.strictObject({
  /** Where CometBFT listens for its signer: its `priv_validator_laddr`. */
  connect: z.string().refine((text) => socketPathOf(text) !== undefined, {
    error: ({ input }) => socketProblem(String(input)),
  }),
  /** CometBFT's name of the chain; nothing is signed for another one. */
  chainId: z.string().regex(chainIdPattern).optional(),
  /** The key that is meant, raw in hex. */
  publicKey: z.string().regex(/^[0-9a-f]{64}$/),
  /** A key in a hardware module (PKCS#11), in the place of the one in the file. */
  hsm: z
    .strictObject({
      module: z.string().regex(/^\//, 'must be an absolute path'),
      tokenLabel: z.string().min(1).max(32),
      pin: secret(z.string().min(1).max(hsmLimits.pinBytesMax)),
      /** CKA_ID of the key, in hex. */
      keyId: z.string().regex(/^([0-9a-f]{2})+$/),
    })
    .optional(),
  logLevel: z.enum(logLevels).default('info'),
});

export type SignerConfig = z.infer<typeof signerConfigSchema>;

export const signerPrefix = 'SYMBOLON_SIGNER_';
export const signerSettingsPath = (folder: string): string => path.join(folder, 'signer.json');
export const signerKeyPath = (folder: string): string => path.join(folder, 'validator.key');

type Environment = Readonly<Record<string, string | undefined>>;

export interface NewSigner {
  readonly connect: string;
  readonly chainId?: string | undefined;
  readonly publicKey: Uint8Array;
  /** Where the key is: this one, or in a token. The PIN is not kept. */
  readonly key: { readonly seed: Uint8Array } | { readonly hsm: Omit<TokenKeySettings, 'pin'> };
  readonly last: LastSigned;
}

/** Makes the folder, which must not be there. It is whole when it has its name. */
export async function makeSignerFolder(folder: string, order: NewSigner): Promise<void> {
  const unfinished = `${path.resolve(folder)}.${process.pid}.new`;
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  try {
    const { connect, chainId, publicKey, key } = order;
    const settings = {
      connect,
      chainId,
      publicKey: encodeHex(publicKey),
      ...('hsm' in key && { hsm: key.hsm }),
    };
    await writeSettings(unfinished, settings);
    if ('seed' in key) {
      const text = `${validatorKeyFormat.encodePrivateKey(key.seed)}\n`;
      await writeFile(signerKeyPath(unfinished), text, { mode: 0o600, flag: 'wx', flush: true });
    }
    await writeSignedState(unfinished, order.last);
    await rename(unfinished, folder);
    await syncFolder(path.dirname(path.resolve(folder)));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function writeSettings(folder: string, settings: object): Promise<void> {
  const file = signerSettingsPath(folder);
  await writeFile(`${file}.new`, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  await syncFolder(folder);
}

/** The name of the chain from CometBFT's genesis document. */
export async function chainIdOfGenesis(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SignerFolderError(`${file} cannot be read (${error.code}).`);
  });
  const found: unknown = parsedOrNothing(text)?.chain_id;
  if (typeof found === 'string' && chainIdPattern.test(found)) return found;
  throw new SignerFolderError(`${file} is no genesis document of CometBFT: it has no chain_id.`);
}

function parsedOrNothing(text: string): { readonly chain_id?: unknown } | undefined {
  try {
    return Object(JSON.parse(text)) as { readonly chain_id?: unknown };
  } catch {
    return undefined;
  }
}

/** Says for which chain a signer signs. A key that has signed for one signs for no other. */
export async function setChain(folder: string, chainId: string): Promise<void> {
  const settings = JSON.parse(await settingsText(folder)) as {
    readonly chainId?: string;
    readonly publicKey: string;
  };
  if (settings.chainId === chainId) return;
  const publicKey = parseHex(settings.publicKey) ?? new Uint8Array(0);
  const { said } = await readSignedState(folder, publicKey);
  const own = settings.chainId ?? (said && ballotFacts(said.bytes).chainId);
  if (own !== undefined && own !== chainId)
    throw new SignerFolderError(
      `The signer in ${folder} is of the chain ${own}; nothing was changed.\nA key signs for one chain. Make another signer for ${chainId}.`,
    );
  await writeSettings(folder, { ...settings, chainId });
}

const settingsText = (folder: string): Promise<string> =>
  readFile(signerSettingsPath(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SignerFolderError(
      `${signerSettingsPath(folder)} cannot be read (${error.code}).\nA signer is made by: symbolon signer init`,
    );
  });

/** What is in the folder, without the key and without anything of the environment. */
export async function readSignerFacts(folder: string): Promise<{
  readonly publicKey: string;
  readonly chainId: string | undefined;
  readonly connect: string;
  readonly inToken: boolean;
}> {
  const facts = z
    .object({
      publicKey: signerConfigSchema.shape.publicKey,
      chainId: signerConfigSchema.shape.chainId,
      connect: z.string(),
      hsm: z.unknown().optional(),
    })
    .safeParse(parsedOrNothing(await settingsText(folder)));
  if (!facts.success)
    throw new SignerFolderError(`${signerSettingsPath(folder)} is not the settings of a signer.`);
  const { publicKey, chainId, connect, hsm } = facts.data;
  return { publicKey, chainId, connect, inToken: hsm !== undefined };
}

export interface OpenSigner {
  readonly config: SignerConfig & { readonly chainId: string };
  readonly socketPath: string;
  readonly key: VoteKey;
  readonly last: LastSigned;
  close(): Promise<void>;
}

/** Opens the folder for the one process that signs; throws where another one has it. */
export async function openSignerFolder(folder: string, env: Environment): Promise<OpenSigner> {
  const config = await readSignerConfig(folder, env);
  const { chainId } = config;
  if (chainId === undefined)
    throw new SignerFolderError(
      `The signer in ${folder} does not know its chain yet.\nSay it with: symbolon signer join --data ${folder} --genesis <genesis.json of CometBFT>`,
    );
  const letGo = ownSqlite(signedStatePath(folder), `The signer in ${folder}`);
  try {
    const publicKey = parseHex(config.publicKey) as Uint8Array;
    const last = await readSignedState(folder, publicKey);
    const key = await (config.hsm ? keyFromToken(config.hsm) : keyFromFile(signerKeyPath(folder)));
    if (!equalBytes(key.publicKey, publicKey)) {
      await key.close();
      throw new SigningKeyUnusable(
        `The key that was found is not the one that ${signerSettingsPath(folder)} names.\nA validator that signs with another key is no validator.`,
      );
    }
    const socketPath = socketPathOf(config.connect) as string;
    return {
      config: { ...config, chainId },
      socketPath,
      key,
      last,
      close: () => key.close().finally(letGo),
    };
  } catch (error) {
    letGo();
    throw error;
  }
}

async function readSignerConfig(folder: string, env: Environment): Promise<SignerConfig> {
  const file = signerSettingsPath(folder);
  if (/"pin"/.test(await settingsText(folder))) {
    const { mode } = await stat(file);
    try {
      assertClosed({ file, mode, holds: 'the PIN of a hardware module' });
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error;
      throw new SignerFolderError(error.message, { cause: error });
    }
  }
  return loadConfig(signerConfigSchema, { file, env, prefix: signerPrefix });
}
