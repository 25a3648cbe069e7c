/**
 * What is asked of the service, as the parties ask it over HTTP: an issue is apply, create and submit, until the ledger
 * has the credential; a derivation is vp/create and vp/submit; a verification is one vp/verify. Every signature is
 * a real one, made here.
 */
import { hash, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { Socket } from 'node:net';
import { canonicalJson } from '@symbolon/core/basics/jcs';
import { presenceTextAt } from '@symbolon/core/presentation/presence-text';
import { onReplies, openSocket, postBytes } from '../http-connection.ts';
import { nowMs } from '../statistics.ts';

export type JourneyName = 'issue' | 'derive' | 'verify';

export interface Party {
  readonly publicKey: string;
  readonly key: KeyObject;
  readonly apiKey: string;
}

export interface Issuer extends Party {
  readonly bbsPublicKey: string;
}

/** One connection to the service, one request at a time on it. */
export interface Line {
  post(path: string, body: unknown, apiKey?: string): Promise<Reply>;
  close(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: each route answers with members of its own.
type Reply = Record<string, any>;

const laterCodes: readonly string[] = ['ledgerUnconfirmed', 'databaseFailed', 'overloaded'];

export async function openLine(port: number): Promise<Line> {
  const socket: Socket = await openSocket(port);
  let waiting: PromiseWithResolvers<string> | undefined;
  onReplies(socket, (reply) => waiting?.resolve(reply));
  const fail = () => waiting?.reject(new Error('the service closed a connection'));
  socket.once('error', fail);
  socket.once('close', fail);
  const exchange = async (bytes: string | Uint8Array): Promise<{ isGood: boolean; content: Reply }> => {
    waiting = Promise.withResolvers();
    socket.write(bytes);
    const reply = await waiting.promise;
    waiting = undefined;
    const content = Buffer.from(reply.slice(reply.indexOf('\r\n\r\n') + 4), 'latin1').toString();
    return { isGood: reply.startsWith('HTTP/1.1 200'), content: JSON.parse(content) };
  };
  return {
    async post(path, body, apiKey) {
      const headers = apiKey === undefined ? [] : [`Authorization: Bearer ${apiKey}`];
      const bytes = postBytes({ port, path, headers }, JSON.stringify(body));
      for (;;) {
        const { isGood, content } = await exchange(bytes);
        if (isGood) return content;
        // On a machine that is too busy the answer comes later; the same request may come again until then.
        if (!laterCodes.includes(content.code))
          throw new Error(`${path}: ${JSON.stringify(content).slice(0, 1_000)}`);
      }
    },
    close: () => socket.destroy(),
  };
}

const signed = ({ key }: Party, bytes: Uint8Array): string => sign(null, bytes, key).toString('hex');
const signedBlob = (party: Party, blob: string): string => signed(party, Buffer.from(blob, 'hex'));

/** Twelve attributes of every type but pictures. */
const attributes = [
  ['fullName', 'string', 1, 'Aroha Ngata'],
  ['birthDate', 'date', 5, '1990-05-17'],
  ['nationality', 'string', 1, 'NZ'],
  ['height', 'integer', 3, '171'],
  ['income', 'decimal', 4, '52000.50'],
  ['isResident', 'boolean', 7, 'true'],
  ['enteredAt', 'date-time', 6, '2019-08-01T09:30:00Z'],
  ['email', 'email', 1, 'aroha@example.org'],
  ['city', 'string', 1, 'Dunedin'],
  ['documentNumber', 'string', 1, 'LK-0042'],
  ['occupation', 'string', 1, 'surveyor'],
  ['children', 'integer', 3, '2'],
] as const;
const revealed = ['fullName', 'nationality', 'children'];
const challenge = 'bench';

export async function registerTemplate(line: Line, issuer: Issuer, issuerDid: string): Promise<string> {
  const credentialFormat = attributes.map(([key, format, type]) => ({
    ...{ attribute: `The ${key}`, key, format, type },
    mandatory: true,
  }));
  const draft = { templateName: 'Twelve attributes', issuerDid, credentialFormat, version: '1.0.0' };
  const { blobId, blob } = await line.post('/cred/tds/template/blob/create', draft, issuer.apiKey);
  const signature = { blobId, signBlob: signedBlob(issuer, blob), publicKey: issuer.publicKey };
  return (await line.post('/cred/tds/template/submit', signature, issuer.apiKey)).templateId;
}

export interface IssueOrder {
  readonly issuer: Issuer;
  readonly holder: Party;
  readonly templateId: string;
  /** The service as it calls itself. */
  readonly audience: string;
}

const metadata = attributes.map(([key, , , value]) => ({ key, value }));

/** The credential, and when each of the three answers was there. */
export async function issue(line: Line, { issuer, holder, templateId, audience }: IssueOrder) {
  const content = canonicalJson({ templateId, metadata });
  const subject = `sha256:${hash('sha256', content)}`;
  const presence = { purpose: 'application', audience, subject, nonce: randomUUID() } as const;
  const signedText = presenceTextAt(presence, Date.now());
  const application = {
    templateId,
    metadata,
    signData: signed(holder, Buffer.from(signedText)),
    holderPublicKey: holder.publicKey,
    signedText,
  };
  const { vcId } = await line.post('/cred/v1/vc/apply', application, holder.apiKey);
  const appliedAt = nowMs();
  const creation = { vcId, issuanceData: '', expiredDate: '2099-12-31', templateId, metadata: '' };
  const draft = await line.post('/cred/v1/vc/create', creation, issuer.apiKey);
  const createdAt = nowMs();
  const signatures = {
    vcId,
    ed25519PubKey: issuer.publicKey,
    ed25519SignData: signedBlob(issuer, draft.ed25519Blob),
    bbsBlsPubKey: issuer.bbsPublicKey,
    bbsBlsSignData: draft.bbsBlsBase64,
  };
  const { vcObject } = await line.post('/cred/v1/vc/submit', signatures, issuer.apiKey);
  return { credential: vcObject, appliedAt, createdAt, submittedAt: nowMs() };
}

export async function derive(line: Line, holder: Party, credential: unknown): Promise<unknown> {
  const order = { vc: credential, revealAttributes: revealed, challenge };
  const { blobId, blob } = await line.post('/cred/v1/vp/create', order, holder.apiKey);
  const signature = {
    blobId,
    ed25519SignData: signedBlob(holder, blob),
    ed25519PubKey: holder.publicKey,
  };
  return (await line.post('/cred/v1/vp/submit', signature, holder.apiKey)).vpObject;
}

export async function verify(line: Line, verifier: { readonly apiKey: string }, presentation: unknown) {
  const { verified, errors } = await line.post(
    '/cred/v1/vp/verify',
    { vp: presentation, challenge },
    verifier.apiKey,
  );
  if (!verified) throw new Error(`a good presentation does not verify: ${errors}`);
}
