/** The number of a block. */
import { Link } from '@tanstack/react-router';
import { countText } from '../../text/numbers.ts';
import { useWords } from '../../words/words.ts';
import { Icon } from '../controls/icon.tsx';

export interface BlockProps {
  readonly number: number;
  readonly to?: string;
}

export function Block({ number, to }: BlockProps) {
  const { words, language } = useWords();
  const text = countText(number, language);
  const inside = (
    <>
      <Icon name="cube" />
      {text}
    </>
  );
  const title = words.shell.block(text);
  return to === undefined ? (
    <span className="blk" title={title}>
      {inside}
    </span>
  ) : (
    <Link to={to} className="blk" title={title}>
      {inside}
    </Link>
  );
}
