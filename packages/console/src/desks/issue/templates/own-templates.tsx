/** The issuer's templates in their newest versions. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { failureWords } from '../../../api/failure.ts';
import { useKeys } from '../../../keys/keys.tsx';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { TextField } from '../../../parts/controls/fields.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { type Column, Rows } from '../../../parts/frame/rows.tsx';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { useIssuer } from '../acting/issuer-page.tsx';
import { PriceText } from './reading/price-text.tsx';
import { useOwnTemplates } from './reading/template-queries.ts';

const templatesPath = '/issue/templates';
const newPath = `${templatesPath}/new`;

export function OwnTemplates() {
  const { words } = useDeskWords('issue');
  const { did, name } = useIssuer();
  const navigate = useNavigate();
  const given = useSearch({ strict: false }) as { readonly q?: unknown };
  const search = typeof given.q === 'string' ? given.q : '';
  const { rows, more, isError, error, refetch, isFetchingNextPage } = useOwnTemplates(did, search);
  const request = { issuer: did, ...(search !== '' && { q: search }) };
  useShownCode(words.shell.places.templates, [{ server: 'service', route: 'listTemplates', given: request }]);
  useKeys([
    {
      keys: 'n',
      title: words.templates.newTemplate,
      group: 'page',
      act: () => void navigate({ to: newPath }),
    },
  ]);
  const columns = useColumns();
  return (
    <DeskPage
      title={words.templates.listTitle(name)}
      text={words.templates.listText}
      acts={
        <Link to={newPath} className="btn pri">
          <Icon name="plus" />
          {words.templates.newTemplate}
        </Link>
      }
    >
      <div className="list-filters">
        <TextField
          label={words.templates.search}
          isLabelHidden
          placeholder={words.templates.search}
          value={search}
          onChange={(q) => void navigate({ to: templatesPath, search: q === '' ? {} : { q }, replace: true })}
        />
      </div>
      <Panel>
        {rows === undefined && isError && (
          <ErrorState failure={failureWords(error, words)} onAgain={() => void refetch()} />
        )}
        {rows === undefined && !isError && <Bones rows={4} />}
        {rows?.length === 0 && (
          <EmptyState
            title={search === '' ? words.templates.none : words.templates.noneFound}
            text={search === '' ? words.templates.noneWhy : words.templates.noneFoundWhy}
          />
        )}
        {rows !== undefined && rows.length > 0 && (
          <Rows
            label={words.shell.places.templates}
            columns={columns}
            rows={rows}
            idOf={({ templateId }) => templateId}
            hrefOf={({ templateId }) => `${templatesPath}/${templateId}`}
            isLoadingMore={isFetchingNextPage}
            {...(more && { onMore: more })}
          />
        )}
      </Panel>
    </DeskPage>
  );
}

function useColumns(): readonly Column<TemplateReply>[] {
  const { words } = useDeskWords('issue');
  const issuer = useIssuer();
  return [
    {
      key: 'name',
      title: words.templates.name,
      width: 'minmax(0, 2.4fr)',
      cell: ({ templateId, templateName }) => (
        <span className="row">
          <span className="list-thumb">
            <CredentialCard
              templateId={templateId}
              templateName={templateName}
              issuer={issuer}
              state="Active"
              detail="thumb"
            />
          </span>
          <b className="cut">{templateName}</b>
        </span>
      ),
    },
    { key: 'version', title: words.templates.version, width: '96px', cell: ({ version }) => version },
    {
      key: 'attributes',
      title: words.templates.attributes,
      width: '96px',
      isNumber: true,
      isHiddenOnPhone: true,
      cell: ({ credentialFormat }) => credentialFormat.length,
    },
    {
      key: 'price',
      title: words.templates.price,
      width: '140px',
      isNumber: true,
      isHiddenOnPhone: true,
      cell: ({ price }) => (price ? <PriceText price={price} /> : <span className="faint">–</span>),
    },
    {
      key: 'id',
      title: words.templates.id,
      width: 'minmax(0, 1fr)',
      isHiddenOnPhone: true,
      cell: ({ templateId }) => <Did did={templateId} />,
    },
  ];
}
