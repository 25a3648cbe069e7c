/** issue_asset (2): the source adds an amount of an asset of its own to its balance. */
import { create } from '@bufbuild/protobuf';
import { utf8Length } from '../../basics/bytes.ts';
import { int64Max, operationLimits } from '../../limits/consensus.ts';
import { AssetKeySchema } from '../../proto/ledger_pb.ts';
import { type LedgerRefusal, refuse } from '../terms/codes.ts';
import { defineOperation } from './operation.ts';

export const issueAsset = defineOperation('issueAsset', {
  check(body) {
    if (body.amount <= 0n) return refuse('invalidAsset', 'the amount must be greater than 0');
    if (body.code.trim() !== body.code) {
      return refuse('invalidAsset', 'an asset code neither starts nor ends with white space');
    }
    return checkAssetCode(body.code);
  },

  apply(body, { layer, source }) {
    const key = create(AssetKeySchema, { issuer: source, code: body.code });
    const amount = layer.assetAmount(source, key) + body.amount;
    if (amount > int64Max) return refuse('assetTooLarge', `more of ${body.code} than 64 bits hold`);
    layer.putAssetAmount(source, key, amount);
    return undefined;
  },
});

/** How long an asset code may be, wherever it stands. */
export function checkAssetCode(code: string): LedgerRefusal | undefined {
  const bytes = utf8Length(code);
  return bytes >= 1 && bytes <= operationLimits.assetCodeBytesMax
    ? undefined
    : refuse('invalidAsset', `an asset code has 1 to ${operationLimits.assetCodeBytesMax} bytes`);
}
