/** The bytes that are signed, coloured by what they say, with their hash. */
import { encodeHex } from '@symbolon/core/basics/bytes';
import type { SignedTransaction } from '@symbolon/core/ledger/terms/transaction';
import { CopyButton } from '../../../parts/controls/copy-button.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Hash } from '../../../parts/written/hash.tsx';
import { countText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { type BlobPart, type BlobPartName, blobParts } from '../draft/blob-parts.ts';

/** Longer ones are copied, not read. */
const shownHexMax = 1_200;
const legend: readonly BlobPartName[] = ['source', 'nonce', 'fee', 'operation'];

export function BlobPanel({ made }: { readonly made: SignedTransaction }) {
  const { words, language } = useDeskWords('lab');
  const hex = encodeHex(made.blob);
  return (
    <Panel
      title={words.lab.blob}
      aside={
        <>
          <span className="hint num">{words.lab.bytes(countText(made.blob.length, language))}</span>
          <CopyButton text={hex} what={words.lab.blob} isWordy />
        </>
      }
      isPadded
    >
      <div className="lab-hex">
        {shortened(blobParts(made.blob)).map(({ name, hex: part }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bytes have nothing but their places.
          <span key={at} className={`lab-hx ${name}`} title={words.lab.blobParts[name]}>
            {part}
          </span>
        ))}
      </div>
      <div className="lab-legend" aria-hidden="true">
        {legend.map((name) => (
          <span key={name}>
            <i className={name} />
            {words.lab.blobParts[name]}
          </span>
        ))}
      </div>
      <dl className="facts lab-facts">
        <dt>{words.lab.hash}</dt>
        <dd>
          <Hash hash={encodeHex(made.hash)} isOwnPage />
        </dd>
        <dt>{words.lab.chain}</dt>
        <dd>{words.lab.chainId(String(made.transaction.chainId))}</dd>
      </dl>
    </Panel>
  );
}

function shortened(parts: readonly BlobPart[]): readonly BlobPart[] {
  let left = shownHexMax;
  return parts.flatMap((part) => {
    const room = Math.max(0, left);
    left -= part.hex.length;
    if (room === 0) return [];
    return [part.hex.length <= room ? part : { ...part, hex: `${part.hex.slice(0, room)}…` }];
  });
}
