/** Palette and code drawer, standing still. */
import type { CodeRequest } from '../code/code-request.ts';
import { CodePanel } from '../shell/code-drawer.tsx';
import { PaletteBox } from '../shell/palette/palette.tsx';
import type { PaletteEntry } from '../shell/palette/palette-entries.ts';
import { shortAccount } from '../text/short-ids.ts';
import type { FrameWords } from '../words/catalogue.ts';
import { useWords } from '../words/words.ts';
import { bank, mira, miraAddress, university } from './samples.ts';
import { Story } from './story.tsx';

const act = (): void => undefined;
const entriesOf = ({ shell }: FrameWords): readonly PaletteEntry[] => [
  {
    id: 'mira',
    group: 'people',
    text: mira.name,
    icon: 'person',
    mark: { ...mira },
    aside: shortAccount(miraAddress),
    act,
  },
  { id: 'act-as', group: 'acts', text: `${shell.actAsSomebody} ${mira.name}`, icon: 'person', key: '2', act },
  {
    id: 'gas',
    group: 'acts',
    text: shell.palette.giveGas(mira.name),
    icon: 'bolt',
    aside: shell.palette.ofDemo,
    act,
  },
  {
    id: 'bank',
    group: 'people',
    text: bank.name,
    icon: 'person',
    mark: { ...bank, kind: 'organisation' },
    act,
  },
];

const requests: readonly CodeRequest[] = [
  {
    server: 'service',
    route: 'createRevocationBlob',
    given: { vcId: 'did:zid:b5e924dada0c21bc4839', issuerAddress: university.id },
  },
];

export function PaletteStory() {
  const { words } = useWords();
  return (
    <Story title="Ctrl K: one box for places, things and acts">
      <div className="standing">
        <PaletteBox entries={entriesOf(words)} typed="mira" isFocused={false} onDone={act} />
      </div>
    </Story>
  );
}

export function CodeStory() {
  return (
    <Story title="Show as code: every act, before and after it is done">
      <div className="standing">
        <CodePanel
          code={{ title: 'Revoke a credential', requests }}
          origin="http://127.0.0.1:8080"
          onClose={act}
        />
      </div>
    </Story>
  );
}
