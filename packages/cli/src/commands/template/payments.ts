/**
 * `symbolon template price|auto-issue`: what a credential of a template costs, and who gets one at once. For the second
 * the issuer leaves its key with the service, so that is said out loud (`--leave-key`), and the key never travels in
 * clear to another machine.
 */

import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { given } from '@symbolon/core/basics/plain-values';
import type { Acting } from '../../credentials/party-commands.ts';
import { lookUpTemplate } from '../../credentials/template-lookup.ts';
import type { Connection, PartyWords } from '../../profile/connection.ts';
import type { CoinsWord } from '../../profile/options.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { printFields } from '../../terminal/layout.ts';
import { printable, printJson } from '../../terminal/terminal.ts';
import { priceInWords } from '../../wallet/people-words.ts';
import { readPrivateKeyText } from './keys.ts';

interface PriceWords {
  readonly amount: CoinsWord;
  readonly token?: string;
  readonly payTo?: string;
}

export async function setPrice(
  { connection, words, terminal }: Acting<PriceWords>,
  text: string,
): Promise<void> {
  const { token, payTo, json } = words;
  const { units, isInGas } = words.amount;
  if (token !== undefined && isInGas)
    throw usageFailure(
      'The price was not set.\nA price in another token is no amount of Gas.\nSay it in the smallest unit of the token, or leave --token out.',
    );
  const { templateId } = await lookUpTemplate(connection, text);
  const set = await connection.service.setPrice({
    templateId,
    amount: units.toString(),
    ...given({ asset: token, payTo }),
  });
  if (json) return printJson(terminal, set);
  const { price } = set;
  printFields(terminal, 'The price is set.', {
    template: templateId,
    price: priceInWords(price, printable),
    'paid to': set.payTo,
  });
}

interface AutoIssueWords {
  readonly perDay?: number;
  readonly until?: number;
  readonly for?: readonly string[];
  readonly validDays?: number;
  readonly allowReissue?: boolean;
  readonly leaveKey?: boolean;
  readonly bbsKey?: string;
  readonly off?: boolean;
}

const daySeconds = 86_400;

export async function setAutoIssue(
  { connection, words, terminal }: Acting<AutoIssueWords>,
  text: string,
): Promise<void> {
  const body = { ...policyOf(words), ...(await leftKeys(connection, words)) };
  const { templateId } = await lookUpTemplate(connection, text);
  const policy = await connection.service.setAutoIssue({ templateId, ...body });
  if (words.json) return printJson(terminal, policy);
  const { holders, perDayMax, until, validSeconds } = policy;
  const when = policy.isEnabled ? 'at once' : 'no more by itself';
  printFields(terminal, `The service issues credentials of this template ${when}.`, {
    template: templateId,
    for: holders === null ? 'everybody' : `${holders} holders`,
    'a day': `at most ${perDayMax}`,
    until,
    'valid for': `${validSeconds / daySeconds} days`,
  });
  if (!policy.isEnabled) return;
  const { price } = await connection.service.getTemplate({ templateId });
  if (price === undefined)
    terminal.remark(
      `Nobody gets one before it has a price; 0 is free: symbolon template price ${templateId} --amount 0`,
    );
}

/** Who ends it need not say until when it went on. */
function policyOf(words: AutoIssueWords) {
  const {
    off = false,
    perDay = off ? 1 : undefined,
    until = off ? Date.now() : undefined,
    validDays,
  } = words;
  if (perDay === undefined || until === undefined) {
    const advice = 'Say --per-day NUMBER and --until DATE, or --off to end it.';
    throw usageFailure(`A policy has a limit a day and an end.\n${advice}`);
  }
  return {
    isEnabled: !off,
    perDayMax: perDay,
    until: instantTextOfUnixMs(until),
    ...(words.for && { holders: [...words.for] }),
    ...(validDays !== undefined && { validSeconds: validDays * daySeconds }),
    allowReissue: words.allowReissue === true,
  };
}

async function leftKeys(connection: Connection, words: PartyWords & AutoIssueWords) {
  if (words.leaveKey !== true) {
    if (words.bbsKey === undefined) return {};
    throw usageFailure('No key was sent.\nA BBS+ key is left together with the other one: add --leave-key.');
  }
  // The SDK sees to it that it is encrypted on the way.
  connection.assertHome('Your key was not sent to');
  return {
    privateKey: await readPrivateKeyText(connection, words),
    ...(words.bbsKey !== undefined && {
      bbsPrivateKeyMultibase: await readPrivateKeyText(connection, { ...words, key: words.bbsKey }),
    }),
  };
}
