import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'node:test';
import { Fault } from '@symbolon/core/faults/faults';
import { VaultError } from '@symbolon/credential-service/vault/vault-error';
import { ServiceFolderError } from '@symbolon/credential-service/wiring/service-folder';
import { ConfigError } from '@symbolon/host/config/config';
import { DatabaseTooNew, DatabaseUnreachable } from '@symbolon/host/database/common/database-error';
import { ChainDamaged } from '@symbolon/ledger-node/chain/chain-reader';
import { ExecutionHostUnfit } from '@symbolon/ledger-node/chain/execution-host';
import { NodeFolderError } from '@symbolon/ledger-node/node/node-folder';
import {
  StoreCorrupt,
  StoreFailed,
  StoreFormatMismatch,
  StoreLocked,
} from '@symbolon/ledger-node/store/store-errors';
import { type HeldAgainst, LedgerError, SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { CommandFailure, errorJson, exitCodes, failureOf } from './failure.ts';

const hasStack = (text: string) => /\n\s+at /.test(text);

describe('a failure that can be expected', () => {
  const expected: [Error, number, RegExp][] = [
    [new CommandFailure('words'), exitCodes.failed, /^words$/],
    [new CommandFailure('words', exitCodes.unreachable), exitCodes.unreachable, /^words$/],
    [new ConfigError([{ place: 'port', problem: 'is not a number' }]), exitCodes.config, /port/],
    [new NodeFolderError('no folder'), exitCodes.config, /^no folder$/],
    [new ExecutionHostUnfit('too little stack'), exitCodes.config, /^too little stack$/],
    [new ServiceFolderError('no service'), exitCodes.config, /^no service$/],
    [new VaultError('wrongMasterKey', 'another key'), exitCodes.config, /^another key$/],
    [new DatabaseTooNew('a newer program'), exitCodes.config, /^a newer program$/],
    [new DatabaseUnreachable('no database'), exitCodes.unreachable, /^no database$/],
    [new Fault('requestMalformed', { detail: 'a label' }), exitCodes.failed, /^a label$/],
    [new StoreLocked('chain'), exitCodes.failed, /already open elsewhere/],
    [new StoreFormatMismatch('chain', 9, 1), exitCodes.failed, /format version 9/],
    [new StoreFailed('chain', 'disk full'), exitCodes.failed, /disk full/],
    [new StoreCorrupt('chain', 'a file is gone'), exitCodes.damaged, /The chain is damaged: [\s\S]*backup/],
    [new ChainDamaged('block 2 is missing'), exitCodes.damaged, /The chain is damaged: block 2 is missing/],
  ];
  for (const [error, exitCode, words] of expected) {
    test(`${error.name} ${exitCode} has words of its own and no stack`, () => {
      const failure = failureOf(error);
      assert.equal(failure.exitCode, exitCode);
      assert.match(failure.message, words);
      assert.ok(!hasStack(failure.message));
    });
  }

  test('names what was asked, and every place that is wrong', () => {
    const refused = failureOf(new LedgerError(4, 'no such account', {}, 'getAccountBase'));
    assert.match(refused.message, /\(code 4, ERRCODE_NOT_EXIST, getAccountBase; docs/);
    const refusal = { code: 'templateUnknown', status: 404, title: '', detail: 'none', requestId: 'r' };
    const unknown = failureOf(new ServiceError({ ...refusal, route: 'getTemplate' }));
    assert.match(unknown.message, /\(templateUnknown, getTemplate, request r; docs/);
    const errors = [{ pointer: '/attributes/name', detail: 'is missing' }];
    const fault = failureOf(new Fault('attributesInvalid', { errors }));
    assert.match(fault.message, /\n {2}\/attributes\/name: is missing$/);
    const members = ['result.nonce', 'blob'];
    const reply = failureOf(new SdkError('unexpectedReply', 'the reply is none', { hint: 'Ask.', members }));
    assert.match(reply.message, /^The reply is none: result\.nonce or blob\.\n/);
  });

  test('of the system is told in its words', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const [busy] = await once(createServer().listen(port, '127.0.0.1'), 'error', {}).catch((error) => [
      error,
    ]);
    taken.close();
    const [what, ...more] = failureOf(busy).message.split('\n');
    assert.equal(what, `Port ${port} is in use by another program.`);
    assert.match(more.join(' '), /Stop it, or choose another port/);
    const missing = await readFile('no/such/file').catch((error) => error);
    const told = failureOf(missing);
    assert.match(
      told.message,
      /^no\/such\/file cannot be used\.\nThere is no such file[^\n]*\n[^\n]+\n\(ENOENT, open\)$/,
    );
    assert.deepEqual(told.facts, { code: 'ENOENT' });
    assert.ok(!hasStack(failureOf(missing).message));
  });
});

describe('what a server offers and was not ordered', () => {
  const refused = (against?: HeldAgainst) =>
    failureOf(
      new SdkError('notAsOrdered', 'the transaction that the server offers is not what was ordered: x', {
        hint: 'Nothing was signed. Do not use this server before you know why.',
        ...(against && { against }),
      }),
    ).message;

  test('says the pin, the option or the key that it was held against, both values, and what to do', () => {
    const values = { expected: 'ZTX3mine', offered: 'ZTX3theirs' };
    assert.match(
      refused({ name: 'credentialRegistry', ...values }),
      /ordered: x\.\nThe profile pins credentialRegistry ZTX3mine, and the service offers ZTX3theirs\.\nNothing was signed\. If the pin is wrong, correct "pins" of the profile\. If it is right, do not use this server[^\n]*\n\(notAsOrdered; docs\/errors\.md#sdk-notasordered\)$/,
    );
    assert.match(refused({ name: 'registry', ...values }), /--registry says ZTX3mine, and the service/);
    assert.match(
      refused({ name: 'signer', expected: 'did:zid:1', offered: 'did:zid:2' }),
      /did:zid:1 signs, and did:zid:2 is not a template of that issuer.*\n.*--key.*--as/,
    );
    assert.match(refused(), /ordered: x\.\nNothing was signed[^\n]*\n\(notAsOrdered; /);
  });
});

describe('anything else', () => {
  test('is a defect and shows where it comes from', () => {
    const { message, exitCode } = failureOf(new TypeError('unexpected'));
    assert.equal(exitCode, exitCodes.failed);
    assert.ok(message.startsWith('TypeError: unexpected') && hasStack(message));
    assert.deepEqual(errorJson(failureOf('text')), { message: 'text', code: 'internalError' });
    assert.equal(failureOf(undefined).exitCode, exitCodes.failed);
    assert.equal(failureOf(null).exitCode, exitCodes.failed);
  });
});
