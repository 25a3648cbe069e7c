/** What is missing or wrong in a draft, by the label of the field, and the way there. */
import { Button } from '../../../parts/controls/button.tsx';
import { coinsText } from '../../../text/numbers.ts';
import { useDeskWords } from '../../../words/words.ts';
import { type Draft, type DraftProblem, operationsOf } from '../draft/draft.ts';
import { type ProblemPlace, placeOfProblem } from '../draft/problem-place.ts';
import { notAddress } from '../draft/wrong-address.ts';
import type { FormDesk } from '../facts/use-form.ts';

export interface ProblemNoteProps {
  readonly draft: Draft;
  readonly problem: DraftProblem;
  readonly form: FormDesk;
  /** Nobody can fill anything in. */
  readonly isFixed: boolean;
}

export function ProblemNote({ draft, problem, form, isFixed }: ProblemNoteProps) {
  const { words, language } = useDeskWords('lab');
  const { lab } = words;
  const place = placeOfProblem(draft, problem, lab);
  const nameOf = ({ label, operation }: ProblemPlace): string =>
    operation === undefined || operationsOf(draft).length === 1 ? label : lab.fieldOf(label, operation + 1);
  return (
    <p className="hint lab-problem">
      {place ? nameOf(place) : <span className="mono">{problem.path}</span>} {reasonOf(problem)}
      {place && !isFixed && (
        <Button size="small" kind="quiet" onClick={() => form.goTo(place)}>
          {lab.goThere}
        </Button>
      )}
    </p>
  );

  function reasonOf({ path, reason, cost }: DraftProblem): string {
    if (cost !== undefined)
      return lab.tooDear[path === 'gas_price' ? 'price' : 'limit'](coinsText(cost, language));
    if (reason.startsWith('is missing')) return lab.missing;
    if (reason.startsWith('is beyond')) return lab.beyond;
    if (reason === notAddress) return lab.notAddress;
    if (reason !== 'must be an integer') return reason;
    return place?.isCoins ? lab.notAmount : lab.noWhole;
  }
}
