/** Build, test, sign, submit: how far this draft has come. */
import { Icon } from '../../../parts/controls/icon.tsx';
import { useDeskWords } from '../../../words/words.ts';
import type { Step } from '../facts/use-steps.ts';

export function Steps({
  steps,
  current,
}: {
  readonly steps: readonly Step[];
  readonly current: Step['name'];
}) {
  const { words } = useDeskWords('lab');
  return (
    <ol className="lab-steps" aria-label={words.lab.steps.label}>
      {steps.map(({ name, text, isDone }, at) => (
        <li
          key={name}
          className={[name === current ? 'on' : '', isDone ? 'done' : ''].join(' ').trim()}
          aria-current={name === current ? 'step' : undefined}
        >
          <span className="lab-mk">{isDone ? <Icon name="check" size={14} /> : at + 1}</span>
          {isDone && <span className="sr">{words.lab.steps.done}</span>}
          <span>
            <b>{words.lab.steps[name]}</b>
            <span className="hint">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
