/** What a draft says beside its operations: from whom, in which turn, what it may cost, a note. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { useState } from 'react';
import { useConsoleConfig } from '../../../api/api.tsx';
import { useFaucet } from '../../../api/use-faucet.ts';
import { useKnownNames } from '../../../ledger/known-names.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { shortAccount } from '../../../text/short-ids.ts';
import { useDeskWords } from '../../../words/words.ts';
import { memberText, withDraftMember } from '../draft/draft.ts';
import type { transactionTerms } from '../draft/operation-fields.ts';
import { AccountField } from '../fields/account-field.tsx';
import { CoinsField } from '../fields/coins-field.tsx';
import { SeenField } from '../fields/seen-field.tsx';
import { WholeField } from '../fields/whole-field.tsx';
import type { DraftViewProps } from './operations-panel.tsx';

export interface TermsPanelProps extends DraftViewProps {
  readonly nextNonce: bigint | undefined;
  /** What is signed: then it has its nonce and its cost. */
  readonly signed: Transaction | undefined;
}

/** Folded while nothing of it is given. */
const seldomTerms = ['gas_price', 'ceil_ledger_seq', 'chain_id', 'expr_condition'] as const;

export function TermsPanel({ draft, onChange, isFixed, nextNonce, signed }: TermsPanelProps) {
  const { words } = useDeskWords('lab');
  const { lab } = words;
  const source = memberText(draft, ['source_address']);
  const field = (name: keyof typeof transactionTerms) => ({
    value: memberText(draft, [name]),
    onChange: (value: string) => onChange(withDraftMember(draft, [name], value)),
    isDisabled: isFixed,
    member: name,
  });
  return (
    <Panel isPadded className="lab-terms">
      <div className="lab-two">
        <AccountField label={lab.source} absent="missing" {...field('source_address')} />
        <WholeField
          label={lab.nonce}
          placeholder={nextNonce === undefined ? undefined : String(nextNonce)}
          hint={nextNonce === undefined || signed ? undefined : lab.nonceHint(String(nextNonce))}
          {...field('nonce')}
          {...(signed && { value: String(signed.nonce) })}
        />
        <SeenField label={lab.note} hint={lab.notePublic} {...field('metadata_text')} />
        <CoinsField
          label={lab.cost}
          hint={lab.costHint}
          {...field('fee_limit')}
          {...(signed && { value: String(signed.feeLimit) })}
        />
      </div>
      <div className="row wrap lab-terms-foot">
        <details
          className="lab-more grow"
          open={seldomTerms.some((name) => memberText(draft, [name]) !== '') || undefined}
        >
          <summary>{lab.more}</summary>
          <div className="lab-seldom">
            <WholeField label={lab.gasPrice} {...field('gas_price')} />
            <WholeField label={lab.ceiling} {...field('ceil_ledger_seq')} />
            <WholeField label={lab.chain} {...field('chain_id')} />
            <SeenField
              label={lab.condition}
              placeholder={lab.conditionHint}
              isMono
              {...field('expr_condition')}
            />
          </div>
        </details>
        {!isFixed && <Faucet address={source} />}
      </div>
    </Panel>
  );
}

/** Coins of a demo for whoever has none. */
function Faucet({ address }: { readonly address: string }) {
  const { words } = useDeskWords('lab');
  const { party } = useKnownNames();
  const askFaucet = useFaucet();
  const isDemo = useConsoleConfig()?.isDemo ?? false;
  const [isAsking, setAsking] = useState(false);
  if (!isDemo || address === '') return null;
  const ask = async (): Promise<void> => {
    setAsking(true);
    await askFaucet(address, party(address)?.name ?? shortAccount(address));
    setAsking(false);
  };
  return (
    <Button size="small" icon="bolt" disabled={isAsking} onClick={() => void ask()}>
      {words.lab.faucet}
    </Button>
  );
}
