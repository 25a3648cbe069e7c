/** set_metadata (4): writes or deletes one entry of the source's metadata, if asked under a version check. */
import { create } from '@bufbuild/protobuf';
import { utf8Length } from '../../basics/bytes.ts';
import { didLogKey } from '../../did/did-log.ts';
import { operationLimits } from '../../limits/consensus.ts';
import { type MetadataEntry, MetadataEntrySchema } from '../../proto/ledger_pb.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import { checkDidLogBody, checkDidLogStep } from './did-log-rules.ts';
import { defineOperation } from './operation.ts';
import { checkValidatorsBody, checkValidatorsStep } from './validators-rules.ts';

export const setMetadata = defineOperation('setMetadata', {
  check: (body, context) =>
    checkMetadata(body) ?? checkDidLogBody(body) ?? checkValidatorsBody(body, context),

  apply(body, { layer, source, rules }) {
    const { key, value, version } = body;
    const stored = layer.metadata(source, key);
    if (body.deleteFlag) {
      if (!stored) return refuse('notFound', `there is no metadata "${key}" to delete`);
      if (version !== 0n && version !== stored.version) return versionMismatch(key, stored.version, version);
      layer.deleteMetadata(source, key);
      return undefined;
    }
    // Any version but 0 must equal the stored one; a new entry will have version 1 (decision L-09).
    const expected = stored?.version ?? 1n;
    if (version !== 0n && version !== expected) return versionMismatch(key, stored?.version, version);
    const astray = key === didLogKey && checkDidLogStep({ stored, value, source }, rules.sha256);
    if (astray) return astray;
    const invented = checkValidatorsStep(body, { stored, source, rules });
    if (invented) return invented;
    const next = (stored?.version ?? 0n) + 1n;
    layer.putMetadata(source, create(MetadataEntrySchema, { key, value, version: next }));
    return undefined;
  },
});

type EntryFields = Pick<MetadataEntry, 'key' | 'value' | 'version'>;

/** What an entry may be, whoever sets it. */
export function checkMetadata({ key, value, version }: EntryFields): LedgerRefusal | undefined {
  const { metadataKeyBytesMax, metadataValueBytesMax } = operationLimits;
  const keyBytes = utf8Length(key);
  if (keyBytes < 1 || keyBytes > metadataKeyBytesMax) {
    return refuse('invalidParameter', `a metadata key has 1 to ${metadataKeyBytesMax} bytes`);
  }
  if (utf8Length(value) > metadataValueBytesMax) {
    return refuse('invalidParameter', `a metadata value has at most ${metadataValueBytesMax} bytes`);
  }
  return version >= 0n ? undefined : refuse('badMetadataVersion', 'version is negative');
}

const versionMismatch = (key: string, stored: bigint | undefined, given: bigint): LedgerRefusal =>
  refuse(
    'badMetadataVersion',
    stored === undefined
      ? `metadata "${key}" does not exist: its version is 0 or 1, not ${given}`
      : `metadata "${key}" is at version ${stored}, not ${given}`,
  );
