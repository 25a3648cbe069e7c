import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import {
  type ArrivedRequest,
  faultsOf,
  readServiceRequest,
  type ServiceRoute,
} from '../http/service-route.ts';
import type { JsonObject } from '../json/json.ts';
import { serviceDocument } from '../openapi/documents.ts';
import { settleEnvelope, settlementEnvelope, verifyEnvelope } from './facilitator-replies.ts';
import { issuedReply, paymentRequiredReply } from './replies.ts';
import { paymentRoutes } from './routes.ts';

const { paths, components } = serviceDocument('1');
const templateId = `did:zid:${'AB'.repeat(32)}`;
const publicKey = '0a'.repeat(32);
const data = JSON.stringify([{ templateId, metadata: { fullName: 'Ada' } }]);
const application = { data, signData: 'ff'.repeat(64), publicKey };

describe('requests about money', () => {
  test('a paid application keeps its text as it came', () => {
    const spaced = ` ${data} `;
    const request = readServiceRequest(paymentRoutes.applyForPaidCredential, {
      body: { ...application, data: spaced, expirationDate: '2030-01-01', paymentId: null },
    });
    assert.equal(request.data, spaced);
    assert.equal(request.templateId, templateId.toLowerCase());
    assert.equal(Buffer.from(request.signedBytes).toString(), spaced);
    assert.equal(request.validUntil, '2030-01-01T00:00:00Z');
    assert.equal(request.paymentId, undefined);
    assert.deepEqual([...request.attributes], [['fullName', 'Ada']]);
  });

  test('a quote makes the text', () => {
    const metadata = [{ key: 'fullName', value: 'Ada' }];
    const request = readServiceRequest(paymentRoutes.quotePaidCredential, {
      body: { templateId, metadata, publicKey },
    });
    assert.equal(request.data, JSON.stringify([{ templateId, metadata }]));
  });

  test('a policy has its defaults, and a price its one spelling', () => {
    const rules = readServiceRequest(paymentRoutes.setAutoIssue, {
      body: { templateId, perDayMax: 5, until: '2030-01-01' },
    });
    assert.deepEqual([rules.isEnabled, rules.allowReissue, rules.holders], [true, false, undefined]);
    assert.equal(readServiceRequest(paymentRoutes.setPrice, { body: { templateId, amount: 7 } }).amount, 7n);
  });

  const bad: readonly [keyof typeof paymentRoutes, ArrivedRequest][] = [
    ['applyForPaidCredential', { body: { ...application, data: '{' } }],
    ['applyForPaidCredential', { body: { ...application, data: '[]' } }],
    ['applyForPaidCredential', { body: { ...application, data: '[1]' } }],
    ['applyForPaidCredential', { body: { ...application, data: '[{"templateId":7,"metadata":{}}]' } }],
    ['applyForPaidCredential', { body: { ...application, data: '[{"templateId":"x"}]' } }],
    ['applyForPaidCredential', { body: { ...application, data: [] } }],
    ['applyForPaidCredential', { body: { ...application, signData: 'ff' } }],
    ['applyForPaidCredential', { body: { ...application, publicKey: 'ff' } }],
    ['applyForPaidCredential', { body: { ...application, expirationDate: 'soon' } }],
    ['quotePaidCredential', { body: { templateId, publicKey } }],
    ['setPrice', { body: { templateId, amount: '1e3' } }],
    ['setPrice', { body: { templateId, amount: '9223372036854775808' } }],
    ['setAutoIssue', { body: { templateId, perDayMax: 0, until: '2030-01-01' } }],
    ['setAutoIssue', { body: { templateId, perDayMax: 1, until: '2030-01-01', holders: ['x'] } }],
    [
      'preparePayment',
      { body: { clientAddress: 'a', payTo: 'b', amount: '-1', asset: 'ZTX', network: 'n' } },
    ],
    ['verifyPayment', { body: [] }],
    ['getSettlement', { query: {} }],
  ];
  for (const [name, arrived] of bad)
    test(`${name} refuses ${JSON.stringify(arrived).slice(0, 90)}`, () => {
      assert.throws(() => readServiceRequest(paymentRoutes[name] as ServiceRoute, arrived), Fault);
    });
});

/** Whether a value is as a schema says, as far as the facilitator's schemas go. */
function fits(value: unknown, schema: JsonObject): boolean {
  const { $ref, anyOf, oneOf, type, properties = {}, required = [], enum: words } = schema as Described;
  if ($ref !== undefined) return fits(value, components.schemas[$ref.split('/').at(-1) ?? ''] as JsonObject);
  if (anyOf && !anyOf.some((one) => fits(value, one))) return false;
  if (oneOf && oneOf.filter((one) => fits(value, one)).length !== 1) return false;
  if (words && !words.includes(value)) return false;
  if ('const' in schema && value !== schema.const) return false;
  if (type === 'integer' && !Number.isInteger(value)) return false;
  if ((type === 'string' || type === 'boolean') && typeof value !== type) return false;
  if (type === 'array' && !Array.isArray(value)) return false;
  if (type !== 'object') return true;
  if (typeof value !== 'object' || value === null) return false;
  const members = value as JsonObject;
  return (
    required.every((name) => Object.hasOwn(members, name)) &&
    Object.entries(properties).every(
      ([name, inner]) => !Object.hasOwn(members, name) || fits(members[name], inner),
    )
  );
}

