/**
 * The honest world that lies are told about: a real node, a real service, an issuer with keys in the service's vault
 * and one with keys of its own, a holder with credentials, customers with money, a token. Flows are taken down from it
 * once.
 */
import { encodeBbsPublicKey } from '@symbolon/core/did/did';
import type { ProofEngine, SignatureOrder, SignOrder } from '@symbolon/core/proofs/proof-engine';
import type { BbsSigningTask } from '@symbolon/sdk/flows/issuer-flows';
import {
  httpTransport,
  type Pins,
  publishKey,
  registerTemplate,
  type Signer,
  sendTransaction,
  signerFromSeed,
} from '@symbolon/sdk/index';
import type { JsonObject } from '@symbolon/wire/json/json';
import { issueTo, type PresentationWorld, startPresentationWorld } from '../support/credential-fixtures.ts';
import type { Owner } from '../support/owner.ts';
import { customer, deployToken, giveTokens, sell } from '../support/payment-world.ts';
import { shareProofs } from '../support/running-service.ts';
import { fewAttributes } from '../support/service-steps.ts';
import { makeParty, worldOf } from '../support/service-world.ts';

export interface OwnBbsKey {
  readonly publicKeyMultibase: string;
  readonly sign: (task: BbsSigningTask) => Promise<Uint8Array>;
}

export interface LiesWorld extends PresentationWorld {
  readonly serviceUrl: string;
  readonly fewTemplate: string;
  readonly fewTemplateName: string;
  /** Keeps its BBS key itself. */
  readonly ownKeys: {
    readonly signer: Signer;
    readonly did: string;
    readonly apiKey: string;
    readonly bbsKey: OwnBbsKey;
    readonly templateId: string;
  };
  readonly registries: { readonly templates: string; readonly credentials: string };
  /** What everybody knows of the network from elsewhere than from its servers. */
  readonly pins: Pins;
  /** Of the holder: of twelve attributes, and of a few. */
  readonly held: readonly [JsonObject, JsonObject];
  readonly heldFew: readonly [JsonObject, JsonObject];
  /** A new credential of a few attributes, issued as the documents say it, without the SDK. */
  readonly issueFew: () => Promise<JsonObject>;
  readonly sold: { readonly native: string; readonly token: string };
  readonly token: string;
  readonly buyer: Signer;
  readonly otherBuyer: Signer;
  readonly payer: Signer;
  /** Has published keys. */
  readonly keyed: Signer;
}

export const prices = { native: 250_000n, token: 40n } as const;

export async function startLiesWorld(owner: Owner): Promise<LiesWorld> {
  const world = await startPresentationWorld(owner, { proofs: shareProofs(owner) });
  const { service } = world;
  const engine = remembering(world.engine);
  const { issuer, ledger } = service;
  const { registries } = service.served.parts.ledger;
  const fewTemplateName = 'Proof of name';
  const template = { templateName: fewTemplateName, credentialFormat: [...fewAttributes], version: '1.0.0' };
  const { templateId: fewTemplate } = await registerTemplate(issuer.client, {
    signer: issuer.signer,
    ...template,
  });
  const { address: token, owner: tokenOwner } = await deployToken(ledger);
  const { steps, ...people } = worldOf(service);
  const issueFew = async () => (await steps.issue(people, fewTemplate)).vc;
  const seller = { ...worldOf(service), privateKey: service.demo.issuer.privateKey };
  const sold = {
    native: await sell(seller, { templateName: 'Club card', price: { amount: String(prices.native) } }),
    token: await sell(seller, {
      templateName: 'Gold card',
      price: { amount: String(prices.token), asset: token },
    }),
  };
  const somebody = async (name: string) => signerFromSeed((await customer(ledger, name)).seed);
  const [buyer, otherBuyer] = [await somebody('buyer'), await somebody('another buyer')];
  const [payer, keyed] = [await somebody('payer'), await somebody('keyed')];
  for (const { address: to } of [buyer, otherBuyer, payer])
    await giveTokens(ledger, { address: token, owner: tokenOwner }, { to, value: '1000' });
  await sendTransaction(ledger, {
    signers: [payer],
    operations: [{ issueAsset: { code: 'GOLD', amount: 77n } }],
  });
  return {
    ...world,
    engine,
    serviceUrl: service.url,
    fewTemplate,
    fewTemplateName,
    ownKeys: await startOwnKeys(world, engine),
    registries,
    pins: {
      chainId: 0n,
      templateRegistry: registries.templates,
      credentialRegistry: registries.credentials,
    },
    held: [await issueTo(world, world.holder), await issueTo(world, world.holder, { city: 'Oamaru' })],
    heldFew: [await issueFew(), await issueFew()],
    issueFew,
    sold,
    token,
    buyer,
    otherBuyer,
    payer,
    keyed,
  };
}

async function startOwnKeys(
  { service }: PresentationWorld,
  engine: PresentationWorld['engine'],
): Promise<LiesWorld['ownKeys']> {
  const { seed, apiKey, did } = await makeParty(service.served, 'issuer with own keys');
  await customer(service.ledger, 'issuer with own keys');
  const signer = await signerFromSeed(seed);
  const secretKey = new Uint8Array(32).fill(9);
  const publicKey = await engine.publicKeyOf(secretKey);
  const publicKeyMultibase = encodeBbsPublicKey(publicKey);
  await publishKey(service.ledger, { signer, type: 'Bls12381G2Key2020', publicKeyMultibase });
  const { templateId } = await registerTemplate(service.clientWith({ apiKey }), {
    signer,
    templateName: 'Own proof of name',
    credentialFormat: [...fewAttributes],
    version: '1.0.0',
  });
  const sign = (task: BbsSigningTask): Promise<Uint8Array> => engine.sign({ ...task, publicKey, secretKey });
  return { signer, did, apiKey, bbsKey: { publicKeyMultibase, sign }, templateId };
}

/** Signing and verifying take long, and most lies leave to be signed and verified what it was before. */
function remembering(engine: ProofEngine): ProofEngine {
  const known = new Map<string, Promise<unknown>>();
  const textOf = (order: unknown): string =>
    JSON.stringify(order, (_key, value) => {
      if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
      return typeof value === 'bigint' ? `${value}` : value;
    });
  const once =
    <Order, Answer>(name: string, work: (order: Order) => Promise<Answer>) =>
    (order: Order): Promise<Answer> => {
      const key = `${name} ${textOf(order)}`;
      const answer = (known.get(key) as Promise<Answer> | undefined) ?? work(order);
      known.set(key, answer);
      return answer;
    };
  return {
    publicKeyOf: (secretKey) => engine.publicKeyOf(secretKey),
    sign: once('sign', (order: SignOrder) => engine.sign(order)),
    verifySignature: once('verify', (order: SignatureOrder) => engine.verifySignature(order)),
    commit: (order) => engine.commit(order),
    derive: (order) => engine.derive(order),
    verifyProof: (order) => engine.verifyProof(order),
    derivePlain: (order) => engine.derivePlain(order),
    verifyPlain: (order) => engine.verifyPlain(order),
    makeRangeParameters: () => engine.makeRangeParameters(),
    close: () => engine.close(),
  };
}

export const ledgerTransport = ({ service }: Pick<LiesWorld, 'service'>) => httpTransport(service.node.url);
