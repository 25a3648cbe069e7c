/** Bodies of the service are orders: a member that is not known is refused by the nearest name, not dropped. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allRoutes } from '../openapi/all-routes.ts';
import { toleratedMembers } from './schema-parts.ts';
import { readServiceRequest, type ServiceRoute } from './service-route.ts';

/** The answer of a wallet, which OpenID leaves open. */
const openBodies = new Set(['submitToSession']);

const complaintsAbout = (name: string, body: Record<string, unknown>): string => {
  const route = allRoutes[name as keyof typeof allRoutes];
  try {
    readServiceRequest(route, { body: body as never });
    return '';
  } catch (error) {
    return JSON.stringify((error as { errors?: unknown }).errors);
  }
};

describe('a body', () => {
  for (const [name, { body, ignoresUnknown }] of Object.entries<ServiceRoute>(allRoutes)) {
    if (!body || openBodies.has(name)) continue;
    const unknown = /"\/zzzz"|zzzz.{0,4} is not known here/;
    // The standards have wallets send what others may not know.
    if (ignoresUnknown)
      test(`of ${name} may have members that are not known`, () => {
        assert.doesNotMatch(complaintsAbout(name, { zzzz: 1 }), unknown);
      });
    else
      test(`of ${name} has no members that are not known`, () => {
        assert.match(complaintsAbout(name, { zzzz: 1 }), unknown);
      });
  }

  for (const [name, member, meant] of [
    ['submitCredential', 'keyexpiry', 'keyExpiry'],
    ['createSuspensionBlob', 'remrk', 'remark'],
    ['createSuspensionBlob', 'vcIds', 'vcId'],
    ['createBulkRevocationBlob', 'remrk', 'remark'],
    ['createTemplateBlob', 'remrk', 'remark'],
    ['createTemplateBlob', 'acceptUnbond', 'acceptUnbound'],
    ['downloadCredential', 'isissuer', 'isIssuer'],
    ['setAutoIssue', 'allowReisue', 'allowReissue'],
  ] as const) {
    test(`of ${name} with ${member} is answered with ${meant}`, () => {
      assert.ok(complaintsAbout(name, { [member]: 1 }).includes(`did you mean \\"${meant}\\"?`));
    });
  }

  test('of an attribute, or of a signer in a list, is an order too', () => {
    const credentialFormat = [
      { attribute: 'n', key: 'n', format: 'string', type: 1, mandatory: true, min: 1 },
    ];
    assert.match(complaintsAbout('createTemplateBlob', { credentialFormat }), /min.{0,4} is not known here/);
    const signerList = [{ signBlob: 'ab', publicKey: 'cd', weight: 2 }];
    assert.match(complaintsAbout('submitTemplate', { signerList }), /weight.{0,4} is not known here/);
  });

  test('of what is applied for is an order to its last member', () => {
    const templateId = `did:zid:${'0'.repeat(64)}`;
    const metadata = [{ key: 'name', value: 'A', zz: 1 }];
    for (const [name, body] of [
      ['applyForCredential', { templateId, metadata, signData: 'ab' }],
      ['quotePaidCredential', { templateId, metadata, publicKey: 'cd' }],
      ['applyForPaidCredential', paidBody([{ templateId, metadata }])],
    ] as const)
      assert.match(complaintsAbout(name, body), /zz.{0,4} is not known here/, name);
    for (const element of ['"expirationDate":"2099-01-01"', '"__proto__":{}', '"templateID":"x"'])
      assert.match(
        complaintsAbout(
          'applyForPaidCredential',
          paidBody(`[{"templateId":"${templateId}","metadata":{},${element}}]`),
        ),
        /is not known here/,
        element,
      );
  });
});

const paidBody = (content: unknown) => ({
  data: typeof content === 'string' ? content : JSON.stringify(content),
  signData: 'ab',
  publicKey: 'cd',
});

describe('what public clients send beside an order', () => {
  for (const [name, member] of [
    ['createTemplateBlob', 'issuerAddress'],
    ['createTemplate', 'issuerAddress'],
    ['applyForCredential', 'x25519PublicKey'],
    ['downloadCredential', 'x25519PublicKey'],
  ] as const)
    test(`${member} to ${name} is taken`, () => {
      for (const value of ['text', null])
        assert.doesNotMatch(complaintsAbout(name, { [member]: value }), new RegExp(`${member}`));
    });

  test('is in one table, each with its meaning', () => {
    for (const members of Object.values(toleratedMembers))
      for (const why of Object.values(members)) assert.match(why, /^[A-Z].{20,}/);
  });
});
