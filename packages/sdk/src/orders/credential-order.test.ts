/**
 * Issuing before a service that lies: it drafts another credential than was ordered, in one member each time, with
 * digests and signatures that fit its lie. The issuer signs nothing of it, and the member is named.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeBase64, encodeHex, encodeUtf8, parseHex } from '@symbolon/core/basics/bytes';
import { instantTextOfUnixMs } from '@symbolon/core/basics/calendar';
import {
  assembleCredential,
  attachProofs,
  contentsCommitment,
  issuerSigningInput,
} from '@symbolon/core/credential/credential-assembly';
import { credentialHeader, credentialMessages } from '@symbolon/core/credential/credential-messages';
import { encodeProofValue } from '@symbolon/core/credential/credential-shapes';
import { issuerProofOptions } from '@symbolon/core/credential/issuer-proof-options';
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import type { IssuerProofOptions, Template, UnsignedCredential } from '@symbolon/core/documents/model';
import { templateId as templateIdOf } from '@symbolon/core/names/template-names';
import { commitContents } from '@symbolon/core/proofs/commitment';
import type { ProofEngine } from '@symbolon/core/proofs/proof-engine';
import type { JsonObject } from '@symbolon/wire/json/json';
import { SdkError } from '../errors/errors.ts';
import { type IssuanceOrder, issueCredential } from '../flows/issuer-flows.ts';
import { didOfSigner, type Signer, signerFromSeed } from '../keys/signer.ts';
import { createDockEngine } from '../proofs/dock-engine.ts';
import type { CredentialClient } from '../service/credential-client.ts';

const registry = 'ZTX3Ta7d4GyAXD41H2kFCTd2eXhDesM83rvC3';
const otherRegistry = 'ZTX3ePgtQdPxVoXiePYG5rEn2AQFN5Zh4xKXi';
const holder = `did:zid:${'a'.repeat(64)}`;
const eve = `did:zid:${'e'.repeat(64)}`;
const vcId = `did:zid:${'c'.repeat(64)}`;
const otherId = `did:zid:${'d'.repeat(64)}`;
const now = Date.parse('2026-11-16T12:00:00Z');
const created = '2026-11-16T12:00:00Z';
const validUntil = '2030-12-31T00:00:00Z';
const bbsSecret = new Uint8Array(32).fill(3);

let engine: ProofEngine;
let signer: Signer;
let bbsKey: string;
let bbsPublic: Uint8Array;
let template: Template;
let signed: Uint8Array[];

before(async () => {
  engine = await createDockEngine();
  bbsPublic = await engine.publicKeyOf(bbsSecret);
  bbsKey = encodeBbsPublicKey(bbsPublic);
  const own = await signerFromSeed(new Uint8Array(32).fill(7));
  const sign = (bytes: Uint8Array) => {
    signed.push(bytes);
    return own.sign(bytes);
  };
  signer = { ...own, sign };
  const issuer = didOfSigner(signer);
  template = {
    id: templateIdOf({ issuer, name: 'Library card' }, { didMethod: 'zid', sha256 }),
    name: 'Library card',
    version: '1.2.0',
    issuer,
    attributes: [
      { key: 'name', label: 'Name', type: 'text', format: 'string', mandatory: true },
      { key: 'points', label: 'Points', type: 'integer', format: 'integer', mandatory: false },
    ],
  };
});
after(() => engine.close());
beforeEach(() => {
  signed = [];
});

/** As the wire spells it. */
const wireTemplate = () => ({
  templateName: template.name,
  version: template.version,
  issuerDid: template.issuer,
  templateId: template.id,
  credentialFormat: [
    { attribute: 'Name', key: 'name', format: 'string', type: 1, mandatory: true },
    { attribute: 'Points', key: 'points', format: 'integer', type: 3, mandatory: false },
  ] as const,
});

const orderOf = (changes: Partial<IssuanceOrder> = {}): IssuanceOrder => ({
  signer,
  bbsKey: { publicKeyMultibase: bbsKey },
  vcId,
  holder,
  templateId: template.id,
  templateVersion: template.version,
  template: wireTemplate(),
  attributes: { name: 'Ann', points: '5' },
  expiredDate: '2030-12-31',
  pins: { credentialRegistry: registry },
  engine,
  now,
  ...changes,
});

type Loose = UnsignedCredential & { credentialSubject: JsonObject };

