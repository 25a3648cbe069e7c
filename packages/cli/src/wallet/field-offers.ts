/** Offers of the field, taken: what verifies is kept before its issuer hears so, and what is decided later is remembered. */

import { SdkError } from '@symbolon/sdk/errors/errors';
import type { OpenedOffer, TakenOffer, TakingOrder } from '@symbolon/sdk/openid/openid-wallet';
import { type KeptField, newFieldId } from './kept-fields.ts';
import { quoted } from './tool-results.ts';
import type { Wallet } from './wallet.ts';

export interface TakenField {
  readonly id: string;
  readonly title: string;
  readonly isKept: boolean;
}

export async function takeAndKeep(
  wallet: Wallet,
  opened: OpenedOffer,
  order: TakingOrder,
): Promise<TakenField> {
  const openid = await wallet.openid();
  const { configurationId } = order;
  const chosen = opened.offered.find((one) => one.configurationId === configurationId) ?? opened.offered[0];
  const title = chosen?.name ?? chosen?.types.at(-1) ?? '';
  return keepTaken(wallet, { id: newFieldId(), title }, await openid.takeOffer(opened, order));
}

async function keepTaken(
  { fields }: Pick<Wallet, 'fields'>,
  named: Pick<KeptField, 'id' | 'title'>,
  taken: TakenOffer,
): Promise<TakenField> {
  if (taken.state === 'later') {
    fields.put({ ...named, later: taken.later });
    return { ...named, isKept: false };
  }
  fields.put({ ...named, credentials: taken.credentials });
  await taken.tell('credential_accepted');
  return { ...named, isKept: true };
}

export interface CollectedFields {
  readonly kept: readonly TakenField[];
  /** Denied for good, or not what was offered: given up. */
  readonly refused: readonly (Pick<KeptField, 'id' | 'title'> & {
    readonly detail: string;
    readonly isForged: boolean;
  })[];
}

/** Asks the issuers of what the wallet waits for. One that cannot be reached is asked again the next time. */
export async function collectFields(wallet: Wallet): Promise<CollectedFields> {
  const waiting = wallet.fields.waiting();
  const kept: TakenField[] = [];
  const refused: CollectedFields['refused'][number][] = [];
  if (waiting.length === 0) return { kept, refused };
  const openid = await wallet.openid();
  for (const { id, title, later } of waiting) {
    try {
      const taken = await keepTaken(wallet, { id, title }, await openid.collectLater(later));
      if (taken.isKept) kept.push(taken);
    } catch (error) {
      if (!(error instanceof SdkError)) throw error;
      if (!endings.includes(error.code)) continue;
      wallet.fields.drop(id);
      refused.push({ id, title, detail: quoted(error.reason, 300), isForged: error.code === 'notAsOrdered' });
    }
  }
  return { kept, refused };
}

const endings: readonly string[] = ['openidRefused', 'notAsOrdered'];
