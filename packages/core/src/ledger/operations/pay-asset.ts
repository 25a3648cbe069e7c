/**
 * pay_asset (3): moves an asset to an account that exists. The asset part is optional (a bare call of a contract); the
 * public SDK writes that as an asset with empty key and amount 0, which counts as none.
 */
import { int64Max } from '../../limits/consensus.ts';
import type { Asset, AssetKey, PayAsset } from '../../proto/ledger_pb.ts';
import { type LedgerRefusal, noAccount, refuse } from '../terms/codes.ts';
import { callTarget } from './contract-calls.ts';
import { checkAssetCode } from './issue-asset.ts';
import { type ApplyContext, type CheckContext, checkDestination, defineOperation } from './operation.ts';

export const payAsset = defineOperation('payAsset', {
  check(body, context) {
    const asset = sentAsset(body);
    const refusal = asset && checkAsset(asset, context);
    if (refusal) return refusal;
    if (body.destAddress === context.source) {
      return refuse('sourceIsDestination', 'an account cannot pay itself');
    }
    return checkDestination(body.destAddress, context);
  },

  apply(body, context) {
    const receiver = context.layer.account(body.destAddress);
    if (!receiver) return noAccount(body.destAddress);
    const asset = sentAsset(body);
    if (!asset && !receiver.contract?.payload)
      return refuse(
        'invalidAsset',
        'no asset is named, and the receiver is no contract that could be called',
      );
    const refusal = asset && moveAsset(asset, body.destAddress, context);
    if (refusal) return refusal;
    const sent = asset && { ...(asset.key as AssetKey), amount: asset.amount };
    return callTarget(body.destAddress, body.input, { context, sent: { coinAmount: 0n, asset: sent } });
  },
});

function moveAsset(
  asset: Asset,
  receiver: string,
  { layer, source }: ApplyContext,
): LedgerRefusal | undefined {
  const key = asset.key as AssetKey;
  const held = layer.assetAmount(source, key);
  if (held < asset.amount) {
    return refuse('lowAsset', `account ${source} holds ${held} of ${key.code}, not ${asset.amount}`);
  }
  const received = layer.assetAmount(receiver, key) + asset.amount;
  if (received > int64Max) return refuse('assetTooLarge', `more of ${key.code} than 64 bits hold`);
  layer.putAssetAmount(source, key, held - asset.amount);
  layer.putAssetAmount(receiver, key, received);
  return undefined;
}

function sentAsset({ asset }: PayAsset): Asset | undefined {
  const isBlank = asset?.amount === 0n && !asset.key?.issuer && !asset.key?.code;
  return isBlank ? undefined : asset;
}

function checkAsset({ key, amount }: Asset, { rules }: CheckContext): LedgerRefusal | undefined {
  if (!key) return refuse('invalidAsset', 'the asset has no key');
  if (key.type !== 0) return refuse('invalidAsset', `asset type ${key.type} is unknown`);
  if (amount <= 0n) return refuse('invalidAsset', 'the amount must be greater than 0');
  const refusal = checkAssetCode(key.code);
  if (refusal) return refusal;
  return rules.keys.isAddress(key.issuer)
    ? undefined
    : refuse('invalidAsset', 'the asset issuer is not a valid address');
}
