/** A new template, or a new version of one: form and JSON over one state, a preview beside it, signed here. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { parseJsonOrNothing } from '@symbolon/wire/json/json';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { TextField } from '../../../../parts/controls/fields.tsx';
import { focusFirstWrong } from '../../../../parts/controls/focus-member.ts';
import { Segments } from '../../../../parts/controls/segments.tsx';
import { DeskPage } from '../../../../parts/frame/desk-page.tsx';
import { useShownCode } from '../../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../../words/words.ts';
import { useIssuer } from '../../acting/issuer-page.tsx';
import { QueryPart } from '../../acting/query-part.tsx';
import { useTemplate } from '../reading/template-queries.ts';
import { AttributeRows, type ComplaintAt } from './attribute-rows.tsx';
import { BuilderSide } from './builder-side.tsx';
import { useDraftComplaints } from './draft-complaints.ts';
import { JsonEditor } from './json-editor.tsx';
import { dropDraft, keepDraft, keptDraft } from './kept-draft.ts';
import { type DraftKeeping, RegisterDock } from './register-dock.tsx';
import { type BuiltTemplate, blankTemplate, bodyOf, draftOfBody, jsonOf, nextOf } from './template-draft.ts';

export function NewTemplate() {
  return <Builder newest={undefined} />;
}

export function NewVersion({ templateId }: { readonly templateId: string }) {
  const { words } = useDeskWords('issue');
  const query = useTemplate(templateId);
  if (query.data) return <Builder newest={query.data} />;
  return (
    <DeskPage title={words.templates.newVersion}>
      <QueryPart query={query} rows={6}>
        {() => null}
      </QueryPart>
    </DeskPage>
  );
}

type Way = 'form' | 'json';

/**
 * What the draft is compared with: the version before it. Once it is registered itself, the newest version is the draft,
 * and what was before stays.
 */
function useVersionBefore(base: TemplateReply | undefined, version: string): TemplateReply | undefined {
  const [before, setBefore] = useState(base);
  const isDraft = base?.version === version && before?.version !== version;
  if (base !== before && !isDraft) setBefore(base);
  return isDraft ? before : base;
}

/** The one state behind both ways of writing, with what is wrong with it. What somebody changed is kept in the tab. */
function useBuilding(newest: TemplateReply | undefined) {
  const { did } = useIssuer();
  const place = { issuer: did, templateId: newest?.templateId };
  const fresh = (): BuiltTemplate => (newest ? nextOf(newest) : blankTemplate());
  const [kept] = useState(() => keptDraft(place));
  const [draft, setDraft] = useState<BuiltTemplate>(kept ?? fresh);
  const base = useVersionBefore(newest, draft.version);
  const [keeping, setKeeping] = useState<DraftKeeping>(kept ? 'kept' : 'unchanged');
  const [way, setWay] = useState<Way>('form');
  /** What somebody types as JSON, while it is typed; the state follows as soon as it can be read. */
  const [text, setText] = useState('');
  const body = way === 'json' ? parseJsonOrNothing(text) : bodyOf(draft);
  const complaints = useDraftComplaints(body, base);
  const [isTouched, setTouched] = useState(kept !== undefined);
  const complaintAt: ComplaintAt = (pointer) =>
    isTouched ? complaints.find((complaint) => complaint.pointer === pointer)?.text : undefined;
  const change = (next: BuiltTemplate): void => {
    setTouched(true);
    setDraft(next);
    setKeeping(keepDraft(place, next) ? 'kept' : 'noRoom');
  };
  const choose = (next: Way): void => {
    if (next === 'json') setText(jsonOf(draft));
    setWay(next);
  };
  const write = (next: string): void => {
    setText(next);
    setTouched(true);
    const read = parseJsonOrNothing(next);
    if (read !== undefined) change(draftOfBody(read, draft));
  };
  const discard = (): void => {
    const next = fresh();
    dropDraft(place);
    setDraft(next);
    setText(jsonOf(next));
    setKeeping('unchanged');
    setTouched(false);
  };
  return {
    draft,
    base,
    way,
    text,
    complaints,
    complaintAt,
    keeping,
    isReadable: body !== undefined,
    change,
    choose,
    write,
    discard,
    /** Says what is wrong at each field, and goes to the first. */
    show() {
      // The field has to say so before anybody can find it by that.
      flushSync(() => setTouched(true));
      focusFirstWrong();
    },
    /** It is registered: there is nothing to come back to. */
    forget: () => dropDraft(place),
  };
}

function Builder({ newest }: { readonly newest: TemplateReply | undefined }) {
  const { words } = useDeskWords('issue');
  const { did } = useIssuer();
  const building = useBuilding(newest);
  const [isRegistered, setRegistered] = useState(false);
  const { draft, base, way, text, complaints, complaintAt, change, choose, write } = building;
  useShownCode(words.templates.registerTitle, [
    { act: 'register', given: { ...bodyOf(draft), issuerDid: did } },
  ]);
  return (
    <DeskPage
      title={base ? `${base.templateName} ${draft.version}` : words.templates.newTemplate}
      text={base ? words.templates.stays(base.version) : words.templates.newText}
      acts={
        <Segments
          label={words.templates.way}
          value={way}
          options={[
            { value: 'form', label: words.templates.form },
            { value: 'json', label: 'JSON' },
          ]}
          onChoose={choose}
        />
      }
    >
      <div className="with-side">
        <div className="stack">
          {/* What is registered is read, and changed as the next version alone. */}
          <fieldset className="built stack" disabled={isRegistered}>
            {way === 'form' ? (
              <>
                <TemplateHead draft={draft} base={base} complaintAt={complaintAt} onChange={change} />
                <AttributeRows draft={draft} base={base} complaintAt={complaintAt} onChange={change} />
                <TextField
                  label={words.templates.remarkField}
                  value={draft.remark}
                  onChange={(remark) => change({ ...draft, remark })}
                  hint={words.templates.remarkHint}
                  error={complaintAt('/remark')}
                />
              </>
            ) : (
              <JsonEditor text={text} complaints={complaints} onChange={write} />
            )}
          </fieldset>
          <RegisterDock
            draft={draft}
            complaints={complaints}
            keeping={building.keeping}
            isReadable={building.isReadable}
            onShowComplaints={building.show}
            onDiscard={building.discard}
            onRegistered={() => {
              building.forget();
              setRegistered(true);
            }}
          />
        </div>
        <BuilderSide draft={draft} base={base} />
      </div>
    </DeskPage>
  );
}

interface TemplateHeadProps {
  readonly draft: BuiltTemplate;
  readonly base: TemplateReply | undefined;
  readonly complaintAt: ComplaintAt;
  readonly onChange: (draft: BuiltTemplate) => void;
}

function TemplateHead({ draft, base, complaintAt, onChange }: TemplateHeadProps) {
  const { words } = useDeskWords('issue');
  return (
    <div className="template-head">
      <TextField
        label={words.templates.name}
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
        isLocked={base !== undefined}
        hint={base ? words.templates.nameStays : words.templates.nameMakesId}
        error={complaintAt('/templateName')}
        isFocused={base === undefined}
      />
      <TextField
        label={words.templates.version}
        value={draft.version}
        onChange={(version) => onChange({ ...draft, version })}
        isMono
        hint={base && words.templates.after(base.version)}
        error={complaintAt('/version')}
      />
    </div>
  );
}
