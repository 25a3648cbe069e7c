/** What of the form is seen: form or JSON, which operation is unfolded, and the way to a field. */
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { focusMember } from '../../../parts/controls/focus-member.ts';
import type { ProblemPlace } from '../draft/problem-place.ts';

export interface FormDesk {
  readonly view: 'form' | 'json';
  readonly show: (view: FormDesk['view']) => void;
  /** From 0; -1 while all are folded. */
  readonly open: number;
  readonly setOpen: (operation: number) => void;
  readonly goTo: (place: ProblemPlace) => void;
  readonly reset: () => void;
}

export function useForm(): FormDesk {
  const [view, show] = useState<FormDesk['view']>('form');
  const [open, setOpen] = useState(0);
  return {
    view,
    show,
    open,
    setOpen,
    goTo({ operation, member }) {
      // The field has to be there before anybody can be in it.
      flushSync(() => {
        show('form');
        if (operation !== undefined) setOpen(operation);
      });
      focusMember(member);
    },
    reset() {
      show('form');
      setOpen(0);
    },
  };
}
