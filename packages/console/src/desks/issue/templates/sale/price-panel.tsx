/** What a credential of a template costs, as it was set; setting it, and giving it away. */
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClients } from '../../../../api/api.tsx';
import { Button } from '../../../../parts/controls/button.tsx';
import { TextField } from '../../../../parts/controls/fields.tsx';
import { unreadText } from '../../../../parts/controls/misspelt-text.ts';
import { Segments } from '../../../../parts/controls/segments.tsx';
import { Panel } from '../../../../parts/frame/panel.tsx';
import { useToast } from '../../../../parts/hooks/use-toast.ts';
import { ErrorState } from '../../../../parts/states/error-state.tsx';
import { Address } from '../../../../parts/written/address.tsx';
import { Time } from '../../../../parts/written/time.tsx';
import { amountText } from '../../../../text/numbers.ts';
import { typedUnits, unitsOf } from '../../../../text/typed-amounts.ts';
import { useDeskWords } from '../../../../words/words.ts';
import { QueryPart } from '../../acting/query-part.tsx';
import { useAct } from '../../acting/use-act.ts';
import { PriceText } from '../reading/price-text.tsx';
import { priceQueryKey, usePrice, useTokenUnit } from './sale-queries.ts';
import type { TokenUnit } from './token-unit.ts';

const { decimals: coinDecimals, code: coinCode } = zetrixProfile.nativeAsset;
/** What people call the coin. */
const coin: TokenUnit = { symbol: amountText(0n, 'en').unit, decimals: coinDecimals };

type SetRow = NonNullable<ReturnType<typeof usePrice>['data']>;

export function PricePanel({ templateId }: { readonly templateId: string }) {
  const { words } = useDeskWords('issue');
  const { sale } = words.templates;
  const query = usePrice(templateId);
  const [isChanging, setChanging] = useState(false);
  return (
    <Panel
      title={words.templates.price}
      aside={
        query.data !== undefined &&
        !isChanging && (
          <Button size="small" onClick={() => setChanging(true)}>
            {query.data === null ? sale.set : sale.change}
          </Button>
        )
      }
      isPadded
    >
      <QueryPart query={query} rows={1}>
        {(price) =>
          isChanging ? (
            <PriceForm templateId={templateId} before={price} onDone={() => setChanging(false)} />
          ) : (
            <PriceRead price={price} />
          )
        }
      </QueryPart>
    </Panel>
  );
}

function PriceRead({ price }: { readonly price: SetRow | null }) {
  const { words } = useDeskWords('issue');
  const { sale } = words.templates;
  if (price === null) return <p className="muted">{sale.noPrice}</p>;
  return (
    <dl className="facts">
      <dt>{sale.costs}</dt>
      <dd>
        <PriceText price={price.price} />
      </dd>
      <dt>{sale.payTo}</dt>
      <dd>
        <Address address={price.payTo} />
      </dd>
      <dt>{sale.since}</dt>
      <dd>
        <Time at={Date.parse(price.updatedAt)} />
      </dd>
    </dl>
  );
}

interface PriceFormProps {
  readonly templateId: string;
  readonly before: SetRow | null;
  readonly onDone: () => void;
}

function PriceForm({ templateId, before, onDone }: PriceFormProps) {
  const { words, language } = useDeskWords('issue');
  const { sale } = words.templates;
  const { service } = useClients();
  const queries = useQueryClient();
  const toast = useToast();
  const isOfToken = before !== null && before.price.asset !== coinCode;
  const [kind, setKind] = useState<'coin' | 'token'>(isOfToken ? 'token' : 'coin');
  const [asset, setAsset] = useState(isOfToken ? before.price.asset : '');
  const token = useTokenUnit(kind === 'token' ? asset.trim() : '');
  const unit = kind === 'coin' ? coin : (token ?? undefined);
  const [typed, setTyped] = useState(() =>
    before === null ? '' : typedUnits(BigInt(before.price.amount), before.price.decimals, language),
  );
  // Until it is known what a token counts in, nobody knows how much was typed.
  const units = unit && unitsOf(typed, unit.decimals, language);
  const wrongAmount = (decimals: number): string =>
    unreadText({ type: 'decimal', typed }, { words, language }, sale.noAmount(decimals));
  const keep = async (amount: bigint): Promise<void> => {
    const given = { templateId, amount: String(amount), ...(kind === 'token' && { asset: asset.trim() }) };
    await service.setPrice(given);
    await queries.invalidateQueries({ queryKey: priceQueryKey(templateId) });
    toast({ tone: 'ok', text: amount === 0n ? sale.givenAway : sale.priceSet });
    onDone();
  };
  const act = useAct(keep);
  return (
    <form
      className="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (units !== undefined) act.run(units);
      }}
    >
      <Segments
        label={sale.asset}
        value={kind}
        options={[
          { value: 'coin', label: coin.symbol },
          { value: 'token', label: sale.token },
        ]}
        onChoose={setKind}
      />
      {kind === 'token' && (
        <TextField
          label={sale.tokenAddress}
          value={asset}
          onChange={setAsset}
          error={token === null ? sale.noToken : undefined}
          isMono
        />
      )}
      <TextField
        label={sale.amount}
        value={typed}
        onChange={setTyped}
        inputMode="decimal"
        aside={unit?.symbol}
        error={!unit || typed === '' || units !== undefined ? undefined : wrongAmount(unit.decimals)}
        isFocused
      />
      {act.failure && <ErrorState failure={act.failure} />}
      <div className="row wrap">
        <Button type="submit" kind="primary" disabled={units === undefined || act.isBusy}>
          {sale.keepPrice}
        </Button>
        <Button onClick={onDone}>{words.templates.leaveIt}</Button>
        {before !== null && before.price.amount !== '0' && (
          <Button kind="quiet" onClick={() => act.run(0n)} disabled={act.isBusy}>
            {sale.giveAway}
          </Button>
        )}
      </div>
    </form>
  );
}
