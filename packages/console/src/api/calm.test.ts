import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calm } from './calm.ts';

test('what is wanted often is done now and then, and at last', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  let done = 0;
  const { want, end } = calm(() => {
    done += 1;
  }, 1_000);
  want();
  mock.timers.tick(0);
  assert.equal(done, 1, 'at once');
  for (let times = 0; times < 5; times += 1) want();
  mock.timers.tick(999);
  assert.equal(done, 1);
  mock.timers.tick(1);
  assert.equal(done, 2, 'once for all five');
  want();
  end();
  mock.timers.tick(5_000);
  assert.equal(done, 2, 'nobody wants it any longer');
});
