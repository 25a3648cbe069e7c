/** One operation in words: what whoever signs it does. */
import { type DidChange, didLogKey, parseDidLogEntry } from '@symbolon/core/did/did-log';
import { readApproval, readTransfer } from '@symbolon/core/payments/token-transfer';
import type { Operation } from '@symbolon/core/proto/ledger_pb';
import { callOf } from './contract-call.ts';
import { registrySaying } from './registry-sayings.ts';
import { plainWords, type Saying } from './sentence-parts.ts';
import { foreignText, type Teller } from './teller.ts';

export function operationSaying(operation: Operation, transactionSource: string, teller: Teller): Saying {
  const { sourceAddress } = operation;
  const deed = bodySaying(operation, teller);
  if (sourceAddress === '' || sourceAddress === transactionSource) return deed;
  return { says: 'forOther', with: { account: teller.account(sourceAddress), deed } };
}

function bodySaying(operation: Operation, teller: Teller): Saying {
  const { createAccount, issueAsset, payAsset, payCoin, log, upgradeContract } = operation;
  if (payCoin)
    return registrySaying(payCoin, teller) ?? tokenSaying(payCoin, teller) ?? paymentSaying(payCoin, teller);
  if (createAccount) return creationSaying(createAccount, teller);
  if (operation.setMetadata) return metadataSaying(operation.setMetadata);
  if (issueAsset) {
    const { amount, code } = issueAsset;
    return { says: 'issuesAsset', with: { count: plainWords(String(amount)), asset: foreignText(code) } };
  }
  if (payAsset) return assetSaying(payAsset, teller);
  if (log) return { says: 'notes', with: { topic: foreignText(log.topic) } };
  if (operation.setPrivilege) return privilegeSaying(operation.setPrivilege, teller);
  if (operation.setSignerWeight || operation.setThreshold) return { says: 'changesSigners' };
  if (upgradeContract)
    return { says: 'upgrades', with: { account: teller.account(upgradeContract.destAddress) } };
  return { says: 'unknown', with: { type: plainWords(String(operation.type)) } };
}

function paymentSaying(
  { destAddress, amount, input }: NonNullable<Operation['payCoin']>,
  teller: Teller,
): Saying {
  const account = teller.account(destAddress);
  const paid = { amount: teller.amount(amount), account };
  if (input === '') return { says: 'pays', with: paid };
  if (teller.hasCode(destAddress) === false) return { says: 'paysWithText', with: paid };
  return {
    says: 'calls',
    with: { method: methodSaying(input), account, coins: coinsSaying(amount, teller) },
  };
}

/** Of a token that the reader knows: what a call of any other contract does, only its code says. */
function tokenSaying(
  { destAddress, amount, input }: NonNullable<Operation['payCoin']>,
  teller: Teller,
): Saying | undefined {
  const token = amount === 0n ? teller.token(destAddress) : undefined;
  if (!token) return undefined;
  const amounts = (units: bigint) => ({ amount: plainWords(token.amountText(units)), token: token.called });
  const transfer = readTransfer(input);
  if (transfer)
    return { says: 'paysToken', with: { ...amounts(transfer.value), account: teller.account(transfer.to) } };
  const approval = readApproval(input);
  return (
    approval && {
      says: 'allowsToken',
      with: { ...amounts(approval.value), account: teller.account(approval.spender) },
    }
  );
}

const coinsSaying = (amount: bigint, teller: Teller): Saying | undefined =>
  amount === 0n ? undefined : { says: 'withCoins', with: { amount: teller.amount(amount) } };

function methodSaying(input: string): Saying {
  const method = callOf(input)?.method;
  return method === undefined ? { says: 'main' } : foreignText(method);
}

function assetSaying(
  { asset, destAddress, input }: NonNullable<Operation['payAsset']>,
  teller: Teller,
): Saying {
  return {
    says: 'sendsAsset',
    with: {
      count: plainWords(String(asset?.amount ?? 0n)),
      asset: foreignText(asset?.key?.code ?? ''),
      account: teller.account(destAddress),
      call: assetCallSaying(input, teller.hasCode(destAddress)),
    },
  };
}

