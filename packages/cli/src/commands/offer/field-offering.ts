/** `symbolon offer new --openid`: an offer that wallets of the field take (OpenID4VCI), signed as it is made. */
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import { given } from '@symbolon/core/basics/plain-values';
import { offerToWallets } from '@symbolon/sdk/flows/field-offer-flow';
import encodeQR from 'qr';
import type { Acting } from '../../credentials/party-commands.ts';
import { lookUpTemplate } from '../../credentials/template-lookup.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { printFields } from '../../terminal/layout.ts';
import { printable, printJson } from '../../terminal/terminal.ts';
import { assertFits } from '../vc/applying.ts';
import { readValues } from '../vc/values.ts';
import type { NewOfferWords } from './offering.ts';

const yearMs = 365 * 86_400_000;

/** Of our own offers alone. */
const ownWords = ['renew', 'free'] as const;

export async function makeFieldOffer(acting: Acting<NewOfferWords>, template: string): Promise<void> {
  const { connection, words, terminal } = acting;
  const foreign = ownWords.find((name) => words[name] !== undefined);
  if (foreign !== undefined)
    throw usageFailure(
      `Nothing was offered.\n--${foreign} is for offers of our own wallets.\nLeave out --${foreign}, or --openid.`,
    );
  const values = await readValues(words);
  const found = await lookUpTemplate(connection, template);
  assertFits(found, values);
  const { templateId, templateName, version: templateVersion } = found;
  const { pins, ledger } = connection;
  const { pin, expires, reference, format, validUntil } = words;
  const made = await offerToWallets(connection.service, {
    ...{ templateId, templateVersion, ledger, pins, signer: await connection.signer() },
    attributes: { ...values },
    validUntil: instantTextOfUnixMs(validUntil ?? Date.now() + yearMs),
    ...given({ txCode: pin, expiresInSeconds: expires, reference, formats: format }),
  });
  if (words.json) return printJson(terminal, { ...made });
  const { offerId, vcId, link, txCode, expiresAt } = made;
  if (words.qr) terminal.print(encodeQR(link, 'ascii', { ecc: 'low', border: 2 }).trimEnd().split('\n'));
  const facts = { offer: offerId, credential: vcId, 'valid until': expiresAt };
  printFields(terminal, `You offer "${printable(templateName)}" to whoever has this link.`, facts);
  terminal.print(link);
  if (txCode !== undefined)
    printFields(terminal, 'Tell this PIN on another way than the link. It is shown only now.', {
      PIN: txCode,
    });
  terminal.remark(
    'Next, as its holder: symbolon wallet accept - (it asks for the link), or any wallet of OpenID.',
  );
}
