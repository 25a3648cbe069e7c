/** "Prove it": what the node says is checked here, and each step says what it found. While blocks are missing, it waits for them. */
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClients, useConsoleConfig } from '../../../api/api.tsx';
import { livesWithLedger } from '../../../ledger/live-queries.ts';
import { useNewestBlock } from '../../../ledger/newest-block.ts';
import { Button } from '../../../parts/controls/button.tsx';
import { Icon } from '../../../parts/controls/icon.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { AccountRef } from '../written/account-ref.tsx';
import { Loaded } from '../written/loaded.tsx';
import { type Comparison, compareShown, type ShownEntry } from './compare-shown.ts';
import {
  type CheckedSteps,
  hasFailedStep,
  isProven,
  type ProofStep,
  proveEntry,
  proveExecution,
  readProof,
} from './proof-steps.ts';
import { ProvenValue } from './proven-value.tsx';

/** What the page shows of an entry, and how it is read again. */
interface ShownState {
  readonly shown: ShownEntry;
  /** What is read is also what the page then shows. */
  readonly readShown: () => Promise<ShownEntry>;
}

export type Provable =
  | ({ readonly kind: 'account'; readonly address: string } & ShownState)
  | ({ readonly kind: 'metadata'; readonly address: string; readonly entryKey: string } & ShownState)
  | {
      readonly kind: 'transaction';
      readonly hash: string;
      readonly block: number;
      readonly hasFailed: boolean;
      /** Of what the page shows, made anew. */
      readonly shownHash: string | undefined;
    };

/** The button, and what it opens below it. */
export function useProof(what: Provable) {
  const { words } = useDeskWords('ledger');
  const [isOpen, setOpen] = useState(false);
  return {
    button: (
      <Button size="small" icon="shieldCheck" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {words.explorer.proof.button}
      </Button>
    ),
    panel: isOpen ? <ProvePanel what={what} /> : null,
  };
}

function usePins() {
  const chainId = useConsoleConfig()?.network.chainId;
  return { chainId: chainId === undefined || !/^\d+$/.test(chainId) ? undefined : BigInt(chainId) };
}

/** While a step waits, every new block may bring what is missing. */
const untilProven = (outcome: CheckedSteps | undefined) =>
  outcome?.steps.some(({ state }) => state === 'waits') ? livesWithLedger : {};

export function ProvePanel({ what }: { readonly what: Provable }) {
  return what.kind === 'transaction' ? <TransactionProof {...what} /> : <StateProofOf what={what} />;
}

function TransactionProof({ hash, block, hasFailed, shownHash }: Extract<Provable, { kind: 'transaction' }>) {
  const { words } = useDeskWords('ledger');
  const { ledger } = useClients();
  const pins = usePins();
  const [seen, setSeen] = useState<CheckedSteps>();
  const query = useQuery({
    queryKey: ['ledger', 'proof', 'transaction', hash, shownHash],
    queryFn: async () => {
      const outcome = await proveExecution(ledger, { hash, block, hasFailed, shownHash }, pins);
      setSeen(outcome);
      return outcome;
    },
    staleTime: 0,
    meta: untilProven(seen),
  });
  const { proof } = words.explorer;
  return (
    <div className="prove">
      <Loaded query={query} rows={2}>
        {(outcome) => (
          <>
            <Steps outcome={outcome} proven={hasFailed ? proof.failedProven : proof.executedProven} />
            <p className="hint">{proof.effectsNot}</p>
          </>
        )}
      </Loaded>
    </div>
  );
}

