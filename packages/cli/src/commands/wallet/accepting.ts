/**
 * `symbolon wallet accept`: an issuer offers a credential by a link; the holder sees what it says of them and by whom it
 * is, and says yes or no. The further code, where an offer needs one, is typed hidden or read from a file.
 */
import { offerLimits } from '@symbolon/core/limits/waiting';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import type { OfferPreview, ParsedOffer } from '@symbolon/sdk/flows/offer-flows';
import { isFieldOfferLink } from '@symbolon/sdk/openid/credential-offers';
import { type Acting, cutLines, shownValue } from '../../credentials/party-commands.ts';
import type { HiddenQuestion } from '../../terminal/ask-hidden.ts';
import { type AskLine, askLineAtTerminal } from '../../terminal/ask-line.ts';
import { isYes } from '../../terminal/ask-yes.ts';
import {
  type AdviceByCode,
  CommandFailure,
  exitCodes,
  failureOf,
  usageFailure,
} from '../../terminal/failure.ts';
import { columns } from '../../terminal/layout.ts';
import { printable, printJson, type Terminal } from '../../terminal/terminal.ts';
import { ownNamesOf } from '../../wallet/ledger-word.ts';
import { type Accepted, acceptAndKeep, lookAtOffer, readOfferLink } from '../../wallet/offers.ts';
import type { Wallet } from '../../wallet/wallet.ts';
import { askCode, nobodyAccepts, notAccepted, readCode } from './accepting-words.ts';
import { acceptField } from './field-accepting.ts';
import { readLink, shortId, type WalletWords, withWallet } from './owner-wallet.ts';

export interface AcceptWords extends WalletWords {
  readonly pinFile?: string;
  readonly yes?: boolean;
  /** Of an offer of the field. */
  readonly copies?: number;
}

export async function accept(
  acting: Acting<AcceptWords>,
  said: string,
  ask: AskLine = askLineAtTerminal(),
): Promise<void> {
  const { words, terminal } = acting;
  if (!ask && !words.yes) throw nobodyAccepts();
  const link = await readLink(said, ask);
  if (isFieldOfferLink(link)) return acceptField(acting, link, ask);
  await withHolderAdvice(acting, async (wallet) => {
    const offer = readOfferLink(wallet, link);
    const { preview, ...given } = await readOffer(wallet, offer, acting, ask);
    terminal.remark(await offeredLines(wallet, preview, terminal));
    const question = preview.state === 'open' ? 'Accept this? [y/N]' : 'Was it you? [y/N]';
    if (!words.yes && !(ask && isYes(await ask(question)))) throw notAccepted(preview.state);
    const accepted = await acceptAndKeep(wallet, { offer, ...given }, preview);
    if (accepted.status === 'Rejected') throw turnedDown(accepted);
    if (words.json) return printJson(terminal, { ...accepted });
    const title = `"${printable(preview.templateName)}", ${shortId(accepted.credentialId)}`;
    if (accepted.isKept) {
      terminal.print(`Kept: ${title}.`);
      terminal.remark(`See it: symbolon wallet show ${shortId(accepted.credentialId)}`);
      return;
    }
    terminal.print(`Accepted: ${title}. The issuer signs it next.`);
    terminal.remark('Fetch it when it is issued: symbolon wallet add');
  });
}

/** What else is advised about offers is for those who make them. */
const holderAdvice: AdviceByCode = {
  offerUnknown: 'Take the whole link as it was sent, or ask the issuer for a new one.',
  offerClosed: 'Ask the issuer for a new one, if it should be yours.',
};

const withHolderAdvice = (
  acting: Acting<AcceptWords>,
  work: (wallet: Wallet) => Promise<void>,
): Promise<void> =>
  withWallet(acting, work).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || !Object.hasOwn(holderAdvice, error.code)) throw error;
    const { message, exitCode, facts } = failureOf(error, holderAdvice);
    throw new CommandFailure(message, exitCode, facts);
  });

/** First without the further code, so that whoever types it knows for what. */
async function readOffer(
  wallet: Wallet,
  offer: ParsedOffer,
  { words, terminal }: Acting<AcceptWords>,
  ask: AskLine,
): Promise<{ readonly preview: OfferPreview; readonly txCode?: string }> {
  const preview = await lookAtOffer(wallet, { offer });
  if (!preview.tx_code || preview.state !== 'open') return { preview };
  if (words.pinFile === undefined && !ask)
    throw usageFailure(
      'The offer was not accepted.\nIt needs the PIN that the issuer gave you apart from the link.\nRun it at a terminal, or give --pin-file FILE.',
    );
  if (words.pinFile === undefined)
    terminal.remark(
      `"${printable(preview.templateName)}" is offered to you; it needs a PIN from its issuer.`,
    );
  const txCode = words.pinFile === undefined ? await askPin() : await readPin(words.pinFile);
  return { preview: await lookAtOffer(wallet, { offer, txCode }), txCode };
}

export const askPin = (parts: Pick<HiddenQuestion, 'input' | 'write'> = {}): Promise<string> =>
  askCode(parts).then(checkedPin);

const readPin = async (file: string): Promise<string> => checkedPin(await readCode(file));

/** A wrong one counts at the service; what can be none does not go there. */
function checkedPin(text: string): string {
  const pin = text.trim();
  if (new RegExp(`^[0-9]{${offerLimits.txCodeDigits}}$`).test(pin)) return pin;
  throw usageFailure(
    `The offer was not accepted.\nA PIN has ${offerLimits.txCodeDigits} digits.\nGive the one that the issuer told you.`,
  );
}

async function offeredLines(
  wallet: Wallet,
  preview: OfferPreview,
  terminal: Terminal,
): Promise<readonly string[]> {
  const { issuer, templateName, attributes, expiresAt, state } = preview;
  const name = (await ownNamesOf(wallet, [issuer])).get(issuer);
  const rows = attributes.map(({ key, value }) => [
    `  ${printable(key)}`,
    value === undefined ? '(not shown)' : shownValue(value),
  ]);
  return [
    `"${printable(templateName)}" is offered to you, through ${printable(wallet.serviceOrigin)}, by`,
    `  ${name === undefined ? 'somebody without a name of its own' : `"${printable(name)}" (its own word)`}`,
    `  ${printable(issuer)}`,
    ...(state === 'open'
      ? [`It can be accepted until ${printable(expiresAt)}. It says of you:`]
      : ['It was accepted before. If it was you, you are told the same application again.', 'It has:']),
    ...columns(terminal, rows),
    'The issuer learns your DID, to which the credential belongs:',
    `  ${wallet.did}`,
    ...cutLines(attributes.map(({ value }) => value)),
  ];
}

/** Told to whoever has accepted it, and to nobody else. */
const turnedDown = ({ credentialId, reason }: Accepted): CommandFailure => {
  const why = reason === undefined ? 'It does not say why.' : `It says why: "${printable(reason)}"`;
  return new CommandFailure(
    `The issuer has turned it down: no credential comes of this offer.\n${why}\nAsk the issuer for a new offer, if it should be yours.`,
    exitCodes.failed,
    { code: 'offerClosed', state: 'rejected', credentialId },
  );
};
