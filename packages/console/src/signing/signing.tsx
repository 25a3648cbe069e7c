/**
 * Who signs in this tab. What a person does on the ledger is signed here, in the browser, by a key that is only ever in
 * this tab's memory, or by one that the service keeps for them. People of the demo sign with the keys that everybody
 * knows; anybody else is asked for their key the first time that they sign.
 */

import type { Signer } from '@symbolon/sdk/keys/signer';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import { useChair, useClients } from '../api/api.tsx';

/** Somebody closed the question for their key: nothing was signed, and nothing failed. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned';
}

interface Question {
  readonly did: string;
  readonly answer: (signer: Signer | undefined) => void;
}

interface SigningBoard {
  /** By DID, as long as the tab lives. */
  readonly known: Map<string, Signer>;
  readonly question: Question | undefined;
  readonly ask: (did: string) => Promise<Signer | undefined>;
}

const SigningContext = createContext<SigningBoard | undefined>(undefined);

export function SigningProvider({ children }: { readonly children: ReactNode }) {
  const [known] = useState(() => new Map<string, Signer>());
  const [question, setQuestion] = useState<Question>();
  const ask = useCallback(
    (did: string) =>
      new Promise<Signer | undefined>((resolve) => {
        setQuestion({
          did,
          answer: (signer) => {
            setQuestion(undefined);
            resolve(signer);
          },
        });
      }),
    [],
  );
  const board = useMemo(() => ({ known, question, ask }), [known, question, ask]);
  return <SigningContext value={board}>{children}</SigningContext>;
}

function useSigningBoard(): SigningBoard {
  const board = use(SigningContext);
  if (!board) throw new Error('SigningProvider is missing');
  return board;
}

/** The question for a key that is open, for the dialog that asks it. */
export const useKeyQuestion = (): Question | undefined => useSigningBoard().question;

/** Whoever signs in with a key in this tab goes on signing with it. */
export function useKeepSigner(): (did: string, signer: Signer) => void {
  const { known } = useSigningBoard();
  return useCallback((did, signer) => void known.set(did, signer), [known]);
}

/** Gives the signer of whoever sits here; rejects with `NotSigned` where they would not say their key. */
export function useSigner(): () => Promise<Signer> {
  const { known, ask } = useSigningBoard();
  const { service } = useClients();
  const { signedIn } = useChair();
  const queries = useQueryClient();
  const did = signedIn?.did;
  return useCallback(async () => {
    if (did === undefined) throw new NotSigned();
    const config = await queries.fetchQuery({
      queryKey: ['console', 'people'],
      queryFn: () => service.getConsoleConfig(),
      staleTime: Number.POSITIVE_INFINITY,
    });
    const person = config.people?.find((one) => one.did === did);
    const { signerFromPrivateKey } = await import('@symbolon/sdk/keys/signer');
    const signer =
      known.get(did) ?? (person ? await signerFromPrivateKey(person.privateKey) : await ask(did));
    if (!signer) throw new NotSigned();
    known.set(did, signer);
    return signer;
  }, [ask, did, known, queries, service]);
}
