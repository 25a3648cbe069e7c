/** `symbolon offer new|list|withdraw`: one offer made and told, what became of others, one withdrawn. */
import { given } from '@symbolon/core/basics/plain-values';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import type { FieldFormat } from '@symbolon/wire/openid/issuance-schemas';
import encodeQR from 'qr';
import type { Acting, PagingWords } from '../../credentials/party-commands.ts';
import { lookUpTemplate } from '../../credentials/template-lookup.ts';
import { type OfferTermWords, offerTerms } from '../../offers/offer-terms.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { printFields, printTable } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printable, printJson, type Terminal } from '../../terminal/terminal.ts';
import { assertFits } from '../vc/applying.ts';
import { readValues, type ValueWords } from '../vc/values.ts';
import { makeFieldOffer } from './field-offering.ts';

export interface NewOfferWords extends ValueWords, OfferTermWords {
  readonly reference?: string;
  readonly qr?: boolean;
  /** For wallets of the field. */
  readonly openid?: boolean;
  readonly format?: readonly FieldFormat[];
  /** Milliseconds since 1970. */
  readonly validUntil?: number;
}

export async function make(acting: Acting<NewOfferWords>, template: string): Promise<void> {
  const { connection, words, terminal } = acting;
  if (words.openid) return makeFieldOffer(acting, template);
  if (words.format !== undefined || words.validUntil !== undefined)
    throw usageFailure(
      'Nothing was offered.\n--format and --valid-until are for offers with --openid.\nOf others you say it when you issue: symbolon vc issue ID --valid-until DATE',
    );
  const values = await readValues(words);
  const found = await lookUpTemplate(connection, template);
  assertFits(found, values);
  const { templateId, templateName } = found;
  const made = await connection.service.makeOffer({
    templateId,
    metadata: { ...values },
    ...given({ reference: words.reference }),
    ...offerTerms(words),
  });
  if (words.json) return printJson(terminal, made);
  if (words.qr) terminal.print(encodeQR(made.link, 'ascii', { ecc: 'low', border: 2 }).trimEnd().split('\n'));
  tellOffer(made, templateName, terminal);
}

function tellOffer(
  { offerId, link, expiresAt, txCode }: CredentialReply<'makeOffer'>,
  templateName: string,
  terminal: Terminal,
): void {
  printFields(terminal, `You offer "${printable(templateName)}" to whoever has this link.`, {
    offer: offerId,
    'valid until': expiresAt,
  });
  terminal.print(link);
  if (txCode !== undefined)
    printFields(terminal, 'Tell this PIN on another way than the link. It is shown only now.', {
      PIN: txCode,
    });
  terminal.remark(
    'Next, as its holder: symbolon wallet accept - (it asks for the link). Then, as issuer: symbolon vc issue ID',
  );
}

interface ListWords extends PagingWords {
  readonly state?: CredentialReply<'listOffers'>['offers'][number]['state'];
  readonly template?: string;
}

export async function list({ connection, words, terminal }: Acting<ListWords>): Promise<void> {
  const { state, template, limit, cursor } = words;
  const templateId =
    template === undefined ? undefined : (await lookUpTemplate(connection, template)).templateId;
  const page = await connection.service.listOffers(given({ state, templateId, limit, cursor }));
  if (words.json) return printJson(terminal, page);
  if (page.offers.length === 0) {
    terminal.remark('You have made no offer, or none in this state.');
    return;
  }
  const rows = page.offers.map((one) => [
    one.state,
    printable(one.reference ?? ''),
    one.expiresAt.slice(0, 'YYYY-MM-DD'.length),
    one.offerId,
  ]);
  printTable(terminal, [['STATE', 'REFERENCE', 'UNTIL', 'OFFER'], ...rows]);
  const waiting = page.offers.filter((one) => one.state === 'accepted').map(({ vcId }) => vcId);
  const [first] = waiting;
  if (first !== undefined)
    terminal.remark(`Issue what was accepted (${waiting.length}): symbolon vc issue ${shellWord(first)}`);
  if (page.nextCursor !== undefined)
    terminal.remark(`There are more: --cursor ${shellWord(page.nextCursor)}`);
}

export async function withdraw({ connection, words, terminal }: Acting, offerId: string): Promise<void> {
  const { state } = await connection.service.withdrawOffer({ offerId });
  if (words.json) return printJson(terminal, { offerId, state });
  printFields(terminal, 'The offer is withdrawn: its link leads nowhere.', { offer: offerId });
}
