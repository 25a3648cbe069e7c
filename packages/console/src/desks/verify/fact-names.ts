/** Facts of a check by their names; of several credentials each name begins with a position, `1.holder`. Pure. */
import type { DeskSections } from '../../words/desk-words.ts';

export type FactName = keyof DeskSections['verify']['result']['facts'];

export interface ToldFact {
  /** Of which credential, from 1; left out where there is one. */
  readonly credential?: number;
  readonly name: FactName;
  readonly text: string;
}

const names: readonly FactName[] = [
  'holder',
  'issuer',
  'templateId',
  'templateVersion',
  'shown',
  'proved',
  'state',
  'since',
  'ledgerSeq',
];

/** Those that have words here, by credential and then in the order above. */
export function toldFacts(facts: Readonly<Record<string, string>>): readonly ToldFact[] {
  const told = Object.entries(facts).flatMap(([key, text]): ToldFact[] => {
    const [, position, rest] = /^(?:(\d+)\.)?(.*)$/s.exec(key) ?? [];
    const name = names.find((one) => one === rest);
    if (name === undefined) return [];
    return [{ name, text, ...(position !== undefined && { credential: Number(position) + 1 }) }];
  });
  const rank = ({ credential = 0, name }: ToldFact): number =>
    credential * names.length + names.indexOf(name);
  return told.toSorted((left, right) => rank(left) - rank(right));
}
