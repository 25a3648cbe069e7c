/** Try to break it: attacks that everybody can start in the demo, each with what the service said to it. */
import { revokeCredential } from '@symbolon/sdk/flows/issuer-flows';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClients, useConsoleConfig } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { Icon } from '../../../parts/controls/icon.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useSingleMutation } from '../../../parts/hooks/use-single-mutation.ts';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { foreignLine } from '../../../text/foreign-text.ts';
import { useDeskWords } from '../../../words/words.ts';
import { ConfirmAct } from '../confirm-act.tsx';
import { actAs, audienceClient, signerOfPerson, walletService } from '../demo-people.ts';
import {
  type BreakOutcome,
  type BreakTools,
  changeLetter,
  letterToChange,
  replay,
  revokeThenShow,
} from './break-acts.ts';
import { refusalWords } from './refusal-words.ts';
import type { SessionReply } from './session-facts.ts';

type BreakName = 'letter' | 'replay' | 'revoke';

/** Who of the demo holds and who issued what was shown, and what an attacker would do with it. */
function useBreaking(session: SessionReply) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.breaking;
  const { service } = useClients();
  const config = useConsoleConfig();
  const credentials = session.result?.credentials ?? [];
  const [first] = credentials;
  const personOf = (did: string | undefined) => config?.people?.find((one) => one.did === did);
  const [holder, issuer] = [personOf(first?.holder), personOf(first?.issuer)];
  const letter = letterToChange(credentials);
  const attempt = async (name: BreakName): Promise<BreakOutcome> => {
    if (!config || !holder) throw new Error('the demo has nobody who holds this');
    const tools: BreakTools = {
      verifier: service,
      wallet: audienceClient(walletService(), config),
      holder: await signerOfPerson(holder),
      session,
      credentials,
      purpose: texts.purpose(texts[name]),
    };
    if (name === 'letter' && letter) return changeLetter(tools, letter);
    if (name !== 'revoke' || !issuer) return replay(tools);
    const { credentialRegistry, templateRegistry } = config.network;
    const pins = { credentialRegistry, templateRegistry };
    const signer = await signerOfPerson(issuer);
    const revoke = (vcId: string) =>
      actAs(issuer.person, service, (asIssuer) =>
        revokeCredential(audienceClient(asIssuer, config), { signer, vcId, pins }),
      );
    return revokeThenShow(tools, revoke);
  };
  return {
    isDemo: config?.isDemo === true,
    holder,
    issuer,
    letter,
    attempt,
    templateName: first?.template_name,
  };
}

export function BreakPanel({ session }: { readonly session: SessionReply }) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.breaking;
  const { isDemo, holder, issuer, letter, attempt, templateName = '' } = useBreaking(session);
  const [isTrying, setTrying] = useState(false);
  if (!isDemo || !holder) return null;
  const line = { attempt, isTrying, setTrying };
  return (
    <Panel title={texts.title} className="breaking">
      <p className="pad hint">{texts.about(holder.name)}</p>
      {letter ? (
        <BreakLine
          {...line}
          name="letter"
          what={texts.letterWhat(foreignLine(letter.before), foreignLine(letter.after))}
        />
      ) : (
        <BreakLine {...line} name="letter" what={texts.letterNone} isOff />
      )}
      <BreakLine {...line} name="replay" what={texts.replayWhat} />
      {issuer && (
        <BreakLine
          {...line}
          name="revoke"
          what={texts.revokeWhat(issuer.name)}
          question={texts.revokeTitle(holder.name, templateName)}
        />
      )}
    </Panel>
  );
}

interface BreakLineProps {
  readonly name: BreakName;
  readonly what: string;
  readonly isOff?: boolean;
  /** Asked first, where it cannot be undone. */
  readonly question?: string;
  readonly attempt: (name: BreakName) => Promise<BreakOutcome>;
  /** Whether one of the attempts is under way: one after the other, so that each says what came of itself. */
  readonly isTrying: boolean;
  readonly setTrying: (isTrying: boolean) => void;
}

function BreakLine({ name, what, isOff = false, question, attempt, isTrying, setTrying }: BreakLineProps) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.breaking;
  const [isAsking, setAsking] = useState(false);
  const trying = useSingleMutation({
    mutationFn: () => attempt(name),
    onMutate: () => setTrying(true),
    onSettled: () => setTrying(false),
  });
  return (
    <div className="brk-line">
      <button
        type="button"
        className="brk"
        disabled={isOff || isTrying}
        onClick={() => (question === undefined ? trying.mutate() : setAsking(true))}
      >
        <span className="grow">
          <b>{texts[name]}</b>
          <span className="muted">{what}</span>
        </span>
        <Icon name={name === 'revoke' ? 'broken' : 'play'} />
      </button>
      <BreakResult trying={trying} />
      {isAsking && question !== undefined && (
        <ConfirmAct
          title={question}
          text={texts.revokeWhy}
          act={texts.revokeAct}
          keep={words.verify.session.keep}
          onAct={() => trying.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

interface Trying {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly data: BreakOutcome | undefined;
}

function BreakResult({ trying: { isPending, error, data } }: { readonly trying: Trying }) {
  const { words } = useDeskWords('verify');
  const texts = words.verify.breaking;
  if (isPending)
    return (
      <p className="brk-said muted" role="status">
        {texts.working}
      </p>
    );
  if (error) return <ErrorState failure={failureWords(error, words)} />;
  if (!data) return null;
  return (
    <div className="brk-said" role="status">
      <span className={`st ${data.verified ? 'warn' : 'bad'}`}>
        <Icon name="statusBad" />
        {data.verified ? texts.accepted : texts.refused}
      </span>
      {!data.verified && <p>{refusalWords(data.errors, words).reason}</p>}
      {data.txHash !== undefined && (
        <p className="row wrap">
          {texts.recorded} <Hash hash={data.txHash} to={`/ledger/tx/${data.txHash}`} />
        </p>
      )}
      <Link to={`/verify/sessions/${data.sessionId}`} className="lk">
        {texts.see}
      </Link>
    </div>
  );
}
