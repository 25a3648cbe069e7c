/** An act of this desk: the call, and a word that it was done. */
import { useCallback } from 'react';
import { useToast } from '../../parts/hooks/use-toast.ts';

interface Act<Reply> {
  readonly call: () => Promise<Reply>;
  /** What is said when it was done. */
  readonly done: (reply: Reply) => string;
}

export function useToldAct(): <Reply>(act: Act<Reply>) => Promise<Reply> {
  const toast = useToast();
  return useCallback(
    async ({ call, done }) => {
      const reply = await call();
      toast({ tone: 'ok', text: done(reply) });
      return reply;
    },
    [toast],
  );
}
