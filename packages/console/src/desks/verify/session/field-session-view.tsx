/** A session that any wallet of OpenID4VP answers: what was asked, where it stands, and what came of each credential. */
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Fate } from '../../../parts/halves/fate.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { shortSession } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { valueText } from '../request/request-words.ts';
import { EventLog } from './event-log.tsx';
import { readAskedFields, seenClaims } from './field-session.ts';
import { isOpen, type SessionOutcome, type SessionReply, sessionStanding } from './session-facts.ts';
import { TimedQrCode } from './timed-qr-code.tsx';
import type { HeardEvents } from './use-session.ts';

export interface FieldSessionViewProps {
  readonly session: SessionReply;
  readonly events: HeardEvents;
}

export function FieldSessionView({ session, events }: FieldSessionViewProps) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.session;
  const { result, qrCodeData = '', presentationId: id } = session;
  return (
    <DeskPage title={texts.states[sessionStanding(session)]} crumb={shortSession(id)} text={texts.anyWallet}>
      <div className="stack">
        {isOpen(session.status) && qrCodeData !== '' && (
          <Panel aside={<CopyButton text={qrCodeData} what={texts.walletLink} isWordy />} isPadded>
            <TimedQrCode text={qrCodeData} label={texts.qr} left={1} />
          </Panel>
        )}
        <AskedFields session={session} />
        {result?.errors.map((error) => (
          <p key={error} className="note warn" role="alert">
            <ForeignText text={error} />
          </p>
        ))}
        {result && <SeenFields result={result} />}
        {result?.fieldChecks?.map((checked) => (
          <FieldChecksPanel key={checked.queryId} checked={checked} />
        ))}
        <EventLog session={session} events={events} />
      </div>
    </DeskPage>
  );
}

function AskedFields({ session }: Pick<FieldSessionViewProps, 'session'>) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.session;
  return (
    <Panel title={texts.asked} isPadded>
      {readAskedFields(session.requirements).map(({ id, format, kinds, claims, isChoice }) => (
        <div key={id} className="asked-of">
          <p className="h2">
            <ForeignText text={kinds.join(', ')} />
          </p>
          <p className="hint mono">{format}</p>
          <ul className="asked">
            {claims.map(({ name, fate, bounds }) => (
              <li key={name}>
                <Fate fate={fate} />
                <span>
                  <b>
                    <ForeignText text={name} />
                  </b>{' '}
                  {bounds !== undefined && <ForeignText text={bounds} />}
                </span>
              </li>
            ))}
          </ul>
          {isChoice && <p className="muted">{texts.notAll}</p>}
        </div>
      ))}
      {session.purpose !== undefined && (
        <p className="asked-why">
          <span className="muted">{texts.purpose}</span> <ForeignText text={session.purpose} />
        </p>
      )}
    </Panel>
  );
}

function SeenFields({ result }: { readonly result: SessionOutcome }) {
  const reading = useDeskWords('verify');
  const { result: texts } = reading.words.verify;
  return (result.fieldCredentials ?? []).map((credential) => {
    const { queryId, types, issuer, issuerTrust, record, validFrom = '', validUntil = '' } = credential;
    return (
      <Panel key={`${queryId} ${credential.holder}`} title={types.at(-1) ?? queryId} isPadded>
        <dl className="facts">
          {seenClaims(credential).map(([name, value]) => (
            <div key={name}>
              <dt>
                <ForeignText text={name} />
              </dt>
              <dd>
                <ForeignText text={valueText(value, reading)} />
              </dd>
            </div>
          ))}
          <div>
            <dt>{texts.issuer}</dt>
            <dd>
              <ForeignText text={record?.issuer ?? issuer} />{' '}
              <span className="muted">{issuerTrust === 'trusted' ? texts.trusted : texts.notAsked}</span>
            </dd>
          </div>
          {validUntil !== '' && (
            <div>
              <dt>{texts.validity}</dt>
              <dd>{texts.validTo(validFrom, validUntil)}</dd>
            </div>
          )}
        </dl>
      </Panel>
    );
  });
}

const looks = {
  true: { tone: 'ok', icon: 'statusOk', word: 'passed' },
  false: { tone: 'bad', icon: 'statusBad', word: 'failed' },
  null: { tone: 'idle', icon: 'statusWarn', word: 'idle' },
} as const;

type FieldChecked = NonNullable<SessionOutcome['fieldChecks']>[number];

function FieldChecksPanel({ checked }: { readonly checked: FieldChecked }) {
  const { words } = useDeskWords('verify');
  const { result } = words.verify;
  return (
    <Panel title={result.checksOf(checked.queryId)} className="six">
      <ol>
        {checked.checks.map(({ name, title, passed, words: said }) => {
          const { tone, icon, word } = looks[`${passed}`];
          return (
            <li key={name} className={tone}>
              <Icon name={icon} />
              <div className="grow">
                <b>{title}</b>
                <span className="sr">: {result[word]}. </span>
                <span className="muted">{said}</span>
              </div>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
