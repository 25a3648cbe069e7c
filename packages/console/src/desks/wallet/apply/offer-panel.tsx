/** An offer of an issuer: its link pasted or scanned, what it says, and accepting exactly that. */
import { TextInput } from '@mantine/core';
import {
  acceptOffer,
  type OfferPreview,
  parseOfferLink,
  previewOffer,
} from '@symbolon/sdk/flows/offer-flows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { failureWords } from '../../../api/failure.ts';
import { usePartyNames } from '../../../api/party-names.ts';
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
import { dropOfferLink, offerLinkHere } from '../links/offer-link-store.ts';
import { readWalletLink } from '../links/wallet-link.ts';

export function OfferPanel() {
  const { words } = useDeskWords();
  const texts = words.wallet.offer;
  const { origin } = useWallet();
  const navigate = useNavigate();
  const [text, setText] = useState(() => offerLinkHere() ?? '');
  const [isAsked, setAsked] = useState(text !== '');
  useEffect(dropOfferLink, []);
  const read = isAsked ? readWalletLink(text, [origin]) : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const said = readWalletLink(text, [origin]);
    if (said.kind === 'request') void navigate({ to: '/wallet/requests/$id', params: { id: said.id } });
    else setAsked(true);
  };
  const type = (next: string): void => {
    setText(next);
    setAsked(false);
  };
  if (read?.kind === 'offer')
    return (
      <Panel title={texts.title} isPadded>
        <Offer link={read.link} onClose={() => setAsked(false)} onAccepted={() => type('')} />
      </Panel>
    );
  const problem = read && (read.kind === 'elsewhere' ? texts.elsewhere(read.origin) : texts.noOffer);
  return (
    <Panel title={texts.title} isPadded>
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
    </Panel>
  );
}

interface OfferProps {
  readonly link: string;
  readonly onClose: () => void;
  readonly onAccepted: () => void;
}

function Offer({ link, onClose, onAccepted }: OfferProps) {
  const { words } = useDeskWords();
  const wallet = useWallet();
  const queries = useQueryClient();
  const toast = useToast();
  const navigate = useNavigate();
  const texts = words.wallet.offer;
  const [{ txCode, tries }, setCode] = useState<{ readonly txCode?: string; readonly tries: number }>({
    tries: 0,
  });
  // Neither link nor code is part of the key of a query: whoever has both may accept.
  const preview = useQuery({
    queryKey: ['wallet', wallet.did, 'offer', tries],
    queryFn: () => previewOffer(wallet.client, { offer: parseOfferLink(link), txCode }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const accepting = useSingleMutation({
    mutationFn: (shown: OfferPreview) =>
      acceptOffer(wallet.client, { offer: link, txCode, signer: wallet.vault.signer, preview: shown }),
    onSuccess: async ({ status }) => {
      toast({ tone: 'ok', text: status === 'Issued' ? texts.issued : texts.waiting });
      await queries.invalidateQueries({ queryKey: ['wallet', wallet.did, 'applications'] });
      onAccepted();
      if (status === 'Issued') await navigate({ to: '/wallet/cards' });
    },
  });
  useShownCode(texts.title, [{ act: 'accept' }]);
  const failure = preview.error ?? accepting.error;
  const shown = preview.data;
  const needsCode = (tries > 0 && !shown) || (shown !== undefined && isSealed(shown));
  return (
    <div className="stack">
      {!shown && !preview.isError && <Bones rows={2} hasMark={false} />}
      {shown && <OfferFacts offer={shown} />}
      {failure && <ErrorState failure={failureWords(failure, words)} />}
      {needsCode && <FurtherCode onCode={(code) => setCode({ txCode: code, tries: tries + 1 })} />}
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

/** Whether its values are shown only to whoever has the further code. */
const isSealed = ({ tx_code: code, attributes }: OfferPreview): boolean =>
  code !== undefined && attributes.some(({ value }) => value === undefined);

/** Who offers what. */
function OfferFacts({ offer }: { readonly offer: OfferPreview }) {
  const { words } = useDeskWords();
  const { textOf: nameOf } = usePartyNames([offer.issuer]);
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
            <OfferedValue key={key} label={label} value={value} />
          ))}
        </dl>
      )}
    </>
  );
}

/** The code that the issuer told on another way than the link. */
function FurtherCode({ onCode }: { readonly onCode: (code: string) => void }) {
  const { words } = useDeskWords();
  const texts = words.wallet.offer;
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onCode(typed.trim());
  };
  return (
    <form className="row wallet-paste" onSubmit={submit}>
      <TextInput
        className="grow"
        label={texts.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit">{texts.look}</Button>
    </form>
  );
}

function OfferedValue({
  label,
  value,
}: {
  readonly label: string;
  readonly value: string | number | boolean | undefined;
}) {
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {value === undefined ? (
          '–'
        ) : (
          <b className="wallet-value">
            <ForeignValue text={String(value)} />
          </b>
        )}
      </dd>
    </>
  );
}
