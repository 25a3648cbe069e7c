/** What a ledger answers when it refuses: a code of its table, what it means and what to do about it. */
import { codeHint, codeRows } from '@symbolon/core/ledger/terms/codes';
import type { JsonObject } from '@symbolon/wire/json/json';

const rowsByCode = new Map(codeRows.map((row) => [row.code as number, row]));

/** The ledger refused: its code, the code's name in the error table, and what exactly it objected to. */
export class LedgerError extends Error {
  override readonly name: string;
  readonly code: number;
  readonly description: string;
  /** What the caller can do about it. */
  readonly hint: string;
  /** What the node sent, whole. */
  readonly reply: JsonObject;
  /** What the node was asked, where it is known. */
  readonly route: string | undefined;

  constructor(code: number, description: string, reply: JsonObject, route?: string) {
    const row = rowsByCode.get(code);
    const said = description || row?.meaning || `the ledger answered code ${code}`;
    super(said);
    this.name = row?.name ?? 'LedgerError';
    this.code = code;
    this.description = said;
    this.hint = codeHint(code);
    this.reply = reply;
    this.route = route;
  }
}
