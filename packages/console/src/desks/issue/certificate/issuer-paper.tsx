/** Makes the PDF for the issuer, and says what is in it before and after. */
import { useId, useState } from 'react';
import { useConsoleConfig } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { QrCode } from '../../../parts/controls/qr-code.tsx';
import { saveFile } from '../../../parts/controls/save-file.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { NotSigned } from '../../../signing/signing.tsx';
import { countText } from '../../../text/numbers.ts';
import type { DeskWords } from '../../../words/desk-words.ts';
import { useDeskWords } from '../../../words/words.ts';
import { cardStateOf, IssuedStatus } from '../issued-status.tsx';
import { useIssuerDesk } from '../issuer-desk.ts';
import { holderName, useOwnIssuer } from '../issuer-names.ts';
import { certificateAddress } from './certificate-address.ts';
import { certificateOf, type IssuedOne } from './make-certificate.ts';

interface IssuerPaperProps {
  readonly one: IssuedOne;
  /** Reads it again: others may have changed its status since the page was opened. */
  readonly renew: () => Promise<IssuedOne | undefined>;
}

type WithoutPaper = keyof DeskWords<'issue'>['issueInbox']['certificate']['without'];

const getsNoPaper = (status: IssuedOne['status']): status is WithoutPaper =>
  status === 'Revoked' || status === 'Suspended' || status === 'Missing';

export function IssuerPaper({ one, renew }: IssuerPaperProps) {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox.certificate;
  const issuer = useOwnIssuer();
  const desk = useIssuerDesk();
  const [isAttached, setAttached] = useState(true);
  const publicUrl = useConsoleConfig()?.publicUrl;
  const making = useSingleMutation({
    mutationFn: async (url: string) => {
      const current = await renew();
      if (!current || getsNoPaper(current.status)) return undefined;
      const terms = { one: current, issuer, isAttached, publicUrl: url, words, language };
      const made = await certificateOf(await desk(), terms);
      saveFile({ name: made.name, type: 'application/pdf', contents: made.pdf });
      return made;
    },
  });
  useShownCode(texts.make, [
    { server: 'service', route: 'getIssued', given: { vcId: one.vcId } },
    { act: 'download', given: { vcId: one.vcId, isIssuer: true } },
  ]);
  const template = one.templateName ?? one.templateId;
  const canMake = !getsNoPaper(one.status) && publicUrl !== undefined;
  const isFailure = making.error && !(making.error instanceof NotSigned);
  const kilobytes = (bytes: number): string => countText(Math.ceil(bytes / 1_000), language);
  return (
    <DeskPage title={texts.title(template, holderName(one))} windowTitle={template} text={texts.about}>
      <div className="reading">
        <div className="stack">
          <Panel isPadded>
            <div className="paper">
              <IssuedStatus one={one} />
              {getsNoPaper(one.status) && <p className="note">{texts.without[one.status]}</p>}
              <AttachBox isAttached={isAttached} onChange={setAttached} />
              <div className="row wrap">
                <Button
                  kind="primary"
                  icon="save"
                  disabled={!canMake || making.isPending}
                  onClick={() => publicUrl !== undefined && making.mutate(publicUrl)}
                >
                  {making.isPending ? texts.making : texts.make}
                </Button>
              </div>
              {making.data && (
                <p className="note" role="status">
                  {texts.made(making.data.name, kilobytes(making.data.pdf.size))}{' '}
                  {making.data.isAttached && texts.attached} {!making.data.isWhole && texts.lapsed}
                </p>
              )}
              {isFailure && <ErrorState failure={failureWords(making.error, words)} />}
            </div>
          </Panel>
          {publicUrl !== undefined && <CodePanel address={certificateAddress(publicUrl, one.vcId)} />}
        </div>
        <CredentialCard
          templateId={one.templateId}
          templateName={template}
          issuer={issuer}
          state={cardStateOf(one)}
          vcId={one.vcId}
          {...(one.label !== undefined && { holder: one.label })}
          {...(one.validUntil !== null && { until: Date.parse(one.validUntil) })}
        />
      </div>
    </DeskPage>
  );
}

/** What the code on the paper holds, before it is printed. */
function CodePanel({ address }: { readonly address: string }) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox.certificate;
  return (
    <Panel title={texts.code} isPadded>
      <div className="paper-code">
        <QrCode text={address} label={texts.code} />
        <div className="grow">
          <p className="muted">{texts.codeWhy}</p>
          <p className="row">
            <span className="mono cut">{address}</span>
            <CopyButton text={address} what={words.parts.address} />
          </p>
        </div>
      </div>
    </Panel>
  );
}

interface AttachBoxProps {
  readonly isAttached: boolean;
  readonly onChange: (isAttached: boolean) => void;
}

/** Whether the credential goes along as a file, and what that means. */
function AttachBox({ isAttached, onChange }: AttachBoxProps) {
  const { words } = useDeskWords('issue');
  const texts = words.issueInbox.certificate;
  const id = useId();
  return (
    <div className="paper-attach">
      <input
        type="checkbox"
        id={id}
        className="check-input"
        aria-describedby={`${id}-why`}
        checked={isAttached}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        <label htmlFor={id}>{texts.attach}</label>
        <span className="hint" id={`${id}-why`}>
          {texts.attachWhy}
        </span>
      </span>
    </div>
  );
}
