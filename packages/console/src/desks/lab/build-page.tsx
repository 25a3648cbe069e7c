/**
 * The transaction lab: build, test, sign, submit. The draft stands in the address, so a link is a draft; whatever came with
 * a link is shown as a sentence first, and signed only by a click.
 */
import { useMediaQuery } from '@mantine/hooks';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { stringifyJson } from '@symbolon/wire/json/json';
import { Link } from '@tanstack/react-router';
import { useKeys } from '../../keys/keys.tsx';
import { Button } from '../../parts/controls/button.tsx';
import { DeskPage } from '../../parts/frame/desk-page.tsx';
import { useToast } from '../../parts/hooks/use-toast.ts';
import { useShownCode } from '../../shell/shown-code.tsx';
import { looksSecret } from '../../text/secret-text.ts';
import { useDeskWords } from '../../words/words.ts';
import { BlobPanel } from './build/blob-panel.tsx';
import { ChangesPanel } from './build/changes-panel.tsx';
import { LeftHandIns } from './build/left-hand-ins.tsx';
import { OperationsPanel } from './build/operations-panel.tsx';
import { ProblemNote } from './build/problem-note.tsx';
import { SaysPanel } from './build/says-panel.tsx';
import { SignPanel } from './build/sign-panel.tsx';
import { Steps } from './build/steps.tsx';
import { SubmitPanel } from './build/submit-panel.tsx';
import { TermsPanel } from './build/terms-panel.tsx';
import { linkOfDraft } from './draft/draft-link.ts';
import { useBuild } from './facts/use-build.ts';
import { useCodes } from './facts/use-codes.ts';
import { useDangers } from './facts/use-dangers.ts';
import type { DraftDesk } from './facts/use-draft.ts';
import { useShortfallText } from './facts/use-shortfall-text.ts';
import { useSteps } from './facts/use-steps.ts';
import './lab.css';

/** Drafts are not changed with a thumb. */
const narrowScreen = '(max-width: 480px)';

export default function BuildPage() {
  const { words } = useDeskWords('lab');
  const { desk, form, signatures, submission, trial, required, startOver, ...built } = useBuild();
  const { transaction, problem, prepared, nextNonce, isReady, thaw } = built;
  const isNarrow = useMediaQuery(narrowScreen, false, { getInitialValueInEffect: false });
  const isFixed = signatures.signed !== undefined || isNarrow;
  const view = { draft: desk.draft, onChange: desk.change, isFixed };
  const dangers = useDangers(transaction);
  const hasCode = useCodes(transaction);
  const isOpen = submission.submission.state === 'none';
  const unpaid = useShortfallText(isOpen ? built.shortfall : undefined);
  useShownCode(words.shell.places.lab, [
    { act: 'send', given: prepared ? { blob: encodeHex(prepared.blob) } : {} },
  ]);
  return (
    <DeskPage
      title={words.shell.places.lab}
      text={words.lab.about}
      acts={<Acts desk={desk} onStart={startOver} />}
    >
      <Steps
        {...useSteps({
          desk,
          isWhole: problem === undefined,
          trial,
          required,
          isReady,
          isSigned: signatures.signed !== undefined,
          submission,
        })}
      />
      <LeftHandIns left={submission.left} />
      <DraftNotes origin={isOpen ? desk.origin : 'own'} isNarrow={isNarrow} />
      <div className="lab-columns">
        <div>
          {!isNarrow && (
            <TermsPanel {...view} nextNonce={nextNonce} signed={signatures.signed?.transaction} />
          )}
          <OperationsPanel key={desk.round} {...view} form={form} />
          {trial.trial?.kind === 'succeeds' && <ChangesPanel trial={trial.trial} />}
        </div>
        <aside className="lab-aside-column">
          <SaysPanel
            problem={problem && <ProblemNote {...view} problem={problem} form={form} />}
            desk={trial}
            {...{ transaction, hasCode, isNarrow, unpaid }}
            dangers={isOpen && dangers ? dangers : []}
          />
          {prepared && <BlobPanel made={prepared} />}
          {!isNarrow && isOpen && (
            <SignPanel
              made={prepared}
              required={required}
              desk={signatures}
              isPrimary={!isReady}
              dangers={dangers && unpaid !== undefined ? [unpaid, ...dangers] : dangers}
            />
          )}
          {!isNarrow && (
            <SubmitPanel
              {...{ isReady, onThaw: thaw, onNext: startOver }}
              signed={signatures.signed}
              desk={submission}
            />
          )}
        </aside>
      </div>
    </DeskPage>
  );
}

/** What is to be known of a draft before it is read. */
function DraftNotes({ origin, isNarrow }: Pick<DraftDesk, 'origin'> & { readonly isNarrow: boolean }) {
  const { words } = useDeskWords('lab');
  const { fromLink, brokenLink, narrow } = words.lab;
  return (
    <>
      {origin !== 'own' && <p className="note warn lab-note">{origin === 'link' ? fromLink : brokenLink}</p>}
      {isNarrow && <p className="note lab-note">{narrow}</p>}
    </>
  );
}

interface ActsProps {
  readonly desk: DraftDesk;
  readonly onStart: () => void;
}

function Acts({ desk: { draft }, onStart }: ActsProps) {
  const { words } = useDeskWords('lab');
  const toast = useToast();
  const share = async (): Promise<void> => {
    if (looksSecret(stringifyJson(draft))) return toast({ tone: 'bad', text: words.shell.palette.secret });
    const link = linkOfDraft(draft);
    if (link === undefined) return toast({ tone: 'bad', text: words.lab.tooLong });
    try {
      await navigator.clipboard.writeText(`${location.origin}/lab/build?draft=${link}`);
      toast({ tone: 'ok', text: words.lab.shared });
    } catch {
      toast({ tone: 'bad', text: words.parts.copyFailed });
    }
  };
  useKeys([
    { keys: 's', title: words.lab.share, group: 'page', act: () => void share() },
    { keys: 'n', title: words.lab.start, group: 'page', act: onStart },
  ]);
  return (
    <div className="row wrap">
      <Link to="/lab/decode" className="btn">
        {words.shell.places.decode}
      </Link>
      <Link to="/lab/call" className="btn">
        {words.shell.places.call}
      </Link>
      <Button onClick={onStart}>{words.lab.start}</Button>
      <Button icon="link" onClick={() => void share()}>
        {words.lab.share}
      </Button>
    </div>
  );
}
