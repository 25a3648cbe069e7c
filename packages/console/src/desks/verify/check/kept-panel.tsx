/** What is kept for checking without a connection, and a way to forget it. */

import { usePartyNames } from '../../../api/party-names.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { NamedParty } from '../../../parts/written/named-party.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { KeptFact } from './kept-facts.ts';

export interface KeptFactsPanelProps {
  readonly kept: readonly KeptFact[];
  readonly onForget: (vcId: string) => void;
}

export function KeptFactsPanel({ kept, onForget }: KeptFactsPanelProps) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.check;
  const once = [...new Map(kept.toReversed().map((one) => [one.vcId, one])).values()].toReversed();
  const names = usePartyNames(once.map(({ issuer }) => issuer));
  return (
    <Panel title={texts.keptTitle}>
      {once.length === 0 && <p className="pad muted">{texts.keptNone}</p>}
      <ul className="kept">
        {once.map(({ vcId, issuer, at }) => (
          <li key={vcId}>
            <Did did={vcId} />
            <span className="grow">
              <NamedParty did={issuer} name={names.get(issuer)?.name} isPending={names.isPending} />
            </span>
            <Time at={at} />
            <Button size="small" kind="quiet" onClick={() => onForget(vcId)}>
              {texts.forget}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
