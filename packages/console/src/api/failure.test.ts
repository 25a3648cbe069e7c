import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { de } from '../words/de.ts';
import { en } from '../words/en.ts';
import { failureWords, noteReadFailure } from './failure.ts';

const refusal = (status: number, code = 'someCode', retryAfter?: number) =>
  new ServiceError({ code, status, title: 'Title', detail: 'It said no.', requestId: 'req_1' }, retryAfter);

test('a refusal has its code, its request and where the code is explained', () => {
  const words = failureWords(refusal(400, 'requestMalformed'), en);
  assert.equal(words.title, en.failures.refused);
  assert.match(words.text, /^It said no\./);
  assert.equal(words.code, 'requestMalformed');
  assert.equal(words.requestId, 'req_1');
  assert.equal(words.help, '/docs/errors#requestmalformed');
});

test('statuses that mean something to people have words of their own', () => {
  const titles = [401, 402, 403, 409, 410, 429].map((status) => failureWords(refusal(status), en).title);
  assert.equal(new Set(titles).size, 6);
  assert.match(failureWords(refusal(429, 'tooManyRequests', 7), en).text, /Wait 7 seconds/);
  assert.match(failureWords(refusal(504, 'ledgerUnconfirmed'), en).text, /Do not repeat it/);
});

test('a wrong password and a missing right are not "not signed in"', () => {
  const titleOf = (code: string) => failureWords(refusal(401, code), en).title;
  assert.equal(titleOf('notAuthenticated'), en.failures.notAuthenticated);
  assert.equal(titleOf('notAllowed'), en.failures.notAllowed);
  assert.equal(titleOf('passwordWrong'), en.failures.passwordWrong);
  assert.equal(titleOf('signerMismatch'), en.failures.refused);
});

test('who is not signed in is not told of keys and headers', () => {
  const words = failureWords(refusal(401, 'notAuthenticated'), en);
  assert.equal(words.text, en.failures.notAuthenticatedWhy);
  assert.equal(words.advice, undefined);
});

test('who lacks a scope is not told to sign in', () => {
  const words = failureWords(refusal(401, 'notAllowed'), en);
  assert.equal(words.title, en.failures.notAllowed);
  assert.doesNotMatch(words.text, /session ended/);
});

test('neither no answer nor a conflict says that nothing was done: it may have been, by the same person', () => {
  for (const words of [en, de])
    for (const error of [silence(), refusal(409)])
      assert.doesNotMatch(failureWords(error, words).text, /nothing|did not|nichts/i);
});

test('what the service says ends like a sentence, before what follows it', () => {
  const bare = { code: 'statusForbids', status: 409, title: 'T', detail: 'It is revoked', requestId: '' };
  assert.match(failureWords(new ServiceError(bare), en).text, /^It is revoked\. It may/);
});

test('no answer is not a refusal, and a mistake of ours is nobody else’s', () => {
  const silent = failureWords(new SdkError('unreachable', 'x', { hint: 'y' }), en);
  assert.equal(silent.title, en.failures.unreachable);
  assert.match(failureWords(new SdkError('timedOut', 'x', { hint: 'y' }), en).text, /is not known/);
  assert.equal(failureWords(new TypeError('secret inside'), en).code, 'TypeError');
  assert.doesNotMatch(JSON.stringify(failureWords(new TypeError('secret inside'), en)), /secret inside/);
});

const silence = () => new SdkError('unreachable', 'x', { hint: 'y' });

test('a command is for whoever runs the service, and for nobody else', () => {
  const { advice, command, operator } = failureWords(silence(), en);
  assert.equal(command, undefined);
  assert.doesNotMatch(advice ?? '', /start it/i);
  assert.equal(operator?.command, 'npm start');
});

test('what only reads has changed nothing, and says so', () => {
  const read = silence();
  noteReadFailure(read);
  assert.equal(failureWords(read, en).text, en.failures.unreachableRead);
  const late = new SdkError('timedOut', 'x', { hint: 'y' });
  noteReadFailure(late);
  assert.equal(failureWords(late, en).text, en.failures.timedOutRead);
  assert.equal(failureWords(silence(), en).text, en.failures.unreachableWhy);
});

test('a browser that is offline is told so, and nobody is to start anything', (context) => {
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  context.after(() => Reflect.deleteProperty(navigator, 'onLine'));
  const words = failureWords(silence(), en);
  assert.equal(words.title, en.failures.offline);
  assert.equal(words.operator, undefined);
});

test('a failure stays the one that it was when the network comes or goes', (context) => {
  const isOnline = (value: boolean) =>
    Object.defineProperty(navigator, 'onLine', { value, configurable: true });
  context.after(() => Reflect.deleteProperty(navigator, 'onLine'));
  for (const wasOnline of [false, true]) {
    const failed = silence();
    isOnline(wasOnline);
    const told = failureWords(failed, en);
    isOnline(!wasOnline);
    assert.deepEqual(failureWords(failed, en), told);
    assert.notEqual(failureWords(silence(), en).title, told.title, 'another one is told as it is');
  }
});

test('a part of the console that could not be loaded is a service that does not answer', () => {
  for (const message of [
    'Failed to fetch dynamically imported module: http://127.0.0.1/assets/signing.js',
    'error loading dynamically imported module: http://127.0.0.1/assets/signing.js',
    'Importing a module script failed.',
  ])
    assert.equal(failureWords(new TypeError(message), en).title, en.failures.unreachable);
  const defect = failureWords(new TypeError('x is not a function'), en);
  assert.equal(defect.title, en.failures.defect);
  assert.doesNotMatch(defect.text, /Nothing was/, 'nobody knows that');
});

test('what a service says in English is quoted in German, beside words of the console’s own', () => {
  const { title, text } = failureWords(refusal(409), de);
  assert.equal(title, de.failures.conflict);
  assert.equal(text, `Die Antwort lautet: „It said no.“ ${de.failures.conflictWhy}`);
});
