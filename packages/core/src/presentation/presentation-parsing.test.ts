import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  facts,
  holder,
  idealProof,
  samplePresentation,
  stranger,
  verdictOn,
} from '../credential/testing/sample-credentials.ts';
import { examinePresentation } from './presentation-checks.ts';
import { attachHolderSignature, holderSigningInput } from './presentation-derivation.ts';
import { parsePresentation } from './presentation-parsing.ts';
import { concludeVerdict } from './presentation-verdict.ts';

const good = samplePresentation();
const { jws: _signature, ...options } = good.proof;
const unsigned = { ...good, proof: options };
const otherForm = new TextEncoder().encode('header.payload');
const signedBy = ({ sign }: typeof holder, bytes: Uint8Array) => attachHolderSignature(unsigned, sign(bytes));

/** The verdict on a presentation that came in a form of which these bytes were signed. */
function verdictInForm(document: object, signedBytes: Uint8Array) {
  const examination = examinePresentation(parsePresentation(document, facts.profile, signedBytes), facts);
  const results = examination.proofOrders.map(
    ({ order }) => Buffer.compare(idealProof(order), order.proof) === 0,
  );
  return concludeVerdict(examination, results);
}

test('what the holder must have signed is the presentation itself, by the key of its DID', () => {
  const { presentation, holderSignature } = parsePresentation(good, facts.profile);
  assert.deepEqual(presentation, good);
  assert.deepEqual(holderSignature?.message, holderSigningInput(unsigned));
  assert.equal(Buffer.from(holderSignature?.publicKey ?? []).toString('hex'), holder.did.split(':')[2]);
  assert.equal(verdictOn(good).verified, true);
});

test('in another form the bytes of that form are what was signed, and nothing else will do', () => {
  assert.equal(verdictInForm(signedBy(holder, otherForm), otherForm).verified, true);
  const refused = [
    // Signed in its own form, or as other bytes of the same form.
    verdictInForm(good, otherForm),
    verdictInForm(signedBy(holder, new TextEncoder().encode('header.other')), otherForm),
    verdictInForm(signedBy(holder, new Uint8Array(0)), otherForm),
    // By somebody else.
    verdictInForm(signedBy(stranger, otherForm), otherForm),
    // The form is forgotten.
    verdictOn(signedBy(holder, otherForm)),
  ];
  for (const { verified, errors } of refused) {
    assert.equal(verified, false);
    assert.deepEqual(errors, ['holderSignature: invalid holder signature']);
  }
});

test('empty bytes of a form are no reason to take its own', () => {
  assert.equal(verdictInForm(good, new Uint8Array(0)).verified, false);
});
