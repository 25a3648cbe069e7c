/**
 * How a payment looks on the wire, as JSON Schema: the family's form, and the canonical one, with what the payee asks
 * for beside either. The OpenAPI document shows it, and the members that it names are those that are known in each
 * place (`payloads.ts` reads them and complains). `extra`, `extensions` and `resource` are x402's open places: whatever
 * stands there is taken, and of it only the id of the offer is read.
 */
const text = { type: 'string' };
const open = (description: string): object => ({ description: `Not used. ${description}` });

interface Shape {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

const object = (properties: Record<string, object>, required = Object.keys(properties)): Shape => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const version = { x402Version: { enum: [1, 2] } };
const resource = open('What is paid for, described for people');
const extra = {
  type: 'object',
  properties: { paymentId: { ...text, description: 'The offer that is answered' } },
};
const validBefore = {
  type: 'integer',
  description: 'Until when the payment can be settled, in seconds since 1970',
};

const signature = object({ public_key: text, sign_data: text });
const clientSignature = object({ signBlob: text, publicKey: text });

const signed = object(
  {
    type: { const: 'signed_transaction' },
    transactionBlob: { ...text, description: 'The serialized transaction in hex; its bytes are signed' },
    signatures: { type: 'array', minItems: 1, maxItems: 1, items: signature },
    validBefore,
  },
  ['transactionBlob', 'signatures', 'validBefore'],
);

const prepared = object(
  {
    type: { const: 'facilitator_prepared' },
    blobId: text,
    blob: { ...text, description: 'Hex, as prepare answered it' },
    hash: open('Of the blob: it is computed'),
    clientSignature,
    validBefore,
  },
  ['type', 'blobId', 'blob', 'clientSignature', 'validBefore'],
);

const terms = {
  scheme: text,
  network: text,
  payTo: text,
  asset: text,
  amount: { ...text, description: 'A whole number in the smallest unit' },
  maxAmountRequired: { ...text, description: 'What version 1 calls the amount' },
  maxTimeoutSeconds: { type: 'integer', minimum: 0 },
  extra,
  resource,
  description: open('What is paid for, in words'),
  mimeType: open('Of what is paid for'),
  outputSchema: open('Of what is paid for'),
};
const requirements = object(terms, ['network', 'payTo', 'asset']);
/** What the payer has agreed to: of the requirements those that the client repeats. */
const accepted = object(terms, ['scheme', 'network']);

const payload = { oneOf: [signed, prepared] };
const extensions = open("x402's extensions");
const familyForm = object({ ...version, scheme: { const: 'exact' }, network: text, payload }, [
  'scheme',
  'network',
  'payload',
]);
const canonicalForm = object(
  { ...version, scheme: text, network: text, resource, accepted, payload, extensions },
  ['accepted', 'payload'],
);
const { properties: familyMembers, required: familyRequired } = familyForm;
const familyBody = object({ ...familyMembers, paymentRequirements: requirements }, [...familyRequired]);
const canonicalBody = object(
  {
    ...version,
    paymentPayload: { oneOf: [familyForm, canonicalForm] },
    paymentRequirements: requirements,
  },
  ['paymentPayload'],
);

export const paymentDocument = { oneOf: [familyBody, canonicalBody] };

const namesOf = ({ properties }: Shape): readonly string[] => Object.keys(properties);

/** The members that are known in each place. */
export const paymentMembers = {
  familyBody: [...new Set([...namesOf(familyBody), ...namesOf(canonicalForm)])],
  canonicalBody: namesOf(canonicalBody),
  payment: namesOf(canonicalForm),
  accepted: namesOf(accepted),
  requirements: namesOf(requirements),
  signed: namesOf(signed),
  prepared: namesOf(prepared),
  signature: namesOf(signature),
  clientSignature: namesOf(clientSignature),
} as const;
