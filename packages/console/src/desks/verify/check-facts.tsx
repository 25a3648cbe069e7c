/** What a check rests on, as the service or this browser tells it: who, which template, which block. Never a value. */
import { Fragment, type ReactNode } from 'react';
import { Block } from '../../parts/written/block.tsx';
import { Did } from '../../parts/written/did.tsx';
import { ForeignText } from '../../parts/written/foreign-text.tsx';
import { dayText } from '../../text/times.ts';
import { type DeskReading, useDeskWords } from '../../words/words.ts';
import { type FactName, toldFacts } from './fact-names.ts';

export function CheckFacts({ facts }: { readonly facts: Readonly<Record<string, string>> }) {
  const reading = useDeskWords('verify');
  const { result } = reading.words.verify;
  const told = toldFacts(facts);
  if (told.length === 0) return null;
  return (
    <dl className="check-facts hint">
      {told.map(({ credential, name, text }) => (
        <Fragment key={`${credential ?? ''} ${name}`}>
          <dt>
            {credential !== undefined && `${result.factOf(credential)}: `}
            {result.facts[name]}
          </dt>
          <dd>{factPart(name, text, reading)}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function factPart(name: FactName, text: string, { words, language }: DeskReading<'verify'>): ReactNode {
  const { states } = words.verify.result;
  switch (name) {
    case 'holder':
    case 'issuer':
    case 'templateId':
      return <Did did={text} />;
    case 'ledgerSeq':
      return <Block number={Number(text)} to={`/ledger/blocks/${text}`} />;
    case 'since':
      return <span title={text}>{dayText(Date.parse(text), language)}</span>;
    case 'state':
      return Object.entries(states).find(([state]) => state === text)?.[1] ?? <ForeignText text={text} />;
    default:
      return <ForeignText text={text} />;
  }
}
