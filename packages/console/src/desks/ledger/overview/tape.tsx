/** The ledger in six numbers. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFees } from '../../../ledger/use-fees.ts';
import { Icon } from '../../../parts/controls/icon.tsx';
import { Time } from '../../../parts/written/time.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import type { useOverview } from '../blocks/ledger-figures.ts';
import { durationText } from '../charts/figures.ts';

type Overview = NonNullable<ReturnType<typeof useOverview>['data']>;

export function Tape({
  overview,
  blockTimeMs,
}: {
  readonly overview: Overview;
  readonly blockTimeMs: number;
}) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const gas = useFees().data?.gas_price;
  const count = (value: number | bigint): string => countText(BigInt(value), language);
  return (
    <dl className="tape">
      <Fact value={count(overview.head_seq)}>
        {explorer.tape.block} <Time at={Number(overview.close_time) / 1_000} />
      </Fact>
      <Fact value={count(overview.transaction_count)}>{explorer.tape.transactions}</Fact>
      <Fact value={count(overview.account_count)}>
        <Link to="/ledger/accounts" className="lk">
          {explorer.tape.accounts}
        </Link>
      </Fact>
      <Fact value={durationText(blockTimeMs, explorer.point)}>{explorer.tape.between}</Fact>
      <Fact value={gas === undefined ? '…' : count(gas)}>{explorer.tape.gasPrice}</Fact>
      <div className="tape-end">
        <dt className="sr">{words.shell.places.validators}</dt>
        <dd>
          <Link to="/ledger/validators" className="st idle">
            <Icon name="people" />
            {explorer.validators(overview.validator_count)}
          </Link>
        </dd>
      </div>
    </dl>
  );
}

function Fact({ value, children }: { readonly value: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{children}</dt>
      <dd>{value}</dd>
    </div>
  );
}
