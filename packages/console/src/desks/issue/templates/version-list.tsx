/** Versions of a template, newest first, each with what changed in it and the transaction that registered it. */
import { Link } from '@tanstack/react-router';
import { useBuiltPlaces } from '../../../navigation/built-places.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { QueryPart } from '../acting/query-part.tsx';
import { ChangeLines } from './reading/change-lines.tsx';
import { useTemplate, useTemplateHistory } from './reading/template-queries.ts';
import { comparedOf } from './reading/version-changes.ts';

export interface VersionListProps {
  readonly templateId: string;
  /** The one that the page shows. */
  readonly shown: string;
}

/** Of so many the changes are shown without being asked for. */
const comparedMax = 5;

export function VersionList({ templateId, shown }: VersionListProps) {
  const { words } = useDeskWords('issue');
  const query = useTemplateHistory(templateId);
  const hasExplorer = useBuiltPlaces().has('explorer');
  return (
    <Panel title={words.templates.versions}>
      <QueryPart query={query}>
        {({ versions }) => (
          <ol className="versions">
            {versions.map(({ version, txHash, registeredAt }, at) => (
              <li key={version}>
                <div className="row between wrap">
                  <span className="row">
                    {version === shown ? (
                      <b>{version}</b>
                    ) : (
                      <Link className="lk" to={`/issue/templates/${templateId}`} search={{ version }}>
                        {version}
                      </Link>
                    )}
                    {at === 0 && <span className="tag ok">{words.templates.newest}</span>}
                    {version === shown && at > 0 && (
                      <span className="tag plain">{words.templates.shownHere}</span>
                    )}
                  </span>
                  <span className="row hint">
                    <Time at={Date.parse(registeredAt)} />
                    <Hash hash={txHash} {...(hasExplorer && { to: `/ledger/tx/${txHash}` })} />
                  </span>
                </div>
                <VersionChanges
                  templateId={templateId}
                  version={version}
                  before={at < comparedMax ? versions[at + 1]?.version : undefined}
                  isFirst={at === versions.length - 1}
                />
              </li>
            ))}
          </ol>
        )}
      </QueryPart>
    </Panel>
  );
}

interface VersionChangesProps {
  readonly templateId: string;
  readonly version: string;
  readonly before: string | undefined;
  readonly isFirst: boolean;
}

function VersionChanges({ templateId, version, before, isFirst }: VersionChangesProps) {
  const { words } = useDeskWords('issue');
  if (isFirst) return <p className="hint">{words.templates.firstVersion}</p>;
  return before === undefined ? null : (
    <ComparedVersions templateId={templateId} version={version} before={before} />
  );
}

function ComparedVersions({
  templateId,
  version,
  before,
}: Pick<VersionChangesProps, 'templateId' | 'version'> & { readonly before: string }) {
  const now = useTemplate(templateId, version);
  const then = useTemplate(templateId, before);
  if (!now.data || !then.data) return null;
  return (
    <ChangeLines
      before={then.data.credentialFormat.map(comparedOf)}
      after={now.data.credentialFormat.map(comparedOf)}
    />
  );
}
