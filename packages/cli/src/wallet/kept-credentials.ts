/** Our own credentials of a wallet, sealed at rest (`seal.ts`). */
import type { DatabaseSync } from 'node:sqlite';
import { type ParsedCredential, parseCredential } from '@symbolon/core/credential/credential-parsing';
import { zetrixProfile } from '@symbolon/core/keys/profile';
import { didOfSigner, type Signer } from '@symbolon/sdk/keys/signer';
import { type JsonObject, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { createSeal } from './seal.ts';
import { inTransaction } from './wallet-database.ts';

export interface KeptCredential {
  /** As it was issued. */
  readonly document: JsonObject;
  readonly parsed: ParsedCredential;
}

export interface KeptCredentials {
  /** Whether this very credential is there. */
  readonly has: (document: JsonObject) => boolean;
  /**
   * In the place of another one with the same id; false if this very one is there already. Throws what is no credential
   * of this holder. Whether it is genuine was found out before (`keeping.ts`).
   */
  readonly keep: (document: JsonObject) => boolean;
  readonly all: () => readonly KeptCredential[];
}

export async function openKeptCredentials(database: DatabaseSync, signer: Signer): Promise<KeptCredentials> {
  const { nameOf, seal, open } = await createSeal(signer);
  const holder = didOfSigner(signer);

  const has = (document: JsonObject): boolean => {
    const name = nameOf(String(document.id));
    const stored = database.prepare('select sealed from credential where name = ?').get(name);
    return stored !== undefined && open(name, stored.sealed as Uint8Array) === stringifyJson(document);
  };
  const keep = (document: JsonObject): boolean => {
    const { credential } = parseCredential(document, zetrixProfile);
    if (credential.credentialSubject.id !== holder) throw ofAnother();
    const name = nameOf(credential.id);
    return inTransaction(database, () => {
      if (has(document)) return false;
      const { count } = database
        .prepare('select count(*) as count from credential where name <> ?')
        .get(name) as { count: number };
      if (count >= walletLimits.credentialsMax) throw isFull();
      database
        .prepare(
          'insert into credential (name, sealed) values (?, ?) on conflict (name) do update set sealed = excluded.sealed',
        )
        .run(name, seal(name, stringifyJson(document)));
      return true;
    });
  };
  const all = (): KeptCredential[] => {
    const rows = database.prepare('select name, sealed from credential order by rowid').all();
    return (rows as unknown as { name: string; sealed: Uint8Array }[]).map(({ name, sealed }) => {
      const document = parseJson(open(name, sealed)) as JsonObject;
      return { document, parsed: parseCredential(document, zetrixProfile) };
    });
  };
  return { has, keep, all };
}

const ofAnother = () =>
  new CommandFailure('The credential is not kept.\nIt is of another holder.\nTell whoever runs the service.');
const isFull = () =>
  new CommandFailure(
    `The credential is not kept.\nThe wallet holds ${walletLimits.credentialsMax}, which is all it can.\nUse another wallet folder.`,
  );
