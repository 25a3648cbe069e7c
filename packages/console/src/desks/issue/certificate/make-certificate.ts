/**
 * From a number to a paper: the credential is fetched for its issuer and checked against the ledger, then drawn. Where the
 * service keeps it no longer, the paper names the record and says nothing else.
 */
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { downloadCredential } from '@symbolon/sdk/flows/holder-flows';
import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { isJsonObject, type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { foreignLine } from '../../../text/foreign-text.ts';
import type { Language } from '../../../text/language.ts';
import { countText } from '../../../text/numbers.ts';
import { dayText, lastDayText } from '../../../text/times.ts';
import type { DeskWords } from '../../../words/desk-words.ts';
import type { SigningDesk } from '../issuer-desk.ts';
import { holderName, type NamedIssuer } from '../issuer-names.ts';
import { certificateAddress } from './certificate-address.ts';

export type IssuedOne = CredentialReply<'getIssued'>;

export interface CertificateTerms {
  readonly one: IssuedOne;
  readonly issuer: NamedIssuer;
  readonly isAttached: boolean;
  readonly publicUrl: string;
  readonly words: DeskWords<'issue'>;
  readonly language: Language;
}

export interface MadeCertificate {
  readonly pdf: Blob;
  readonly name: string;
  /** Whether the service still had the credential. */
  readonly isWhole: boolean;
  readonly isAttached: boolean;
}

export async function certificateOf(desk: SigningDesk, terms: CertificateTerms): Promise<MadeCertificate> {
  const { one, issuer, isAttached, publicUrl, words, language } = terms;
  const { vcId, templateId, templateVersion, ledgerSeq } = one;
  const [document, template] = await Promise.all([
    ownCopy(desk, vcId),
    desk.client.getTemplate({ templateId, version: templateVersion }),
  ]);
  const texts = words.issueInbox.certificate.page;
  const day = (text: string | null, textOf = dayText): string =>
    text === null ? words.issueInbox.detail.unknown : textOf(Date.parse(text), language);
  const subject = isJsonObject(document?.credentialSubject) ? document.credentialSubject : {};
  const values = template.credentialFormat.flatMap(({ key, attribute, type, format }) => {
    const value = subject[key];
    if (value === undefined || value === null || format.startsWith('image/')) return [];
    const text = type === 5 ? day(String(value)) : foreignLine(String(value), '\n');
    return [{ label: attribute, text }];
  });
  const attachment =
    document && isAttached
      ? { name: 'credential.json', bytes: new TextEncoder().encode(stringifyJson(document)) }
      : undefined;
  const { makeCertificate } = await import('./certificate-pdf.ts');
  const pdf = await makeCertificate({
    words: texts,
    language,
    issuer,
    template: { id: templateId, name: template.templateName },
    holder: holderName(one),
    values,
    record: [
      { label: texts.number, text: vcId },
      { label: texts.validFrom, text: day(one.validFrom) },
      { label: texts.validUntil, text: day(one.validUntil, lastDayText) },
    ],
    recorded: ledgerSeq === null ? undefined : texts.recorded(countText(BigInt(ledgerSeq), language)),
    address: certificateAddress(publicUrl, vcId),
    attachment,
    at: new Date(),
  });
  return {
    pdf: new Blob([pdf], { type: 'application/pdf' }),
    name: `${vcId.slice(vcId.lastIndexOf(':') + 1).slice(0, 12)}.pdf`,
    isWhole: document !== undefined,
    isAttached: attachment !== undefined,
  };
}

/** Undefined where the service has it no longer. What is not genuine by the ledger's word is refused by the flow. */
async function ownCopy(
  { client, ledger, signer }: SigningDesk,
  vcId: string,
): Promise<JsonObject | undefined> {
  try {
    return await downloadCredential(client, { signer, vcId, isIssuer: true, ledger });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'downloadLapsed') return undefined;
    throw error;
  }
}
