/** One issued credential: how it stands, what was done to it, and what its issuer can do. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChair, useClients } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { issuerKey } from '../../../api/issuer-counts.ts';
import { useIssuerNews } from '../../../api/issuer-news.ts';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Block } from '../../../parts/written/block.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { assetPriceText } from '../../../text/price.ts';
import { dayText, lastDayText } from '../../../text/times.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { OnLedger } from '../applications/issue-application.ts';
import { RecordedNote, useLedgerWays } from '../applications/recorded-note.tsx';
import { cardStateOf, IssuedStatus } from '../issued-status.tsx';
import { useHolderNames, useOwnIssuer } from '../issuer-names.ts';
import { useIssuerRenewal } from '../issuer-queries.ts';
import { accountOf } from '../keys/issuer-keys.ts';
import type { StatusAct } from './change-status.ts';
import { StatusDialog } from './status-dialog.tsx';

function useIssuedOne(vcId: string) {
  const { service } = useClients();
  return useQuery({
    queryKey: [issuerKey, 'issued-one', vcId],
    queryFn: () => service.getIssued({ vcId }),
    refetchOnWindowFocus: false,
  });
}

type IssuedOne = NonNullable<ReturnType<typeof useIssuedOne>['data']>;

/** What can be done in which state. */
const actsIn = (status: IssuedOne['status']): readonly StatusAct[] => {
  if (status === 'Active') return ['suspend', 'revoke'];
  if (status === 'Suspended') return ['reinstate', 'revoke'];
  return status === 'Expired' ? ['revoke'] : [];
};

export function IssuedDetail({ vcId }: { readonly vcId: string }) {
  const { words } = useDeskWords('issue');
  const one = useIssuedOne(vcId);
  const { nameOf, wordOf } = useHolderNames([one.data]);
  const renew = useIssuerRenewal();
  useIssuerNews({ onEvent: (event) => event.vcId === vcId && renew(), onGap: renew });
  const [act, setAct] = useState<StatusAct>();
  const [done, setDone] = useState<{ readonly act: StatusAct; readonly recorded: OnLedger }>();
  const texts = words.issueInbox;
  const did = useChair().signedIn?.did;
  const issuerAddress = did === undefined ? '' : accountOf(did).address;
  useShownCode(act === undefined ? words.shell.places.issued : texts.change[act], [
    { server: 'service', route: 'getIssued', given: { vcId } },
    ...actsIn(one.data?.status ?? 'Missing').map((name) => ({ act: name, given: { vcId, issuerAddress } })),
  ]);
  if (one.data === undefined)
    return (
      <DeskPage title={words.shell.places.issued}>
        <Panel>
          {one.isError ? (
            <ErrorState failure={failureWords(one.error, words)} onAgain={() => void one.refetch()} />
          ) : (
            <Bones rows={5} hasMark={false} />
          )}
        </Panel>
      </DeskPage>
    );
  const { data } = one;
  const template = data.templateName ?? data.templateId;
  const word = wordOf(data);
  const doneWords = {
    revoke: texts.change.revoked,
    suspend: texts.change.suspended,
    reinstate: texts.change.reinstated,
  };
  return (
    <DeskPage
      title={`${nameOf(data)}: ${template}`}
      windowTitle={template}
      text={<StatusLine one={data} word={word && words.parts.nameWords[word]} />}
    >
      <div className="reading">
        <div className="stack">
          {done && (
            // Each act has a note of its own: what came of it is gone to.
            <RecordedNote key={done.act} title={doneWords[done.act]} recorded={done.recorded} />
          )}
          {data.asOf.source === 'records' && <p className="note warn">{texts.issuedList.fromRecords}</p>}
          {data.status === 'Missing' && <p className="note warn">{texts.detail.missingWhy}</p>}
          <Panel isPadded>
            <IssuedFacts one={data} />
          </Panel>
          <Panel title={texts.detail.history}>
            <History one={data} />
          </Panel>
        </div>
        <IssuedSide one={data} onAct={setAct} />
      </div>
      {act && (
        <StatusDialog
          act={act}
          credential={data}
          onDone={(recorded) => setDone({ act, recorded })}
          onClose={() => setAct(undefined)}
        />
      )}
    </DeskPage>
  );
}

