/** An offer of an issuer: its link pasted or scanned, what it says, and accepting exactly that. */
import { TextInput } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import {
  acceptOffer,
  type OfferPreview,
  parseOfferLink,
  previewOffer,
} from '@symbolon/sdk/flows/offer-flows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { failureWords } from '../../../api/failure.ts';
import { usePartyNames } from '../../../api/party-names.ts';
import { attributeText } from '../../../parts/card/card-values.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { ForeignValue } from '../../../parts/written/foreign-text.tsx';
import { Who } from '../../../parts/written/who.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { useWallet } from '../frame/wallet-context.ts';
import { forgetOffer, isOfferLost, takeOfferLink } from '../links/offer-link-store.ts';
import { readWalletLink } from '../links/wallet-link.ts';
import { readTypedCode } from './typed-code.ts';
import { typeOfField } from './typed-form.ts';

/** What is looked at. The count tells one look from the next, so that nothing of one offer is shown for another. */
interface Looked {
  readonly count: number;
  /** How the link came here; undefined while somebody types. */
  readonly way?: 'typed' | 'opened';
  /** What became of the one before: it was accepted, or its link went with the page that had it. */
  readonly before?: 'accepted' | 'lost';
}

/** The link in the field, be it typed or opened, also in a tab that shows this page already. */
function useGivenLink() {
  const [text, setText] = useState('');
  const [{ count, way, before }, setLooked] = useState<Looked>(() => ({
    count: 0,
    ...(isOfferLost() && { before: 'lost' }),
  }));
  const take = useCallback(() => {
    const link = takeOfferLink();
    if (link === undefined) return;
    setText(link);
    setLooked((last) => ({ count: last.count + 1, way: 'opened' }));
  }, []);
  useEffect(take, [take]);
  useWindowEvent('hashchange', take);
  const leave = (next: string, became?: Looked['before']): void => {
    forgetOffer();
    setText(next);
    setLooked({ count, ...(became && { before: became }) });
  };
  return {
    text,
    count,
    way,
    before,
    look: () => setLooked({ count: count + 1, way: 'typed' }),
    close: () => leave(text),
    accepted: (isIssued: boolean) => leave('', isIssued ? undefined : 'accepted'),
    type: (next: string) => leave(next),
  };
}

/**
 * Whoever opened a link came for what it says: it is in view, before everything else of a narrow page, and has the focus.
 * So does what became of it, for whoever accepted it.
 */
export function OfferPanel() {
  const { words } = useDeskWords('wallet');
  const given = useGivenLink();
  const place = useRef<HTMLDivElement>(null);
  const texts = words.wallet.offer;
  const opened = given.way === 'opened' ? texts.opened : undefined;
  const told = given.before === 'accepted' ? texts.waiting : opened;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further link is opened in the same place.
  useEffect(() => {
    if (told !== undefined) place.current?.focus();
  }, [told, given.count]);
  const group = { role: 'group', tabIndex: -1, className: 'wallet-opened', 'aria-label': told };
  return (
    <div ref={place} {...(told !== undefined && group)}>
      <OfferContents {...given} />
    </div>
  );
}

function OfferContents(given: ReturnType<typeof useGivenLink>) {
  const { text, count, way, before, look, close, accepted, type } = given;
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.offer;
  const { origin } = useWallet();
  const navigate = useNavigate();
  const read = way && readWalletLink(text, [origin]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const said = readWalletLink(text, [origin]);
    if (said.kind === 'request') void navigate({ to: '/wallet/requests/$id', params: { id: said.id } });
    else look();
  };
  if (read?.kind === 'offer')
    return (
      <Panel title={texts.opened} isPadded>
        <Offer key={count} link={read.link} look={count} onClose={close} onAccepted={accepted} />
      </Panel>
    );
  const unreadable = way === 'opened' ? texts.damaged : texts.noOffer;
  const problem = read && (read.kind === 'elsewhere' ? texts.elsewhere(read.origin) : unreadable);
  return (
    <Panel title={texts.title} isPadded>
      <div className="stack">
        {before && (
          <p className="note" role="status">
            {before === 'accepted' ? texts.waiting : texts.lost}
          </p>
        )}
        <form className="row wallet-paste" onSubmit={submit}>
          <TextInput
            className="grow"
            label={texts.paste}
            placeholder="openid-credential-offer://?…"
            value={text}
            error={problem}
            onChange={({ currentTarget }) => type(currentTarget.value)}
          />
          <Button type="submit" disabled={text.trim() === ''}>
            {texts.look}
          </Button>
        </form>
      </div>
    </Panel>
  );
}

interface OfferProps {
  readonly link: string;
  /** Which look it is. */
  readonly look: number;
  readonly onClose: () => void;
  readonly onAccepted: (isIssued: boolean) => void;
}

