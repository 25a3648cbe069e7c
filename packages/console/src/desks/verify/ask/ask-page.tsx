/**
 * Asking a wallet: which credentials, what of them, from whom, why and for how long. Above it stands what is asked in one
 * sentence, beside it what the wallet will show. The draft begins empty, as a saved request or as an earlier session was.
 */
import { Select, TextInput } from '@mantine/core';
import { sessionLimits } from '@symbolon/core/limits/waiting';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChair, useClients } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { numberMarks } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { type ReadTemplates, useReadTemplates } from '../parties.ts';
import { requestOfSession } from '../request/ask-again.ts';
import { askedOfDraft } from '../request/asked-claims.ts';
import {
  buildRequest,
  credentialsMax,
  draftForReader,
  draftToKeep,
  minuteChoices,
  type RequestDraft,
  type RequestProblem,
  whatHinders,
  withClaim,
  withoutTemplate,
  withTemplate,
} from '../request/request-draft.ts';
import { askedSentence, hindranceText } from '../request/request-words.ts';
import { dropRequest, keepRequest, keptRequest } from '../saved/kept-request.ts';
import { savedLimits, saveRequest } from '../saved/saved-requests.ts';
import { AskAgain } from '../session/ask-again-button.tsx';
import type { SessionReply } from '../session/session-facts.ts';
import { todayText } from '../today.ts';
import '../verify.css';
import { VerifierOnly } from '../verifier-only.tsx';
import { CredentialEditor } from './credential-editor.tsx';
import { type FirstDraft, useFirstDraft } from './first-draft.ts';
import { TemplatePicker } from './template-picker.tsx';
import { TrustEditor } from './trust-editor.tsx';
import { WalletPreview } from './wallet-preview.tsx';

export default function AskPage() {
  const { words } = useDeskWords('verify');
  return (
    <VerifierOnly title={words.verify.ask.title}>
      <AskLoaded />
    </VerifierOnly>
  );
}

function AskLoaded() {
  const { words } = useDeskWords('verify');
  const { draft, name, begun, beyond, error, again } = useFirstDraft();
  if (draft) return <AskForm key={JSON.stringify([begun, draft])} first={draft} {...{ begun, name }} />;
  if (beyond) return <BeyondTheForm session={beyond} />;
  return (
    <DeskPage title={words.verify.ask.title}>
      <Panel>{error ? <ErrorState failure={failureWords(error, words)} onAgain={again} /> : <Bones />}</Panel>
    </DeskPage>
  );
}

/** A request of a program that says more than the form: changed here it would ask for less, so it is asked as it was. */
function BeyondTheForm({ session }: { readonly session: SessionReply }) {
  const { words } = useDeskWords('verify');
  const { ask } = words.verify;
  useShownCode(ask.title, [
    { server: 'service', route: 'requestVerification', given: requestOfSession(session) },
  ]);
  return (
    <DeskPage title={ask.title}>
      <Panel>
        <EmptyState title={ask.beyond} text={ask.beyondWhy}>
          <AskAgain session={session} />
        </EmptyState>
      </Panel>
    </DeskPage>
  );
}

/** The draft, the request that it makes, and the way to send it. */
function useAsking(first: RequestDraft, begun: string) {
  const { service } = useClients();
  const { signedIn } = useChair();
  const navigate = useNavigate();
  const { language } = useDeskWords('verify');
  const place = { asker: signedIn?.did ?? '', begun };
  const [kept] = useState(() => keptRequest(place));
  const [draft, setTyped] = useState(() => draftForReader(kept ?? first, language));
  const [isKept, setKept] = useState(kept !== undefined);
  const setDraft = (next: RequestDraft): void => {
    setTyped(next);
    setKept(keepRequest(place, draftToKeep(next, language)));
  };
  const discard = (): void => {
    dropRequest(place);
    setTyped(draftForReader(first, language));
    setKept(false);
  };
  const { templates, isRead, error } = useReadTemplates(
    draft.credentials.map(({ templateId }) => templateId),
  );
  const today = todayText(Date.now());
  const built = buildRequest(draft, templates, today, numberMarks[language].point);
  const { body, problems } = built;
  const asked = askedOfDraft(draft, built, today);
  const opening = useSingleMutation({
    mutationFn: () => service.requestVerification(body),
    onSuccess: async ({ presentationId }) => {
      dropRequest(place);
      // Whoever goes back finds what was asked.
      await navigate({ to: '/verify/ask', search: { from: presentationId }, replace: true });
      await navigate({ to: `/verify/sessions/${presentationId}` });
    },
  });
  const hindrance = whatHinders(problems, { isRead: isRead && !error });
  return { draft, setDraft, isKept, discard, templates, body, problems, hindrance, asked, opening };
}

interface AskFormProps extends Pick<FirstDraft, 'name' | 'begun'> {
  readonly first: RequestDraft;
}

