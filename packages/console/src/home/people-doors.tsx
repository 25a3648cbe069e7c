/** The doors of the demo: its people's chairs, and the ledger for whoever only watches. None outside of a demo. */

import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useNavigate } from '@tanstack/react-router';
import type { ShownPerson } from '../api/console-config.ts';
import { useNewestBlock } from '../ledger/newest-block.ts';
import { useBuiltPlaces } from '../navigation/built-places.tsx';
import { usePlaceCounts } from '../shell/place-counts.ts';
import { useShellFacts } from '../shell/shell-facts.ts';
import { countText } from '../text/numbers.ts';
import { useWords } from '../words/words.ts';
import {
  Door,
  Doors,
  HoldPicture,
  IssuePicture,
  type PicturedCard,
  VerifyPicture,
  WatchPicture,
} from './doors.tsx';
import { useStoryRecords } from './story.tsx';
import { blockCounts } from './story-facts.ts';

export interface PeopleDoorsProps {
  readonly people: readonly ShownPerson[];
  readonly templates: readonly TemplateReply[];
}

export function PeopleDoors({ people, templates }: PeopleDoorsProps) {
  const { words } = useWords();
  const { switching } = useShellFacts();
  // Only in the chair of who issues; nobody else is told.
  const { applications } = usePlaceCounts();
  if (people.length === 0) return null;
  const nameOf = (did: string): string => people.find((one) => one.did === did)?.name ?? did;
  const cards = templates.map(
    ({ templateId, templateName, issuerDid }): PicturedCard => ({
      templateId,
      templateName,
      issuer: { did: issuerDid, name: nameOf(issuerDid) },
    }),
  );
  const { doors } = words.home;
  const issueText = (name: string): string =>
    applications === undefined ? doors.issueAbout(name) : doors.issueWaiting(name, applications);
  const kinds = [
    { role: 'issuer', title: doors.issue, text: issueText, picture: <IssuePicture card={cards[0]} /> },
    { role: 'holder', title: doors.hold, text: doors.holdAbout, picture: <HoldPicture cards={cards} /> },
    { role: 'verifier', title: doors.verify, text: doors.verifyAbout, picture: <VerifyPicture /> },
  ];
  return (
    <Doors>
      {kinds.flatMap(({ role, title, text, picture }) => {
        const at = people.findIndex(({ person }) => person === role);
        const person = people[at];
        return person === undefined
          ? []
          : [
              <Door
                key={role}
                title={title}
                text={text(person.name)}
                shortcut={String(at + 1)}
                picture={picture}
                onOpen={() => switching.onTake(person)}
              />,
            ];
      })}
      <WatchDoor />
    </Doors>
  );
}

const watchedBlocks = 24;

/** Only where there is an explorer to go to. */
function WatchDoor() {
  const { words, language } = useWords();
  const navigate = useNavigate();
  const { block } = useNewestBlock();
  const records = useStoryRecords().data ?? [];
  const hasExplorer = useBuiltPlaces().has('explorer');
  if (!hasExplorer || !block) return null;
  const { number, transactionCount } = block;
  return (
    <Door
      title={words.home.doors.watch}
      text={words.home.doors.watchAbout(countText(number, language), countText(transactionCount, language))}
      shortcut="G E"
      picture={<WatchPicture counts={blockCounts(records, number, watchedBlocks)} />}
      onOpen={() => void navigate({ to: '/ledger' })}
    />
  );
}
