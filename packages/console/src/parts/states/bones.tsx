/** The shape of rows that are on their way. Shown after a moment: what comes at once needs none. Never a spinner. */
import { useWords } from '../../words/words.ts';
import { useLate } from '../hooks/use-late.ts';

export interface BonesProps {
  readonly rows?: number;
  /** With the square of a mark before each. */
  readonly hasMark?: boolean;
  /** At once, for whoever shows it as an example. */
  readonly isAtOnce?: boolean;
}

const lateMs = 150;
/** Widths in percent, so that rows look like rows and not like a fence. */
const widths = [62, 48, 70, 54, 66, 45];

export function Bones({ rows = 4, hasMark = true, isAtOnce = false }: BonesProps) {
  const { words } = useWords();
  const isLate = useLate(lateMs);
  return (
    <div role="status" aria-label={words.parts.loading} className="bones" data-shown={isLate || isAtOnce}>
      {Array.from({ length: rows }, (_, at) => widths[at % widths.length] as number).map((width, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are not there yet have nothing but their place.
        <div className="bones-row" key={at}>
          {hasMark && <span className="bone bone-mark" />}
          <span className="bone-lines">
            <span className="bone" style={{ width: `${width}%` }} />
            <span className="bone" style={{ width: `${width * 0.6}%` }} />
          </span>
        </div>
      ))}
    </div>
  );
}