/** What the service tells of an offer: at first without the further code, and all of it once that is right. */
function useOffer({ link, look }: Pick<OfferProps, 'link' | 'look'>) {
  const { client, did } = useWallet();
  // Neither link nor code is part of the key of a query: whoever has both may accept.
  const first = useQuery({
    queryKey: ['wallet', did, 'offer', look],
    queryFn: () => previewOffer(client, { offer: parseOfferLink(link) }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const opening = useSingleMutation({
    mutationFn: async (txCode: string) => ({
      txCode,
      preview: await previewOffer(client, { offer: parseOfferLink(link), txCode }),
    }),
    gcTime: 0,
  });
  return { first, opening, shown: opening.data?.preview ?? first.data };
}

function Offer({ link, look, onClose, onAccepted }: OfferProps) {
  const { words } = useDeskWords('wallet');
  const wallet = useWallet();
  const queries = useQueryClient();
  const toast = useToast();
  const navigate = useNavigate();
  const texts = words.wallet.offer;
  const { first, opening, shown } = useOffer({ link, look });
  const accepting = useSingleMutation({
    mutationFn: (preview: OfferPreview) =>
      acceptOffer(wallet.client, {
        offer: link,
        txCode: opening.data?.txCode,
        signer: wallet.vault.signer,
        preview,
      }),
    onSuccess: async ({ status }) => {
      const isIssued = status === 'Issued';
      toast({ tone: 'ok', text: isIssued ? texts.issued : texts.waiting });
      await queries.invalidateQueries({ queryKey: ['wallet', wallet.did, 'applications'] });
      onAccepted(isIssued);
      if (isIssued) await navigate({ to: '/wallet/cards' });
    },
  });
  useShownCode(texts.title, [{ act: 'accept' }]);
  const wrongCode = wrongCodeOf(opening.error);
  const failure = first.error ?? (wrongCode ? undefined : opening.error) ?? accepting.error;
  const needsCode = shown !== undefined && isSealed(shown);
  return (
    <div className="stack">
      {!shown && !first.isError && <Bones rows={2} hasMark={false} />}
      {shown && <OfferFacts offer={shown} />}
      {failure && <ErrorState failure={failureWords(failure, words)} />}
      {needsCode && !isClosed(failure) && (
        <FurtherCode
          digits={shown.tx_code?.length ?? 0}
          problem={wrongCode && texts.wrongCode(wrongCode.triesLeft)}
          isBusy={opening.isPending}
          onCode={opening.mutate}
        />
      )}
      <div className="row">
        {shown && !needsCode && (
          <Button kind="primary" disabled={accepting.isPending} onClick={() => accepting.mutate(shown)}>
            {accepting.isPending ? texts.accepting : texts.accept}
          </Button>
        )}
        <Button kind="quiet" onClick={onClose}>
          {words.shell.close}
        </Button>
      </div>
    </div>
  );
}

/** That the further code was another one, and how often it may be tried, where the service says so. */
function wrongCodeOf(error: unknown): { readonly triesLeft: number | undefined } | undefined {
  if (!(error instanceof ServiceError && error.code === 'txCodeWrong')) return undefined;
  const { triesLeft } = error.facts;
  return { triesLeft: typeof triesLeft === 'number' ? triesLeft : undefined };
}

/** Accepted, withdrawn, over, or locked after too many wrong codes: no code helps any more. */
const isClosed = (error: unknown): boolean => error instanceof ServiceError && error.code === 'offerClosed';

/** Whether its values are shown only to whoever has the further code. */
const isSealed = ({ tx_code: code, attributes }: OfferPreview): boolean =>
  code !== undefined && attributes.some(({ value }) => value === undefined);

/** What kind of value each attribute has, by its key: an offer does not say it, its template does. */
function useDeclaredTypes({ templateId }: OfferPreview): ReadonlyMap<string, ReturnType<typeof typeOfField>> {
  const { client } = useWallet();
  const { data } = useQuery({
    queryKey: ['service', 'template', templateId],
    queryFn: () => client.getTemplate({ templateId }),
  });
  return new Map(data?.credentialFormat.map((field) => [field.key, typeOfField(field)]));
}

/** Who offers what. */
function OfferFacts({ offer }: { readonly offer: OfferPreview }) {
  const { words, language } = useDeskWords('wallet');
  const { textOf: nameOf } = usePartyNames([offer.issuer]);
  const types = useDeclaredTypes(offer);
  return (
    <>
      <div>
        <b>{offer.templateName}</b>
        <div className="row wrap">
          <Who id={offer.issuer} name={nameOf(offer.issuer)} />
          <Did did={offer.issuer} />
        </div>
      </div>
      {isSealed(offer) ? (
        <p className="muted">
          {words.wallet.offer.sealed(offer.attributes.map(({ label }) => label).join(', '))}
        </p>
      ) : (
        <dl className="facts">
          {offer.attributes.map(({ key, label, value }) => (
            <OfferedValue
              key={key}
              label={label}
              text={
                value === undefined
                  ? undefined
                  : attributeText({ type: types.get(key) ?? 'text' }, value, language)
              }
            />
          ))}
        </dl>
      )}
    </>
  );
}

interface FurtherCodeProps {
  /** How many it has. */
  readonly digits: number;
  /** What was wrong with the last one. */
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  readonly onCode: (code: string) => void;
}

/** The code that the issuer told on another way than the link. */
function FurtherCode({ digits, problem, isBusy, onCode }: FurtherCodeProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.offer;
  const [typed, setTyped] = useState('');
  const [isMisfit, setMisfit] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const code = readTypedCode(typed, digits);
    setMisfit(code === undefined);
    if (code !== undefined) onCode(code);
  };
  return (
    <form className="row wallet-paste" onSubmit={submit}>
      <TextInput
        className="grow"
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={typed}
        error={isMisfit ? texts.codeForm(digits) : problem}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setMisfit(false);
        }}
      />
      <Button type="submit" disabled={isBusy}>
        {texts.look}
      </Button>
    </form>
  );
}

function OfferedValue({ label, text }: { readonly label: string; readonly text: string | undefined }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {text === undefined ? (
          '–'
        ) : (
          <b className="wallet-value">
            <ForeignValue text={text} />
          </b>
        )}
      </dd>
    </>
  );
}
