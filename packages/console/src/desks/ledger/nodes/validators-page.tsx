/** Who makes and signs blocks, and how many of the last ones each has signed. */
import { useQuery } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { useNewestBlock } from '../../../ledger/newest-block.ts';
import { Icon } from '../../../parts/controls/icon.tsx';
import { DeskPage } from '../../../parts/frame/desk-page.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Amount } from '../../../parts/written/amount.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { useShownCode } from '../../../shell/shown-code.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import '../ledger.css';
import { AccountRef } from '../written/account-ref.tsx';
import { Loaded } from '../written/loaded.tsx';
import { type NamedValidator, readSignerShares, type SignerShares } from './block-signers.ts';

function useValidators() {
  const { ledger } = useClients();
  return useQuery({
    queryKey: ['ledger', 'validators'],
    queryFn: async () => {
      const [set, consensus, newest] = await Promise.all([
        ledger.getLedgerValidators(),
        ledger.getConsensusInfo(),
        ledger.getLedger(),
      ]);
      return { validators: set.result?.validators ?? [], consensus, header: newest.result?.header };
    },
    refetchInterval: 15_000,
  });
}

function useShares(newest: number | undefined, validators: readonly NamedValidator[]) {
  const { ledger } = useClients();
  return useQuery({
    queryKey: ['ledger', 'signer-shares', newest ?? 0, validators],
    queryFn: () => readSignerShares(ledger, newest ?? 0, validators),
    enabled: newest !== undefined && validators.length > 0,
    placeholderData: (before) => before,
  });
}

export default function ValidatorsPage() {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const query = useValidators();
  const newest = useNewestBlock().block?.number;
  const named = query.data?.validators ?? [];
  const shares = useShares(newest, named).data;
  useShownCode(words.shell.places.validators, [
    { server: 'ledger', route: 'getLedgerValidators' },
    { server: 'ledger', route: 'getConsensusInfo' },
  ]);
  const quorum = query.data?.consensus.quorum_size;
  return (
    <DeskPage
      title={words.shell.places.validators}
      {...(query.data && { text: explorer.validatorsSay(named.length, quorum ?? 0) })}
    >
      <div className="ledger-cols">
        <Panel title={explorer.validators(named.length)} aside={shares && explorer.ofLast(shares.blocks)}>
          <Loaded query={query}>
            {({ validators, consensus }) => (
              <ul className="validators">
                {validators.map(({ address, pledge_coin_amount: pledge }) => (
                  <ValidatorLine
                    key={address}
                    address={address}
                    pledge={BigInt(pledge ?? 0)}
                    leads={consensus.leader === address}
                    shares={shares}
                  />
                ))}
              </ul>
            )}
          </Loaded>
        </Panel>
        <Panel className="sum">
          <Loaded query={query} rows={3}>
            {({ consensus, header }) => (
              <dl className="facts">
                <dt>{explorer.consensus}</dt>
                <dd>{consensus.type}</dd>
                <dt>{explorer.quorum}</dt>
                <dd className="num">{quorum === undefined ? '' : countText(quorum, language)}</dd>
                <dt>{explorer.faults}</dt>
                <dd className="num">{countText(consensus.fault_number ?? 0, language)}</dd>
                <dt>{explorer.view}</dt>
                <dd className="num">{countText(consensus.view_number ?? 0, language)}</dd>
                <dt>{explorer.setHash}</dt>
                <dd>
                  <Hash hash={header?.validators_hash ?? ''} isOwnPage />
                </dd>
              </dl>
            )}
          </Loaded>
        </Panel>
      </div>
    </DeskPage>
  );
}

interface ValidatorLineProps {
  readonly address: string;
  readonly pledge: bigint;
  readonly leads: boolean;
  readonly shares: SignerShares | undefined;
}

function ValidatorLine({ address, pledge, leads, shares }: ValidatorLineProps) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const signed = shares?.shares.find((one) => one.address === address)?.signed;
  return (
    <li>
      <span className="grow">
        <AccountRef address={address} />
        {leads && (
          <span className="st ok">
            <Icon name="statusOk" />
            {explorer.leads}
          </span>
        )}
        {pledge > 0n && (
          <span className="hint">
            {explorer.pledge} <Amount amount={pledge} />
          </span>
        )}
      </span>
      {shares && signed !== undefined && (
        <span className="validator-share">
          <span className="fill" aria-hidden="true">
            <i style={{ width: `${shares.blocks === 0 ? 0 : (signed / shares.blocks) * 100}%` }} />
          </span>
          <span className="num">{explorer.signedOf(signed, shares.blocks)}</span>
        </span>
      )}
    </li>
  );
}
