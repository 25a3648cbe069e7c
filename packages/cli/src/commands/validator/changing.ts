/**
 * `symbolon validator change`: the next word of a council on who validates, as an operation for all who sign for it. It is
 * read from one's own node and names the version that was read, so that no change between is undone.
 */
import { writeFile } from 'node:fs/promises';
import { operationTypes } from '@symbolon/core/ledger/terms/operation-types';
import { encodeValidators, type ValidatorEntry, validatorsKey } from '@symbolon/core/ledger/terms/validators';
import { readGenesis } from '@symbolon/ledger-node/node/node-folder';
import { clientOfAddress, readCouncilEntry } from '../../network/council.ts';
import { ledgerPart, readMember, readOwn } from '../../network/member.ts';
import { usageFailure } from '../../terminal/failure.ts';
import { printFields } from '../../terminal/layout.ts';
import { shellWord } from '../../terminal/quoting.ts';
import { printJson, processTerminal } from '../../terminal/terminal.ts';

interface ChangeWords {
  readonly data: string;
  readonly out: string;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly pardon?: readonly string[];
  readonly json?: boolean;
}

type Entries = ReadonlyMap<string, ValidatorEntry>;

export async function changeValidators(words: ChangeWords): Promise<void> {
  const { data, out, json } = words;
  const { council } = (await readGenesis(ledgerPart(data))).parameters.network ?? {};
  if (council === undefined)
    throw usageFailure(`The chain in ${data} is no network: nobody's word says who validates.`);
  const own = `http://127.0.0.1:${(await readOwn(data)).ports.http}`;
  const { entries, version } = await readCouncilEntry(clientOfAddress(own), { council });
  const before: Entries = new Map(entries.map((entry) => [entry.publicKey, entry]));
  const next = await changedBy(words, before);
  const setMetadata = { key: validatorsKey, value: encodeValidators(next), version: Number(version) };
  const operations = [{ type: operationTypes.setMetadata, set_metadata: setMetadata }];
  await writeFile(out, `${JSON.stringify(operations, null, 2)}\n`, { flag: 'wx' }).catch((error) => {
    throw usageFailure(`${out} cannot be written (${error.code}); nothing was.\nName a new file.`);
  });
  const facts = { out, council, validators: next.length, version: Number(version) };
  if (json) return printJson(processTerminal, facts);
  printFields(processTerminal, `The change is in ${out}.`, {
    validators: `${next.length}, ${before.size} before`,
    council,
  });
  processTerminal.remark(
    `Make a transaction of it, for as many as must sign: symbolon tx build --source ${council} --operations ${shellWord(out)} --signatures '<how many sign>' --ledger ${own} --out ${shellWord(`${out}.tx`)}`,
  );
}

/** Who validates after the change; one that is no change is a mistake. */
async function changedBy({ add = [], remove = [], pardon = [] }: ChangeWords, before: Entries) {
  if (add.length + remove.length + pardon.length === 0)
    throw usageFailure('Say what changes: --add, --remove or --pardon.');
  const next = new Map(before);
  for (const word of remove) next.delete(await knownKey(word, next));
  for (const word of pardon) {
    const { jailed, ...entry } = next.get(await knownKey(word, next)) as ValidatorEntry;
    if (!jailed) throw usageFailure(`${word} is not jailed; nothing was written.`);
    next.set(entry.publicKey, entry);
  }
  for (const file of add) {
    const { publicKey, power, payTo, name } = await readMember(file);
    // A mark stays with its key, whatever else changes.
    const { jailed } = next.get(publicKey) ?? {};
    const entry = { publicKey, power, payTo, ...(jailed && { jailed }) };
    if (JSON.stringify(entry) === JSON.stringify(next.get(publicKey)))
      throw usageFailure(`${name} validates already, with this power; nothing was written.`);
    next.set(publicKey, entry);
  }
  if ([...next.values()].every(({ jailed }) => jailed))
    throw usageFailure('Nobody would validate; nothing was written.\nA network needs one who is not jailed.');
  return [...next.values()];
}

/** A validator by its key, or by its `member.json`. */
async function knownKey(word: string, known: Entries): Promise<string> {
  const key = /^[0-9a-f]{64}$/.test(word) ? word : (await readMember(word)).publicKey;
  if (known.has(key)) return key;
  throw usageFailure(
    `${key} is no validator; nothing was written.\nThere are: ${[...known.keys()].join(', ')}.\nName one of them by its key or by its member.json.`,
  );
}
