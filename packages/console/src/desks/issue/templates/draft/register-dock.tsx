/** The end of building: a test by the ledger with what it costs, then the signature, then the block it stands in. */
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { registerTemplate } from '@symbolon/sdk/flows/issuer-flows';
import { waitForReceipt } from '@symbolon/sdk/ledger/receipts';
import type { CredentialClient } from '@symbolon/sdk/service/credential-client';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useConnection } from '../../../../api/api.tsx';
import { Button } from '../../../../parts/controls/button.tsx';
import { TokenGlyph } from '../../../../parts/controls/token-glyph.tsx';
import { ErrorState } from '../../../../parts/states/error-state.tsx';
import { useSigner } from '../../../../signing/signing.tsx';
import { amountText } from '../../../../text/numbers.ts';
import { useDeskWords } from '../../../../words/words.ts';
import { useIssuer } from '../../acting/issuer-page.tsx';
import { useIssuing } from '../../acting/issuing.ts';
import { answerOrLook } from '../../acting/lost-answer.ts';
import { Recorded } from '../../acting/recorded.tsx';
import { useAct } from '../../acting/use-act.ts';
import type { ToldComplaint } from './draft-complaints.ts';
import { type BuiltTemplate, bodyOf, isRegisteredAs } from './template-draft.ts';

/** Whether what somebody changed would be there again after a reload. */
export type DraftKeeping = 'unchanged' | 'kept' | 'noRoom';

export interface RegisterDockProps {
  readonly draft: BuiltTemplate;
  readonly complaints: readonly ToldComplaint[];
  /** False while what is typed is no JSON. */
  readonly isReadable: boolean;
  readonly keeping: DraftKeeping;
  readonly onShowComplaints: () => void;
  readonly onDiscard: () => void;
  readonly onRegistered: () => void;
}

interface Registered {
  readonly templateId: string;
  readonly txHash: string;
  readonly block: number;
  readonly version: string;
}

/** What is asked of service and ledger. */
function useCalls() {
  const issuing = useIssuing();
  const sign = useSigner();
  const { did } = useIssuer();
  const queries = useQueryClient();
  /** What the last attempt ended with. */
  const before = useRef<unknown>(undefined);
  return {
    /** What it would cost, by the ledger's own evaluation of what would be signed. */
    async test(draft: BuiltTemplate): Promise<bigint> {
      const { client, ledger } = await issuing();
      const { blob } = await client.createTemplateBlob({ ...bodyOf(draft), issuerDid: did });
      const { result } = await ledger.testTransaction({
        items: [{ transaction_blob: blob, signature_number: 1 }],
      });
      const [evaluated] = result?.txs ?? [];
      return BigInt(evaluated?.actual_fee ?? 0);
    },
    async register(draft: BuiltTemplate): Promise<Registered> {
      const [{ client, ledger, pins }, signer] = await Promise.all([issuing(), sign()]);
      const order = { ...bodyOf(draft), signer, issuerDid: did, ledger, pins };
      const { templateId, txHash } = await answerOrLook({
        act: () => registerTemplate(client, order),
        look: () => findRegistered(client, did, draft),
        before: before.current,
      }).catch((error: unknown) => {
        before.current = error;
        throw error;
      });
      const { ledgerSeq } = await waitForReceipt(ledger, txHash);
      await queries.invalidateQueries({ queryKey: ['service'] });
      return { templateId, txHash, block: Number(ledgerSeq), version: draft.version };
    },
  };
}

/** The template as it is built here, if the service has it of this issuer. */
async function findRegistered(
  client: Pick<CredentialClient, 'listTemplates' | 'getTemplate'>,
  issuer: string,
  draft: BuiltTemplate,
): Promise<TemplateReply | undefined> {
  const { templates } = await client.listTemplates({ issuer, q: draft.name });
  const named = templates.find(({ templateName }) => templateName === draft.name);
  if (!named) return undefined;
  try {
    const found = await client.getTemplate({ templateId: named.templateId, version: draft.version });
    return isRegisteredAs(found, draft) ? found : undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'templateUnknown') return undefined;
    throw error;
  }
}

export function RegisterDock(props: RegisterDockProps) {
  const { draft, complaints, isReadable, onShowComplaints, onRegistered } = props;
  const { words, language } = useDeskWords('issue');
  const { templates } = words;
  const { state } = useConnection();
  const calls = useCalls();
  const [fee, setFee] = useState<bigint>();
  const [done, setDone] = useState<Registered>();
  const testing = useAct(async (tested: BuiltTemplate) => setFee(await calls.test(tested)));
  const registering = useAct(async (built: BuiltTemplate) => {
    setDone(await calls.register(built));
    onRegistered();
  });
  const content = JSON.stringify(bodyOf(draft));
  // A test is about what was tested, and about nothing else.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the content whose change counts.
  useEffect(() => setFee(undefined), [content]);
  const isSound = isReadable && complaints.length === 0;
  const isBusy = testing.isBusy || registering.isBusy;
  const orShow = (act: () => void) => () => (isSound ? act() : onShowComplaints());
  if (done?.version === draft.version)
    return (
      <section className="panel dock" aria-label={templates.registerTitle}>
        <Recorded what={templates.registered(done.version)} block={done.block} txHash={done.txHash} />
        <Link to={`/issue/templates/${done.templateId}`} className="btn pri">
          {templates.open}
        </Link>
      </section>
    );
  const cost = fee === undefined ? undefined : amountText(fee, language);
  const failure = registering.failure ?? testing.failure;
  const [first] = complaints;
  return (
    <>
      {failure && (
        <section className="panel">
          <ErrorState failure={failure} />
        </section>
      )}
      <section className="panel dock" aria-label={templates.registerTitle}>
        <div className="grow" role="status">
          <b>{templates.registerTitle}</b>
          <p className="muted">
            {!isReadable && templates.notJson}
            {isReadable && first && templates.wrongStill(complaints.length)}
            {isSound && cost === undefined && templates.signHere}
            {isSound && cost && templates.wouldSucceed(`${cost.figure} ${cost.unit}`)}
          </p>
          {isReadable && first && <p className="fld-error dock-fault">{first.whole}</p>}
          <KeptNote {...props} isBusy={isBusy} />
        </div>
        <Button onClick={orShow(() => testing.run(draft))} disabled={isBusy || state === 'lost'}>
          {testing.isBusy ? templates.testing : templates.test}
        </Button>
        <Button
          kind="primary"
          onClick={orShow(() => registering.run(draft))}
          disabled={isBusy || state === 'lost'}
        >
          <TokenGlyph size={16} />
          {registering.isBusy ? templates.underWay : templates.signAndRegister(draft.version)}
        </Button>
      </section>
    </>
  );
}

/** That a draft is kept, and a way to be rid of it. */
function KeptNote({ keeping, onDiscard, isBusy }: RegisterDockProps & { readonly isBusy: boolean }) {
  const { words } = useDeskWords('issue');
  if (keeping === 'unchanged') return null;
  return (
    <p className={keeping === 'kept' ? 'hint row wrap' : 'fld-error row wrap'}>
      {words.templates.keeping[keeping]}
      <Button size="small" kind="quiet" disabled={isBusy} onClick={onDiscard}>
        {words.templates.discard}
      </Button>
    </p>
  );
}
