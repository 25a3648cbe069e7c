/** Every part in its states, on one page, for whoever builds with them and for the pictures. */
import { DeskPage } from '../parts/frame/desk-page.tsx';
import { CardsStory } from './card-stories.tsx';
import { DialogStory, GrownTextStory, SwitchStory } from './control-stories.tsx';
import { DoorsStory } from './doors-story.tsx';
import { HalvesStory } from './halves-story.tsx';
import { CodeStory, PaletteStory } from './overlay-stories.tsx';
import { RowsStory } from './rows-story.tsx';
import { OfflineStory, RefusalStory, StatesStory } from './state-stories.tsx';
import './stories.css';
import { FatesStory, WrittenStory } from './written-stories.tsx';

export default function PartsPage() {
  return (
    <DeskPage title="Parts and states">
      <div className="grid two">
        <PaletteStory />
        <CodeStory />
      </div>
      <RefusalStory />
      <StatesStory />
      <OfflineStory />
      <CardsStory />
      <div className="grid two stories-written">
        <WrittenStory />
        <FatesStory />
      </div>
      <div className="grid two">
        <SwitchStory />
        <DialogStory />
        <GrownTextStory />
      </div>
      <HalvesStory />
      <RowsStory />
      <DoorsStory />
    </DeskPage>
  );
}
