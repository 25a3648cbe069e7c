/** What a draft would change, as it was tried out. */
import type { Transaction } from '@symbolon/core/proto/ledger_pb';
import { type AccountControl, controlAfter } from '@symbolon/sdk/transactions/control-after';
import type { ShownAccount } from '@symbolon/sdk/transactions/required-weights';
import { Panel } from '../../../parts/frame/panel.tsx';
import { ForeignText, ForeignValue } from '../../../parts/written/foreign-text.tsx';
import { amountText, countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { type TrialChange, trialChanges } from '../draft/changes.ts';
import { useAccounts } from '../facts/use-accounts.ts';
import type { LabTrial } from '../facts/use-trial.ts';
import { Party } from './weights.tsx';

const shownMax = 20;

export function ChangesPanel({
  trial,
}: {
  readonly trial: Extract<LabTrial, { readonly kind: 'succeeds' }>;
}) {
  const { words } = useDeskWords('lab');
  const changes = trialChanges(trial.transactions, trial.fee).slice(0, shownMax);
  const { accounts } = useAccounts([...new Set(changes.map(({ address }) => address))]);
  return (
    <Panel title={words.lab.changes} aside={<span className="hint only-d">{words.lab.changesWhy}</span>}>
      <ul className="lab-changes">
        {changes.map((change, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same change may stand there twice.
          <li key={at}>
            <ChangeLine
              change={change}
              account={accounts.get(change.address)}
              transaction={trial.made.transaction}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface ChangeLineProps {
  readonly change: TrialChange;
  /** As it is before. */
  readonly account: ShownAccount | undefined;
  readonly transaction: Transaction;
}

function ChangeLine({ change, account, transaction }: ChangeLineProps) {
  const { words, language } = useDeskWords('lab');
  const who = <Party address={change.address} />;
  switch (change.kind) {
    case 'coins': {
      const { figure, unit } = amountText(absolute(change.change), language);
      return (
        <>
          {who}
          <span className="muted">{words.lab.balance}</span>
          <span className="num right faint">
            {account?.balance !== undefined && amountText(BigInt(account.balance), language).figure}
          </span>
          <span className="num right">
            <b>
              {signOf(change.change)} {figure}
            </b>{' '}
            {unit}
          </span>
        </>
      );
    }
    case 'assets':
      return (
        <>
          {who}
          <span className="mono cut">
            <ForeignText text={change.code} />
          </span>
          <span />
          <b className="num right">
            {signOf(change.change)} {countText(absolute(change.change), language)}
          </b>
        </>
      );
    case 'metadata':
      return (
        <>
          {who}
          <span className="muted lab-change-key">
            {words.lab.metadata}{' '}
            <span className="mono">
              <ForeignText text={change.key} />
            </span>
          </span>
          {change.value === undefined ? (
            <span className="right muted">{words.lab.takenAway}</span>
          ) : (
            <ForeignValue text={change.value} className="right mono" />
          )}
        </>
      );
    case 'signers':
      return (
        <>
          {who}
          <span className="muted">{words.lab.signersChange}</span>
          <span />
          <SignersThen control={account && controlAfter(transaction, account)?.after} />
        </>
      );
  }
}

/** Who may sign then, each with the weight that it has. */
function SignersThen({ control }: { readonly control: AccountControl | undefined }) {
  const { words } = useDeskWords('lab');
  if (!control) return <span />;
  return (
    <span className="lab-then">
      {control.signers.length === 0 && <b>{words.lab.nobodyThen}</b>}
      {control.signers.map(({ address, weight }) => (
        <span key={address} className="row">
          <Party address={address} /> <span className="num">{words.lab.weight(String(weight))}</span>
        </span>
      ))}
      <span className="hint">{words.lab.neededThen(String(control.needed))}</span>
    </span>
  );
}

const absolute = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
const signOf = (amount: bigint): string => (amount < 0n ? '−' : '+');
