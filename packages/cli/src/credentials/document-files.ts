/**
 * Files with credentials, presentations and other documents: read whole and bounded, written for their owner alone.
 * Complaints name the file and never what is in it.
 */
import { open } from 'node:fs/promises';
import { credentialLimits } from '@symbolon/core/limits/documents';
import { isJsonObject, type JsonObject, stringifyJson } from '@symbolon/wire/json/json';
import { CommandFailure, usageFailure } from '../terminal/failure.ts';
import { parseFileText } from '../terminal/json-file.ts';

/** With room for spaces: the bounds of the documents themselves are checked where they are read. */
const documentBytesMax = 2 * credentialLimits.presentationBytesMax;
const ownerOnly = 0o600;

/** The JSON object of a file; `what` says what it should be, as in "a presentation". */
export async function readDocumentFile(
  file: string,
  what: string,
  advice = `Give a file with ${what}.`,
): Promise<JsonObject> {
  const value = parseFileText(file, await readDocumentText(file, what, advice));
  if (isJsonObject(value)) return value;
  // Without the parser's words, which quote the content.
  throw usageFailure(`${file} is not ${what}.\nIt is no JSON object.\n${advice}`);
}

/** The text of such a file, for whoever reads it in a way of its own. */
export async function readDocumentText(file: string, what: string, advice: string): Promise<string> {
  try {
    await using handle = await open(file);
    const facts = await handle.stat();
    if (!facts.isFile()) throw usageFailure(`${file} is not a file with ${what}.`);
    if (facts.size > documentBytesMax)
      throw usageFailure(`${file} is too large for ${what}.\nAt most ${documentBytesMax} bytes are read.`);
    return await handle.readFile('utf8');
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? 'There is no such file.'
        : code === 'EACCES'
          ? 'Your user may not read it.'
          : `The system says ${code}.`;
    throw usageFailure(`${file} cannot be read.\n${why}\n${advice}`);
  }
}

const typesOf = ({ type }: JsonObject): readonly unknown[] => (Array.isArray(type) ? type : [type]);

export async function readCredentialFile(file: string): Promise<JsonObject> {
  const document = await readDocumentFile(file, 'a credential');
  const types = typesOf(document);
  if (types.includes('VerifiableCredential')) return document;
  const [why, advice] = types.includes('VerifiablePresentation')
    ? ['It is a presentation already.', 'Look at it: symbolon vp show FILE']
    : ['Its type is another.', 'Fetch yours: symbolon vc download ID --out FILE'];
  throw usageFailure(`${file} is not a credential.\n${why}\n${advice}`);
}

export async function readPresentationFile(file: string): Promise<JsonObject> {
  const document = await readDocumentFile(file, 'a presentation');
  const types = typesOf(document);
  if (types.includes('VerifiablePresentation')) return document;
  const [why, advice] = types.includes('VerifiableCredential')
    ? [
        'It is a whole credential, which its holder keeps: a verifier gets a presentation made from it.',
        'Make one: symbolon vp create FILE --reveal NAME --out presentation.json',
      ]
    : ['Its type is another.', 'A holder makes one: symbolon vp create CREDENTIAL_FILE --out FILE'];
  throw usageFailure(`${file} is not a presentation.\n${why}\n${advice}`);
}

/** Writes a document for its owner alone; one that is there stays unless it may be replaced. */
export async function writeDocumentFile(
  file: string,
  document: JsonObject,
  { mayReplace = false }: { readonly mayReplace?: boolean } = {},
): Promise<void> {
  try {
    await using handle = await open(file, mayReplace ? 'w' : 'wx', ownerOnly);
    // One that was there may have been open to others.
    await handle.chmod(ownerOnly);
    await handle.writeFile(`${stringifyJson(document)}\n`);
    await handle.sync();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const words =
      code === 'EEXIST'
        ? `${file} is there already.\nNothing was written over it.\nGive another --out, or add --force.`
        : `${file} cannot be written.\nThe system says ${code}.\nGive an --out in a folder of yours.`;
    throw usageFailure(words);
  }
}
