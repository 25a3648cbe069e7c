/** How things are written, and the ten colours of identities. */
import type { ReactNode } from 'react';
import { Panel } from '../parts/frame/panel.tsx';
import { Fate, Hatch } from '../parts/halves/fate.tsx';
import { RangeBar } from '../parts/halves/range-bar.tsx';
import { Address } from '../parts/written/address.tsx';
import { Amount } from '../parts/written/amount.tsx';
import { Block } from '../parts/written/block.tsx';
import { Did } from '../parts/written/did.tsx';
import { ForeignValue, HiddenNote } from '../parts/written/foreign-text.tsx';
import { Hash } from '../parts/written/hash.tsx';
import { Sentence } from '../parts/written/sentence.tsx';
import { Status } from '../parts/written/status.tsx';
import { Time } from '../parts/written/time.tsx';
import { Who } from '../parts/written/who.tsx';
import { identityColours } from '../text/identity.ts';
import { mira, miraAddress, sampleSentence, transactionHash, university } from './samples.ts';

const twoMinutes = 125_000;
const sampleTime = Date.now() - twoMinutes;
const sampleAmount = 2_500_000n;
const strangeText = 'Mira\u202e elpmaxE\nof B\u200bonn';
const doubtfulText = 'M\u0456ra, \u05d0 12 34, BSc\u0336';

export function WrittenStory() {
  const rows: readonly [name: string, part: ReactNode][] = [
    ['Person', <Who key="who" {...mira} />],
    ['Address', <Address key="address" address={miraAddress} />],
    ['DID', <Did key="did" did={mira.id} />],
    ['Transaction', <Hash key="hash" hash={transactionHash} to="/" />],
    ['Block', <Block key="block" number={1_158} to="/" />],
    [
      'Sentence',
      <Sentence
        key="sentence"
        parts={sampleSentence}
        markOf={() => ({ id: university.id, kind: 'organisation' })}
        linkOf={() => '/'}
      />,
    ],
    ['Text of a stranger', <ForeignValue key="foreign" text={strangeText} />],
    ['One that is easily misread', <ForeignValue key="doubtful" text={doubtfulText} />],
    ['A long one', <ForeignValue key="long" text={strangeText.repeat(20)} />],
    ['Beneath a field', <HiddenNote key="note" text={strangeText} />],
    ['Amount', <Amount key="amount" amount={sampleAmount} />],
    ['Time', <Time key="time" at={sampleTime} />],
    [
      'Status',
      <span className="row wrap statuses" key="statuses">
        <Status status="Active" />
        <Status status="Pending" />
        <Status status="Suspended" />
        <Status status="Revoked" />
      </span>,
    ],
  ];
  return (
    <Panel title="How things are written">
      <dl className="pad kv">
        {rows.map(([name, part]) => (
          <div key={name}>
            <dt className="muted">{name}</dt>
            <dd>{part}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

export function FatesStory() {
  return (
    <Panel title="Shared, proved, hidden" isPadded>
      <div className="fates">
        <div className="row">
          <Fate fate="shared" />
          <span className="got">BSc Mathematics</span>
          <span className="hint">the value, in ink</span>
        </div>
        <div className="row">
          <Fate fate="proved" />
          <RangeBar claim="18 years or older" from={0.34} />
          <span className="hint">one end open</span>
        </div>
        <div className="row">
          <Fate fate="proved" />
          <RangeBar claim="from 52,000 to 60,000" from={0.4} to={0.66} />
          <span className="hint">both ends</span>
        </div>
        <div className="row">
          <Fate fate="hidden" />
          <Hatch />
          <span className="hint">always this wide</span>
        </div>
        <div className="row wrap colours">
          <span className="hint">Ten colours for identities</span>
          {identityColours.map((colour, at) => (
            <span key={colour} className="av" style={{ '--id': colour }}>
              {at}
            </span>
          ))}
        </div>
      </div>
    </Panel>
  );
}
