/** An offer that was just made: its QR code, its link, its further code. The service tells them here and never again. */

import type { CredentialReply } from '@symbolon/sdk/service/credential-client';
import { Link, useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { QrCode } from '../../../parts/controls/qr-code.tsx';
import { ConfirmDialog } from '../../../parts/frame/confirm-dialog.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { offerAddress } from './offer-address.ts';
import { type OfferFate, useOfferFate } from './offer-queries.ts';
import { OfferStatus } from './offer-states.tsx';

export interface MadeOfferProps {
  readonly offer: CredentialReply<'makeOffer'>;
  readonly templateId: string;
  readonly name: string;
  /** Whom it is for; empty where nobody said. */
  readonly reference: string;
  readonly onAnother: () => void;
}

export function MadeOffer({ offer, templateId, name, reference, onAnother }: MadeOfferProps) {
  const { words } = useDeskWords('issue');
  const { txCode, offerId } = offer;
  const fate = useOfferFate({ offerId, templateId });
  const [isLinkTaken, setLinkTaken] = useState(false);
  const [isCodeTaken, setCodeTaken] = useState(txCode === undefined);
  const isOpen = fate.state === 'open';
  const acts = (
    <div className="row wrap">
      <Button kind="primary" icon="plus" onClick={onAnother}>
        {words.offers.another}
      </Button>
      <Link to="/issue/offers" className="btn">
        {words.offers.all}
      </Link>
    </div>
  );
  return (
    <Panel
      title={reference === '' ? words.offers.madeFor(name) : words.offers.madeForWhom(name, reference)}
      isPadded
    >
      {isOpen ? (
        <ToldOnce
          {...{ offer, name }}
          onLink={() => setLinkTaken(true)}
          onCode={() => setCodeTaken(true)}
          acts={acts}
        />
      ) : (
        <div className="stack tight">
          <Became fate={fate} />
          {acts}
        </div>
      )}
      <AskBeforeLeaving
        name={name}
        text={words.offers.leaveText(txCode !== undefined)}
        isAsking={isOpen && (!isLinkTaken || !isCodeTaken)}
      />
    </Panel>
  );
}

/** Its link leads nowhere any more: what came of it stands in its place. */
function Became({ fate: { state, vcId } }: { readonly fate: OfferFate }) {
  const { words } = useDeskWords('issue');
  return (
    <p className="note" role="status">
      <OfferStatus state={state} />
      <span>{words.offers.became[state]}</span>
      {state === 'accepted' && vcId !== undefined && (
        <Link to="/issue/applications/$vcId" params={{ vcId }} className="lk">
          {words.offers.review}
        </Link>
      )}
    </p>
  );
}

interface ToldOnceProps extends Pick<MadeOfferProps, 'offer' | 'name'> {
  readonly onLink: () => void;
  readonly onCode: () => void;
  readonly acts: ReactNode;
}

function ToldOnce({ offer, name, onLink, onCode, acts }: ToldOnceProps) {
  const { words } = useDeskWords('issue');
  const { link, txCode, expiresAt, offerId } = offer;
  const address = offerAddress(location.origin, link);
  return (
    <div className="made-offer">
      <div>
        <QrCode text={link} label={words.offers.qrLabel(name)} correction="low" />
        <p className="hint">{words.offers.qrHint}</p>
      </div>
      <div className="stack tight">
        <p className="note warn">{words.offers.toldOnce(txCode !== undefined)}</p>
        <div>
          <span className="hint">{words.offers.link}</span>
          <p className="offer-link mono">{address}</p>
          <CopyButton text={address} what={words.offers.link} isWordy onCopied={onLink} />
        </div>
        {txCode !== undefined && <FurtherCode code={txCode} onCopied={onCode} />}
        <details>
          <summary>{words.offers.otherWallets}</summary>
          <p className="offer-link mono">{link}</p>
          <CopyButton text={link} what={words.offers.otherWallets} isWordy onCopied={onLink} />
        </details>
        <p className="hint">
          {words.offers.until}: <Time at={Date.parse(expiresAt)} /> · <span className="mono">{offerId}</span>
        </p>
        {acts}
      </div>
    </div>
  );
}

interface FurtherCodeProps {
  readonly code: string;
  readonly onCopied: () => void;
}

function FurtherCode({ code, onCopied }: FurtherCodeProps) {
  const { words } = useDeskWords('issue');
  return (
    <div>
      <span className="hint">{words.offers.txCodeTold}</span>
      <p className="row">
        <span className="tx-code num">{code}</span>
        <CopyButton text={code} what={words.offers.txCodeTold} onCopied={onCopied} />
      </p>
      <p className="hint">{words.offers.otherWay}</p>
    </div>
  );
}

interface AskBeforeLeavingProps {
  readonly name: string;
  readonly text: string;
  readonly isAsking: boolean;
}

/** Whoever goes without having taken what is told once is asked first. */
function AskBeforeLeaving({ name, text, isAsking }: AskBeforeLeavingProps) {
  const { words } = useDeskWords('issue');
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => true,
    disabled: !isAsking,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={words.offers.leaveTitle(name)}
      text={text}
      act={words.offers.leave}
      onConfirm={async () => proceed()}
      onClose={reset}
    />
  );
}
