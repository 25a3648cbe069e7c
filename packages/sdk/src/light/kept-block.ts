/** The newest block that a light client has believed, as its caller keeps it. */
import { encodeHex, parseHex } from '@symbolon/core/basics/bytes';
import type { TrustedHash } from '@symbolon/core/light/light-verification';
import { isJsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { SdkError } from '../errors/errors.ts';
import { type ShownBlock, shownBlockOf, type VerifiedBlock } from './light-chain.ts';

/**
 * Where a light client keeps the newest block that it has believed: a file, a row, a browser's storage. Whoever can
 * change it decides what is believed, as with the anchor.
 */
export interface LightStorage {
  /** What was saved last; undefined if nothing was. */
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
}

export const keptText = ({ json, hash }: VerifiedBlock): string =>
  stringifyJson({ hash: encodeHex(hash), block: json });

/** What was kept, and by which hash it is known. Throws `invalidArgument` for what a light client has not saved. */
export function readKeptBlock(text: string): { readonly known: TrustedHash; readonly shown: ShownBlock } {
  try {
    const kept = parseJson(text);
    const [json, hash] = isJsonObject(kept) ? [kept.block, parseHex(String(kept.hash))] : [];
    if (json === undefined || !hash) throw new TypeError('no block and hash');
    const shown = shownBlockOf(json);
    const { chainId, height } = shown.block.header;
    return { known: { chainId, height, hash }, shown };
  } catch (cause) {
    const hint = 'Empty the storage: the light client then begins at its anchor.';
    throw new SdkError('invalidArgument', 'the storage holds no block of a light client', { hint, cause });
  }
}
