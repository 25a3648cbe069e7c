/** What is asked, line by line: each with a shape and a word, then from whom and of which template. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { usePartyNames } from '../../../api/party-names.ts';
import { Fate } from '../../../parts/halves/fate.tsx';
import { NamedParty } from '../../../parts/written/named-party.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { AskedRequest } from './asked-claims.ts';
import { claimLines } from './request-words.ts';

export interface AskedListProps {
  readonly asked: AskedRequest;
  readonly templates: ReadonlyMap<string, TemplateReply>;
}

export function AskedList({ asked, templates }: AskedListProps) {
  const reading = useDeskWords('verify');
  const { sentence } = reading.words.verify;
  return (
    <>
      {asked.credentials.map(({ id, templateId, claims, issuers }) => {
        const template = templates.get(templateId ?? id);
        const name = template?.templateName ?? id;
        return (
          <div key={id} className="asked-of">
            <p className="h2">{name}</p>
            {claims.length === 0 && <p className="muted">{sentence.onlyHaving(name)}</p>}
            <ul className="asked">
              {claimLines(claims, template, reading).map(({ key, fate, label, bounds }) => (
                <li key={key}>
                  <Fate fate={fate} />
                  <span>
                    <b>{label}</b> {bounds}
                  </span>
                </li>
              ))}
            </ul>
            {issuers && <AskedFrom trust={{ kind: 'issuers', dids: issuers }} />}
          </div>
        );
      })}
      {asked.credentials.some(({ issuers }) => !issuers) && <AskedFrom trust={asked.trust} />}
    </>
  );
}

function AskedFrom({ trust }: Pick<AskedRequest, 'trust'>) {
  const { words } = useDeskWords('verify');
  const { session } = words.verify;
  const dids = trust.kind === 'issuers' ? trust.dids : [];
  const names = usePartyNames(dids);
  return (
    <div className="asked-from row wrap">
      <span className="muted">{session.from}</span>
      {trust.kind === 'anybody' && <b>{session.anybody}</b>}
      {trust.kind === 'list' && <b>{session.onList(trust.name)}</b>}
      {trust.kind === 'issuers' && dids.length === 0 && <b>{session.nobody}</b>}
      {dids.map((did) => (
        <NamedParty key={did} did={did} name={names.get(did)?.name} isPending={names.isPending} />
      ))}
    </div>
  );
}
