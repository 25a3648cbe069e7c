/** Who asks people who they are: the dialog to sign in, and the one that asks for a key when something is to be signed. */
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { SignInContext } from '../parts/hooks/use-sign-in.ts';
import { useKeyQuestion } from '../signing/signing.tsx';

const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'));
const KeyDialog = lazy(() => import('./key-dialog.tsx'));

export function SignInProvider({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const question = useKeyQuestion();
  const open = useCallback(() => setOpen(true), []);
  return (
    <SignInContext value={open}>
      {children}
      <Suspense>
        {isOpen && <SignInDialog onClose={() => setOpen(false)} />}
        {question && <KeyDialog question={question} />}
      </Suspense>
    </SignInContext>
  );
}
