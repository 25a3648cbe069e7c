import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { encodeHex, parseHex } from '../basics/bytes.ts';
import {
  facts,
  recordedTerms,
  samplePresentation,
  verdictOn,
} from '../credential/testing/sample-credentials.ts';
import { commitmentToHidden } from '../proofs/commitment.ts';
import {
  type Dataset,
  datasetCommitment,
  datasetDigest,
  datasetProofOptions,
  datasetSigningInput,
  datasetStatement,
  isDatasetCommitment,
} from './standards-dataset.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

const dataset: Dataset = {
  id: `did:zid:${'1'.repeat(64)}`,
  issuer: `did:zid:${'2'.repeat(64)}`,
  template: `did:zid:${'3'.repeat(64)}`,
  templateVersion: '1.0.0',
  validFrom: '2026-01-01T00:00:00Z',
  validUntil: '2027-01-01T00:00:00Z',
  values: { name: 'Ada', points: '12' },
  salt: 'ab'.repeat(32),
};
const digestOf = (changes: Partial<Dataset> = {}): string =>
  encodeHex(datasetDigest(datasetStatement({ ...dataset, ...changes }, sha256), sha256));

describe('the entry of a dataset', () => {
  test('its digest is of canonical JSON that anybody can make again', () => {
    const values = createHash('sha256').update('{"name":"Ada","points":"12"}').digest('hex');
    const text =
      `{"issuer":"${dataset.issuer}","salt":"${dataset.salt}","suite":"symbolon-standards-2026",` +
      `"template":"${dataset.template}","templateVersion":"1.0.0","validFrom":"2026-01-01T00:00:00Z",` +
      `"validUntil":"2027-01-01T00:00:00Z","valuesHash":"${values}"}`;
    assert.equal(digestOf(), createHash('sha256').update(text).digest('hex'));
  });

  test('every term, every value and the salt are in it; the identifier is in what is signed', () => {
    const changes: Partial<Dataset>[] = [
      { issuer: `did:zid:${'9'.repeat(64)}` },
      { template: `did:zid:${'9'.repeat(64)}` },
      { templateVersion: '1.0.1' },
      { validFrom: '2026-01-01T00:00:01Z' },
      { validUntil: '2027-01-01T00:00:01Z' },
      { values: { name: 'Ada', points: '13' } },
      { salt: 'ac'.repeat(32) },
    ];
    assert.equal(new Set(changes.map(digestOf)).size, changes.length);
    for (const change of changes) assert.notEqual(digestOf(change), digestOf());
    const statement = datasetStatement(dataset, sha256);
    const signed = (terms: Dataset): string =>
      encodeHex(
        datasetSigningInput(
          { statement, options: datasetProofOptions(terms, '2026-01-01T00:00:00Z') },
          sha256,
        ),
      );
    assert.notEqual(signed(dataset), signed({ ...dataset, id: `did:zid:${'9'.repeat(64)}` }));
  });

  test('its commitment is no point, and is recognised', () => {
    const bytes = parseHex(datasetCommitment) as Uint8Array;
    assert.equal(bytes.length, 48);
    assert.ok(isDatasetCommitment(bytes));
    assert.equal(isDatasetCommitment(new Uint8Array(48)), false);
    const statement = { header: new Uint8Array(), messageCount: 2, revealed: [] };
    assert.equal(commitmentToHidden(bytes, statement), undefined);
  });

  test('an entry of a dataset never stands for one of our own credentials', () => {
    const good = samplePresentation();
    const commitment = parseHex(datasetCommitment) as Uint8Array;
    const verdict = verdictOn(good, {
      ...facts,
      status: (frame) => ({
        status: 'active',
        issuedAt: '2026-01-01T00:00:00Z',
        terms: { ...recordedTerms(frame), commitment },
      }),
    });
    assert.equal(verdict.checks.status.state, 'failed');
    assert.ok(
      verdict.errors.includes(
        'status: the ledger has recorded a dataset of another format under this identifier',
      ),
      verdict.errors.join('; '),
    );
  });
});
