/** Cards that are wished for and that nothing in the wallet answers, by name. */
import { readTemplate } from '@symbolon/sdk/ledger/registries';
import { useQuery } from '@tanstack/react-query';
import { foreignLine } from '../../../text/foreign-text.ts';
import { useDeskWords } from '../../../words/words.ts';
import { labelOfKey } from '../cards/card-words.ts';
import { useWallet } from '../frame/wallet-context.ts';
import { type AskedCard, askedCardName } from './asked-cards.ts';

export interface MissingCardsProps {
  /** By option of the set. */
  readonly asked: readonly (readonly AskedCard[])[];
}

export function MissingCards({ asked }: MissingCardsProps) {
  const { words } = useDeskWords('wallet');
  const texts = words.wallet.requests;
  const names = useTemplateNames(asked.flat().flatMap(({ templateId }) => templateId ?? []));
  const naming = {
    templateName: (templateId: string) => names.get(templateId),
    withFacts: (keys: readonly string[]) => texts.cardWith(keys.map(labelOfKey).join(', ')),
    any: texts.furtherCard,
  };
  const nameOf = (card: AskedCard): string => foreignLine(askedCardName(card, naming));
  const options = asked.map((cards) => cards.map(nameOf).join(', '));
  return <p className="muted">{texts.wishUnmet([...new Set(options)].join(' / '))}</p>;
}

const noNames: ReadonlyMap<string, string> = new Map();

/** As the ledger calls them; what it does not know, or nobody answers about, is not in it. */
export function useTemplateNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { did, ledger, pins } = useWallet();
  const registry = pins?.templateRegistry;
  const { data } = useQuery({
    queryKey: ['wallet', did, 'templateNames', registry, ids],
    queryFn: async () => {
      if (registry === undefined) return noNames;
      const found = await Promise.all(ids.map((id) => readTemplate(ledger, registry, { id })));
      return new Map(found.flatMap((one, at) => (one ? [[ids[at] ?? '', one.template.name] as const] : [])));
    },
    enabled: registry !== undefined && ids.length > 0,
  });
  return data ?? noNames;
}
