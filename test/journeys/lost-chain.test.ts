/** A node whose chain is gone from its folder: it begins no other chain in its place, unless somebody says so. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { storePath } from '@symbolon/ledger-node/node/node-folder';
import { makeChain, serveFolder } from '../support/running-node.ts';
import { startSymbolon, symbolon } from '../support/symbolon-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const configCode = 78;

/** A folder whose node has run. */
async function startedFolder(context: TestContext): Promise<string> {
  const folder = path.join(tempFolder(context), 'node');
  await makeChain(folder);
  const { served } = await serveFolder(folder);
  await served.close();
  return folder;
}

describe('a node whose chain is gone', () => {
  const losses: Record<string, (chain: string) => void> = {
    'the folder is removed': (chain) => rmSync(chain, { recursive: true }),
    'the folder is empty': (chain) => {
      rmSync(chain, { recursive: true });
      mkdirSync(chain);
    },
    'only logs are left': (chain) => {
      rmSync(chain, { recursive: true });
      mkdirSync(chain);
      writeFileSync(path.join(chain, 'LOG'), '');
    },
  };
  for (const [name, lose] of Object.entries(losses))
    test(`does not begin another: ${name}`, async (context) => {
      const folder = await startedFolder(context);
      lose(storePath(folder));
      const before = readdirSync(folder);
      for (const attempt of [1, 2])
        await assert.rejects(
          serveFolder(folder),
          ({ name: errorName, message }: Error) => {
            assert.equal(errorName, 'NodeFolderError');
            assert.match(message, /is gone/);
            assert.match(message, /symbolon restore --from <backup>/);
            assert.match(message, /--begin-again/);
            return true;
          },
          `attempt ${attempt}`,
        );
      assert.deepEqual(readdirSync(folder), before);
    });

  test('starts again when its chain is back, whoever made the copy', async (context) => {
    const folder = await startedFolder(context);
    rmSync(path.join(folder, 'chain.begun'));
    const { served } = await serveFolder(folder);
    await served.close();
    assert.ok(existsSync(path.join(folder, 'chain.begun')));
  });

  test('is told by the commands, and begins again when that is said', async (context) => {
    const folder = await startedFolder(context);
    rmSync(storePath(folder), { recursive: true });
    const ports = ['--port', '0', '--socket-port', '0'];
    const refused = await symbolon(context, ['node', 'start', '--data', folder, ...ports]);
    assert.equal(refused.code, configCode);
    assert.match(refused.err, /chain is gone/);
    assert.match(refused.err, /--begin-again/);
    const verified = await symbolon(context, ['node', 'verify', '--data', folder]);
    assert.notEqual(verified.code, 0);
    assert.match(verified.err, /is gone/);
    assert.equal(existsSync(storePath(folder)), false);

    const again = startSymbolon(context, ['node', 'start', '--data', folder, '--begin-again', ...ports]);
    assert.match(await again.printed(/Ledger node +(http:\S+)/), /^http/);
  });

  test('refuses to begin again over a chain that is there', async (context) => {
    const folder = await startedFolder(context);
    const refused = await symbolon(context, ['node', 'start', '--data', folder, '--begin-again']);
    assert.equal(refused.code, configCode);
    assert.match(refused.err, /its chain is there/);
  });
});
