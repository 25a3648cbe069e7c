/** Who asks people who they are: the dialog to sign in, and the one that asks for a key when something is to be signed. */
import { type ReactNode, useCallback, useState } from 'react';
import { latePart } from '../late/late-part.tsx';
import { useMissing } from '../late/use-missing.ts';
import { SignInContext } from '../parts/hooks/use-sign-in.ts';
import { useKeyQuestion } from '../signing/signing.tsx';

const SignInDialog = latePart(() => import('./sign-in-dialog.tsx'));
const KeyDialog = latePart(() => import('./key-dialog.tsx'));

export function SignInProvider({ children }: { readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const question = useKeyQuestion();
  const open = useCallback(() => setOpen(true), []);
  const close = (): void => setOpen(false);
  const missingSignIn = useMissing(close);
  const missingKey = useMissing(() => question?.answer(undefined));
  return (
    <SignInContext value={open}>
      {children}
      {isOpen && <SignInDialog onClose={close} onMissing={missingSignIn} />}
      {question && <KeyDialog question={question} onMissing={missingKey} />}
    </SignInContext>
  );
}
