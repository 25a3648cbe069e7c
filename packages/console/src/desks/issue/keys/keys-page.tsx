/** `/issue/keys`: the issuer's DID document, its BBS+ keys, how the service keeps them; making, publishing, ending one. */
import { useState } from 'react';
import { useConnection } from '../../../api/api.tsx';
import { Button } from '../../../parts/controls/button.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { issuerPage, useIssuer } from '../acting/issuer-page.tsx';
import { QueryPart } from '../acting/query-part.tsx';
import { Recorded } from '../acting/recorded.tsx';
import { useAct } from '../acting/use-act.ts';
import '../issue-templates.css';
import { BbsKeyTable } from './bbs-key-table.tsx';
import { DidPanel } from './did-panel.tsx';
import { EndKey } from './end-key.tsx';
import { type KeyChange, useIssuerKeys, useKeyActs } from './issuer-keys.ts';
import { KeptKeyPanel } from './kept-panel.tsx';
import type { IssuerKeyRow } from './key-rows.ts';

function KeysPage() {
  const { words } = useDeskWords('issue');
  const { did, name } = useIssuer();
  const { state } = useConnection();
  const keys = useIssuerKeys(did);
  const acts = useKeyActs();
  const [changed, setChanged] = useState<KeyChange>();
  const [ending, setEnding] = useState<IssuerKeyRow>();
  const making = useAct(async () => setChanged(await acts.make()));
  const publishing = useAct(async (row: IssuerKeyRow) => setChanged(await acts.publish(row)));
  useShownCode(words.issuerKeys.title(name), [
    { server: 'service', route: 'listIssuerKeys' },
    { server: 'service', route: 'resolveDid', given: { did } },
    { act: 'publishKey' },
    { server: 'service', route: 'withdrawIssuerKey' },
  ]);
  const isBusy = making.isBusy || publishing.isBusy || state === 'lost';
  const failure = making.failure ?? publishing.failure;
  return (
    <DeskPage
      title={words.issuerKeys.title(name)}
      text={words.issuerKeys.text}
      acts={
        <Button kind="primary" icon="key" onClick={making.run} disabled={isBusy}>
          {making.isBusy ? words.templates.underWay : words.issuerKeys.make}
        </Button>
      }
    >
      {changed && (
        <Panel isPadded className="done-panel">
          <Recorded what={words.issuerKeys.done[changed.change](changed.number)} {...changed} />
        </Panel>
      )}
      {failure && (
        <Panel className="done-panel">
          <ErrorState failure={failure} />
        </Panel>
      )}
      <div className="with-side">
        <div className="stack">
          <Panel title={words.issuerKeys.bbsKeys}>
            <QueryPart query={keys}>
              {({ rows }) => (
                <BbsKeyTable rows={rows} isBusy={isBusy} onPublish={publishing.run} onEnd={setEnding} />
              )}
            </QueryPart>
          </Panel>
          <DidPanel did={did} />
        </div>
        <div className="side-stack">
          <QueryPart query={keys}>{({ kept }) => <KeptKeyPanel kept={kept} name={name} />}</QueryPart>
        </div>
      </div>
      {ending && (
        <EndKey
          row={ending}
          onEnded={(change) => {
            setChanged(change);
            setEnding(undefined);
          }}
          onClose={() => setEnding(undefined)}
        />
      )}
    </DeskPage>
  );
}

export default issuerPage(KeysPage);
