/** What the holder will read before deciding: who asks, why, for what, and what goes along in any case. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useChair } from '../../../api/api.tsx';
import { usePartyNames } from '../../../api/party-names.ts';
import { Panel } from '../../../parts/frame/panel.tsx';
import { IdentityMark } from '../../../parts/written/identity-mark.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { AskedRequest } from '../request/asked-claims.ts';
import { AskedList } from '../request/asked-list.tsx';

export interface WalletPreviewProps {
  readonly asked: AskedRequest;
  readonly purpose: string;
  readonly templates: ReadonlyMap<string, TemplateReply>;
}

export function WalletPreview({ asked, purpose, templates }: WalletPreviewProps) {
  const { words } = useDeskWords('verify');
  const { ask } = words.verify;
  const { signedIn, person } = useChair();
  const did = signedIn?.did ?? '';
  const name = usePartyNames(did === '' ? [] : [did]).get(did)?.name ?? person?.name ?? ask.itself;
  const count = asked.credentials.reduce((sum, { claims }) => sum + claims.length, 0);
  const isEmpty = asked.credentials.length === 0;
  return (
    <Panel title={ask.preview} className="wallet-preview">
      <div className="pad stack">
        <div className="row">
          <IdentityMark id={did} name={name} size="medium" />
          <b className="grow">{isEmpty ? name : words.parts.asks(name, count)}</b>
        </div>
        {isEmpty && <p className="muted">{words.verify.sentence.nothing}</p>}
        {purpose.trim() !== '' && <blockquote>{purpose.trim()}</blockquote>}
        <AskedList asked={asked} templates={templates} />
        <p className="hint">
          {ask.goesAlong} {ask.recognises}
        </p>
      </div>
    </Panel>
  );
}
