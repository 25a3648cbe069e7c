/** How long an asset code may be, shared by the operations that issue and pay assets. */
import { utf8Length } from '../../basics/bytes.ts';
import { operationLimits } from '../../limits/limits.ts';
import { type Refusal, refuse } from '../terms/codes.ts';

export function checkAssetCode(code: string): Refusal | undefined {
  const bytes = utf8Length(code);
  return bytes >= 1 && bytes <= operationLimits.assetCodeBytesMax
    ? undefined
    : refuse('invalidAsset', `an asset code has 1 to ${operationLimits.assetCodeBytesMax} bytes`);
}
