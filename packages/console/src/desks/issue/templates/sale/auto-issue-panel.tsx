/**
 * Whether credentials of a template are issued at once, for whom, how many a day and until when. For this the service
 * signs with the issuer's own key; the console never hands that over: where it is not there yet, a command does it.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClients } from '../../../../api/api.tsx';
import { Button } from '../../../../parts/controls/button.tsx';
import { TextField, TickField } from '../../../../parts/controls/fields.tsx';
import { Panel } from '../../../../parts/frame/panel.tsx';
import { useNow } from '../../../../parts/hooks/use-now.ts';
import { useToast } from '../../../../parts/hooks/use-toast.ts';
import { CommandLine } from '../../../../parts/states/command-line.tsx';
import { ErrorState } from '../../../../parts/states/error-state.tsx';
import { lastDayText } from '../../../../text/times.ts';
import { useDeskWords } from '../../../../words/words.ts';
import { Confirm } from '../../acting/confirm.tsx';
import { QueryPart } from '../../acting/query-part.tsx';
import { useAct } from '../../acting/use-act.ts';
import { understoodDay } from '../../validity/understood-day.ts';
import {
  type PolicyMember,
  readTypedPolicy,
  type TypedPolicy,
  typedPolicy,
  validDaysMax,
} from './policy-terms.ts';
import { autoIssueQueryKey, useAutoIssue } from './sale-queries.ts';

export interface AutoIssuePanelProps {
  readonly templateId: string;
  readonly templateName: string;
}

type Policy = NonNullable<ReturnType<typeof useAutoIssue>['data']>;
type Over = 'form' | 'end' | undefined;

export function AutoIssuePanel({ templateId, templateName }: AutoIssuePanelProps) {
  const { words } = useDeskWords('issue');
  const { sale } = words.templates;
  const query = useAutoIssue(templateId);
  const [over, setOver] = useState<Over>();
  const close = (): void => setOver(undefined);
  const isOn = query.data?.isEnabled === true;
  return (
    <Panel
      title={sale.atOnce}
      aside={
        query.data !== undefined &&
        over !== 'form' && (
          <Button size="small" onClick={() => setOver('form')}>
            {isOn ? sale.change : sale.turnOn}
          </Button>
        )
      }
      isPadded
    >
      <QueryPart query={query} rows={1}>
        {(policy) => (
          <>
            {over === 'form' ? (
              <PolicyForm templateId={templateId} before={policy} onDone={close} />
            ) : (
              <PolicyRead policy={policy} onEnd={() => setOver('end')} />
            )}
            {over === 'end' && policy && <EndPolicy policy={policy} name={templateName} onClose={close} />}
          </>
        )}
      </QueryPart>
    </Panel>
  );
}

function PolicyRead({ policy, onEnd }: { readonly policy: Policy | null; readonly onEnd: () => void }) {
  const { words, language } = useDeskWords('issue');
  const { sale } = words.templates;
  if (policy === null || !policy.isEnabled) return <p className="muted">{sale.byHand}</p>;
  const { isInForce, perDayMax, issuedToday, until, validSeconds, holders, allowReissue } = policy;
  return (
    <>
      <dl className="facts">
        <dt>{sale.state}</dt>
        <dd>
          <span className={isInForce ? 'tag ok' : 'tag'}>{isInForce ? sale.inForce : sale.over}</span>
        </dd>
        <dt>{sale.today}</dt>
        <dd className="num">{sale.ofDay(issuedToday, perDayMax)}</dd>
        <dt>{sale.until}</dt>
        <dd>{lastDayText(Date.parse(until), language)}</dd>
        <dt>{sale.validFor}</dt>
        <dd>{sale.days(Math.round(validSeconds / 86_400))}</dd>
        <dt>{sale.whom}</dt>
        <dd>{holders === null ? sale.everybody : sale.holders(holders.length)}</dd>
        <dt>{sale.again}</dt>
        <dd>{allowReissue ? sale.yes : sale.no}</dd>
      </dl>
      <Button size="small" kind="bad" onClick={onEnd}>
        {sale.end}
      </Button>
    </>
  );
}

function EndPolicy({
  policy,
  name,
  onClose,
}: {
  readonly policy: Policy;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const { words } = useDeskWords('issue');
  const { sale } = words.templates;
  const { service } = useClients();
  const queries = useQueryClient();
  const toast = useToast();
  const act = useAct(async () => {
    const { templateId, perDayMax, until, validSeconds, allowReissue, holders } = policy;
    await service.setAutoIssue({
      templateId,
      isEnabled: false,
      perDayMax,
      until,
      validSeconds,
      allowReissue,
      ...(holders !== null && { holders }),
    });
    await queries.invalidateQueries({ queryKey: autoIssueQueryKey(templateId) });
    toast({ tone: 'ok', text: sale.ended });
    onClose();
  });
  return (
    <Confirm title={sale.endTitle(name)} text={sale.endText} doIt={sale.end} act={act} onClose={onClose} />
  );
}

interface PolicyFormProps {
  readonly templateId: string;
  readonly before: Policy | null;
  readonly onDone: () => void;
}

function PolicyForm({ templateId, before, onDone }: PolicyFormProps) {
  const { service } = useClients();
  const keys = useQuery({ queryKey: ['service', 'issuer-keys'], queryFn: () => service.listIssuerKeys() });
  return (
    <QueryPart query={keys} rows={2}>
      {({ issuingKey }) =>
        issuingKey.isHeld ? (
          <PolicyFields templateId={templateId} before={before} onDone={onDone} />
        ) : (
          <NoKeyThere templateId={templateId} onDone={onDone} />
        )
      }
    </QueryPart>
  );
}

/** A key that signs alone is left by its owner knowingly, and not by a press of a button in a page. */
function NoKeyThere({ templateId, onDone }: Pick<PolicyFormProps, 'templateId' | 'onDone'>) {
  const { words } = useDeskWords('issue');
  const { sale } = words.templates;
  return (
    <div className="stack tight">
      <p className="muted">{sale.noKeyThere}</p>
      <CommandLine command={`symbolon template auto-issue ${templateId} --leave-key`} />
      <div>
        <Button onClick={onDone}>{words.templates.leaveIt}</Button>
      </div>
    </div>
  );
}

