/** `/issue/bulk`: a table becomes credentials. First looked over as a whole with nothing sent, then issued row by row. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { ChoiceField } from '../../../parts/controls/fields.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { issuerPage, useIssuer } from '../acting/issuer-page.tsx';
import '../issue-templates.css';
import { NoTemplates } from '../templates/reading/no-templates.tsx';
import { useTemplateChoices } from '../templates/reading/template-queries.ts';
import { forgetRun, type RememberedRun, recallRuns } from './bulk-memory.ts';
import { type ColumnUse, faultOfUses, guessUses } from './column-uses.ts';
import { DryRun } from './dry-run.tsx';
import { GiveTable } from './give-table.tsx';
import { MapColumns } from './map-columns.tsx';
import { RunPanel } from './run-panel.tsx';
import { checkTable, type FitRow } from './table-check.ts';
import type { CsvTable } from './table-text.ts';
import { useBulkRun } from './use-bulk-run.ts';
import { useWaiting } from './use-waiting.ts';

function BulkPage() {
  const { words } = useDeskWords('issue');
  const { did } = useIssuer();
  const navigate = useNavigate();
  const given = useSearch({ strict: false }) as { readonly template?: unknown };
  const choices = useTemplateChoices(did);
  const own = choices.data;
  const template = own?.find(({ templateId }) => templateId === given.template) ?? own?.[0];
  useShownCode(words.bulk.title, [
    {
      server: 'service',
      route: 'listApplications',
      given: { status: 'Pending', ...(template && { templateId: template.templateId }) },
    },
    { act: 'issueMany', ...(template && { given: { templateId: template.templateId } }) },
  ]);
  return (
    <DeskPage title={words.bulk.title} text={words.bulk.text}>
      <NoTemplates choices={choices} />
      {template && own && (
        <BulkDesk
          key={template.templateId}
          template={template}
          choices={own}
          onChoose={(id) => void navigate({ to: '/issue/bulk', search: { template: id }, replace: true })}
        />
      )}
    </DeskPage>
  );
}

export default issuerPage(BulkPage);

interface BulkDeskProps {
  readonly template: TemplateReply;
  readonly choices: readonly TemplateReply[];
  readonly onChoose: (templateId: string) => void;
}

const noRows: readonly FitRow[] = [];

function BulkDesk({ template, choices, onChoose }: BulkDeskProps) {
  const { words } = useDeskWords('issue');
  const [table, setTable] = useState<CsvTable>();
  const [uses, setUses] = useState<readonly ColumnUse[]>([]);
  const [keepsApplied, setKeepsApplied] = useState(false);
  const { credentialFormat } = template;
  const fault = table && faultOfUses(uses);
  const checked = useMemo(
    () =>
      table && fault === undefined
        ? checkTable({ table, uses, attributes: credentialFormat, keepsApplied })
        : undefined,
    [table, fault, uses, credentialFormat, keepsApplied],
  );
  const fit = checked?.fit ?? noRows;
  const waiting = useWaiting(template.templateId, fit);
  const run = useBulkRun(template, { fit, reading: { header: table?.header ?? [], uses, keepsApplied } });
  const isRunning = run.act.isBusy;
  const { unfinished, forget } = useUnfinished();
  const take = (next: CsvTable | undefined): void => {
    setTable(next);
    const before = next && unfinished.find((one) => isReadingOf(one, { template, table: next }))?.reading;
    setUses(before?.uses ?? (next ? guessUses(next.header, credentialFormat) : []));
    if (before) setKeepsApplied(before.keepsApplied);
  };
  return (
    <div className="stack">
      <Unfinished runs={unfinished} onChoose={onChoose} onForget={forget} />
      <Panel title={words.bulk.giveTitle} isPadded>
        <div className="stack tight">
          <ChoiceField
            label={words.offers.template}
            value={template.templateId}
            options={choices.map((one) => ({
              value: one.templateId,
              label: `${one.templateName} ${one.version}`,
            }))}
            onChange={onChoose}
          />
          <GiveTable table={table} template={template} isLocked={isRunning} onTable={take} />
        </div>
      </Panel>
      {table && (
        <MapColumns
          table={table}
          uses={uses}
          attributes={credentialFormat}
          keepsApplied={keepsApplied}
          isLocked={isRunning}
          onUses={setUses}
          onKeepsApplied={setKeepsApplied}
        />
      )}
      {checked && (
        <>
          <DryRun
            check={checked}
            attributes={credentialFormat}
            waiting={waiting}
            hasBegun={isRunning || run.lines.length > 0}
          />
          <RunPanel template={template} fit={fit} waiting={waiting} run={run} />
        </>
      )}
    </div>
  );
}

/** Whether a run that stopped was over a table with these columns. */
const isReadingOf = (
  { templateId, reading }: RememberedRun,
  { template, table }: { readonly template: TemplateReply; readonly table: CsvTable },
): boolean =>
  templateId === template.templateId && JSON.stringify(reading?.header) === JSON.stringify(table.header);

const noRuns: readonly RememberedRun[] = [];

/** What stopped before its end, in this browser: whoever gives the same table again goes on. */
function useUnfinished() {
  const { did } = useIssuer();
  const { data, refetch } = useQuery({
    queryKey: ['bulk', 'runs', did],
    queryFn: () => recallRuns(did),
    staleTime: 0,
  });
  const forget = (id: string): void => void forgetRun(id).then(() => refetch());
  return { unfinished: data ?? noRuns, forget };
}

interface UnfinishedProps {
  readonly runs: readonly RememberedRun[];
  readonly onChoose: (templateId: string) => void;
  readonly onForget: (id: string) => void;
}

function Unfinished({ runs, onChoose, onForget }: UnfinishedProps) {
  const { words } = useDeskWords('issue');
  return runs.map((run) => (
    <div className="note unfinished" role="status" key={run.id}>
      <div className="grow">
        <b>{words.bulk.unfinished(run.templateName, run.done, run.rows)}</b>
        <p>
          {words.bulk.unfinishedDo} <Time at={run.at} />
        </p>
      </div>
      <Button size="small" onClick={() => onChoose(run.templateId)}>
        {words.bulk.goOn}
      </Button>
      <Button size="small" kind="quiet" onClick={() => onForget(run.id)}>
        {words.bulk.forget}
      </Button>
    </div>
  ));
}
