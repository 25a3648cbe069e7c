/**
 * Signatures over one transaction. From the first one on, or from when it goes elsewhere to be signed, the transaction is
 * fixed to the byte. Nothing is ever signed but by a click of who sits here.
 */
import { equalBytes } from '@symbolon/core/basics/bytes';
import { type SignedTransaction, withSignatures } from '@symbolon/core/ledger/terms/transaction';
import { SdkError } from '@symbolon/sdk/errors/errors';
import {
  type ForeignProblem,
  joinedSignatures,
  readForeignSignatures,
} from '@symbolon/sdk/transactions/foreign-signatures';
import { chainIdOf, signTransaction } from '@symbolon/sdk/transactions/transactions';
import { useRef, useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { useSigner } from '../../../signing/signing.tsx';

export interface SignatureDesk {
  /** Fixed, with the signatures so far; undefined while it may still change. */
  readonly signed: SignedTransaction | undefined;
  readonly sign: (made: SignedTransaction) => Promise<void>;
  readonly fix: (made: SignedTransaction) => void;
  /** Adds signatures from elsewhere, or says what is wrong with them. */
  readonly add: (text: string) => Promise<ForeignProblem | undefined>;
  readonly drop: () => void;
}

export function useSignatures(): SignatureDesk {
  const { ledger } = useClients();
  const askSigner = useSigner();
  const [signed, setSigned] = useState<SignedTransaction>();
  // A signature that comes when its draft is gone is none of the next one.
  const round = useRef(0);
  return {
    signed,
    async sign(made) {
      const begun = round.current;
      const signer = await askSigner();
      // A key may have money on several chains: the node must be of the one that is written down.
      await chainIdOf(ledger, made.transaction.chainId);
      const own = await signTransaction(made.transaction, [signer]);
      if (!equalBytes(own.blob, made.blob))
        throw new SdkError('notAsOrdered', 'the transaction is in another encoding', {
          hint: 'Sign it with the program that made it.',
        });
      if (begun === round.current)
        setSigned(withSignatures(made, joinedSignatures(made.signatures, own.signatures)));
    },
    fix: setSigned,
    async add(text) {
      if (!signed) return 'unreadable';
      const read = await readForeignSignatures(text, signed);
      if (typeof read === 'string') return read;
      setSigned(withSignatures(signed, joinedSignatures(signed.signatures, read)));
      return undefined;
    },
    drop() {
      round.current += 1;
      setSigned(undefined);
    },
  };
}
