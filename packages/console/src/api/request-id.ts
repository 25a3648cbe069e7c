/** A call with the id under which the service knows it: for whoever says what was done. */
import type { CallOptions } from '@symbolon/sdk/transport/service-call';

export interface Answered<Reply> {
  readonly reply: Reply;
  /** Undefined where a service gives none. */
  readonly requestId: string | undefined;
}

export async function withRequestId<Reply>(
  call: (options: Pick<CallOptions, 'onHeaders'>) => Promise<Reply>,
): Promise<Answered<Reply>> {
  let requestId: string | undefined;
  const reply = await call({
    onHeaders: (headers) => {
      requestId = headers['x-request-id'];
    },
  });
  return { reply, requestId };
}
