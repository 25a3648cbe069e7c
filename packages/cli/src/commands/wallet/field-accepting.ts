/**
 * `symbolon wallet accept` of an offer by OpenID4VCI. The issuer is known by its address alone, and the values come only
 * once the offer is taken: what is shown before says so, and what is kept was verified.
 */

import { viewFieldCredential } from '@symbolon/sdk/openid/credential-view';
import type { OpenedOffer } from '@symbolon/sdk/openid/openid-wallet';
import { type Acting, shownValue } from '../../credentials/party-commands.ts';
import type { AskLine } from '../../terminal/ask-line.ts';
import { isYes } from '../../terminal/ask-yes.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { columns } from '../../terminal/layout.ts';
import { printable, printJson, type Terminal } from '../../terminal/terminal.ts';
import { type TakenField, takeAndKeep } from '../../wallet/field-offers.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import type { AcceptWords } from './accepting.ts';
import { askCode, notAccepted, readCode } from './accepting-words.ts';
import { shortId, withWallet } from './owner-wallet.ts';

export async function acceptField(acting: Acting<AcceptWords>, link: string, ask: AskLine): Promise<void> {
  const { words, terminal } = acting;
  await withWallet(acting, async (wallet) => {
    const openid = await wallet.openid();
    const opened = await openid.openOffer(link);
    terminal.remark(offeredLines(opened));
    if (!words.yes && !(ask && isYes(await ask('Accept this? [y/N]')))) throw notAccepted('open');
    const txCode = await codeOf(opened, words, ask);
    const { copies } = words;
    const taken = await takeAndKeep(wallet, opened, {
      ...(txCode !== undefined && { txCode }),
      ...(copies !== undefined && { copies }),
    });
    if (words.json)
      return printJson(terminal, { ...taken, issuer: opened.issuer, format: opened.offered[0]?.format });
    tellTaken(terminal, wallet, taken);
  });
}

async function codeOf(
  { txCode: wanted }: OpenedOffer,
  { pinFile }: AcceptWords,
  ask: AskLine,
): Promise<string | undefined> {
  if (!wanted) return undefined;
  if (pinFile === undefined && !ask)
    throw usageFailure(
      'The offer was not accepted.\nIt needs the PIN that the issuer gave you apart from the link.\nRun it at a terminal, or give --pin-file FILE.',
    );
  const code = (pinFile === undefined ? await askCode() : await readCode(pinFile)).trim();
  // A wrong one counts at the issuer; what can be none does not go there.
  const { isNumeric, length = code.length } = wanted;
  if (code !== '' && code.length === length && (!isNumeric || /^[0-9]+$/.test(code))) return code;
  throw usageFailure(
    `The offer was not accepted.\nIts PIN has ${length} ${isNumeric ? 'digits' : 'characters'}.\nGive the one that the issuer told you.`,
  );
}

/** Words of others stand in quotes. */
function offeredLines({ issuer, displayName, offered, txCode }: OpenedOffer): readonly string[] {
  const [first] = offered;
  const { name, description, claims = [], format, types = [] } = first ?? {};
  return [
    `"${printable(name ?? types.at(-1) ?? '')}" (${format}) is offered to you by`,
    ...(displayName === undefined ? [] : [`  "${printable(displayName)}" (its own word)`]),
    `  ${printable(issuer)}`,
    'Nobody but that address says who it is: think of whoever gave you the link.',
    ...(description === undefined ? [] : [`In its words: "${printable(description)}"`]),
    ...(claims.length === 0
      ? ['What it says of you, it does not tell beforehand.']
      : [
          'It can say of you, with values that come once you accept:',
          ...claims.map((claim) => `  ${printable(claim)}`),
        ]),
    'The issuer learns a key that is made for this, and nothing else of you.',
    ...(txCode ? ['It needs a PIN, which the issuer tells you on another way than the link.'] : []),
  ];
}

function tellTaken(terminal: Terminal, { fields }: Wallet, { id, title, isKept }: TakenField): void {
  const named = `"${printable(title)}", ${shortId(id)}`;
  if (!isKept) {
    terminal.print(`Accepted: ${named}. The issuer decides.`);
    terminal.remark('Fetch it when it is issued: symbolon wallet add');
    return;
  }
  const [credential] = fields.kept().find((one) => one.id === id)?.credentials ?? [];
  const claims = credential ? Object.entries(viewFieldCredential(credential).claims) : [];
  terminal.print(`Kept: ${named}. It says:`);
  terminal.print(
    columns(
      terminal,
      claims.map(([key, value]) => [`  ${printable(key)}`, shownValue(value as never)]),
    ),
  );
  terminal.remark(`See it: symbolon wallet show ${shortId(id)}`);
}
