/** The doors: one for each chair, with a picture of what is done there. A door leads to somebody's desk. */
import type { ReactNode } from 'react';
import { CredentialCard, type CredentialCardProps } from '../parts/card/credential-card.tsx';
import { Icon } from '../parts/controls/icon.tsx';
import { KeyHint } from '../parts/controls/key-hint.tsx';
import { useWords } from '../words/words.ts';

export interface DoorProps {
  readonly title: string;
  readonly text: string;
  /** The key that opens it. */
  readonly shortcut?: string;
  readonly picture: ReactNode;
  readonly onOpen: () => void;
}

export function Door({ title, text, shortcut, picture, onOpen }: DoorProps) {
  return (
    <button type="button" className="door panel" onClick={onOpen}>
      <span className="pic" aria-hidden="true">
        {picture}
      </span>
      <span className="dt">
        <b>{title}</b>
        {shortcut !== undefined && <KeyHint>{shortcut}</KeyHint>}
      </span>
      <span className="dx">{text}</span>
    </button>
  );
}

export function Doors({ children }: { readonly children: ReactNode }) {
  const { words } = useWords();
  return (
    <section className="doors" aria-label={words.home.doors.label}>
      {children}
    </section>
  );
}

export type PicturedCard = Pick<CredentialCardProps, 'templateId' | 'templateName' | 'issuer'>;

/** One card, as an issuer sees what comes out. */
export function IssuePicture({ card }: { readonly card: PicturedCard | undefined }) {
  return (
    <span className="pic-one">{card && <CredentialCard {...card} state="Active" detail="small" />}</span>
  );
}

/** Two cards, as a holder has them. */
export function HoldPicture({ cards }: { readonly cards: readonly PicturedCard[] }) {
  return (
    <>
      {cards.slice(0, 2).map((card, at) => (
        <span key={card.templateId} className={at === 0 ? 'pic-back' : 'pic-front'}>
          <CredentialCard {...card} state="Active" detail="small" />
        </span>
      ))}
    </>
  );
}

/** Six checks and what comes of them. */
export function VerifyPicture() {
  const { words } = useWords();
  return (
    <>
      <span className="six">
        {Object.values(words.home.checks).map((name) => (
          <span key={name}>
            <Icon name="check" size={14} />
            {name}
          </span>
        ))}
      </span>
      <span className="vd">
        <Icon name="shieldCheck" />
        {words.home.verified}
      </span>
    </>
  );
}

const barsMax = 24;

/** Transactions of the last blocks, the newest in the colour of what can be followed. */
export function WatchPicture({ counts }: { readonly counts: readonly number[] }) {
  const shown = counts.slice(-barsMax);
  const most = Math.max(1, ...shown);
  return (
    <svg
      viewBox="0 0 236 134"
      width="100%"
      height="134"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
    >
      {shown.map((count, at) => {
        const height = Math.max(3, (count / most) * 88);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
            key={at}
            x={20 + at * 8.3}
            y={116 - height}
            width="5.3"
            height={height}
            rx="1.5"
            className={at === shown.length - 1 ? 'bar-now' : 'bar'}
          />
        );
      })}
      <path d="M14 116.5h208" className="bar-ground" />
    </svg>
  );
}
