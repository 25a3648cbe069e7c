/** Records of a vault, sealed: their values under one key, their names as marks under another. */
import { decodeUtf8, encodeHex, encodeUtf8 } from '@symbolon/core/basics/bytes';
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { derivedMarkKey, derivedSealingKey, openUnder, sealUnder } from './sealing.ts';
import { VaultFailure } from './vault-failure.ts';
import { vaultLimits } from './vault-limits.ts';
import type { KeptRecord } from './vault-store.ts';

export interface NamedRecord {
  readonly name: string;
  readonly value: JsonValue;
}

export interface RecordSealer {
  readonly mark: (name: string) => Promise<string>;
  readonly seal: (record: NamedRecord) => Promise<KeptRecord>;
  /** Rejects with `damaged` for what was changed, and for what is of another vault or another place. */
  readonly open: (kept: KeptRecord) => Promise<NamedRecord>;
}

export async function createRecordSealer(
  vault: string,
  secret: Uint8Array<ArrayBuffer>,
): Promise<RecordSealer> {
  const [sealing, marking] = await Promise.all([
    derivedSealingKey(secret, 'symbolon vault, records'),
    derivedMarkKey(secret, 'symbolon vault, names of records'),
  ]);
  const mark = async (name: string): Promise<string> => {
    if (name === '' || name.length > vaultLimits.recordNameCharsMax) throw new VaultFailure('tooLarge');
    const bytes = await crypto.subtle.sign('HMAC', marking, Uint8Array.from(encodeUtf8(name)));
    return encodeHex(new Uint8Array(bytes));
  };
  const purpose = (at: string) => ({
    format: 'symbolon-vault',
    version: 1,
    vault,
    holds: 'record',
    mark: at,
  });
  return {
    mark,
    async seal({ name, value }) {
      const plain = Uint8Array.from(encodeUtf8(stringifyJson({ name, value })));
      if (plain.length > vaultLimits.recordBytesMax) throw new VaultFailure('tooLarge');
      const at = await mark(name);
      return { vault, mark: at, ...(await sealUnder(sealing, purpose(at), plain)) };
    },
    async open(kept) {
      const bound = { purpose: purpose(kept.mark), orElse: 'damaged' } as const;
      const read = parseJson(decodeUtf8(await openUnder(sealing, bound, kept)));
      if (isJsonObject(read) && typeof read.name === 'string' && read.value !== undefined)
        return { name: read.name, value: read.value };
      throw new VaultFailure('damaged');
    },
  };
}

/** Those that open, and how many do not: one that somebody has changed takes no other with it. */
export async function openWhole(
  { open }: Pick<RecordSealer, 'open'>,
  kept: readonly KeptRecord[],
): Promise<{ readonly records: readonly NamedRecord[]; readonly damaged: number }> {
  const opened = await Promise.allSettled(kept.map(open));
  const records = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return { records, damaged: kept.length - records.length };
}
