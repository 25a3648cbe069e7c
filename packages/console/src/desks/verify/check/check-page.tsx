/**
 * Checks a document by paste or file, open to all: a presentation by the service or in this browser, a whole credential
 * in this browser alone. Without a connection it goes by what was kept before, and says so.
 */
import { Textarea, TextInput } from '@mantine/core';
import { Fault } from '@symbolon/core/faults/faults';
import { ProofEngineError } from '@symbolon/core/proofs/proof-engine';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useClients, useConnection, useConsoleConfig } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Segments } from '../../../parts/controls/segments.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { ErrorState, type FailureWords } from '../../../parts/states/error-state.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { foreignLine } from '../../../text/foreign-text.ts';
import type { DeskWords } from '../../../words/desk-words.ts';
import { useDeskWords } from '../../../words/words.ts';
import '../verify.css';
import { loadProofEngine } from '../../../proofs/worker-engine.ts';
import { readIssuerDids } from '../issuer-dids.ts';
import {
  type CheckedDocument,
  type CheckTools,
  checkDocument,
  collectFacts,
  conditionsOf,
  idsOutdated,
  NothingKept,
} from './check-document.ts';
import { CheckOutcome } from './check-outcome.tsx';
import { fileText } from './file-text.ts';
import { type FileProblem, type GivenDocument, readGiven } from './given-document.ts';
import { forgetFacts, keepFacts, readKept } from './kept-facts.ts';
import { KeptFactsPanel } from './kept-panel.tsx';

interface CheckDraft {
  readonly text: string;
  /** Of a file that could not be read. */
  readonly fileProblem: FileProblem | undefined;
  /** The text was attached to a PDF. */
  readonly isAttached: boolean;
  readonly challenge: string;
  /** Undefined as long as nobody wrote another one than that of this service. */
  readonly domain: string | undefined;
  readonly trusted: string;
  readonly way: 'service' | 'here';
}

const emptyCheck: CheckDraft = {
  text: '',
  fileProblem: undefined,
  isAttached: false,
  challenge: '',
  domain: undefined,
  trusted: '',
  way: 'service',
};

function useCheckTools(): CheckTools {
  const clients = useClients();
  const network = useConsoleConfig()?.network;
  return {
    clients,
    pins: network && {
      chainId: BigInt(network.chainId),
      templateRegistry: network.templateRegistry,
      credentialRegistry: network.credentialRegistry,
    },
  };
}

/** No verdict: neither good nor bad, and why not. */
function noVerdictWords(error: unknown, words: DeskWords<'verify'>): FailureWords {
  const { check } = words.verify;
  if (error instanceof NothingKept)
    return { title: check.gaps[error.gap], text: `${check.gapsWhy[error.gap]} ${check.noVerdict}` };
  if (error instanceof ProofEngineError)
    return { title: check.engine, text: check.engineWhy, code: error.code };
  if (error instanceof SdkError && error.code === 'factsStale')
    return { title: check.stale, text: check.staleWhy, code: error.code };
  if (error instanceof SdkError && error.code === 'factsFromFuture')
    return { title: check.early, text: check.earlyWhy, code: error.code };
  if (error instanceof Fault)
    return { title: check.problems.notDocument, text: error.message, code: error.code };
  return failureWords(error, words);
}

