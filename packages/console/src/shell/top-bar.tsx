/** The top bar: where one is, the way to everything else, and the code of the page. */
import { Button } from '../parts/controls/button.tsx';
import { Icon } from '../parts/controls/icon.tsx';
import { KeyHint } from '../parts/controls/key-hint.tsx';
import { TokenGlyph } from '../parts/controls/token-glyph.tsx';
import { useWords } from '../words/words.tsx';
import type { PersonSwitchProps } from './person-button.tsx';
import { PersonSwitch } from './person-switch.tsx';

export interface TopBarProps {
  readonly title: string;
  readonly onSearch: () => void;
  readonly onCode: () => void;
  readonly switching: PersonSwitchProps;
}

export function TopBar({ title, onSearch, onCode, switching }: TopBarProps) {
  const { words } = useWords();
  return (
    <>
      <div className="top">
        <div className="crumbs">
          <b className="cut">{title}</b>
        </div>
        <button type="button" className="find" onClick={onSearch}>
          <Icon name="search" />
          {words.shell.search}
          <KeyHint>Ctrl K</KeyHint>
        </button>
        <Button icon="code" onClick={onCode}>
          {words.shell.showAsCode}
        </Button>
      </div>
      <div className="top-m">
        <TokenGlyph />
        <span className="t cut">{title}</span>
        <span className="r">
          <Button kind="quiet" icon="search" aria-label={words.shell.searchShort} onClick={onSearch} />
          <Button kind="quiet" icon="code" aria-label={words.shell.showAsCode} onClick={onCode} />
          <PersonSwitch {...switching} isSmall />
        </span>
      </div>
    </>
  );
}
