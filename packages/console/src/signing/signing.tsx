/**
 * Who signs in this tab. What a person does on the ledger is signed here, in the browser, by a key that is only ever in
 * this tab's memory, or by one that the service keeps for them. People of the demo sign with the keys that everybody
 * knows; anybody else is asked for their key the first time that they sign.
 */

import type { Signer } from '@symbolon/sdk/keys/signer';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { useChair, useClients } from '../api/api.tsx';
import { configQuery } from '../api/console-config.ts';
import { readTabSession, watchTabSession } from '../api/tab-session.ts';
import { openedVaultOf } from '../vault/open-vaults.ts';

/** Somebody closed the question for their key: nothing was signed, and nothing failed. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned';
}

/** Open until it is answered: with the signer of the DID, or with nothing. */
export interface SignerQuestion {
  readonly did: string;
  readonly answer: (signer: Signer | undefined) => void;
}

interface SigningBoard {
  /** By DID, as long as the tab lives. */
  readonly known: Map<string, Signer>;
  readonly question: SignerQuestion | undefined;
  readonly ask: (did: string) => Promise<Signer | undefined>;
}

const SigningContext = createContext<SigningBoard | undefined>(undefined);

export function SigningProvider({ children }: { readonly children: ReactNode }) {
  const [known] = useState(() => new Map<string, Signer>());
  const [question, setQuestion] = useState<SignerQuestion>();
  // Whoever left takes the key along, and so does a session that ended.
  useEffect(
    () =>
      watchTabSession(() => {
        if (readTabSession() === undefined) known.clear();
      }),
    [known],
  );
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
export const useKeyQuestion = (): SignerQuestion | undefined => useSigningBoard().question;

/** Whoever signs in with a key in this tab goes on signing with it; a vault is asked for it as long as it is open. */
export function useKeepSigner(): (did: string, signer: Signer) => void {
  const { known } = useSigningBoard();
  return useCallback(
    (did, signer) => {
      if (signer !== openedVaultOf(did)?.signer) known.set(did, signer);
    },
    [known],
  );
}

/** Gives the signer of whoever sits here; rejects with `NotSigned` where they would not say their key. */
export function useSigner(): () => Promise<Signer> {
  const { known, ask } = useSigningBoard();
  const keep = useKeepSigner();
  const { service } = useClients();
  const { signedIn } = useChair();
  const queries = useQueryClient();
  const did = signedIn?.did;
  return useCallback(async () => {
    if (did === undefined) throw new NotSigned();
    const config = await queries.fetchQuery(configQuery(service));
    const person = config?.people.find((one) => one.did === did);
    const { signerFromPrivateKey } = await import('@symbolon/sdk/keys/signer');
    const signer =
      openedVaultOf(did)?.signer ??
      known.get(did) ??
      (person ? await signerFromPrivateKey(person.privateKey) : await ask(did));
    if (!signer) throw new NotSigned();
    keep(did, signer);
    return signer;
  }, [ask, did, keep, known, queries, service]);
}
