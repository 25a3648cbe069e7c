/**
 * Flows that sign nothing and only believe: signed results, state proofs, facts, verdicts. What a service says in its own
 * name is its word, and whoever asks it trusts it; then only the form of the answer is judged.
 */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { stateKeys } from '@symbolon/core/ledger/terms/state';
import {
  askVerdict,
  fetchOfflineFacts,
  openSignedResult,
  type ResultKeys,
  verifyStateProof,
} from '@symbolon/sdk/index';
import { type JsonObject, type JsonValue, parseJson, stringifyJson } from '@symbolon/wire/json/json';
import type { Flow } from './flow.ts';
import type { LiesWorld } from './lies-world.ts';

const asked = { requirements: { credentials: [] }, stateId: 'state-1' };

/** A result that a service has signed, on its way through whoever delivers it. */
function signedResult(): { readonly delivered: JsonObject; readonly keys: ResultKeys } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const result = {
    presentationId: 'session-1',
    verified: false,
    status: 'REJECTED',
    verifiedClaims: { city: 'Dunedin' },
    credentials: [],
    requestHash: createHash('sha256').update(JSON.stringify(asked)).digest('hex'),
  };
  const [text, timestamp] = [JSON.stringify(result), '1700000000'];
  const header = { alg: 'EdDSA', b64: false, crit: ['b64'], kid: 'one' };
  const head = Buffer.from(JSON.stringify(header)).toString('base64url');
  const signature = sign(null, Buffer.from(`${head}.${timestamp}.${text}`), privateKey).toString('base64url');
  return {
    delivered: { text, timestamp, signature: `${head}..${signature}` },
    keys: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] },
  };
}

/** Delivered with an answer that has room for it: only its text travels. */
function resultFlow(): Flow {
  const { delivered, keys } = signedResult();
  const place = { server: 'service', route: 'submitPresentation', question: '/cred/v1/vp/submit' } as const;
  return {
    name: 'openSignedResult',
    ordered: [],
    tape: [{ ...place, status: 200, answer: { vpObject: delivered } }],
    run: async ({ service }) => {
      const nothing = { blobId: 'none', ed25519SignData: 'none', ed25519PubKey: 'none' };
      const { vpObject } = await service().submitPresentation(nothing);
      const { text, timestamp, signature } = vpObject;
      const signed = { text: `${text}`, timestamp: `${timestamp}`, signature: `${signature}` };
      const opened = await openSignedResult(signed, { keys, presentationId: 'session-1', request: asked });
      return parseJson(stringifyJson(opened as unknown as JsonValue));
    },
  };
}

/** The root is from a source that does not lie. */
async function proofFlow({ service, payer }: LiesWorld): Promise<Flow> {
  const stateKey = stateKeys.account(payer.address);
  const { result } = await service.ledger.getStateProof({ address: payer.address });
  const trustedRoot = result?.root ?? '';
  return {
    name: 'verifyStateProof',
    ordered: [],
    run: async ({ ledger }) => {
      const reply = await ledger.getStateProof({ address: payer.address });
      const entry = verifyStateProof(reply, { trustedRoot, stateKey });
      const said = JSON.stringify(entry, (_key, value) => (typeof value === 'bigint' ? `${value}` : value));
      return said === undefined ? null : parseJson(said);
    },
  };
}

function factsFlow({ service, held: [vc] }: LiesWorld): Flow {
  return {
    name: 'fetchOfflineFacts',
    ordered: [],
    run: async (parts) => {
      await fetchOfflineFacts(parts.service(), { issuer: service.issuer.did, vcIds: [vc.id as string] });
      return {};
    },
  };
}

function verdictFlow(presentation: JsonObject): Flow {
  return {
    name: 'askVerdict',
    ordered: [],
    run: async ({ service }) => {
      await askVerdict(service(), { presentation, challenge: 'asked-once', domain: 'shop.example' });
      return {};
    },
  };
}

export const readerFlows = (world: LiesWorld, presentation: JsonObject): (() => Promise<Flow>)[] => [
  async () => resultFlow(),
  () => proofFlow(world),
  async () => factsFlow(world),
  async () => verdictFlow(presentation),
];
