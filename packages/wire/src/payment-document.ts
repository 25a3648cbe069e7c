/**
 * How a payment looks on the wire, as JSON Schema for the OpenAPI document: the family's form, and the canonical one with
 * what the payee asks for beside it. What is read of it, and complained about, is in `payment-payloads.ts`.
 */
const text = { type: 'string' };
const object = (properties: Record<string, object>, required = Object.keys(properties)): object => ({
  type: 'object',
  properties,
  required,
});

const payload = {
  oneOf: [
    object(
      {
        type: { const: 'signed_transaction' },
        transactionBlob: { ...text, description: 'Hex of the transaction' },
        signatures: {
          type: 'array',
          minItems: 1,
          maxItems: 1,
          items: object({ public_key: text, sign_data: text }),
        },
        validBefore: { type: 'integer', description: 'Seconds since 1970' },
      },
      ['transactionBlob', 'signatures', 'validBefore'],
    ),
    object({
      type: { const: 'facilitator_prepared' },
      blobId: text,
      blob: { ...text, description: 'Hex, as prepare answered it' },
      clientSignature: object({ signBlob: text, publicKey: text }),
      validBefore: { type: 'integer' },
    }),
  ],
};

const familyForm = object({ scheme: { const: 'exact' }, network: text, payload });
const canonicalForm = object(
  {
    x402Version: { type: 'integer' },
    paymentPayload: object({ accepted: object({ scheme: text, network: text }), payload }),
    paymentRequirements: object({ network: text, payTo: text, asset: text, amount: text }),
  },
  ['paymentPayload'],
);

export const paymentDocument = { oneOf: [familyForm, canonicalForm] };
