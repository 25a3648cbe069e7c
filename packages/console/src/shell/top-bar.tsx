/** The top bar: where one is, the way to everything else, and the code of the page. */
import { Link } from '@tanstack/react-router';
import { spelledKey } from '../keys/bindings.ts';
import { Button } from '../parts/controls/button.tsx';
import { Icon } from '../parts/controls/icon.tsx';
import { KeyHint } from '../parts/controls/key-hint.tsx';
import { TokenGlyph } from '../parts/controls/token-glyph.tsx';
import { usePageCrumb } from '../parts/frame/page-title.ts';
import { useWords } from '../words/words.ts';
import type { PersonSwitchProps } from './person-button.tsx';
import { PersonSwitch } from './person-switch.tsx';

/** Where one is: in which desk, at which place of it, and whether at one of its pages below. */
export interface Trail {
  readonly desk?: string;
  readonly place: string;
  /** Where the place is, for a page below it. */
  readonly above?: string;
}

export interface TopBarProps {
  readonly trail: Trail;
  readonly onSearch: () => void;
  readonly onCode: () => void;
  readonly switching: PersonSwitchProps;
}

export function TopBar({ trail, onSearch, onCode, switching }: TopBarProps) {
  const { words } = useWords();
  return (
    <>
      <div className="top">
        <div className="crumbs">
          <Crumbs {...trail} />
        </div>
        <button type="button" className="find" onClick={onSearch}>
          <Icon name="search" />
          {words.shell.search}
          <KeyHint>{spelledKey('mod+k', words.shell.keys.control)}</KeyHint>
        </button>
        <Button icon="code" onClick={onCode}>
          {words.shell.showAsCode}
        </Button>
      </div>
      <div className="top-m">
        <TokenGlyph />
        <span className="t cut">{trail.place}</span>
        <span className="r">
          <Button kind="quiet" icon="search" aria-label={words.shell.searchShort} onClick={onSearch} />
          <Button kind="quiet" icon="code" aria-label={words.shell.showAsCode} onClick={onCode} />
          <PersonSwitch {...switching} isSmall />
        </span>
      </div>
    </>
  );
}

function Crumbs({ desk, place, above }: Trail) {
  const page = usePageCrumb();
  return (
    <>
      {desk !== undefined && (
        <>
          <span>{desk}</span>
          <span aria-hidden="true">/</span>
        </>
      )}
      {above === undefined ? (
        <b className="cut">{place}</b>
      ) : (
        <>
          <Link to={above}>{place}</Link>
          <span aria-hidden="true">/</span>
          <b className="cut">{page}</b>
        </>
      )}
    </>
  );
}
