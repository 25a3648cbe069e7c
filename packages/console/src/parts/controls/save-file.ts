/** Hands a file that was made here to the browser, which saves it where its reader says. */

/** Long enough for a browser to have begun. */
const keptMs = 60_000;

export interface MadeFile {
  readonly name: string;
  /** Such as `text/csv`. */
  readonly type: string;
  readonly contents: BlobPart;
}

export function saveFile({ name, type, contents }: MadeFile): void {
  const address = URL.createObjectURL(new Blob([contents], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), keptMs);
}