interface Lie {
  readonly credential?: (credential: Loose) => object;
  readonly options?: (options: IssuerProofOptions) => object;
  readonly salt?: string;
  /** What is shown is as ordered, and what is to be signed is not. */
  readonly isHidden?: boolean;
  readonly bbsSecret?: Uint8Array;
  readonly bbs?: string;
  readonly issued?: (credential: JsonObject) => object;
}

const honest = (): UnsignedCredential =>
  assembleCredential({
    id: vcId,
    template,
    holder,
    values: { name: 'Ann', points: 5 },
    validFrom: created,
    validUntil,
    registry: { networkId: 'zetrix:testnet', address: registry },
  });

const signedContents = (credential: UnsignedCredential, salt: string) => ({
  header: credentialHeader(credential, credential.credentialSubject.id),
  messages: credentialMessages({ ...credential, salt }, sha256),
});

function serviceWith(lie: Lie): CredentialClient {
  const salt = lie.salt ?? encodeProofValue(new Uint8Array(32).fill(9));
  const told = structuredClone(lie.credential?.(honest() as Loose) ?? honest()) as UnsignedCredential;
  const plain = issuerProofOptions(told, created);
  const options = (lie.options?.(plain) ?? plain) as IssuerProofOptions;
  const contents = contentsCommitment(salt, commitContents(signedContents(told, salt)));
  const shown = lie.isHidden ? honest() : told;
  const stub = {
    async createCredential() {
      const secretKey = lie.bbsSecret ?? bbsSecret;
      const publicKey = await engine.publicKeyOf(secretKey);
      const order = { interface: 'typed', publicKey, secretKey, ...signedContents(told, salt) } as const;
      return {
        ed25519Blob: encodeHex(issuerSigningInput({ credential: told, options, contents }, sha256)),
        bbsBlsBase64: lie.bbs ?? encodeBase64(await engine.sign(order)),
        unsigned: {
          credential: structuredClone(shown),
          proofOptions: lie.isHidden ? issuerProofOptions(shown, created) : options,
          salt,
        },
      };
    },
    async submitCredential(body: Record<string, string>) {
      const credential = attachProofs(told, {
        bbs: {
          created,
          verificationMethod: `${told.issuer}#delegateKey-1`,
          signature: Uint8Array.from(Buffer.from(body.bbsBlsSignData, 'base64')),
          contents,
        },
        issuer: { options, signature: parseHex(body.ed25519SignData) as Uint8Array },
      });
      const plainCredential = structuredClone(credential) as unknown as JsonObject;
      const vcObject = lie.issued?.(plainCredential) ?? plainCredential;
      return { vcObject, downloadExpiryDate: '2026-12-16T12:00:00Z' };
    },
    getTemplate: async () => ({ ...wireTemplate(), txHash: 'f'.repeat(64) }),
  };
  return stub as unknown as CredentialClient;
}

async function refuses(member: string, order: Promise<unknown>): Promise<void> {
  await assert.rejects(order, (error) => {
    assert.ok(error instanceof SdkError && error.code === 'notAsOrdered', String(error));
    assert.equal(error.members[0], member, error.message);
    assert.ok(error.message.includes(`: ${member}`), error.message);
    assert.doesNotMatch(error.message, /Ann|Eve/);
    return true;
  });
}

const frame = (changes: object): Lie => ({ credential: (it) => ({ ...it, ...changes }) });
const subject = (changes: object): Lie => ({
  credential: (it) => ({ ...it, credentialSubject: { ...it.credentialSubject, ...changes } }),
});
const schema = (change: (schema: UnsignedCredential['credentialSchema']) => object): Lie => ({
  credential: (it) => ({ ...it, credentialSchema: change(it.credentialSchema) }),
});
const statusAt = (address: string, id: string, network = 'zetrix:testnet'): Lie =>
  frame({
    credentialStatus: { id: `ledger:${network}:${address}#${id}`, type: 'LedgerCredentialStatus2026' },
  });

