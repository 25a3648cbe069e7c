/** Whether whoever reads can be expected to run the service, as at a demo: only they are told how to start it. */
import { createContext, use } from 'react';

export const OperatorContext = createContext(false);

export const useIsOperator = (): boolean => use(OperatorContext);
