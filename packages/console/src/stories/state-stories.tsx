/** Refused, empty, loading, failed, offline, and what is said in passing. */
import { Button } from '../parts/controls/button.tsx';
import { Panel } from '../parts/frame/panel.tsx';
import { Bones } from '../parts/states/bones.tsx';
import { EmptyState } from '../parts/states/empty-state.tsx';
import { ErrorState } from '../parts/states/error-state.tsx';
import { OfflineBar } from '../parts/states/offline-bar.tsx';
import { VerdictBar } from '../parts/states/verdict-bar.tsx';
import { Block } from '../parts/written/block.tsx';
import { ToastLine } from '../shell/toaster.tsx';
import { useWords } from '../words/words.ts';
import { Story } from './story.tsx';

const nothing = (): void => undefined;

export function RefusalStory() {
  const { words } = useWords();
  const { checks } = words.home;
  return (
    <Story title="A refusal says which check, since when, and what to do">
      <Panel>
        <VerdictBar
          isGood={false}
          title="Not verified. The credential was revoked."
          act={<Button>Ask again</Button>}
          checks={Object.entries(checks).map(([key, name]) => ({ name, hasPassed: key !== 'status' }))}
        >
          University of Example revoked it 2 minutes ago, in block <Block number={1_158} />. Ask the holder
          for another one.
        </VerdictBar>
      </Panel>
    </Story>
  );
}

export function StatesStory() {
  return (
    <Story title="Empty, loading, failed">
      <div className="grid three">
        <Panel>
          <EmptyState title="No applications wait" text="When somebody applies, it shows up here by itself.">
            <Button size="small">Apply as Mira</Button>
            <Button size="small" kind="quiet">
              Invite by link
            </Button>
          </EmptyState>
        </Panel>
        <Panel>
          <Bones isAtOnce />
        </Panel>
        <Panel>
          <ErrorState
            failure={{
              title: 'The ledger does not answer',
              text: 'Nothing was revoked. The service tried three times in 6 seconds.',
              advice: 'Start the node, then try again:',
              command: 'npm start',
              code: 'ledgerUnreachable',
              requestId: 'req_7f3a91',
            }}
            onAgain={nothing}
          />
        </Panel>
      </div>
    </Story>
  );
}

/** 14:31 today, wherever the reader is. */
const halfPastTwo = new Date().setHours(14, 31, 0, 0);

export function OfflineStory() {
  return (
    <Story title="Not connected, and what is said in passing">
      <div className="stack">
        <OfflineBar since={halfPastTwo} seenAt={halfPastTwo} nextTryAt={undefined} onTryNow={nothing} />
        <div className="grid two">
          <ToastLine toast={{ tone: 'ok', text: 'Issued. Recorded in block 1,285.' }} onDrop={nothing} />
          <ToastLine
            toast={{ tone: 'bad', text: 'The ledger does not answer. Nothing was revoked.' }}
            onDrop={nothing}
          />
        </div>
      </div>
    </Story>
  );
}
