/** Signing: by who sits here, or elsewhere with a file that comes back. */
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { signerAddress } from '@symbolon/sdk/transactions/foreign-signatures';
import type { RequiredWeight } from '@symbolon/sdk/transactions/required-weights';
import { transactionItem } from '@symbolon/sdk/transactions/transaction-texts';
import { stringifyJson } from '@symbolon/wire/json/json';
import { useState } from 'react';
import { useChair } from '../../../api/api.tsx';
import { failureWords } from '../../../api/failure.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { TextField } from '../../../parts/controls/fields.tsx';
import { saveFile } from '../../../parts/controls/save-file.ts';
import { ConfirmDialog } from '../../../parts/frame/confirm-dialog.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useOutcomeFocus } from '../../../parts/hooks/use-outcome-focus.ts';
import { useToast } from '../../../parts/hooks/use-toast.ts';
import { CommandLine } from '../../../parts/states/command-line.tsx';
import { NotSigned } from '../../../signing/signing.tsx';
import { shortAccount } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { useOwnAddress } from '../facts/use-draft.ts';
import type { SignatureDesk } from '../facts/use-signatures.ts';
import { Weights } from './weights.tsx';

export interface SignPanelProps {
  /** What would be signed, or is; undefined until it was tried out. */
  readonly made: SignedTransaction | undefined;
  readonly required: readonly RequiredWeight[];
  readonly desk: SignatureDesk;
  readonly isPrimary: boolean;
  /** What it takes away: whoever signs that is asked first. Nobody signs before it is known. */
  readonly dangers: readonly string[] | undefined;
}

export function SignPanel({ made, required, desk, isPrimary, dangers }: SignPanelProps) {
  const { words } = useDeskWords('lab');
  const { lab } = words;
  const own = useOwnAddress();
  const [isElsewhere, setElsewhere] = useState(false);
  const place = useOutcomeFocus<HTMLSpanElement>(desk.signed?.signatures.length);
  const hintOf = (): string | undefined => {
    if (own === undefined) return lab.nobodySigns;
    if (made && !dangers) return lab.dangers.unknown;
    return required.length > 0 && !counts ? lab.doesNotCount : undefined;
  };
  const counts = required.some(({ signers }) => signers.some(({ address }) => address === own));
  return (
    <>
      {required.length > 0 && (
        <Panel title={lab.signers}>
          <Weights required={required} />
        </Panel>
      )}
      <div className="row lab-sign">
        <SignButton made={made} desk={desk} isPrimary={isPrimary} dangers={dangers} />
        <Button
          disabled={!made}
          aria-expanded={isElsewhere}
          onClick={() => {
            if (made && !desk.signed) desk.fix(made);
            setElsewhere(!isElsewhere);
          }}
        >
          {lab.elsewhere}
        </Button>
      </div>
      <p className="hint">{hintOf()}</p>
      {isElsewhere && desk.signed && <Elsewhere signed={desk.signed} desk={desk} />}
      {desk.signed && (
        <div className="note lab-fixed">
          <span ref={place} tabIndex={-1} className="grow">
            {lab.frozen}
          </span>
          <Button
            size="small"
            kind="quiet"
            onClick={() => {
              desk.drop();
              setElsewhere(false);
            }}
          >
            {lab.thaw}
          </Button>
        </div>
      )}
    </>
  );
}

function SignButton({ made, desk, isPrimary, dangers }: Omit<SignPanelProps, 'required'>) {
  const { words } = useDeskWords('lab');
  const { lab } = words;
  const toast = useToast();
  const { person } = useChair();
  const own = useOwnAddress();
  const [isAsked, setAsked] = useState(false);
  const hasSigned = desk.signed?.signatures.some((one) => signerAddress(one) === own) ?? false;
  const act = lab.signAs(person?.name ?? (own === undefined ? '…' : shortAccount(own)));
  const sign = async (): Promise<void> => {
    if (!made) return;
    try {
      await desk.sign(made);
    } catch (error) {
      const { title, text } = failureWords(error, words);
      toast(
        error instanceof NotSigned
          ? { tone: 'plain', text: lab.notSigned }
          : { tone: 'bad', text: `${title}. ${text} ${lab.notSigned}` },
      );
    }
  };
  return (
    <>
      <Button
        kind={isPrimary ? 'primary' : 'plain'}
        icon="key"
        className="grow"
        disabled={!made || !dangers || own === undefined || hasSigned}
        onClick={() => (dangers?.length === 0 ? void sign() : setAsked(true))}
      >
        {hasSigned ? lab.signAgain : act}
      </Button>
      {isAsked && dangers && (
        <ConfirmDialog
          title={lab.dangers.ask}
          text={dangers.join(' ')}
          act={act}
          onConfirm={sign}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

const pasteRows = 4;

function Elsewhere({ signed, desk }: { readonly signed: SignedTransaction; readonly desk: SignatureDesk }) {
  const { words } = useDeskWords('lab');
  const { lab } = words;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<keyof typeof lab.pasted>();
  const add = async (): Promise<void> => {
    const found = await desk.add(text);
    setProblem(found);
    if (found === undefined) setText('');
  };
  return (
    <Panel isPadded>
      <div className="lab-stack">
        <p className="hint">{lab.keyStays}</p>
        <CommandLine command="symbolon tx sign transaction.json" />
        <Button
          icon="save"
          onClick={() =>
            saveFile({
              name: 'transaction.json',
              type: 'application/json',
              contents: `${stringifyJson(transactionItem(signed))}\n`,
            })
          }
        >
          {lab.saveFile}
        </Button>
        <TextField
          label={lab.pasteLabel}
          value={text}
          onChange={(next) => {
            setText(next);
            setProblem(undefined);
          }}
          rows={pasteRows}
          isMono
          error={problem === undefined ? undefined : lab.pasted[problem]}
        />
        <Button disabled={text.trim() === ''} onClick={() => void add()}>
          {lab.addSignatures}
        </Button>
      </div>
    </Panel>
  );
}