function PolicyFields({ templateId, before, onDone }: PolicyFormProps) {
  const { words } = useDeskWords('issue');
  const { sale } = words.templates;
  const { service } = useClients();
  const queries = useQueryClient();
  const toast = useToast();
  const now = useNow();
  const [typed, setTyped] = useState<TypedPolicy>(() => typedPolicy(before, Date.now()));
  const read = readTypedPolicy(typed, now);
  const wrong: readonly PolicyMember[] = 'wrong' in read ? read.wrong : [];
  const act = useAct(async () => {
    if ('wrong' in read) return;
    await service.setAutoIssue({ templateId, isEnabled: true, ...read.policy });
    await queries.invalidateQueries({ queryKey: autoIssueQueryKey(templateId) });
    toast({ tone: 'ok', text: sale.turnedOn });
    onDone();
  });
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong.length === 0) act.run();
      }}
    >
      <PolicyInputs typed={typed} wrong={wrong} onChange={setTyped} />
      <p className="note">{sale.signsAlone}</p>
      {act.failure && <ErrorState failure={act.failure} />}
      <div className="row">
        <Button type="submit" kind="primary" disabled={wrong.length > 0 || act.isBusy}>
          {sale.keepPolicy}
        </Button>
        <Button onClick={onDone}>{words.templates.leaveIt}</Button>
      </div>
    </form>
  );
}

interface PolicyInputsProps {
  readonly typed: TypedPolicy;
  readonly wrong: readonly PolicyMember[];
  readonly onChange: (typed: TypedPolicy) => void;
}

function PolicyInputs({ typed, wrong, onChange }: PolicyInputsProps) {
  const { words, language } = useDeskWords('issue');
  const { sale } = words.templates;
  const set = (part: Partial<TypedPolicy>): void => onChange({ ...typed, ...part });
  const errorOf = (member: PolicyMember, text: string) => (wrong.includes(member) ? text : undefined);
  return (
    <>
      <TextField
        label={sale.perDay}
        value={typed.perDayMax}
        onChange={(perDayMax) => set({ perDayMax })}
        inputMode="numeric"
        error={errorOf('perDayMax', sale.wrongNumber)}
        isFocused
      />
      <TextField
        label={sale.untilDay}
        value={typed.until}
        onChange={(until) => set({ until })}
        hint={understoodDay(typed.until, language)}
        error={errorOf('until', sale.wrongDay)}
      />
      <TextField
        label={sale.validDays}
        value={typed.validDays}
        onChange={(validDays) => set({ validDays })}
        inputMode="numeric"
        error={errorOf('validDays', sale.wrongDays(validDaysMax))}
      />
      <TextField
        label={sale.holdersField}
        value={typed.holders}
        onChange={(holders) => set({ holders })}
        rows={2}
        isMono
        hint={sale.holdersHint}
        error={errorOf('holders', sale.wrongHolders)}
      />
      <TickField
        label={sale.allowReissue}
        isTicked={typed.allowReissue}
        onChange={(allowReissue) => set({ allowReissue })}
      />
    </>
  );
}
