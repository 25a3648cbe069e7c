/**
 * The secrets of a backup in one file, under a passphrase: scrypt makes a key of it, AES-256-GCM encrypts with it. The
 * file is bound to all that is in its backup, so that keys do not open beside settings or rows that somebody has put
 * there who does not know the passphrase. What scrypt costs is fixed by the format: a file cannot ask for more.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { backupLimits } from '@symbolon/host/limits/server-limits';
import { z } from 'zod';
import { CommandFailure, exitCodes } from '../terminal/failure.ts';

/** Files that may be among the secrets, by their path in a backup. */
export const secretFiles = [
  'ledger/validator.key',
  'ledger/genesis-account.key',
  'service/master.key',
  'demo.json',
] as const;
export type SecretFile = (typeof secretFiles)[number];

const secretsSchema = z.strictObject({
  files: z.partialRecord(z.enum(secretFiles), z.string()),
  /** Secret parts of `service.json`. */
  settings: z.record(z.string(), z.unknown()),
});
export type BackupSecrets = z.infer<typeof secretsSchema>;

const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const keyBytes = 32;
const saltBytes = 16;
const ivBytes = 12;
const tagBytes = 16;
const formatLine = 'symbolon backup secrets v1';

const keyOf = (passphrase: string, salt: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, keyBytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

export interface EncryptionOrder {
  readonly passphrase: string;
  /** Of the backup (`manifest.ts`). */
  readonly contentHash: string;
}

const boundTo = (contentHash: string): Buffer => Buffer.from(`${formatLine} ${contentHash}`);

/** Two lines: what it is, and salt, IV, ciphertext and tag in base64. */
export async function encryptSecrets(
  secrets: BackupSecrets,
  { passphrase, contentHash }: EncryptionOrder,
): Promise<string> {
  const salt = randomBytes(saltBytes);
  const iv = randomBytes(ivBytes);
  const key = await keyOf(passphrase, salt);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(boundTo(contentHash));
  const encrypted = [salt, iv, cipher.update(JSON.stringify(secrets)), cipher.final(), cipher.getAuthTag()];
  key.fill(0);
  const text = `${formatLine}\n${Buffer.concat(encrypted).toString('base64')}\n`;
  // Found out now, and not when they are needed.
  if (text.length > backupLimits.secretsBytesMax)
    throw new CommandFailure('The secrets are too large for a backup.', exitCodes.config);
  return text;
}

export async function openSecrets(
  text: string,
  { passphrase, contentHash }: EncryptionOrder,
): Promise<BackupSecrets> {
  const [format, body = ''] = text.split('\n');
  const bytes = Buffer.from(body, 'base64');
  if (format !== formatLine || text.length > backupLimits.secretsBytesMax || bytes.length < shortestBytes)
    throw new CommandFailure(
      'The secrets of the backup cannot be read: the file is damaged.',
      exitCodes.damaged,
    );
  const salt = bytes.subarray(0, saltBytes);
  const key = await keyOf(passphrase, salt);
  try {
    const iv = bytes.subarray(saltBytes, saltBytes + ivBytes);
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
    decipher.setAAD(boundTo(contentHash)).setAuthTag(bytes.subarray(-tagBytes));
    const opened = [decipher.update(bytes.subarray(saltBytes + ivBytes, -tagBytes)), decipher.final()];
    return secretsSchema.parse(JSON.parse(Buffer.concat(opened).toString('utf8')));
  } catch {
    throw new CommandFailure(
      'The secrets of the backup do not open: the passphrase is not the one they were sealed with, ' +
        'or the backup was changed.\n' +
        'Give the passphrase that was chosen when the backup was made. If this is it, use another backup.',
    );
  } finally {
    key.fill(0);
  }
}

const shortestBytes = saltBytes + ivBytes + tagBytes;
