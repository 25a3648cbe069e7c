/** Whether a webhook gets its events: with a shape, a word and what keeps it. */
import { Icon, type IconName } from '../../parts/controls/icon.tsx';
import { useDeskWords } from '../../words/words.ts';
import type { OwnWebhook } from './use-webhooks.ts';

const looks = {
  active: { tone: 'ok', icon: 'statusOk' },
  failing: { tone: 'warn', icon: 'statusWarn' },
  paused: { tone: 'bad', icon: 'statusBad' },
} as const satisfies Record<string, { readonly tone: string; readonly icon: IconName }>;

export function WebhookState({ webhook: { state, attempts, problem } }: { readonly webhook: OwnWebhook }) {
  const { words } = useDeskWords('dev');
  const name = state === 'paused' ? 'paused' : attempts > 0 ? 'failing' : 'active';
  const { tone, icon } = looks[name];
  return (
    <span className={`st ${tone}`} title={problem}>
      <Icon name={icon} />
      {words.dev.webhooks.states[name]}
    </span>
  );
}