/** What was given, what is expected of it, and the ways to check and to keep. */
function useChecking() {
  const { words } = useDeskWords('verify');
  const tools = useCheckTools();
  const isConnected = useConnection().state !== 'lost';
  const toast = useToast();
  const [draft, setDraft] = useState(emptyCheck);
  const [kept, setKept] = useState(() => readKept(localStorage));
  const forget = (vcId: string): void => setKept(forgetFacts(localStorage, vcId));
  /** What the ledger said once must not outlive what it says now: without a connection it would be believed again. */
  const forgetOutdated = async (document: GivenDocument): Promise<void> => {
    // Where nobody answers, nothing else was said.
    const ids = await idsOutdated(tools, { given: document, kept, now: Date.now() }).catch(() => []);
    for (const id of ids) forget(id);
    if (ids.length > 0) toast({ tone: 'plain', text: words.verify.check.outdated });
  };
  // A large text is read once, and not at every letter that is typed beside it.
  const read = useMemo(
    () => (draft.fileProblem ? { problem: draft.fileProblem } : readGiven(draft.text)),
    [draft.fileProblem, draft.text],
  );
  const given = 'kind' in read ? read : undefined;
  // As requests of this service name it: it is what their answers are made for.
  const ownDomain = useConsoleConfig()?.publicUrl ?? location.origin;
  const domain = draft.domain ?? (given?.hasDomain ? ownDomain : undefined);
  const trusted = readIssuerDids(draft.trusted);
  const checking = useMutation({
    mutationFn: ({ document, dids }: { document: GivenDocument; dids: readonly string[] }) => {
      const order = { ...draft, domain, given: document, isConnected, trusted: dids, kept };
      return checkDocument(tools, { ...order, now: Date.now() });
    },
    onSuccess: (_checked, { document }) => {
      if (isConnected) void forgetOutdated(document);
    },
  });
  const isPrepared = kept.length > 0 && isConnected;
  useEffect(() => {
    // Whoever has kept something means to check without a connection: what checks proofs is there by then.
    if (isPrepared) loadProofEngine().catch(() => undefined);
  }, [isPrepared]);
  const keeping = useMutation({
    mutationFn: async ({ document, checked }: { document: GivenDocument; checked: CheckedDocument }) => {
      const added =
        checked.kind === 'credential'
          ? checked.kept
          : await collectFacts(tools, document.credentials, Date.now());
      // What checks proofs is loaded now, while somebody answers.
      await loadProofEngine();
      return added;
    },
    onSuccess: (added) => {
      setKept(keepFacts(localStorage, added));
      toast({ tone: 'ok', text: words.verify.check.kept });
    },
    onError: (error) => {
      const { title, text } = noVerdictWords(error, words);
      toast({ tone: 'bad', text: `${title}. ${text}` });
    },
  });
  const change = (next: Partial<CheckDraft>): void => {
    setDraft((before) => ({ ...before, ...next }));
    // A verdict is on what was given: on nothing else that stands there.
    checking.reset();
  };
  return { draft, domain, change, read, given, trusted, isConnected, checking, keeping, kept, forget };
}

type Checking = ReturnType<typeof useChecking>;

/** Only about what was found good it is worth keeping what the ledger says. */
const isGood = (checked: CheckedDocument): boolean =>
  checked.kind === 'presentation' ? checked.verified : checked.verdict.isGenuine;

export default function CheckPage() {
  const { words } = useDeskWords('verify');
  const texts = words.verify.check;
  const state = useChecking();
  const { given, trusted, isConnected, checking, keeping, kept, forget } = state;
  useShownCode(texts.title, [
    {
      server: 'service',
      route: 'verifyPresentation',
      given:
        given?.kind === 'presentation'
          ? {
              vp: given.document,
              ...conditionsOf({
                ...state.draft,
                domain: state.domain,
                trusted: 'dids' in trusted ? trusted.dids : [],
              }),
            }
          : {},
    },
  ]);
  const { data: checked, error } = checking;
  return (
    <DeskPage title={texts.title} text={texts.about}>
      <div className="check-doc stack">
        <CheckForm state={state} />
        {error && (
          <Panel>
            <ErrorState failure={noVerdictWords(error, words)} />
          </Panel>
        )}
        {checked && <CheckOutcome checked={checked} />}
        {checked && isGood(checked) && given && isConnected && (
          <div className="row">
            <Button
              icon="save"
              disabled={keeping.isPending || given.credentials.length === 0}
              onClick={() => keeping.mutate({ document: given, checked })}
            >
              {texts.keep}
            </Button>
          </div>
        )}
        <KeptFactsPanel kept={kept} onForget={forget} />
      </div>
    </DeskPage>
  );
}

