/** Applying from a template: a field for each attribute, the price where there is one, and what came of it. */
import { Checkbox, TextInput } from '@mantine/core';
import { isComplaint } from '@symbolon/core/attributes/attribute-formats';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { failureWords } from '../../../api/failure.ts';
import { usePartyNames } from '../../../api/party-names.ts';
import type { CodeRequest } from '../../../code/code-request.ts';
import { openPlace } from '../../../code/fill-ins.ts';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { misspeltText } from '../../../parts/controls/misspelt-text.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import type { Language } from '../../../text/language.ts';
import { assetPriceText, priceText } from '../../../text/price.ts';
import { shortAccount } from '../../../text/short-ids.ts';
import { dayText } from '../../../text/times.ts';
import { msOfDay } from '../../../text/typed-day.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useWallet } from '../frame/wallet-context.ts';
import { WalletNote } from '../frame/wallet-note.tsx';
import { ApplyDone } from './apply-done.tsx';
import { type ApplyOutcome, buy, obtain, type Quote, type Wish } from './obtaining.ts';
import { PurchasePage } from './purchase-page.tsx';
import type { OpenPurchase } from './purchases.ts';
import {
  type AppliedField,
  type Misread,
  readField,
  readForm,
  type Typed,
  typeOfField,
} from './typed-form.ts';
import { keepTyped, typedBefore } from './typed-memory.ts';
import { useOpenPurchases } from './use-purchases.ts';

export function ApplyForm({ templateId }: { readonly templateId: string }) {
  const { words } = useDeskWords('wallet');
  const { client } = useWallet();
  const query = useQuery({
    queryKey: ['service', 'template', templateId],
    queryFn: () => client.getTemplate({ templateId }),
  });
  if (query.data) return <TemplateForm template={query.data} />;
  return (
    <DeskPage title={words.wallet.apply.title}>
      <Panel>
        {query.isError ? (
          <ErrorState failure={failureWords(query.error, words)} onAgain={() => void query.refetch()} />
        ) : (
          <Bones rows={4} />
        )}
      </Panel>
    </DeskPage>
  );
}

/** The act as code: with what was typed, and the names of what was not. */
function codeOf(
  { templateId, credentialFormat, price }: TemplateReply,
  typed: Typed,
  language: Language,
): CodeRequest {
  const attributes = Object.fromEntries(
    credentialFormat.flatMap((field) => {
      const read = readField(field, typed[field.key], language);
      const value = isComplaint(read) ? openPlace(field.key) : read.value;
      return value === undefined ? [] : [[field.key, value] as const];
    }),
  );
  const isPriced = price !== undefined && price !== null && price.amount !== '0';
  return isPriced
    ? { act: 'buy', given: { templateId, attributes, asset: price.asset, amount: price.amount } }
    : { act: 'apply', given: { templateId, attributes } };
}

/** Applies, and with a quote that was agreed to pays. */
function useApplying(
  template: TemplateReply,
  attributes: Wish['attributes'] | undefined,
  onQuote: (quote: Quote | undefined) => void,
) {
  const wallet = useWallet();
  const queries = useQueryClient();
  return useSingleMutation({
    mutationFn: (paid: Quote | undefined): Promise<ApplyOutcome> => {
      const wish = { template, attributes: attributes ?? {} };
      return paid ? buy(wallet, wish, paid) : obtain(wallet, wish);
    },
    onSuccess: (got) => {
      onQuote(got.kind === 'price' ? got.quote : undefined);
      if (got.kind === 'issued' || got.kind === 'waiting') keepTyped(wallet.vault, template.templateId, {});
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['wallet', wallet.did] }),
  });
}

/** What stands in the fields, also for whoever comes back to them. */
function useTyped({ templateId }: TemplateReply) {
  const { vault } = useWallet();
  const [typed, setTyped] = useState(() => typedBefore(vault, templateId));
  const type = (next: Typed): void => {
    setTyped(next);
    keepTyped(vault, templateId, next);
  };
  return [typed, type] as const;
}

