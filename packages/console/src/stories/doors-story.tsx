/** The doors of the first page, with the demo behind them. */
import { Door, Doors, HoldPicture, IssuePicture, VerifyPicture, WatchPicture } from '../home/doors.tsx';
import '../home/home.css';
import { useWords } from '../words/words.ts';
import { bank, degreeTemplate, mira, residenceTemplate, university } from './samples.ts';
import { Story } from './story.tsx';

const issuer = { did: university.id, name: university.name };
const degree = { templateId: degreeTemplate, templateName: 'University degree', issuer };
const residence = { templateId: residenceTemplate, templateName: 'Proof of residence', issuer };
const counts = [3, 2, 5, 4, 8, 3, 2, 1, 4, 6, 11, 7, 3, 2, 5, 9, 4, 3, 6, 4, 2, 5, 7, 3];
const nothing = (): void => undefined;

export function DoorsStory() {
  const { words } = useWords();
  const { doors } = words.home;
  return (
    <Story title="Doors of the first page">
      <Doors>
        <Door
          title={doors.issue}
          text={doors.issueAbout(university.name)}
          shortcut="1"
          picture={<IssuePicture card={degree} />}
          onOpen={nothing}
        />
        <Door
          title={doors.hold}
          text={doors.holdAbout(mira.name)}
          shortcut="2"
          picture={<HoldPicture cards={[residence, degree]} />}
          onOpen={nothing}
        />
        <Door
          title={doors.verify}
          text={doors.verifyAbout(bank.name)}
          shortcut="4"
          picture={<VerifyPicture />}
          onOpen={nothing}
        />
        <Door
          title={doors.watch}
          text={doors.watchAbout('27', '112')}
          shortcut="G E"
          picture={<WatchPicture counts={counts} />}
          onOpen={nothing}
        />
      </Doors>
    </Story>
  );
}