interface Described {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonObject[];
  readonly oneOf?: readonly JsonObject[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonObject>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
}

test('every answer of the facilitator is as its description says', () => {
  const isDescribed = (name: FacilitatorRoute, status: number, body: JsonObject) => {
    const { path, method } = paymentRoutes[name];
    const operation = paths[path]?.[method.toLowerCase()] as unknown as DescribedOperation | undefined;
    const schema = operation?.responses[status]?.content['application/json']?.schema;
    assert.ok(schema && fits(body, schema), `${name} ${status} ${JSON.stringify(body)}`);
  };
  isDescribed('verifyPayment', 200, verifyEnvelope.success({ isValid: true, payer: 'p' }));
  const refused = { isValid: false, errorCode: 4006, errorMsg: 'nonce_not_next: x' };
  isDescribed('verifyPayment', 200, verifyEnvelope.success(refused));
  const settled = { status: 'CONFIRMED', txHash: 'h', network: 'n:t' };
  isDescribed('settlePayment', 200, settleEnvelope.success(settled));
  isDescribed('settlePayment', 202, settleEnvelope.success({ status: 'QUEUED', blobId: 'h' }));
  isDescribed('getSettlement', 200, settlementEnvelope.success(settled));
  for (const name of facilitatorNames)
    for (const code of faultsOf(paymentRoutes[name])) {
      const answer = paymentRoutes[name].envelope?.failure(new Fault(code), 'r');
      assert.ok(answer, name);
      isDescribed(name, answer.status, answer.body);
    }
});

interface DescribedOperation {
  readonly responses: Record<number, { content: Record<string, { schema: JsonObject }> }>;
}
const facilitatorNames = ['verifyPayment', 'settlePayment', 'getSettlement', 'preparePayment'] as const;
type FacilitatorRoute = (typeof facilitatorNames)[number];

test('asking for a settlement without an id is told what to send', () => {
  assert.throws(
    () => readServiceRequest(paymentRoutes.getSettlement, { query: {} }),
    ({ errors, message }: Fault) => {
      assert.match(`${message} ${JSON.stringify(errors)}`, /hash of the transaction/);
      return true;
    },
  );
});

describe('answers about money', () => {
  test('the demand of 402 is raw, and canonical in its header', () => {
    const reply = paymentRequiredReply({
      paymentId: 'id',
      templateId,
      templateName: 'Card',
      issuerAddress: 'i',
      network: 'n:t',
      payTo: 'p',
      asset: 'ZTX',
      amount: 5n,
      resource: 'https://x/y',
    });
    const body = JSON.parse(reply.text) as { x402Version: number; accepts: JsonObject[] };
    assert.deepEqual([reply.status, body.x402Version, body.accepts.length], [402, 1, 1]);
    assert.equal(typeof body.accepts[0]?.extra, 'object');
    const canonical = JSON.parse(
      Buffer.from(String(reply.headers?.['payment-required']), 'base64').toString(),
    );
    assert.equal(canonical.accepts[0].amount, '5');
    assert.equal(canonical.accepts[0].maxAmountRequired, undefined);
  });

  test('what cost nothing has no receipt', () => {
    const base = { vcId: 'v', paymentId: 'p', credential: {}, network: 'n:t', payer: 'a' };
    assert.equal(issuedReply({ ...base, txHash: null }).headers, undefined);
    assert.deepEqual(Object.keys(issuedReply({ ...base, txHash: 'h' }).headers ?? {}), [
      'x-payment-response',
      'payment-response',
    ]);
  });

  test('what was not judged has its own status and is no verdict; verifying says no with 200', () => {
    for (const envelope of [settleEnvelope, verifyEnvelope])
      for (const name of [
        'notAuthenticated',
        'pageRefused',
        'bodyTooLarge',
        'tooManyRequests',
        'ledgerFailed',
      ] as const) {
        const fault = new Fault(name);
        const { status, body } = envelope.failure(fault, 'r');
        assert.deepEqual([status, body.httpStatus, body.success], [fault.status, fault.status, false]);
        assert.deepEqual(body.object, { errorCode: fault.status, errorMsg: fault.message });
        assert.equal(body.isValid, undefined);
      }
    const lost = settleEnvelope.failure(new Fault('ledgerUnreachable'), 'r').body;
    assert.deepEqual([lost.errorReason, lost.transaction], ['ledger_unreachable', '']);
    const malformed = settleEnvelope.failure(new Fault('requestMalformed'), 'r');
    assert.deepEqual([malformed.status, (malformed.body.object as JsonObject).status], [400, 'REFUSED']);
    const limited = settleEnvelope.failure(new Fault('sponsorRefused'), 'r');
    assert.deepEqual([limited.status, limited.body.errorReason], [403, 'sponsor_refused']);
    const facts = { status: 'CONFIRMED', txHash: 'h' };
    const again = new Fault('paymentSettled', { reason: 'blobAlreadySettled', facts });
    const { status, body } = settleEnvelope.failure(again, 'r');
    const { status: state, txHash } = body.object as JsonObject;
    assert.deepEqual([status, state, txHash, body.success], [409, 'CONFIRMED', 'h', false]);
    const no = verifyEnvelope.failure(new Fault('requestMalformed'), 'r');
    assert.deepEqual([no.status, no.body.isValid], [200, false]);
    const queued = settleEnvelope.success({ status: 'QUEUED', blobId: 'h', txHash: 'h' });
    assert.deepEqual([queued.success, queued.errorReason], [false, 'settlement_pending']);
  });
});
