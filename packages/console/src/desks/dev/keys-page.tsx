/** The API keys of one's own party: made with some of one's scopes, shown once, ended here. Never the keys themselves. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useChair, useClients } from '../../api/api.tsx';
import type { CodeRequest } from '../../code/code-request.ts';
import { Button } from '../../parts/controls/button.tsx';
import { ConfirmDialog } from '../../parts/frame/confirm-dialog.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import type { Column } from '../../parts/frame/rows.tsx';
import { Time } from '../../parts/written/time.tsx';
import { useShownCode } from '../../shell/shown-code.tsx';
import type { DeskWords } from '../../words/desk-words.ts';
import { useDeskWords } from '../../words/words.ts';
import './dev.css';
import { KeyState } from './key-state.tsx';
import { ListPanel } from './list-panel.tsx';
import { MakeKeyDialog } from './make-key-dialog.tsx';
import { ShownOnce } from './shown-once.tsx';
import { useToldAct } from './use-act.ts';
import { keyRows, type OwnApiKey, useApiKeys } from './use-api-keys.ts';

const requests: readonly CodeRequest[] = [
  { server: 'service', route: 'listApiKeys', given: { limit: String(keyRows) } },
];

export default function KeysPage() {
  const { words } = useDeskWords('dev');
  const { signedIn } = useChair();
  const query = useApiKeys();
  const queries = useQueryClient();
  const { service } = useClients();
  const act = useToldAct();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ readonly label: string; readonly apiKey: string }>();
  const [ending, setEnding] = useState<OwnApiKey>();
  useShownCode(words.dev.keys.title, requests);
  const readAgain = () => queries.invalidateQueries({ queryKey: ['dev', 'keys'] });
  const { keys } = words.dev;
  const makeButton = (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {keys.make}
    </Button>
  );
  return (
    <DeskPage title={keys.title} text={keys.about} acts={signedIn && makeButton}>
      <ListPanel
        query={query}
        label={keys.title}
        columns={columnsOf(words, setEnding)}
        idOf={({ id }) => id}
        empty={{ title: keys.empty, text: keys.emptyWhy }}
      />
      {isMaking && (
        <MakeKeyDialog
          scopes={signedIn?.scopes ?? []}
          onClose={() => setMaking(false)}
          onMade={(next) => {
            setMaking(false);
            setMade(next);
            void readAgain();
          }}
        />
      )}
      {made && (
        <ShownOnce
          title={keys.madeTitle(made.label)}
          text={keys.madeWhy}
          secret={made.apiKey}
          onClose={() => setMade(undefined)}
        />
      )}
      {ending && (
        <ConfirmDialog
          title={keys.endTitle(ending.label)}
          text={ending.isOwn ? keys.endOwnWhy : keys.endWhy}
          act={keys.end}
          onClose={() => setEnding(undefined)}
          onConfirm={async () => {
            await act({
              call: () => service.endApiKey({ id: ending.id }),
              done: () => keys.ended(ending.label),
            });
            await readAgain();
          }}
        />
      )}
    </DeskPage>
  );
}

/** A session acts by its key without showing it, so that the service notes no use of it. */
function LastUsed({ apiKey: { isOwn, lastUsedAt } }: { readonly apiKey: OwnApiKey }) {
  const { keys } = useDeskWords('dev').words.dev;
  if (isOwn) return keys.usedNow;
  if (lastUsedAt === undefined) return <span className="faint">{keys.neverUsed}</span>;
  return <Time at={Date.parse(lastUsedAt)} />;
}

function columnsOf(words: DeskWords<'dev'>, onEnd: (key: OwnApiKey) => void): readonly Column<OwnApiKey>[] {
  const { keys } = words.dev;
  return [
    {
      key: 'label',
      title: keys.name,
      width: 'minmax(0, 1.6fr)',
      cell: ({ label, id, isOwn }) => (
        <span className="row">
          <b className="cut">{label}</b>
          <span className="mono faint">{id}</span>
          {isOwn && <span className="tag plain">{keys.own}</span>}
        </span>
      ),
    },
    {
      key: 'scopes',
      title: keys.scopes,
      width: 'minmax(0, 1.6fr)',
      isBelowOnPhone: true,
      cell: (key) => (
        <>
          <span title={key.scopes.join(', ')}>{key.scopes.join(', ')}</span>
          <span className="only-m muted">
            {' '}
            · {keys.used}: <LastUsed apiKey={key} />
          </span>
        </>
      ),
    },
    {
      key: 'used',
      title: keys.used,
      width: '120px',
      isHiddenOnPhone: true,
      cell: (key) => <LastUsed apiKey={key} />,
    },
    { key: 'state', title: keys.state, width: '150px', cell: (key) => <KeyState apiKey={key} /> },
    {
      key: 'end',
      title: '',
      width: '110px',
      isNumber: true,
      cell: (key) =>
        key.endedAt === undefined && (
          <Button size="small" kind="bad" aria-label={keys.endOne(key.label)} onClick={() => onEnd(key)}>
            {keys.endShort}
          </Button>
        ),
    },
  ];
}
