import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audienceProblem } from './audience.ts';

test('signs for the service that served the page, and for no other', () => {
  assert.equal(audienceProblem('https://issuer.example', 'https://issuer.example'), undefined);
  assert.equal(audienceProblem('https://issuer.example', 'https://evil.example'), 'elsewhere');
  assert.equal(audienceProblem('https://issuer.example', 'http://issuer.example'), 'elsewhere');
  assert.equal(audienceProblem('https://issuer.example', 'http://127.0.0.1:8080'), 'elsewhere');
  assert.equal(audienceProblem('nothing', 'https://issuer.example'), 'elsewhere');
});

test('another port or name of the same machine will do', () => {
  assert.equal(audienceProblem('http://127.0.0.1:8080', 'http://localhost:5173'), undefined);
  assert.equal(audienceProblem('http://127.0.0.1:8080', 'http://127.0.0.1.evil.example'), 'elsewhere');
});

test('a service that listens everywhere does not know its name', () => {
  assert.equal(audienceProblem('http://0.0.0.0:8080', 'http://192.0.2.7:8080'), 'unset');
  assert.equal(audienceProblem('http://[::]:8080', 'http://192.0.2.7:8080'), 'unset');
});
