/** Opens the dialog to sign in. Who shows it is `src/sign-in`. */
import { createContext, use } from 'react';

export const SignInContext = createContext<(() => void) | undefined>(undefined);

/** Undefined where nobody can be asked, as on the page of parts. */
export const useOpenSignIn = (): (() => void) | undefined => use(SignInContext);