function AskForm({ first, name, begun }: AskFormProps) {
  const reading = useDeskWords('verify');
  const { words } = reading;
  const { ask } = words.verify;
  const asking = useAsking(first, begun);
  const { draft, setDraft, templates, body, problems, hindrance, asked, opening } = asking;
  const { requirements, ...terms } = body;
  const given = { ...(draft.credentials.length > 0 && { requirements }), ...terms };
  useShownCode(ask.title, [{ server: 'service', route: 'requestVerification', given }]);
  const change = (next: Partial<RequestDraft>): void => setDraft({ ...draft, ...next });
  const isReady = hindrance === undefined;
  return (
    <DeskPage title={ask.title} text={ask.about}>
      <div className="ask">
        <div className="stack">
          <Panel title={ask.sentence} className="ask-sentence">
            <p className="pad" aria-live="polite">
              {askedSentence(asked, templates, reading)}
            </p>
          </Panel>
          <AskedCredentials draft={draft} setDraft={setDraft} templates={templates} problems={problems} />
          <TrustEditor
            trust={draft.trust}
            onTrust={(trust) => change({ trust })}
            issuers={[...new Set([...templates.values()].map(({ issuerDid }) => issuerDid))]}
            problems={problems}
          />
          <TermsPanel draft={draft} onChange={change} />
          {opening.isError && (
            <Panel>
              <ErrorState failure={failureWords(opening.error, words)} onAgain={() => opening.mutate()} />
            </Panel>
          )}
        </div>
        <aside className="stack ask-side">
          <WalletPreview asked={asked} purpose={draft.purpose} templates={templates} />
          <div className="ask-act">
            <Button
              kind="primary"
              size="large"
              icon="qr"
              disabled={!isReady || opening.isPending}
              onClick={() => opening.mutate()}
            >
              {ask.act}
            </Button>
          </div>
          {hindrance && hindrance !== 'reading' && (
            <p className="hint">{hindranceText(hindrance, templates, reading)}</p>
          )}
          {asking.isKept && (
            <p className="hint row wrap">
              {ask.kept}
              <Button size="small" kind="quiet" disabled={opening.isPending} onClick={asking.discard}>
                {ask.discard}
              </Button>
            </p>
          )}
          <SaveRequest draft={draft} firstName={name} isReady={isReady} />
        </aside>
      </div>
    </DeskPage>
  );
}

interface AskedCredentialsProps {
  readonly draft: RequestDraft;
  readonly setDraft: (draft: RequestDraft) => void;
  readonly templates: ReadTemplates['templates'];
  readonly problems: readonly RequestProblem[];
}

function AskedCredentials({ draft, setDraft, templates, problems }: AskedCredentialsProps) {
  const { words } = useDeskWords('verify');
  const { ask } = words.verify;
  return (
    <>
      {draft.credentials.map((credential) => {
        const { templateId } = credential;
        return (
          <CredentialEditor
            key={templateId}
            credential={credential}
            template={templates.get(templateId)}
            problems={problems.filter((problem) => problem.templateId === templateId)}
            onClaim={(key, claim) => setDraft(withClaim(draft, { templateId, key, claim }))}
            onRemove={() => setDraft(withoutTemplate(draft, templateId))}
          />
        );
      })}
      {draft.credentials.length < credentialsMax && (
        <Panel isPadded>
          <TemplatePicker
            label={draft.credentials.length === 0 ? ask.chooseTemplate : ask.addTemplate}
            taken={draft.credentials.map(({ templateId }) => templateId)}
            onPick={(template) => setDraft(withTemplate(draft, template))}
          />
        </Panel>
      )}
    </>
  );
}

interface TermsPanelProps {
  readonly draft: RequestDraft;
  readonly onChange: (next: Partial<RequestDraft>) => void;
}

/** Why, and for how long. */
function TermsPanel({ draft, onChange }: TermsPanelProps) {
  const { words } = useDeskWords('verify');
  const { ask } = words.verify;
  return (
    <Panel isPadded>
      <div className="stack">
        <TextInput
          label={ask.purpose}
          description={ask.purposeHint}
          maxLength={sessionLimits.purposeCharsMax}
          value={draft.purpose}
          onChange={({ currentTarget }) => onChange({ purpose: currentTarget.value })}
        />
        <Select
          label={ask.minutes}
          value={String(draft.minutes)}
          data={[...new Set<number>([...minuteChoices, draft.minutes])].map((minutes) => ({
            value: String(minutes),
            label: ask.minutesOf(minutes),
          }))}
          allowDeselect={false}
          onChange={(minutes) => minutes !== null && onChange({ minutes: Number(minutes) })}
        />
      </div>
    </Panel>
  );
}

interface SaveRequestProps {
  readonly draft: RequestDraft;
  readonly firstName: string;
  readonly isReady: boolean;
}

function SaveRequest({ draft, firstName, isReady }: SaveRequestProps) {
  const { words, language } = useDeskWords('verify');
  const { ask } = words.verify;
  const toast = useToast();
  const { signedIn } = useChair();
  const [name, setName] = useState(firstName);
  const save = (): void => {
    const kept = draftToKeep(draft, language);
    const request = { id: crypto.randomUUID(), name: name.trim(), savedAt: Date.now(), draft: kept };
    const isSaved = saveRequest(localStorage, signedIn?.did ?? '', request) !== undefined;
    toast(isSaved ? { tone: 'ok', text: ask.saved(request.name) } : { tone: 'bad', text: ask.savedFull });
  };
  return (
    <form
      className="row save-request"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextInput
        className="grow"
        aria-label={ask.saveName}
        placeholder={ask.saveName}
        maxLength={savedLimits.nameCharsMax}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button type="submit" icon="save" disabled={!isReady || name.trim() === ''}>
        {ask.save}
      </Button>
    </form>
  );
}
