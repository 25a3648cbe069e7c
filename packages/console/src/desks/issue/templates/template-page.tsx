/** One template: what its credentials say, its versions and what changed in each, what it costs, who gets it at once. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { CodeRequest } from '../../../code/code-request.ts';
import { useKeys } from '../../../keys/keys.tsx';
import { CredentialCard } from '../../../parts/card/credential-card.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Did } from '../../../parts/written/did.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { useIssuer } from '../acting/issuer-page.tsx';
import { QueryPart } from '../acting/query-part.tsx';
import { TemplateOffers } from '../offers/template-offers.tsx';
import { cardLabel, kindText } from './reading/attribute-words.ts';
import { CanBe } from './reading/can-be.tsx';
import { useTemplate, useTemplateSchema } from './reading/template-queries.ts';
import { comparedOf } from './reading/version-changes.ts';
import { AutoIssuePanel } from './sale/auto-issue-panel.tsx';
import { PricePanel } from './sale/price-panel.tsx';
import { VersionList } from './version-list.tsx';

/** What the panels of price and of issuing at once ask for. */
const saleRequests = (templateId: string): readonly CodeRequest[] => [
  { server: 'service', route: 'setPrice', given: { templateId } },
  { server: 'service', route: 'setAutoIssue', given: { templateId } },
];

export function TemplatePage({ templateId }: { readonly templateId: string }) {
  const { words } = useDeskWords('issue');
  const navigate = useNavigate();
  const { did } = useIssuer();
  const given = useSearch({ strict: false }) as { readonly version?: unknown };
  // A version such as 2 is a number to whoever reads addresses.
  const version = given.version === undefined ? undefined : String(given.version);
  const query = useTemplate(templateId, version);
  const template = query.data;
  const isOwn = template?.issuerDid === did;
  const newPath = `/issue/templates/${templateId}/new`;
  const offerPath = `/issue/offers/new?template=${encodeURIComponent(templateId)}`;
  useShownCode(words.shell.places.templates, [
    { server: 'service', route: 'getTemplate', given: { templateId, ...(version && { version }) } },
    { server: 'service', route: 'getTemplateHistory', given: { templateId } },
    { server: 'service', route: 'getTemplateSchema', given: { templateId, ...(version && { version }) } },
    ...(isOwn ? saleRequests(templateId) : []),
  ]);
  useKeys(
    isOwn
      ? [
          {
            keys: 'n',
            title: words.templates.newVersion,
            group: 'page',
            act: () => void navigate({ to: newPath }),
          },
        ]
      : [],
  );
  return (
    <DeskPage
      title={template ? `${template.templateName} ${template.version}` : words.shell.places.templates}
      text={template && words.templates.about(template.credentialFormat.length)}
      acts={
        isOwn && (
          <>
            <Link to={offerPath} className="btn">
              <Icon name="qr" />
              {words.offers.make}
            </Link>
            <Link to={newPath} className="btn pri">
              <Icon name="plus" />
              {words.templates.newVersion}
            </Link>
          </>
        )
      }
    >
      <QueryPart query={query} rows={6}>
        {(read) => <TemplateInside template={read} isOwn={isOwn} />}
      </QueryPart>
    </DeskPage>
  );
}

function TemplateInside({ template, isOwn }: { readonly template: TemplateReply; readonly isOwn: boolean }) {
  const { words } = useDeskWords('issue');
  const { name } = useIssuer();
  const { templateId, templateName, issuerDid, credentialFormat, remark } = template;
  return (
    <div className="with-side">
      <div className="stack">
        <Panel title={words.templates.attributesTitle}>
          <div className="attribute-table">
            <table className="tbl">
              <thead>
                <tr>
                  <th>{words.templates.label}</th>
                  <th className="only-d">{words.templates.key}</th>
                  <th>{words.templates.kind}</th>
                  <th>{words.templates.requiredTitle}</th>
                  <th className="only-d">{words.templates.canBe}</th>
                </tr>
              </thead>
              <tbody>
                {credentialFormat.map(({ attribute, key, format, mandatory }) => (
                  <tr key={key}>
                    <td>{attribute}</td>
                    <td className="mono only-d">{key}</td>
                    <td>{kindText(format, words.templates)}</td>
                    <td>{mandatory ? words.templates.required : words.templates.optional}</td>
                    <td className="only-d">
                      <CanBe format={format} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Panel>
        {isOwn && <TemplateOffers templateId={templateId} templateName={templateName} />}
        <VersionList templateId={templateId} shown={template.version} />
        <SchemaPanel template={template} />
      </div>
      <div className="side-stack">
        <CredentialCard
          templateId={templateId}
          templateName={templateName}
          issuer={{ did: issuerDid, name }}
          state="Active"
          telling={cardLabel(credentialFormat.map(comparedOf)) ?? words.templates.telling}
          holder={words.templates.holderName}
        />
        <p className="hint card-hint">{words.templates.cardHint}</p>
        <Panel title={words.templates.facts} isPadded>
          <dl className="facts">
            <dt>{words.templates.id}</dt>
            <dd>
              <Did did={templateId} />
            </dd>
            {remark !== undefined && (
              <>
                <dt>{words.templates.remark}</dt>
                <dd>{remark}</dd>
              </>
            )}
          </dl>
        </Panel>
        {isOwn && <PricePanel templateId={templateId} />}
        {isOwn && <AutoIssuePanel templateId={templateId} templateName={templateName} />}
      </div>
    </div>
  );
}

function SchemaPanel({ template: { templateId, version } }: { readonly template: TemplateReply }) {
  const { words } = useDeskWords('issue');
  const query = useTemplateSchema(templateId, version);
  return (
    <Panel title={words.templates.schema} isPadded>
      <details>
        <summary>{words.templates.schemaAbout}</summary>
        <QueryPart query={query}>
          {(schema) => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
            <pre className="code scrolls" tabIndex={0}>
              {JSON.stringify(schema, null, 2)}
            </pre>
          )}
        </QueryPart>
      </details>
    </Panel>
  );
}
