/**
 * A world in which every text that a stranger can fill is an attempt to become code in somebody's browser: names of
 * templates and attributes, values, reasons, names and sites of parties, purposes, keys, callback addresses, metadata,
 * contract code, log topics and arguments of calls. All of it through the ordinary routes; what a route refuses is not a way in.
 */
import { signerFromPrivateKey } from '@symbolon/sdk/keys/signer';
import { sendTransaction } from '@symbolon/sdk/transactions/transactions';
import type { ConsoleWorld } from '../support/console-world.ts';
import { person } from '../support/people.ts';
import { attribute } from '../support/service-steps.ts';
import { fund, worldOf } from '../support/service-world.ts';

/** What it would do is seen from outside: the page would have another title. */
const code = "document.title='taken'";

/** A text that breaks out of an attribute, of an element, and of a script, and says what it is. */
export const hostile = (what: string): string =>
  `"'><img src=x onerror="${code}"><script>${code}</script>{{${what}}}`;

/** The same, but for a reader of whom the page obeys it: it says something else from there on. */
const turned = (text: string): string => `\u200b${text}\u202e gnihtemos \u2066`;

export interface HostileWorld {
  readonly templateId: string;
  /** Applied for, not decided. */
  readonly pending: string;
  readonly rejected: string;
  readonly issued: string;
  readonly sessionId: string;
  /** Of an account with metadata and a contract. */
  readonly account: string;
  readonly contract: string;
  /** Of transactions that wrote them. */
  readonly transactions: readonly string[];
}

const contractCode = `"use strict";
// ${turned(hostile('contract code'))}
function init(input) {
  return;
}
function main(input) {
  Chain.tlog(input, "second");
}
function query(input) {
  return input;
}
`;

async function fillLedger({ service }: ConsoleWorld) {
  const { ledger } = service;
  const stranger = person('hostile stranger');
  await fund(ledger, [stranger], 10_000_000_000n);
  const signer = await signerFromPrivateKey(stranger.privateKey);
  const send = (operation: Parameters<typeof sendTransaction>[1]['operations'][number]) =>
    sendTransaction(ledger, { signers: [signer], operations: [operation] });
  const metadata = new TextEncoder().encode(hostile('operation metadata'));
  const kept = await send({
    setMetadata: { key: hostile('metadata key').slice(0, 200), value: turned(hostile('metadata value')) },
    metadata,
  });
  const made = await send({
    createAccount: {
      initBalance: 0n,
      contract: { payload: contractCode },
      priv: { masterWeight: 0n, thresholds: { txThreshold: 1n } },
      initInput: hostile('init input'),
    },
  });
  const history = await ledger.getTransactionHistory({ hash: made.hash });
  const contract = String(
    JSON.parse(history.result?.transactions?.[0]?.error_desc ?? '[]')[0]?.contract_address ?? '',
  );
  const called = await send({
    payCoin: { destAddress: contract, amount: 0n, input: turned(hostile('log topic').slice(0, 120)) },
  });
  return {
    account: stranger.address,
    contract,
    transactions: [kept.hash, made.hash, called.hash],
  };
}

async function fillService({ service }: ConsoleWorld) {
  const { steps, issuer, holder } = worldOf(service);
  const attributes = [{ ...attribute('fullName', 'string', 1), attribute: hostile('attribute label') }];
  const made = await steps.registerTemplate(issuer, { templateName: hostile('template name'), attributes });
  const templateId = made.templateId as string;
  const values = { fullName: turned(hostile('attribute value')) };
  const [pending, rejected] = [
    await steps.apply(person('hostile one'), templateId, values),
    await steps.apply(person('hostile two'), templateId, values),
  ];
  await service.issuer.client.rejectApplication({ vcId: rejected, reason: turned(hostile('rejection')) });
  const { vcId: issued } = await steps.issue({ issuer, holder }, templateId, values);
  const { client } = service.verifier;
  const { presentationId: sessionId } = await client.requestVerification({
    requirements: {
      credentials: [
        {
          id: templateId,
          format: 'ldp_vc',
          claims: [{ path: ['credentialSubject', 'fullName'] }],
        },
      ],
    },
    purpose: hostile('purpose'),
    callbackUrl: `https://example.org/${encodeURI(hostile('callback'))}`,
  });
  await service.issuer.client.makeApiKey({ label: hostile('label of a key'), scopes: ['issue'] });
  return { templateId, pending, rejected, issued, sessionId };
}

export async function makeHostileWorld(world: ConsoleWorld): Promise<HostileWorld> {
  return { ...(await fillLedger(world)), ...(await fillService(world)) };
}