function StateProofOf({ what }: { readonly what: Exclude<Provable, { kind: 'transaction' }> }) {
  const { words } = useDeskWords('ledger');
  const { ledger } = useClients();
  const pins = usePins();
  const { address, shown, readShown } = what;
  const seen = useNewestBlock().block?.number ?? 0;
  const key = what.kind === 'metadata' ? what.entryKey : undefined;
  const stateKey = key === undefined ? stateKeys.account(address) : stateKeys.metadata(address, key);
  // Read once: a later answer is about a later block, and would wait for its own successors.
  const reply = useQuery({
    queryKey: ['ledger', 'proof', 'reply', stateKey],
    queryFn: () => readProof(ledger, { address, ...(key !== undefined && { key }) }, { readShown, seen }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [found, setFound] = useState<CheckedSteps>();
  const query = useQuery({
    queryKey: ['ledger', 'proof', 'steps', stateKey, reply.dataUpdatedAt],
    queryFn: async () => {
      if (!reply.data) throw new TypeError('a proof is checked once it is there');
      const outcome = await proveEntry(ledger, { reply: reply.data.reply, stateKey }, pins);
      setFound(outcome);
      return outcome;
    },
    enabled: reply.data !== undefined,
    gcTime: 0,
    meta: untilProven(found),
  });
  return (
    <div className="prove">
      <Loaded query={reply.data === undefined ? { ...reply, data: undefined } : query} rows={3}>
        {(outcome) => {
          const comparison =
            reply.data && !hasFailedStep(outcome)
              ? compareShown({ ...reply.data, proven: outcome.entry, shown })
              : 'same';
          return (
            <>
              <Steps outcome={outcome} proven={words.explorer.proof.stateProven} comparison={comparison} />
              {!hasFailedStep(outcome) && comparison !== 'outdated' && (
                <ProvenValue entry={outcome.entry} isProven={isProven(outcome)} />
              )}
              {comparison !== 'same' && (
                <Contradiction comparison={comparison} onAgain={() => void reply.refetch()} />
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

/** An honest node says nothing of the kind. */
const isLie = (comparison: Comparison): comparison is 'differs' | 'outdated' =>
  comparison === 'differs' || comparison === 'outdated';

/** What is proven is not what the page shows: said as loudly as a proof that does not hold, unless it said so once and says something else since. */
function Contradiction({
  comparison,
  onAgain,
}: {
  readonly comparison: Exclude<Comparison, 'same'>;
  readonly onAgain: () => void;
}) {
  const { words } = useDeskWords('ledger');
  const { proof } = words.explorer;
  return (
    <div className={isLie(comparison) ? 'prove-verdict bad' : 'prove-verdict warn'} role="alert">
      <Icon name={isLie(comparison) ? 'statusBad' : 'statusWarn'} />
      <span className="grow">{proof.compared[comparison]}</span>
      <Button size="small" icon="again" onClick={onAgain}>
        {proof.again}
      </Button>
    </div>
  );
}

interface StepsProps {
  readonly outcome: CheckedSteps;
  readonly proven: string;
  readonly comparison?: Comparison;
}

function Steps({ outcome, proven, comparison = 'same' }: StepsProps) {
  const { words, language } = useDeskWords('ledger');
  const { proof } = words.explorer;
  const isRefused = hasFailedStep(outcome) || isLie(comparison);
  // What is proven holds; a heading over something else must not lend it that.
  const isOfShown = comparison === 'same';
  const verdict = isRefused ? 'bad' : isProven(outcome) && isOfShown ? 'proved' : 'warn';
  const refused = hasFailedStep(outcome) || !isLie(comparison) ? proof.refused : proof.lies[comparison];
  const block = countText(outcome.steps[0]?.block ?? 0, language);
  const unproven = isProven(outcome) ? proof.provenThen(block) : proof.waiting;
  const title = { bad: refused, proved: proven, warn: unproven }[verdict];
  return (
    <>
      <p className={`prove-verdict ${verdict}`} role="status">
        <Icon name={verdict === 'bad' ? 'statusBad' : verdict === 'proved' ? 'proved' : 'statusWarn'} />
        <b>{title}</b>
      </p>
      {verdict === 'bad' && <p className="muted">{proof.refusedDo}</p>}
      <ol className="prove-steps">
        {outcome.steps.map((step) => (
          <Step key={step.name} step={step} />
        ))}
      </ol>
      <details className="hint">
        <summary>{proof.restsOn(outcome.validators.length)}</summary>
        <ul>
          {outcome.validators.map((address) => (
            <li key={address}>
              <span className="mono">{address}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

const looks = {
  holds: { tone: 'ok', icon: 'statusOk' },
  fails: { tone: 'bad', icon: 'statusBad' },
  waits: { tone: 'warn', icon: 'statusWarn' },
} as const;

function Step({ step }: { readonly step: ProofStep }) {
  const { words, language } = useDeskWords('ledger');
  const { proof } = words.explorer;
  const { state, block, signer, hash } = step;
  const { tone, icon } = looks[state];
  const say = step.state === 'waits' ? proof.waits[step.name] : proof[step.state][step.name];
  return (
    <li>
      <span className={`st ${tone}`}>
        <Icon name={icon} />
        {proof.states[state]}
      </span>
      <span className="grow">
        {say(countText(block, language), countText(block + 1, language))}
        {signer !== undefined && (
          <span className="prove-signer">
            {proof.signedBy} <AccountRef address={signer} />
          </span>
        )}
        {hash !== undefined && hash !== '' && <span className="mono faint prove-hash">{hash}</span>}
      </span>
    </li>
  );
}
