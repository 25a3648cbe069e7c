/** Says something short that needs no answer. Who shows it is the shell (`toaster.tsx`). */
import { createContext, use } from 'react';

export interface ToastText {
  readonly tone: 'plain' | 'ok' | 'bad';
  readonly text: string;
}

export const ToastContext = createContext<(toast: ToastText) => void>(() => undefined);

/** A function that shows a toast. */
export const useToast = (): ((toast: ToastText) => void) => use(ToastContext);
