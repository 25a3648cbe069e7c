import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Template } from '@symbolon/core/documents/model';
import * as replies from './replies.ts';
import { verdictReply } from './verifier-replies.ts';

const template: Template = {
  id: 'did:zid:1',
  name: 'Course',
  version: '1.0.0',
  issuer: 'did:zid:2',
  attributes: [{ key: 'born', label: 'Born on', type: 'date', format: 'date', mandatory: false }],
};

describe('replies of the credential service', () => {
  it('spell a template as the interface does', () => {
    const rendered = replies.renderTemplate(template, 'ab');
    assert.deepEqual(rendered, {
      templateId: 'did:zid:1',
      templateName: 'Course',
      issuerDid: 'did:zid:2',
      credentialFormat: [{ attribute: 'Born on', format: 'date', key: 'born', mandatory: false, type: 5 }],
      version: '1.0.0',
      txHash: 'ab',
    });
    assert.ok(replies.templateReply.safeParse(rendered).success);
    assert.equal(replies.renderTemplate({ ...template, remark: 'r' }, 'ab').remark, 'r');
  });

  it('have exactly the fields of the interface document', () => {
    const fields = (schema: { shape: object }) => Object.keys(schema.shape);
    assert.deepEqual(fields(replies.blobReply), ['blobId', 'blob']);
    assert.deepEqual(fields(replies.registrationReply), ['templateId', 'txHash']);
    assert.deepEqual(fields(replies.applicationReply), ['vcId', 'status']);
    assert.deepEqual(fields(replies.creationReply), ['ed25519Blob', 'bbsBlsBase64', 'unsigned']);
    assert.deepEqual(fields(replies.submissionReply), ['vcObject', 'downloadExpiryDate']);
    assert.deepEqual(fields(replies.bbsKeyReply), ['publicKeyMultibase', 'privateKeyMultibase']);
    assert.deepEqual(fields(replies.bbsSignatureReply), ['signature']);
    assert.deepEqual(fields(replies.presentationReply), ['vpObject']);
    const documented = ['verified', 'vcDetails', 'credentials', 'errors', 'claimed'];
    assert.deepEqual(fields(verdictReply), [...documented, 'checks', 'tookMs']);
  });

  it('refuse what is no such reply', () => {
    assert.ok(!replies.applicationReply.safeParse({ vcId: 'x', status: 'APPLIED' }).success);
    assert.ok(!replies.submissionReply.safeParse({ vcObject: 'x', downloadExpiryDate: 'y' }).success);
    assert.ok(!verdictReply.safeParse({ verified: 'true' }).success);
    assert.ok(!replies.problemReply.safeParse({ code: 'x' }).success);
  });
});