describe('a credential', () => {
  test('is issued as it was ordered', async () => {
    const { vcObject } = await issueCredential(serviceWith({}), orderOf());
    assert.deepEqual((vcObject.credentialSubject as JsonObject).points, 5);
    assert.equal(signed.length, 1);
  });

  test('is issued without pins and template, on the word of the service', async () => {
    const { template: _given, pins: _pinned, ...order } = orderOf();
    await issueCredential(serviceWith({}), order);
    assert.equal(signed.length, 1);
  });

  test("is signed with the issuer's own BBS+ key over what was computed", async () => {
    const tasks: unknown[] = [];
    const sign = async (task: object) => {
      tasks.push(task);
      return engine.sign({
        ...(task as ReturnType<typeof signedContents>),
        interface: 'typed',
        publicKey: bbsPublic,
        secretKey: bbsSecret,
      });
    };
    const texts = ['{"another":"header"}', 'name: Eve', '#1'];
    const bbs = encodeBase64(encodeUtf8(JSON.stringify(texts)));
    const order = orderOf({ bbsKey: { publicKeyMultibase: bbsKey, sign } });
    await issueCredential(serviceWith({ bbs }), order);
    const salt = encodeProofValue(new Uint8Array(32).fill(9));
    assert.deepEqual(tasks, [{ interface: 'typed', ...signedContents(honest(), salt) }]);
  });

  const lies: readonly [member: string, lie: Lie][] = [
    ['id', frame({ id: otherId })],
    ['credentialSubject.id', subject({ id: eve })],
    ['credentialSubject.name', subject({ name: 'Eve' })],
    ['credentialSubject.points', subject({ points: 6 })],
    [
      'credentialSubject.points',
      {
        credential: ({ credentialSubject: { points: _gone, ...rest }, ...it }) => ({
          ...it,
          credentialSubject: rest,
        }),
      },
    ],
    ['type[1]', frame({ type: ['VerifiableCredential', 'Passport'] })],
    ['issuer', frame({ issuer: eve })],
    ['validFrom', frame({ validFrom: '2020-01-01T00:00:00Z' })],
    ['validUntil', frame({ validUntil: '2099-12-31T00:00:00Z' })],
    ['credentialSchema.id', schema((it) => ({ ...it, id: otherId }))],
    ['credentialSchema.version', schema((it) => ({ ...it, version: '2.0.0' }))],
    [
      'credentialSchema.attributes[0].key',
      schema((it) => ({ ...it, attributes: [...it.attributes].reverse() })),
    ],
    [
      'credentialSchema.attributes[0].format',
      schema((it) => ({ ...it, attributes: [{ ...it.attributes[0], format: 'text' }, it.attributes[1]] })),
    ],
    [
      'credentialSchema.attributes[2]',
      schema((it) => ({
        ...it,
        attributes: [...it.attributes, { key: 'more', type: 'text', format: 'string' }],
      })),
    ],
    ['credentialStatus.id', statusAt(otherRegistry, vcId)],
    ['credentialStatus.id', statusAt(registry, otherId)],
    ['credentialStatus.id', statusAt(registry, vcId, 'zetrix:mainnet')],
    ['evidence', frame({ evidence: 'none' })],
    ['ed25519Blob', { ...subject({ name: 'Eve' }), isHidden: true }],
    [
      'proofOptions.registryEntry.validUntil',
      {
        options: (it) => ({
          ...it,
          registryEntry: { ...it.registryEntry, validUntil: '2099-12-31T00:00:00Z' },
        }),
      },
    ],
    [
      'proofOptions.verificationMethod',
      { options: (it) => ({ ...it, verificationMethod: `${eve}#controllerKey` }) },
    ],
    ['proofOptions.created', { options: (it) => ({ ...it, created: '2036-11-16T12:00:00Z' }) }],
    ['proofOptions.created', { options: (it) => ({ ...it, created: '2016-11-16T12:00:00Z' }) }],
    ['salt', { salt: 'uAAAA' }],
    ['bbsBlsBase64', { bbsSecret: new Uint8Array(32).fill(4) }],
    ['bbsBlsBase64', { bbs: encodeBase64(new Uint8Array(80).fill(1)) }],
  ];
  for (const [index, [member, lie]] of lies.entries())
    test(`is not signed with another ${member} (${index})`, async () => {
      await refuses(member, issueCredential(serviceWith(lie), orderOf({ validFrom: created })));
      assert.deepEqual(signed, []);
    });

  test('begins when it was drafted, if nothing else was ordered', async () => {
    const later = frame({ validFrom: instantTextOfUnixMs(now + 1_000) });
    await refuses('validFrom', issueCredential(serviceWith(later), orderOf()));
    await issueCredential(serviceWith({}), orderOf({ now: now + 3_600_000 }));
    assert.equal(signed.length, 1, 'a draft may wait for its signature');
  });

  test('is refused where the service has another template than the ordered one', async () => {
    const { template: _given, ...order } = orderOf();
    const other = {
      ...serviceWith({}),
      getTemplate: async () => ({ ...wireTemplate(), templateName: 'Passport' }),
    };
    await refuses('templateId', issueCredential(other as never, order));
    const older = { ...serviceWith({}), getTemplate: async () => ({ ...wireTemplate(), version: '1.0.0' }) };
    await refuses('version', issueCredential(older as never, order));
    assert.deepEqual(signed, []);
  });

  test('has the attributes that the template has in the pinned registry', async () => {
    const { template: _given, ...order } = orderOf();
    const [first, second] = wireTemplate().credentialFormat;
    const applyFormat = (attributes: object[]) => JSON.stringify(attributes);
    const ledgerWith = (stored: object | undefined) => ({
      getAccountMetaData: async ({ key }: { key: string }) => ({
        result: stored && { [key]: { key, value: JSON.stringify(stored), version: 1 } },
      }),
    });
    const recorded = { ...wireTemplate(), applyFormat: applyFormat([first, second]) };
    const pins = { ...order.pins, templateRegistry: registry };
    const issue = (stored: object | undefined) =>
      issueCredential(serviceWith({}), { ...order, pins, ledger: ledgerWith(stored) as never });
    await issue(recorded);
    assert.equal(signed.length, 1);
    signed = [];
    const typed = applyFormat([first, { ...second, type: 4, format: 'decimal' }]);
    await refuses('credentialSchema.attributes[1].type', issue({ ...recorded, applyFormat: typed }));
    await refuses('templateId', issue({ ...recorded, templateName: 'Passport' }));
    await refuses('templateVersion', issue(undefined));
    await refuses('credentialFormat', issue({ ...recorded, applyFormat: 'no JSON' }));
    assert.deepEqual(signed, []);
  });

  test('is signed for the pinned chain alone, and the service is asked for nothing before', async () => {
    const drafts: object[] = [];
    const service = serviceWith({});
    const watched = {
      ...service,
      createCredential: (body: never) => {
        drafts.push(body);
        return service.createCredential(body);
      },
    };
    const ledger = { getLedger: async () => ({ result: { header: { chain_id: 3n } } }) };
    const issue = (chainId: bigint) => {
      const order = orderOf();
      return issueCredential(watched as never, {
        ...order,
        pins: { ...order.pins, chainId },
        ledger: ledger as never,
      });
    };
    await assert.rejects(issue(7n), { code: 'notAsOrdered', message: /chain 3, and chain 7 is meant/ });
    assert.deepEqual([signed, drafts], [[], []]);
    await issue(3n);
    assert.equal(signed.length, 1);
    signed = [];
  });

  test('that differs from a pin, or from who signs, says so with both values', async () => {
    const against = async (order: Partial<IssuanceOrder>) => {
      const error = await issueCredential(serviceWith({}), { ...orderOf(), ...order }).catch((it) => it);
      assert.ok(error instanceof SdkError && error.code === 'notAsOrdered', String(error));
      return error.against;
    };
    const other = 'ZTX3otherRegistryAddressOfTheSameForm';
    assert.deepEqual(await against({ pins: { credentialRegistry: other } }), {
      name: 'credentialRegistry',
      expected: other,
      offered: registry,
    });
    const stranger = await signerFromSeed(new Uint8Array(32).fill(77));
    assert.deepEqual(await against({ signer: stranger }), {
      name: 'signer',
      expected: didOfSigner(stranger),
      offered: orderOf().templateId,
    });
    assert.deepEqual(signed, []);
  });

  test('is the one that was signed, whatever the service answers afterwards', async () => {
    const issued = (it: JsonObject) => ({ ...it, credentialSubject: { id: eve } });
    await refuses('credentialSubject.id', issueCredential(serviceWith({ issued }), orderOf()));
  });

  test('is not ordered without saying whose and what', async () => {
    for (const missing of ['holder', 'attributes', 'templateVersion'] as const) {
      const { [missing]: _left, ...order } = orderOf();
      await assert.rejects(issueCredential(serviceWith({}), order as never), { code: 'invalidArgument' });
    }
    assert.deepEqual(signed, []);
  });
});
