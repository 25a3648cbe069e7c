/** What a transaction changed in the state, account by account, with what stood there before. */
import { type JsonValue, stringifyJson } from '@symbolon/wire/json/json';
import type { ReactNode } from 'react';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { Amount } from '../../../parts/written/amount.tsx';
import { ForeignText } from '../../../parts/written/foreign-text.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { AccountRef } from '../written/account-ref.tsx';
import { memberChanges } from './member-changes.ts';
import type { ChangedAccount, TransactionEffects } from './records.ts';

const shownInShort = 8;

export function Changes({
  effects,
  isWhole,
}: {
  readonly effects: TransactionEffects;
  readonly isWhole: boolean;
}) {
  const { words } = useDeskWords('ledger');
  const { explorer } = words;
  const { accounts } = effects;
  if (accounts.length === 0) return <EmptyState title={explorer.noChanges} />;
  const shown = isWhole ? accounts : accounts.slice(0, shownInShort);
  return (
    <>
      <ul className="changes">
        {shown.map((account) => (
          <li key={account.address}>
            <span className="changed-who">
              <AccountRef address={account.address} />
              {account.is_created && <span className="tag ok">{explorer.created}</span>}
            </span>
            <div className="changed-what">
              <AccountChanges account={account} />
            </div>
          </li>
        ))}
      </ul>
      {shown.length < accounts.length && (
        <p className="hint pad">{explorer.leftOut(accounts.length - shown.length)}</p>
      )}
      {effects.changes_left_out > 0 && (
        <p className="hint pad">{explorer.notShown(effects.changes_left_out)}</p>
      )}
      {effects.texts_cut > 0 && <p className="hint pad">{explorer.textsCut(effects.texts_cut)}</p>}
    </>
  );
}

function AccountChanges({ account }: { readonly account: ChangedAccount }) {
  const { words, language } = useDeskWords('ledger');
  const { explorer } = words;
  const { balance, nonce, assets = [], metadatas = [], priv, contract } = account;
  return (
    <>
      {balance && (
        <Line name={explorer.balance}>
          <BalanceChange before={BigInt(balance.before)} after={BigInt(balance.after)} />
        </Line>
      )}
      {nonce && (
        <Line name={explorer.nonce}>
          <Was>{countText(BigInt(nonce.before), language)}</Was>
          <b>{countText(BigInt(nonce.after), language)}</b>
        </Line>
      )}
      {assets.map(({ code, issuer, before, after }) => (
        <Line key={`${issuer} ${code}`} name={code} title={issuer}>
          <Was>{countText(BigInt(before), language)}</Was>
          <b>{countText(BigInt(after), language)}</b>
        </Line>
      ))}
      {metadatas.map(({ key, before, after }) => (
        <div key={key} className="changed-entry">
          <span className="mono faint stranger" title={key}>
            <ForeignText text={key} />
          </span>
          {memberChanges(before?.value, after?.value).map((change) => (
            <Line key={change.name ?? ''} name={change.name}>
              {change.before !== undefined && (
                <Was>
                  <ForeignText text={change.before} />
                </Was>
              )}
              {change.after === undefined ? (
                <span className="st bad">{explorer.deleted}</span>
              ) : (
                <b className="mono stranger">
                  <ForeignText text={change.after} />
                </b>
              )}
            </Line>
          ))}
        </div>
      ))}
      {priv && (
        <Line name={explorer.privileges}>
          {priv.before !== null && <Was>{stringifyJson(priv.before as JsonValue)}</Was>}
          <b className="mono stranger">{stringifyJson(priv.after as JsonValue)}</b>
        </Line>
      )}
      {contract && (
        <Line name={explorer.code}>
          {contract.before && <Was>{explorer.characters(contract.before.payload_chars)}</Was>}
          <b>{contract.after ? explorer.characters(contract.after.payload_chars) : explorer.deleted}</b>
        </Line>
      )}
    </>
  );
}

interface LineProps {
  readonly name: string | undefined;
  readonly title?: string;
  readonly children: ReactNode;
}

function Line({ name, title, children }: LineProps) {
  return (
    <p className="changed num" title={title}>
      {name !== undefined && (
        <span className="muted stranger">
          <ForeignText text={name} />
        </span>
      )}{' '}
      {children}
    </p>
  );
}

function Was({ children }: { readonly children: ReactNode }) {
  const { words } = useDeskWords('ledger');
  return (
    <>
      <span className="sr">{words.explorer.was} </span>
      <s className="was stranger">{children}</s>
      <span className="sr">, {words.explorer.is} </span>
    </>
  );
}

function BalanceChange({ before, after }: { readonly before: bigint; readonly after: bigint }) {
  const { words } = useDeskWords('ledger');
  const isMore = after > before;
  return (
    <>
      <Amount amount={after} />{' '}
      <span className={isMore ? 'st ok' : 'st idle'}>
        {isMore ? '+' : '−'}
        <span className="sr">{isMore ? words.explorer.more : words.explorer.less}</span>
        <Amount amount={isMore ? after - before : before - after} />
      </span>
    </>
  );
}
