/**
 * Credentials in formats of the field, with the keys that they belong to, and those whose issuer has still to decide:
 * sealed at rest as all credentials of a wallet are.
 */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Signer } from '@symbolon/sdk/keys/signer';
import type { LaterCredentials } from '@symbolon/sdk/openid/openid-wallet';
import type { HeldFieldCredential } from '@symbolon/sdk/openid/receiving';
import { walletLimits } from '../limits/command-limits.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { createSeal } from './seal.ts';
import { inTransaction } from './wallet-database.ts';

interface NamedField {
  /** Of this wallet alone: nobody else knows it. */
  readonly id: string;
  /** What its issuer calls it. */
  readonly title: string;
}

/** One content, in as many copies as the wallet has keys for. */
export interface KeptField extends NamedField {
  readonly credentials: readonly HeldFieldCredential[];
  /** Places of the copies that were shown, or were to be. */
  readonly used?: readonly number[];
}

/** A copy that is about to be shown. */
export interface UsedCopy {
  /** Of the credential. */
  readonly id: string;
  readonly copy: number;
  /** Whether its owner knows that it was shown before. */
  readonly isAgain: boolean;
}

export interface WaitingField extends NamedField {
  readonly later: LaterCredentials;
}

export interface KeptFields {
  readonly kept: () => readonly KeptField[];
  readonly waiting: () => readonly WaitingField[];
  /** In the place of what waited under this id, if anything did. */
  readonly put: (field: KeptField | WaitingField) => void;
  readonly drop: (id: string) => void;
  /** Notes that these copies are shown: all, or none where one was shown meanwhile by somebody else. */
  readonly use: (copies: readonly UsedCopy[]) => void;
}

export const newFieldId = (): string => randomBytes(16).toString('hex');

const isKept = (field: KeptField | WaitingField): field is KeptField => 'credentials' in field;

export async function openKeptFields(database: DatabaseSync, signer: Signer): Promise<KeptFields> {
  const { nameOf, seal, open } = await createSeal(signer);
  const all = (): (KeptField | WaitingField)[] => {
    const rows = database.prepare('select name, sealed from field_credential order by rowid').all();
    return (rows as unknown as { name: string; sealed: Uint8Array }[]).map(
      ({ name, sealed }) => JSON.parse(open(name, sealed)) as KeptField | WaitingField,
    );
  };
  return {
    kept: () => all().filter(isKept),
    waiting: () => all().filter((field): field is WaitingField => !isKept(field)),
    put(field) {
      const name = nameOf(field.id);
      inTransaction(database, () => {
        const { count } = database
          .prepare('select count(*) as count from field_credential where name <> ?')
          .get(name) as { count: number };
        if (count >= walletLimits.credentialsMax) throw isFull();
        database
          .prepare(
            'insert into field_credential (name, sealed) values (?, ?) on conflict (name) do update set sealed = excluded.sealed',
          )
          .run(name, seal(name, JSON.stringify(field)));
      });
    },
    use(copies) {
      inTransaction(database, () => {
        for (const { id, copy, isAgain } of copies) {
          const name = nameOf(id);
          const row = database.prepare('select sealed from field_credential where name = ?').get(name);
          const field = row && (JSON.parse(open(name, row.sealed as Uint8Array)) as KeptField);
          const used = field?.used ?? [];
          if (!field || (used.includes(copy) && !isAgain)) throw isShown();
          const noted = { ...field, used: [...new Set([...used, copy])] };
          database
            .prepare('update field_credential set sealed = ? where name = ?')
            .run(seal(name, JSON.stringify(noted)), name);
        }
      });
    },
    drop: (id) => void database.prepare('delete from field_credential where name = ?').run(nameOf(id)),
  };
}

const isShown = () =>
  new CommandFailure(
    'Nothing was shown.\nAnother program has shown this copy, or removed it, meanwhile.\nRun it again: it takes the next copy.',
  );

const isFull = () =>
  new CommandFailure(
    `The credential is not kept.\nThe wallet holds ${walletLimits.credentialsMax} of the field, which is all it can.\nUse another wallet folder.`,
  );
