/** Buying from a service that hands over something else than was bought: the member is named. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import {
  assembleCredential,
  attachProofs,
  contentsCommitment,
} from '@symbolon/core/credential/credential-assembly';
import { encodeProofValue } from '@symbolon/core/credential/credential-shapes';
import { issuerProofOptions } from '@symbolon/core/credential/issuer-proof-options';
import type { Template, UnsignedCredential } from '@symbolon/core/documents/model';
import { templateId as templateIdOf } from '@symbolon/core/names/template-names';
import { SdkError } from '../errors/errors.ts';
import { didOfSigner, type Signer, signerFromSeed } from '../keys/signer.ts';
import { buyCredential, type PurchaseOrder } from './purchase.ts';

const issuer = `did:zid:${'1'.repeat(64)}`;
const eve = `did:zid:${'e'.repeat(64)}`;
const vcId = `did:zid:${'c'.repeat(64)}`;
const registry = 'ZTX3Ta7d4GyAXD41H2kFCTd2eXhDesM83rvC3';
const created = '2026-11-16T12:00:00Z';

const template: Template = {
  id: templateIdOf({ issuer, name: 'Ticket' }, { didMethod: 'zid', sha256 }),
  name: 'Ticket',
  version: '1.0.0',
  issuer,
  attributes: [
    { key: 'seat', label: 'Seat', type: 'text', format: 'string', mandatory: true },
    { key: 'row', label: 'Row', type: 'integer', format: 'integer', mandatory: false },
  ],
};

let signer: Signer;
before(async () => {
  signer = await signerFromSeed(new Uint8Array(32).fill(8));
});

type Change = (credential: UnsignedCredential) => object;
const asOrdered: Change = (it) => it;

/** A service that gives its credentials away, and changes them as it likes. */
function serviceWith(change: Change, answered: object = {}) {
  const plain = assembleCredential({
    id: vcId,
    template,
    holder: didOfSigner(signer),
    values: { seat: 'A', row: 7 },
    validFrom: created,
    validUntil: '2030-12-31T00:00:00Z',
    registry: { networkId: 'zetrix:testnet', address: registry },
  });
  const credential = change(plain) as UnsignedCredential;
  const salt = encodeProofValue(new Uint8Array(32).fill(9));
  const verifiableCredential = attachProofs(credential, {
    bbs: {
      created,
      verificationMethod: `${credential.issuer}#delegateKey-1`,
      signature: new Uint8Array(80),
      contents: contentsCommitment(salt, new Uint8Array(48)),
    },
    issuer: { options: issuerProofOptions(credential, created), signature: new Uint8Array(64) },
  });
  const reply = { vcId, paymentId: 'P', txHash: null, verifiableCredential, ...answered };
  return {
    audience: 'https://service.example',
    applyForPaidCredential: async () => structuredClone(reply) as never,
  };
}

const orderOf = (changes: Partial<PurchaseOrder> = {}): PurchaseOrder => ({
  signer,
  templateId: template.id,
  attributes: { seat: 'A', row: '7' },
  expirationDate: '2030-12-31',
  payer: { client: {} as never, amountsMax: {} },
  pins: { credentialRegistry: registry },
  ...changes,
});

describe('a credential that was bought', () => {
  test('is not handed over where it says what was ordered and nobody has signed it', async () => {
    const { expirationDate: _any, pins: _none, ...order } = orderOf();
    for (const bought of [order, orderOf()])
      await assert.rejects(buyCredential(serviceWith(asOrdered), bought), (error) => {
        assert.ok(error instanceof SdkError && error.code === 'notAsOrdered', String(error));
        assert.match(error.message, /is not signed by its issuer/);
        return true;
      });
  });

  test('is not ordered without a node that says whether it is genuine', async () => {
    const service = { ...serviceWith(asOrdered), applyForPaidCredential: () => assert.fail('asked') };
    const payer = { amountsMax: {} } as never;
    await assert.rejects(buyCredential(service, orderOf({ payer })), { code: 'invalidArgument' });
  });

  const lies: readonly [member: string, change: Change, answered?: object][] = [
    ['credentialSubject.id', (it) => ({ ...it, credentialSubject: { ...it.credentialSubject, id: eve } })],
    [
      'credentialSubject.seat',
      (it) => ({ ...it, credentialSubject: { ...it.credentialSubject, seat: 'B' } }),
    ],
    [
      'credentialSubject.row',
      (it) => ({ ...it, credentialSubject: { id: it.credentialSubject.id, seat: 'A' } }),
    ],
    ['validUntil', (it) => ({ ...it, validUntil: '2027-01-01T00:00:00Z' })],
    ['templateId', (it) => ({ ...it, type: ['VerifiableCredential', 'Raffle'] })],
    ['templateId', (it) => ({ ...it, issuer: eve })],
    ['credentialSchema.id', (it) => ({ ...it, credentialSchema: { ...it.credentialSchema, id: eve } })],
    ['id', (it) => it, { vcId: eve }],
    [
      'credentialStatus.id',
      (it) => ({
        ...it,
        credentialStatus: {
          ...it.credentialStatus,
          id: it.credentialStatus.id.replace('ZTX3Ta7d', 'ZTX3Tb7d'),
        },
      }),
    ],
    ['@context', (it) => it, { verifiableCredential: { id: vcId } }],
  ];
  for (const [index, [member, change, answered]] of lies.entries())
    test(`is refused with another ${member} (${index})`, async () => {
      await assert.rejects(buyCredential(serviceWith(change, answered), orderOf()), (error) => {
        assert.ok(error instanceof SdkError && error.code === 'notAsOrdered', String(error));
        assert.equal(error.members[0], member);
        assert.ok(error.message.includes(`: ${member}`), error.message);
        return true;
      });
    });
});
