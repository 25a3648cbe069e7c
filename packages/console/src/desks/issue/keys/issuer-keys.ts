/** The issuer's keys as ledger and service know them, and what can be done with them. Changes are signed in this tab. */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '@symbolon/core/basics/bytes';
import { parseLedgerDid } from '@symbolon/core/did/did';
import { foldDidRecords } from '@symbolon/core/did/did-document';
import { createKeyFormat } from '@symbolon/core/keys/keys';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { readSignedDidHistory } from '@symbolon/sdk/ledger/did-history';
import type { Receipt } from '@symbolon/sdk/ledger/receipts';
import { endKey, publishKey } from '@symbolon/sdk/transactions/did-keys';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClients } from '../../../api/api.tsx';
import { useSigner } from '../../../signing/signing.tsx';
import { useIssuing } from '../acting/issuing.ts';
import { type IssuerKeyRow, issuerKeyRows } from './key-rows.ts';

export const issuerKeysQueryKey = ['service', 'issuer-keys'] as const;

/** The account of an issuer: whose log the keys stand in. */
export function accountOf(did: string) {
  const publicKey = parseLedgerDid(did, zetrixProfile);
  if (!publicKey) throw new Error('the issuer is of another network');
  return { publicKey, address: createKeyFormat(zetrixProfile, sha256).addressOf(publicKey) };
}

/** Both sources together: every key that was ever published, by entries that the issuer itself has signed. */
export function useIssuerKeys(did: string) {
  const { service, ledger } = useClients();
  return useQuery({
    queryKey: [...issuerKeysQueryKey, 'log', did],
    queryFn: async () => {
      const [kept, { entries }] = await Promise.all([
        service.listIssuerKeys(),
        readSignedDidHistory(ledger, accountOf(did)),
      ]);
      return { kept, rows: issuerKeyRows(foldDidRecords(entries).keys.values(), kept.bbsKeys) };
    },
  });
}

export interface KeyChange {
  readonly change: 'published' | 'ended';
  readonly number: number;
  readonly block: number;
  readonly txHash: string;
}

const type = 'Bls12381G2Key2020';
const seedBytes = 32;

const changeOf = (change: KeyChange['change'], number: number, { hash, ledgerSeq }: Receipt): KeyChange => ({
  change,
  number,
  block: Number(ledgerSeq),
  txHash: hash,
});

export function useKeyActs() {
  const issuing = useIssuing();
  const sign = useSigner();
  const queries = useQueryClient();
  const publish = async ({ publicKeyMultibase }: Pick<IssuerKeyRow, 'publicKeyMultibase'>) => {
    const [{ ledger, pins }, signer] = await Promise.all([issuing(), sign()]);
    const options = pins.chainId === undefined ? {} : { chainId: pins.chainId };
    const done = await publishKey(ledger, { signer, type, publicKeyMultibase }, options);
    await queries.invalidateQueries({ queryKey: ['service'] });
    return changeOf('published', done.number, done.receipt);
  };
  return {
    publish,
    /** Whoever would not sign makes no key: the signature is asked for first. */
    async make(): Promise<KeyChange> {
      const [{ client }] = await Promise.all([issuing(), sign()]);
      // The service keeps the secret in its vault; what it answers of it is not kept here.
      const seed = encodeHex(crypto.getRandomValues(new Uint8Array(seedBytes)));
      const { publicKeyMultibase } = await client.createBbsKey({ seed });
      await queries.invalidateQueries({ queryKey: issuerKeysQueryKey });
      return publish({ publicKeyMultibase });
    },
    /** `compromisedSince` in seconds since 1970, where others may have the secret. */
    async end(row: IssuerKeyRow, compromisedSince?: number): Promise<KeyChange> {
      const [{ ledger, pins }, signer] = await Promise.all([issuing(), sign()]);
      const { number, publicKeyMultibase } = row;
      if (number === undefined) throw new Error('a key that is not published cannot end');
      const { receipt } = await endKey(
        ledger,
        {
          signer,
          number,
          endedMultibase: publicKeyMultibase,
          ...(compromisedSince !== undefined && { compromisedSince }),
        },
        pins.chainId === undefined ? {} : { chainId: pins.chainId },
      );
      await queries.invalidateQueries({ queryKey: ['service'] });
      return changeOf('ended', number, receipt);
    },
  };
}
