/**
 * A credential as a card: the ground in the issuer's colour, running into an ink of the template; the template's line;
 * whole, hatched, drained or broken, as its state is. Drawn, never loaded.
 */
import { useMemo } from 'react';
import { cardInk, identityColour } from '../../text/identity.ts';
import { shortDid } from '../../text/short-ids.ts';
import { lastDayText } from '../../text/times.ts';
import { useWords } from '../../words/words.ts';
import { ForeignText } from '../written/foreign-text.tsx';
import { letterOf } from '../written/identity-mark.tsx';
import type { StatusName } from '../written/status.tsx';
import { brokenHalf, type CardLine, cardLine, cardSize } from './card-line.ts';

export type CardState = Extract<
  StatusName,
  'Active' | 'Pending' | 'NotYet' | 'Suspended' | 'Expired' | 'Revoked'
>;

export interface CredentialCardProps {
  readonly templateId: string;
  readonly templateName: string;
  readonly issuer: { readonly did: string; readonly name: string };
  /** Left out for one that nobody has applied for or made: it is drawn whole, and stands nowhere. */
  readonly state?: CardState;
  /** The word of the state on the card, or another in its place; none if left out. */
  readonly badge?: string | 'state';
  /** The value that tells one such card from another. */
  readonly telling?: string;
  readonly holder?: string;
  /** Its number on the ledger. */
  readonly vcId?: string;
  /** Milliseconds since 1970. */
  readonly until?: number;
  /** Without the line at the bottom, or without any text. */
  readonly detail?: 'full' | 'small' | 'thumb';
}

const stateClasses: Readonly<Record<CardState, string>> = {
  Active: '',
  Pending: '',
  NotYet: 'early',
  Suspended: 'suspended',
  Expired: 'expired',
  Revoked: 'broken',
};
const detailClasses = { full: '', small: 'mini', thumb: 'thumb' } as const;

export function CredentialCard(props: CredentialCardProps) {
  const { templateId, templateName, issuer, state, detail = 'full' } = props;
  const { words } = useWords();
  const line = useMemo(() => cardLine(templateId), [templateId]);
  const classes = ['vc', state && stateClasses[state], detailClasses[detail]].filter(Boolean).join(' ');
  const colours = { '--id': identityColour(issuer.did), '--id2': cardInk(templateId) };
  const label = words.parts.card(templateName, issuer.name, state && words.parts.statuses[state]);
  const face = <CardFace {...props} line={line} />;
  return (
    <div className={classes} style={colours} role="img" aria-label={label}>
      {state === 'Revoked' ? (
        <>
          <div className="half">
            <div style={{ clipPath: brokenHalf(line.points, 'left') }}>{face}</div>
          </div>
          <div className="half b">
            <div style={{ clipPath: brokenHalf(line.points, 'right') }}>{face}</div>
          </div>
        </>
      ) : (
        face
      )}
    </div>
  );
}

function CardFace({
  line,
  templateName,
  issuer,
  state,
  badge,
  telling,
  holder,
  vcId,
  until,
}: CredentialCardProps & { readonly line: CardLine }) {
  const { words, language } = useWords();
  const word = badge === 'state' ? state && words.parts.statuses[state] : badge;
  return (
    <div className="face">
      <svg
        className="art"
        viewBox={`0 0 ${cardSize.width} ${cardSize.height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={line.area} fill="#fff" fillOpacity={0.075} />
        {line.strokes.map(({ path, opacity, width }) => (
          <path
            key={path}
            d={path}
            stroke="#fff"
            strokeOpacity={opacity}
            strokeWidth={width}
            fill="none"
            strokeLinejoin="round"
          />
        ))}
      </svg>
      <div className="is">
        <span className="av">{letterOf(issuer.name)}</span>
        <span className="vc-names">
          <span className="tt cut">
            <ForeignText text={templateName} />
          </span>
          <span className="by cut">
            <ForeignText text={issuer.name} />
          </span>
        </span>
        {word !== undefined && <span className="sx">{word}</span>}
      </div>
      <div className="hl cut">{telling !== undefined && <ForeignText text={telling} />}</div>
      <div className="ft">
        <span className="cut">{holder !== undefined && <ForeignText text={holder} />}</span>
        {vcId !== undefined && <span className="mono">{shortDid(vcId).id}</span>}
        {until !== undefined && <span>{words.parts.until(lastDayText(until, language))}</span>}
      </div>
    </div>
  );
}
