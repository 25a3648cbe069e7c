/**
 * What is in a file that somebody chose: its text, or that of the one document that is attached to a PDF, as certificates
 * of this console have it. Bounded, and nothing of it is believed; what cannot be read is said, and stands nowhere.
 */
import { documentBytesMax, type FileProblem } from './given-document.ts';

export interface ReadFile {
  readonly text: string;
  /** It is what is attached to a PDF: of what that shows on its pages nothing was read. */
  readonly isAttached?: boolean;
  readonly problem?: FileProblem;
}

/** Pictures and fonts stand beside the document. */
const pdfBytesMax = 4 * documentBytesMax;

export async function fileText(file: Blob): Promise<ReadFile> {
  const head = latin(await bytesOf(file.slice(0, 5)));
  const isPdf = head === '%PDF-';
  if (file.size > (isPdf ? pdfBytesMax : documentBytesMax)) return { text: '', problem: 'tooLarge' };
  const bytes = isPdf ? await attachedBytes(await bytesOf(file)) : await bytesOf(file);
  const text = bytes && plainText(bytes);
  if (text !== undefined) return { text, ...(isPdf && { isAttached: true }) };
  return { text: '', problem: isPdf ? 'pdf' : 'binary' };
}

const bytesOf = async (blob: Blob): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await blob.arrayBuffer());

/** One character for each byte, so that places in the text are places in the bytes. */
const latin = (bytes: Uint8Array): string => {
  const step = 8_192;
  let text = '';
  for (let at = 0; at < bytes.length; at += step)
    text += String.fromCharCode(...bytes.subarray(at, at + step));
  return text;
};

/** Undefined for what is no text. */
function plainText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

const attachedForm = /\d+ \d+ obj\s*<<(?<about>(?:(?!endobj|stream)[\s\S]){0,2000}?)>>\s*stream\r?\n/g;

/** The one file that is attached; undefined where there is none, or more than one, or what nobody here unpacks. */
async function attachedBytes(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
  const found = [...latin(bytes).matchAll(attachedForm)].filter(({ groups }) =>
    /\/Type\s*\/EmbeddedFile\b/.test(groups?.about ?? ''),
  );
  const [one, ...others] = found;
  const about = one?.groups?.about ?? '';
  const length = Number(/\/Length (\d+)\s*(?:\/|$)/.exec(about)?.[1]);
  if (!one || others.length > 0 || !Number.isSafeInteger(length)) return undefined;
  const from = one.index + one[0].length;
  if (from + length > bytes.length) return undefined;
  const packed = bytes.slice(from, from + length);
  const filter = /\/Filter\s*(\S+)/.exec(about)?.[1];
  if (filter === undefined) return packed;
  return filter === '/FlateDecode' ? inflated(packed) : undefined;
}

/** Undefined for what is damaged, or unpacks to more than any document. */
async function inflated(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.length;
      if (size > documentBytesMax) {
        await reader.cancel();
        return undefined;
      }
      parts.push(read.value as Uint8Array<ArrayBuffer>);
    }
  } catch {
    return undefined;
  }
  return bytesOf(new Blob(parts));
}