/** How it stands, and on whose word its holder is called so. */
const StatusLine = ({ one, word }: { readonly one: IssuedOne; readonly word: string | undefined }) => (
  <span className="row wrap">
    <IssuedStatus one={one} />
    {word && <span className="hint">{word}</span>}
  </span>
);

function IssuedSide({ one, onAct }: { readonly one: IssuedOne; readonly onAct: (act: StatusAct) => void }) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox;
  const issuer = useOwnIssuer();
  return (
    <aside>
      <CredentialCard
        templateId={one.templateId}
        templateName={one.templateName ?? one.templateId}
        issuer={issuer}
        state={cardStateOf(one)}
        badge={one.status === 'Missing' ? texts.issuedList.missing : 'state'}
        vcId={one.vcId}
        {...(one.label !== undefined && { holder: one.label })}
        {...(one.validUntil !== null && { until: Date.parse(one.validUntil) })}
      />
      <div className="acts-column">
        {one.status !== 'Revoked' && one.status !== 'Missing' && (
          <Link to="/issue/certificate/$vcId" params={{ vcId: one.vcId }} className="btn">
            <Icon name="medal" />
            {texts.detail.certificate}
          </Link>
        )}
        {actsIn(one.status).map((name) => (
          <Button key={name} kind={name === 'revoke' ? 'bad' : 'plain'} onClick={() => onAct(name)}>
            {texts.change[name]}…
          </Button>
        ))}
      </div>
    </aside>
  );
}

function IssuedFacts({ one }: { readonly one: IssuedOne }) {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox.detail;
  const ways = useLedgerWays();
  const day = (text: string | null, textOf = dayText): string =>
    text === null ? texts.unknown : textOf(Date.parse(text), language);
  return (
    <dl className="facts">
      <dt>{texts.number}</dt>
      <dd>
        <Did did={one.vcId} />
      </dd>
      <dt>{texts.holder}</dt>
      <dd>
        <Did did={one.holder} />
      </dd>
      <dt>{texts.template}</dt>
      <dd>
        {one.templateName ?? one.templateId} {one.templateVersion}
      </dd>
      <dt>{texts.validity}</dt>
      <dd>{texts.until(day(one.validFrom), day(one.validUntil, lastDayText))}</dd>
      {one.paid && (
        <>
          <dt>{texts.paid}</dt>
          <dd>{assetPriceText(one.paid, language, words.parts.unitsOf)}</dd>
        </>
      )}
      <dt>{texts.recorded}</dt>
      <dd className="row wrap">
        {one.ledgerSeq !== null && (
          <Block number={Number(one.ledgerSeq)} {...ways.block(Number(one.ledgerSeq))} />
        )}
        <Hash hash={one.txHash} {...ways.transaction(one.txHash)} />
      </dd>
      <dt>{texts.download}</dt>
      <dd>{day(one.downloadExpiresAt, lastDayText)}</dd>
    </dl>
  );
}

function History({ one }: { readonly one: IssuedOne }) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox.detail;
  const ways = useLedgerWays();
  return (
    <ol className="history">
      {one.history.map(({ act, at, txHash, ledgerSeq, reason }) => (
        <li key={`${act} ${at} ${txHash}`}>
          <b>{texts.acts[act]}</b>
          <span className="hint">
            {reason !== undefined && <ForeignText text={reason} />}
            {txHash === null && texts.elsewhere}
          </span>
          <span className="row">
            {ledgerSeq !== null && <Block number={Number(ledgerSeq)} {...ways.block(Number(ledgerSeq))} />}
            {txHash !== null && <Hash hash={txHash} {...ways.transaction(txHash)} />}
            <span className="muted">
              <Time at={Date.parse(at)} />
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