function assetCallSaying(input: string, hasCode: boolean | undefined): Saying | undefined {
  if (input === '') return undefined;
  return hasCode === false
    ? { says: 'withText' }
    : { says: 'calling', with: { method: methodSaying(input) } };
}

const shownSignersMax = 3;

/** Who may sign for an account is what it is worth to its owner: every change is said. */
function privilegeSaying(body: NonNullable<Operation['setPrivilege']>, teller: Teller): Saying {
  const { masterWeight, signers, txThreshold, typeThresholds } = body;
  const isOut = /^0+$/.test(masterWeight);
  const shown = signers.slice(0, shownSignersMax).map(({ address, weight }): Saying => {
    const account = teller.account(address);
    return weight === 0n
      ? { says: 'countsNot', with: { account } }
      : { says: 'weighs', with: { account, weight: plainWords(String(weight)) } };
  });
  const rest = signers.length - shown.length;
  const list = listSaying([
    ...(isOut ? [{ says: 'ownKeyOut' } as const] : []),
    ...(!isOut && masterWeight !== '' ? [weightSaying('ownKeyWeighs', masterWeight)] : []),
    ...shown,
    ...(rest > 0 ? [{ says: 'otherSigners', with: { count: plainWords(String(rest)) } } as const] : []),
    ...(txThreshold === '' ? [] : [weightSaying('weightNeeded', txThreshold)]),
    ...(typeThresholds.length === 0 ? [] : [{ says: 'otherWeights' } as const]),
  ]);
  return {
    says: isOut ? 'givesUpControl' : 'changesSigners',
    with: { weights: list && { says: 'weights', with: { list } } },
  };
}

/** Anybody's text, which should be a number. */
const weightSaying = (says: 'ownKeyWeighs' | 'weightNeeded', weight: string): Saying => ({
  says,
  with: { weight: /^\d{1,19}$/.test(weight) ? plainWords(weight) : foreignText(weight) },
});

/** One behind the other; undefined where there are none. */
const listSaying = (sayings: readonly Saying[]): Saying | undefined =>
  sayings.reduceRight<Saying | undefined>(
    (rest, first) => (rest ? { says: 'listed', with: { first, rest } } : first),
    undefined,
  );

function creationSaying(body: NonNullable<Operation['createAccount']>, teller: Teller): Saying {
  const coins = coinsSaying(body.initBalance, teller);
  if (body.contract?.payload) return { says: 'deploys', with: { coins } };
  return { says: 'creates', with: { account: teller.account(body.destAddress), coins } };
}

function metadataSaying({ key, value, deleteFlag }: NonNullable<Operation['setMetadata']>): Saying {
  if (key !== didLogKey) return { says: deleteFlag ? 'deletes' : 'writes', with: { key: foreignText(key) } };
  return (deleteFlag ? undefined : didSaying(value)) ?? { says: 'changesDid' };
}

/** Changes of a DID document that are one thing to people; of several only that there are some. */
function didSaying(text: string): Saying | undefined {
  const changes = parseDidLogEntry(text)?.changes ?? [];
  const [first, second] = changes;
  if (first && changes.length === 1) return changeSaying(first);
  const isReplaced = first?.change === 'endKey' && second?.change === 'publishKey' && changes.length === 2;
  return isReplaced ? { says: 'replacesKey', with: { number: plainWords(String(first.number)) } } : undefined;
}

function changeSaying(change: DidChange): Saying {
  switch (change.change) {
    case 'publishKey':
      return { says: 'publishesKey' };
    case 'endKey':
      return {
        says: change.compromisedSince === undefined ? 'endsKey' : 'endsLostKey',
        with: { number: plainWords(String(change.number)) },
      };
    case 'publishName':
      return { says: 'publishesName', with: { name: foreignText(change.name) } };
    case 'endName':
      return { says: 'endsName' };
    case 'publishService':
      return { says: 'publishesService', with: { name: foreignText(change.id) } };
    case 'endService':
      return { says: 'endsService', with: { name: foreignText(change.id) } };
    case 'deactivate':
      return { says: 'deactivates' };
  }
}
