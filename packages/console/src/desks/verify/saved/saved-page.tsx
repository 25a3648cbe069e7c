/** Requests that are asked again and again: one click opens a session. Kept in this browser, taken along as a file. */
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useChair, useClients } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { saveFile } from '../../../parts/controls/save-file.ts';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { Bones } from '../../../parts/states/bones.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { ConfirmAct } from '../confirm-act.tsx';
import { useReadTemplates } from '../parties.ts';
import { readAsked } from '../request/asked-claims.ts';
import { buildRequest, whatHinders } from '../request/request-draft.ts';
import { askedSentence, hindranceText } from '../request/request-words.ts';
import { todayText } from '../today.ts';
import '../verify.css';
import { VerifierOnly } from '../verifier-only.tsx';
import { forgetRequest, importSaved, readSaved, type SavedRequest, savedFileText } from './saved-requests.ts';

export default function SavedPage() {
  const { words } = useDeskWords('verify');
  return (
    <VerifierOnly title={words.verify.saved.title}>
      <SavedList />
    </VerifierOnly>
  );
}

function SavedList() {
  const { words } = useDeskWords('verify');
  const texts = words.verify.saved;
  const { signedIn } = useChair();
  const toast = useToast();
  const did = signedIn?.did ?? '';
  const [requests, setRequests] = useState(() => readSaved(localStorage, did));
  const picker = useRef<HTMLInputElement>(null);
  useShownCode(texts.title, []);
  const take = async (file: File | undefined): Promise<void> => {
    const read = file && importSaved(localStorage, did, await file.text());
    if (!read) return toast({ tone: 'bad', text: texts.importFailed });
    setRequests(read);
    toast({ tone: 'ok', text: texts.imported(read.length) });
  };
  return (
    <DeskPage
      title={texts.title}
      text={texts.about}
      acts={
        <>
          <input
            ref={picker}
            type="file"
            accept=".json,application/json"
            className="sr"
            aria-label={texts.importFile}
            tabIndex={-1}
            onChange={({ currentTarget }) => {
              void take(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
          <Button icon="inbox" onClick={() => picker.current?.click()}>
            {texts.importFile}
          </Button>
          <Button
            icon="save"
            disabled={requests.length === 0}
            onClick={() =>
              saveFile({ name: texts.fileName, type: 'application/json', contents: savedFileText(requests) })
            }
          >
            {texts.exportAll}
          </Button>
        </>
      }
    >
      <Panel>
        {requests.length === 0 ? (
          <EmptyState title={texts.none} text={texts.noneWhy} />
        ) : (
          <ul className="saved">
            {requests.map((request) => (
              <SavedLine
                key={request.id}
                request={request}
                onForget={() => setRequests(forgetRequest(localStorage, did, request.id))}
              />
            ))}
          </ul>
        )}
      </Panel>
    </DeskPage>
  );
}

function SavedLine({ request, onForget }: { readonly request: SavedRequest; readonly onForget: () => void }) {
  const reading = useDeskWords('verify');
  const { words } = reading;
  const texts = words.verify.saved;
  const { service } = useClients();
  const navigate = useNavigate();
  const [isForgetting, setForgetting] = useState(false);
  const { draft, name, savedAt, id } = request;
  const { templates, isRead, error } = useReadTemplates(
    draft.credentials.map(({ templateId }) => templateId),
  );
  const today = todayText(Date.now());
  const { body, problems } = buildRequest(draft, templates, today);
  const hindrance = whatHinders(problems, { isRead });
  const asking = useSingleMutation({
    mutationFn: () => service.requestVerification(body),
    onSuccess: ({ presentationId }) => navigate({ to: `/verify/sessions/${presentationId}` }),
  });
  return (
    <li>
      <div className="grow">
        <b>{name}</b> <Time at={savedAt} />
        {error ? (
          <ErrorState failure={failureWords(error, words)} />
        ) : hindrance === 'reading' ? (
          <Bones rows={1} hasMark={false} />
        ) : (
          <p className="muted">
            {hindrance
              ? hindranceText(hindrance, templates, reading)
              : askedSentence(readAsked(body.requirements, today), templates, reading)}
          </p>
        )}
        {asking.isError && <ErrorState failure={failureWords(asking.error, words)} />}
      </div>
      <div className="row">
        <Button
          kind="primary"
          icon="qr"
          disabled={hindrance !== undefined || asking.isPending}
          onClick={() => asking.mutate()}
        >
          {texts.ask}
        </Button>
        <Button icon="pencil" onClick={() => void navigate({ to: '/verify/ask', search: { saved: id } })}>
          {texts.edit}
        </Button>
        <Button
          kind="quiet"
          icon="cross"
          aria-label={`${texts.forget}: ${name}`}
          onClick={() => setForgetting(true)}
        />
      </div>
      {isForgetting && (
        <ConfirmAct
          title={texts.forgetTitle(name)}
          text={texts.forgetWhy}
          act={texts.forget}
          keep={words.verify.session.keep}
          onAct={onForget}
          onClose={() => setForgetting(false)}
        />
      )}
    </li>
  );
}
