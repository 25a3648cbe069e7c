/**
 * Two halves along a line: left what somebody owns, right what leaves. In the order shared, proved, hidden. A verifier
 * outside the demo gets the right half alone: then `owner` is left out, and so are the values of hidden attributes,
 * which this part never draws on the right anyway.
 */
import { type ReactNode, useMemo } from 'react';
import { lineOffsets, linePath, lineThrough } from '../../text/identity.ts';
import { useWords } from '../../words/words.ts';
import { ForeignText, ForeignValue } from '../written/foreign-text.tsx';
import { IdentityMark, type IdentityMarkProps } from '../written/identity-mark.tsx';
import { Fate, type FateName, Hatch } from './fate.tsx';
import { RangeBar, type RangeBarProps } from './range-bar.tsx';

interface Attribute {
  readonly key: string;
  readonly label: string;
  /** The owner's own value; left out where there is none, and where the reader is not the owner. */
  readonly owned?: string;
}
export type HalvesRow =
  | (Attribute & { readonly fate: 'shared'; readonly value: string })
  | (Attribute & { readonly fate: 'proved'; readonly range: RangeBarProps })
  | (Attribute & { readonly fate: 'hidden' | 'hiddenOrEmpty' | 'empty' });

export interface HalvesProps {
  readonly templateId: string;
  readonly rows: readonly HalvesRow[];
  /** Whose the left half is; `self` for the reader's own. No left half if left out. */
  readonly owner?: 'self' | string;
  readonly receiver: Pick<IdentityMarkProps, 'id' | 'name' | 'kind'>;
  /** The head of the right half, in place of who gets it. */
  readonly receiverTitle?: string;
  /** Beside the head of either half. */
  readonly ownerAside?: ReactNode;
  readonly receiverAside?: ReactNode;
}

const order: readonly FateName[] = ['shared', 'proved', 'hidden', 'hiddenOrEmpty', 'empty'];
const corners = 13;
const crackWidth = 44;

export function Halves(props: HalvesProps) {
  const { templateId, rows, owner, receiver, receiverTitle, ownerAside, receiverAside } = props;
  const { words } = useWords();
  const crack = useMemo(() => {
    const offsets = lineOffsets(templateId, corners);
    return lineThrough(offsets, { centre: crackWidth / 2, swing: 16, height: 100 });
  }, [templateId]);
  const groups = order
    .map((fate) => rows.filter((row) => row.fate === fate))
    .filter((group) => group.length > 0);
  const isWhole = owner !== undefined;
  const owns = owner === 'self' ? words.parts.owns : words.parts.ownsOf(owner ?? '');
  return (
    <div className={isWhole ? 'halves' : 'halves alone'}>
      <span className="rest" />
      {isWhole && (
        <svg
          className="crack"
          viewBox={`0 0 ${crackWidth} 100`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path className="f" d={`${linePath(crack)}L${crackWidth} 100L${crackWidth} 0Z`} />
          <path className="e" d={linePath(crack)} />
        </svg>
      )}
      {isWhole && (
        <div className="a hd">
          <b>{owns}</b>
          {ownerAside}
        </div>
      )}
      <div className="b hd">
        {receiverTitle === undefined && <IdentityMark {...receiver} />}
        <b className="cut">{receiverTitle ?? words.parts.gets(receiver.name)}</b>
        {receiverAside}
      </div>
      {groups.map((group) => (
        <HalvesGroup key={group[0]?.fate} rows={group} isWhole={isWhole} />
      ))}
    </div>
  );
}

function HalvesGroup({ rows, isWhole }: { readonly rows: readonly HalvesRow[]; readonly isWhole: boolean }) {
  return (
    <>
      <span className="grp" />
      {rows.map((row) => (
        <HalvesPair key={row.key} row={row} isWhole={isWhole} />
      ))}
    </>
  );
}

function HalvesPair({ row, isWhole }: { readonly row: HalvesRow; readonly isWhole: boolean }) {
  const { words } = useWords();
  return (
    <>
      {isWhole && (
        <div className="a">
          <span className="l">
            <ForeignText text={row.label} />
          </span>
          <span className="v cut">
            {row.owned === undefined ? (
              <span className="muted">{words.parts.empty}</span>
            ) : (
              <ForeignText text={row.owned} />
            )}
          </span>
        </div>
      )}
      <div className="b">
        {!isWhole && (
          <span className="l">
            <ForeignText text={row.label} />
          </span>
        )}
        <Fate fate={row.fate} />
        {row.fate === 'shared' && <ForeignValue text={row.value} className="got" />}
        {row.fate === 'proved' && <RangeBar {...row.range} />}
        {(row.fate === 'hidden' || row.fate === 'hiddenOrEmpty') && <Hatch />}
      </div>
    </>
  );
}