function CheckForm({ state }: { readonly state: Checking }) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.check;
  const { draft, change, read, given, trusted, checking } = state;
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const { text, problem, isAttached = false } = await fileText(file);
    change({ fileProblem: problem, text, isAttached });
  };
  return (
    <Panel>
      <DropArea onFile={(file) => void take(file)}>
        <Textarea
          label={texts.text}
          placeholder={texts.drop}
          rows={7}
          spellCheck={false}
          value={draft.text}
          error={'problem' in read && read.problem !== 'empty' && texts.problems[read.problem]}
          onChange={({ currentTarget }) =>
            change({ fileProblem: undefined, text: currentTarget.value, isAttached: false })
          }
        />
        {given && (
          <p className="hint" role="status">
            {given.kind === 'presentation'
              ? `${texts.kinds.presentation} ${texts.contains(given.credentials.length)}.`
              : `${texts.kinds.credential}. ${texts.hereCredential}`}
          </p>
        )}
        {given && draft.isAttached && <p className="note warn">{texts.attached}</p>}
        {given && <Conditions state={state} given={given} />}
        <div className="row wrap check-acts">
          <Button
            kind="primary"
            icon="shieldCheck"
            disabled={!given || !('dids' in trusted) || checking.isPending}
            onClick={() =>
              given && 'dids' in trusted && checking.mutate({ document: given, dids: trusted.dids })
            }
          >
            {texts.act}
          </Button>
          <FileButton onFile={(file) => void take(file)} />
          {given?.kind === 'presentation' && <WhoChecks state={state} />}
        </div>
      </DropArea>
    </Panel>
  );
}

/** What the verifier expects: without it nobody can tell a copy, or whose word it is. */
function Conditions({
  state: { draft, domain, change, trusted },
  given: { kind },
}: {
  readonly state: Checking;
  readonly given: GivenDocument;
}) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.check;
  return (
    <div className="check-conditions">
      {/* A whole credential is made for no occasion. */}
      {kind === 'presentation' && (
        <TextInput
          label={texts.challenge}
          description={texts.challengeHint}
          value={draft.challenge}
          onChange={({ currentTarget }) => change({ challenge: currentTarget.value })}
        />
      )}
      {/* An address that was typed stays asked for, also of what names nobody. */}
      {kind === 'presentation' && domain !== undefined && (
        <TextInput
          label={texts.domain}
          description={texts.domainHint}
          value={domain}
          onChange={({ currentTarget }) => change({ domain: currentTarget.value })}
        />
      )}
      <TextInput
        label={texts.trusted}
        description={texts.trustedHint}
        value={draft.trusted}
        error={'wrong' in trusted && texts.wrongDid(foreignLine(trusted.wrong))}
        onChange={({ currentTarget }) => change({ trusted: currentTarget.value })}
      />
    </div>
  );
}

function WhoChecks({ state: { draft, change, isConnected } }: { readonly state: Checking }) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.check;
  if (!isConnected) return <p className="hint">{texts.lost}</p>;
  return (
    <>
      <Segments
        label={texts.where}
        value={draft.way}
        options={(['service', 'here'] as const).map((value) => ({ value, label: texts.ways[value] }))}
        onChoose={(way) => change({ way })}
      />
      <p className="hint">{draft.way === 'service' ? texts.serviceWhy : texts.hereWhy}</p>
    </>
  );
}

function FileButton({ onFile }: { readonly onFile: (file: File | undefined) => void }) {
  const { words } = useDeskWords('verify');
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept=".json,application/json,.pdf,application/pdf"
        className="sr"
        aria-label={words.verify.check.file}
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <Button icon="inbox" onClick={() => picker.current?.click()}>
        {words.verify.check.file}
      </Button>
    </>
  );
}

interface DropAreaProps {
  readonly onFile: (file: File | undefined) => void;
  readonly children: ReactNode;
}

function DropArea({ onFile, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent, next: boolean): void => {
    event.preventDefault();
    setOver(next);
  };
  return (
    <fieldset
      className="drop"
      data-over={isOver}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false);
        onFile(event.dataTransfer.files[0]);
      }}
    >
      {children}
    </fieldset>
  );
}
