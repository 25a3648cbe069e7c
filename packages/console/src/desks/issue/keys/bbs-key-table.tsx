/** BBS+ keys: which one signs, which only waits, which has ended. */
import { Button } from '../../../parts/controls/button.tsx';
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { Icon, type IconName } from '../../../parts/controls/icon.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { shortHash } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { IssuerKeyRow } from './key-rows.ts';

export interface BbsKeyTableProps {
  readonly rows: readonly IssuerKeyRow[];
  readonly isBusy: boolean;
  readonly onPublish: (row: IssuerKeyRow) => void;
  readonly onEnd: (row: IssuerKeyRow) => void;
}

const looks: Readonly<Record<IssuerKeyRow['state'], { readonly tone: string; readonly icon: IconName }>> = {
  published: { tone: 'ok', icon: 'statusOk' },
  kept: { tone: 'warn', icon: 'statusWarn' },
  ended: { tone: 'bad', icon: 'statusBad' },
};

export function BbsKeyTable({ rows, isBusy, onPublish, onEnd }: BbsKeyTableProps) {
  const { words } = useDeskWords('issue');
  if (rows.length === 0) return <EmptyState title={words.issuerKeys.none} text={words.issuerKeys.noneWhy} />;
  return (
    <ul className="key-rows">
      {rows.map((row) => (
        <li key={`${row.publicKeyMultibase} ${row.number ?? ''}`}>
          <div className="grow">
            <div className="row wrap">
              <b>
                {row.number === undefined ? words.issuerKeys.unnumbered : words.issuerKeys.key(row.number)}
              </b>
              <span className="ref" title={row.publicKeyMultibase}>
                <span>{shortHash(row.publicKeyMultibase, true)}</span>
                <CopyButton text={row.publicKeyMultibase} what={words.issuerKeys.publicKey} />
              </span>
            </div>
            <div className="hint row wrap">
              <span>
                {words.issuerKeys.since[row.state]} <Time at={row.endedAt ?? row.since} />
              </span>
              <span>{row.isHeld ? words.issuerKeys.held : words.issuerKeys.notHeld}</span>
              {row.compromisedSince !== undefined && (
                <span className="key-stolen">
                  {words.issuerKeys.stolenSince} <Time at={row.compromisedSince} />
                </span>
              )}
            </div>
          </div>
          <span className={`st ${looks[row.state].tone}`}>
            <Icon name={looks[row.state].icon} />
            {words.issuerKeys.states[row.state]}
          </span>
          {row.state === 'kept' && (
            <Button size="small" onClick={() => onPublish(row)} disabled={isBusy}>
              {words.issuerKeys.publish}
            </Button>
          )}
          {row.state === 'published' && (
            <Button size="small" kind="bad" onClick={() => onEnd(row)} disabled={isBusy}>
              {words.issuerKeys.end}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