function TemplateForm({ template }: { readonly template: TemplateReply }) {
  const { words, language } = useDeskWords('wallet');
  const [typed, setTyped] = useTyped(template);
  const [isTouched, setTouched] = useState(false);
  const [quote, setQuote] = useState<Quote>();
  const [watched, setWatched] = useState<OpenPurchase>();
  const { templateId, templateName, credentialFormat } = template;
  const attributes = readForm(credentialFormat, typed, language);
  const applying = useApplying(template, attributes, setQuote);
  useShownCode(words.wallet.apply.code, [codeOf(template, typed, language)]);
  const open = useOpenPurchases().find((one) => one.templateId === templateId);
  const got = applying.data;
  const purchase = got?.kind === 'unsettled' ? got.purchase : open;
  if (purchase && !watched && !applying.isPending) setWatched(purchase);
  if (got?.kind === 'issued' || got?.kind === 'waiting') return <ApplyDone got={got} name={templateName} />;
  if (watched)
    return (
      <PurchasePage
        purchase={watched}
        onBack={() => {
          applying.reset();
          setWatched(undefined);
        }}
      />
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTouched(true);
    if (attributes) applying.mutate(quote);
  };
  return (
    <FormPage template={template}>
      <form className="stack" onSubmit={submit} noValidate>
        {credentialFormat.map((field) => (
          <TemplateInput
            key={field.key}
            field={field}
            typed={typed[field.key]}
            isTouched={isTouched}
            onType={(value) => {
              setTyped({ ...typed, [field.key]: value });
              setQuote(undefined);
            }}
          />
        ))}
        <ApplyFoot template={template} quote={quote} isPending={applying.isPending} error={applying.error} />
      </form>
    </FormPage>
  );
}

interface FormPageProps {
  readonly template: TemplateReply;
  readonly children: ReactNode;
}

/** The form, and beside it the card that it is for. */
function FormPage({ template, children }: FormPageProps) {
  const { words } = useDeskWords('wallet');
  const wallet = useWallet();
  const texts = words.wallet.apply;
  const { templateId, templateName, issuerDid } = template;
  const { textOf: nameOf } = usePartyNames([issuerDid]);
  return (
    <DeskPage
      title={texts.formTitle(templateName)}
      text={texts.formText}
      acts={
        <Link to="/wallet/apply" className="btn quiet">
          {texts.back}
        </Link>
      }
    >
      <div className="wallet-two form-first">
        <Panel isPadded>{children}</Panel>
        <div className="stack">
          <CredentialCard
            templateId={templateId}
            templateName={templateName}
            issuer={{ did: issuerDid, name: nameOf(issuerDid) }}
            holder={wallet.name}
          />
          <WalletNote />
        </div>
      </div>
    </DeskPage>
  );
}

interface ApplyFootProps {
  readonly template: TemplateReply;
  readonly quote: Quote | undefined;
  readonly isPending: boolean;
  readonly error: unknown;
}

/** What it costs, what went wrong, the act, and what is signed with it. */
function ApplyFoot({ template, quote, isPending, error }: ApplyFootProps) {
  const { words, language } = useDeskWords('wallet');
  const texts = words.wallet.apply;
  const price = quote && assetPriceText(quote, language, words.parts.unitsOf);
  const busy = quote ? texts.paying : texts.applying;
  return (
    <>
      {price !== undefined && !isPending && (
        <p className="note" role="status">
          {texts.quote(price)}
        </p>
      )}
      {error !== null && <ErrorState failure={failureWords(error, words)} />}
      <div className="row wrap">
        <Button kind="primary" type="submit" disabled={isPending}>
          {isPending ? busy : quote ? texts.pay : texts.act}
        </Button>
        {template.price && !quote && (
          <span className="hint">{texts.costs(priceText(template.price, language))}</span>
        )}
      </div>
      <p className="hint">
        {price === undefined || !quote ? texts.signed : texts.signedPaid(price, shortAccount(quote.payTo))}
      </p>
    </>
  );
}

interface TemplateInputProps {
  readonly field: AppliedField;
  readonly typed: string | boolean | undefined;
  readonly isTouched: boolean;
  readonly onType: (value: string | boolean) => void;
}

function TemplateInput({ field, typed, isTouched, onType }: TemplateInputProps) {
  const { words, language } = useDeskWords('wallet');
  const texts = words.wallet.apply;
  const type = typeOfField(field);
  const read = readField(field, typed, language);
  const isShown = isTouched || (typed !== undefined && typed !== '');
  const errorOf = (misread: Misread): string =>
    misread.complaint === '' ? texts.needed : misspeltText(misread, words, texts.wrong[type]);
  const error = isShown && isComplaint(read) ? errorOf(read) : undefined;
  const label = field.mandatory ? field.attribute : texts.optional(field.attribute);
  if (type === 'boolean')
    return (
      <Checkbox
        label={label}
        checked={typed === true}
        onChange={({ currentTarget }) => onType(currentTarget.checked)}
      />
    );
  return (
    <TextInput
      label={label}
      value={typeof typed === 'string' ? typed : ''}
      placeholder={type === 'date' ? texts.dayExample : undefined}
      description={type === 'date' ? understoodDay(read, language) : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode={type === 'integer' ? 'numeric' : type === 'decimal' ? 'decimal' : undefined}
      error={error}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
    />
  );
}

/** The day as it was understood, for whoever typed it in another form. */
function understoodDay(read: ReturnType<typeof readField>, language: Language): string | undefined {
  if (isComplaint(read) || typeof read.value !== 'string') return undefined;
  return dayText(msOfDay(read.value), language);
}
