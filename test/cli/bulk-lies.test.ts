/**
 * Issuing from a table before a service that lies: the row is the order. What the service drafts for it, of another
 * holder, with other values or another end, gets no signature, and neither does an application that nobody signed.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { type IssuingClient, type IssuingParts, issueRow } from '@symbolon/cli/bulk/issue-row';
import { openJournal } from '@symbolon/cli/bulk/journal';
import { createPatience } from '@symbolon/cli/bulk/retry';
import {
  applyForCredential,
  type CredentialReply,
  didOfSigner,
  registerTemplate,
  type Signer,
  signerFromSeed,
} from '@symbolon/sdk/index';
import { ownerOfSuite } from '../support/owner.ts';
import { person } from '../support/people.ts';
import { type RunningService, shareProofs, startService } from '../support/running-service.ts';
import { tempFolder } from '../support/temp-folder.ts';

const credentialFormat = [
  { attribute: 'Full name', key: 'fullName', format: 'string', type: 1, mandatory: true },
  { attribute: 'Points', key: 'points', format: 'integer', type: 3, mandatory: false },
] as const;

const owner = ownerOfSuite();
const proofs = shareProofs(owner);

type Lies = (client: RunningService['issuer']['client'], eves: string) => Partial<IssuingClient>;
type Shown = CredentialReply<'getApplication'>;

describe('a row before a service that lies', () => {
  let world: Promise<{ service: RunningService; templateId: string }> | undefined;
  const running = async () => {
    const service = await startService(owner, { proofs });
    const { client, signer } = service.issuer;
    const order = { signer, templateName: 'Course', version: '1.0.0', credentialFormat };
    const { templateId } = await registerTemplate(client, order);
    return { service, templateId };
  };
  let count = 0;

  async function issueFor(context: Parameters<typeof tempFolder>[0], values: object, lies: Lies) {
    world ??= running();
    const { service, templateId } = await world;
    const { client, signer, did: issuer, bbsPublicKey } = service.issuer;
    count += 1;
    const apply = async (name: string, attributes: Record<string, string>) => {
      const who = await signerFromSeed(person(`${name} ${count}`).seed);
      const { vcId } = await applyForCredential(service.stranger, { signer: who, templateId, attributes });
      return { vcId, did: didOfSigner(who) };
    };
    const ann = await apply('ann', { fullName: 'Ann', points: '5' });
    const eve = await apply('eve', { fullName: 'Ann', points: '5' });
    const signed: Uint8Array[] = [];
    const watched: Signer = {
      ...signer,
      sign: (bytes) => {
        signed.push(bytes);
        return signer.sign(bytes);
      },
    };
    const file = path.join(tempFolder(context), 'journal');
    const validUntilDefault = '2099-01-01T00:00:00Z';
    const journal = await openJournal({ file, templateId, signer, validUntil: undefined, validUntilDefault });
    const parts: IssuingParts = {
      client: { ...client, ...lies(client, eve.vcId) },
      holderClient: service.stranger,
      ...{ signer: watched, issuer, templateId, journal, mode: 'holder', patiently: createPatience() },
      bbsKey: { publicKeyMultibase: bbsPublicKey },
      template: await client.getTemplate({ templateId }),
      network: {},
      waiting: new Map([[ann.did, ann.vcId]]),
    };
    const row = { row: 1, line: 2, subject: ann.did, values: values as Record<string, string> };
    try {
      return { outcome: await issueRow(parts, row, undefined), signed };
    } finally {
      await journal.close();
    }
  }

  const drafting =
    (change: object): Lies =>
    (client) => ({
      createCredential: (body, options) => client.createCredential({ ...body, ...change }, options),
    });
  const showing =
    (change: (shown: Shown) => Partial<Shown>): Lies =>
    (client) => ({
      getApplication: async (...question) => {
        const shown = await client.getApplication(...question);
        return { ...shown, ...change(shown) };
      },
    });
  const resigned = (content: (content: string) => string) =>
    showing(({ signed }) => ({ signed: signed && { ...signed, content: content(signed.content) } }));

  const whole = { fullName: 'Ann', points: 5 };
  const partly = { fullName: 'Ann' };
  const lies: readonly [name: string, values: object, lies: Lies, reason: RegExp][] = [
    ['other values', whole, drafting({ issuanceData: { fullName: 'Eve' } }), /credentialSubject\.fullName$/],
    ['a later end', whole, drafting({ expiredDate: '2199-01-01' }), /validUntil$/],
    ['an earlier beginning', whole, drafting({ validFrom: '2001-01-01' }), /validFrom$/],
    [
      "somebody else's application",
      whole,
      (client, eves) => ({
        createCredential: (body, options) => client.createCredential({ ...body, vcId: eves }, options),
        submitCredential: (body, options) => client.submitCredential({ ...body, vcId: eves }, options),
      }),
      /: (id or vcId|credentialSubject\.id)$/,
    ],
    ['values nobody applied with', partly, drafting({ issuanceData: { points: 9 } }), /points$/],
    [
      'an application that says something else',
      partly,
      resigned((text) => text.replace('5', '9')),
      /signedText/,
    ],
    [
      "an application of another holder's",
      partly,
      showing(() => ({ holder: `did:zid:${'e'.repeat(64)}` })),
      /./,
    ],
    ['an application that nobody signed', partly, showing(() => ({ signed: undefined })), /no signature/],
  ];
  for (const [name, values, lie, reason] of lies)
    test(`${name}: nothing is signed`, async (context) => {
      const { outcome, signed } = await issueFor(context, values, lie);
      assert.ok('reason' in outcome, 'the row is not issued');
      assert.match(outcome.reason, reason);
      assert.deepEqual(signed, []);
    });

  test('and before an honest one it is issued', async (context) => {
    const { outcome, signed } = await issueFor(context, partly, () => ({}));
    assert.ok('vcId' in outcome);
    assert.equal(signed.length, 1);
  });
});
