/** How what stands in the audit log ended. */
import { Icon } from '../../parts/controls/icon.tsx';

/** How an entry ended, with its shape. */
export function AuditOutcome({ outcome }: { readonly outcome: string }) {
  const isGood = outcome === 'done';
  return (
    <span className={`st ${isGood ? 'ok' : 'warn'}`}>
      <Icon name={isGood ? 'statusOk' : 'statusWarn'} />
      {outcome}
    </span>
  );
}
