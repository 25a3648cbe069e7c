/** How a call was answered. */
import { Icon } from '../../parts/controls/icon.tsx';
import type { OwnRequest } from './use-logged-requests.ts';

/** A status with its shape: what was refused is seen without its colour. */
export function AnswerStatus({ status, code }: Pick<OwnRequest, 'status' | 'code'>) {
  const isGood = status < 400;
  return (
    <span className={`st ${isGood ? 'ok' : 'bad'}`}>
      <Icon name={isGood ? 'statusOk' : 'statusBad'} />
      <span className="cut">{isGood ? status : `${status} ${code}`}</span>
    </span>
  );
}
