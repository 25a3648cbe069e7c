import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { fileText } from './file-text.ts';
import { documentBytesMax } from './given-document.ts';

const document = '{"type":"VerifiableCredential","name":"Zoë"}';

function attached(contents: Buffer, filter = '\n/Filter /FlateDecode'): Buffer {
  const head = `31 0 obj\n<<\n/Type /EmbeddedFile\n/Params <<\n/Size 9\n>>\n/Subtype /application#2Fjson\n`;
  return Buffer.concat([
    Buffer.from(`${head}/Length ${contents.length}${filter}\n>>\nstream\n`),
    contents,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}

const pdf = (...objects: Buffer[]) =>
  new Blob([
    new Uint8Array(
      Buffer.concat([
        Buffer.from('%PDF-1.3\n%\xff\xff\n9 0 obj\n<<\n/CA 1\n>>\nendobj\n', 'latin1'),
        ...objects,
        Buffer.from('%%EOF\n'),
      ]),
    ),
  ]);

test('the document that is attached to a certificate is read, and a text as it is', async () => {
  const found = { text: document, isAttached: true };
  assert.deepEqual(await fileText(pdf(attached(deflateSync(document)))), found);
  assert.deepEqual(await fileText(pdf(attached(Buffer.from(document), ''))), found);
  assert.deepEqual(await fileText(new Blob([document])), { text: document });
});

test('a PDF whose attachment cannot be read is named as that, and leaves nothing in the field', async () => {
  const good = attached(deflateSync(document));
  const unread = { text: '', problem: 'pdf' };
  assert.deepEqual(await fileText(pdf()), unread, 'nothing is attached');
  assert.deepEqual(await fileText(pdf(good, good)), unread, 'nobody can say which one counts');
  assert.deepEqual(await fileText(pdf(attached(Buffer.from('damaged')))), unread);
  assert.deepEqual(await fileText(pdf(attached(deflateSync(document), '\n/Filter [/LZWDecode]'))), unread);
  const huge = deflateSync(Buffer.alloc(documentBytesMax + 1, 32));
  assert.deepEqual(await fileText(pdf(attached(huge))), unread, 'it unpacks to more than any document');
});

test('what is no text is named as that', async () => {
  const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0xff);
  assert.deepEqual(await fileText(new Blob([picture])), { text: '', problem: 'binary' });
  assert.deepEqual(await fileText(new Blob(['a\0b'])), { text: '', problem: 'binary' });
  const large = new Blob([new Uint8Array(documentBytesMax + 1)]);
  assert.deepEqual(await fileText(large), { text: '', problem: 'tooLarge' });
});
