import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SdkError } from '@symbolon/sdk/errors/errors';
import { ServiceError } from '@symbolon/sdk/errors/service-error';
import { en } from '../words/en.ts';
import { failureWords } from './failure.ts';

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

test('no answer is not a refusal, and a mistake of ours is nobody else’s', () => {
  const silent = failureWords(new SdkError('unreachable', 'x', { hint: 'y' }), en);
  assert.equal(silent.command, 'npm start');
  assert.match(failureWords(new SdkError('timedOut', 'x', { hint: 'y' }), en).text, /is not known/);
  assert.equal(failureWords(new TypeError('secret inside'), en).code, 'TypeError');
  assert.doesNotMatch(JSON.stringify(failureWords(new TypeError('secret inside'), en)), /secret inside/);
});
