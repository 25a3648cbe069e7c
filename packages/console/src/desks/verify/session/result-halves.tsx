/** What the verifier saw of a credential; in the demo beside what its holder owns. Hidden values are never fetched for anybody else. */
import type { SignedAttribute } from '@symbolon/core/documents/model';
import { isJsonObject } from '@symbolon/wire/json/json';
import { useChair } from '../../../api/api.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { Halves, type HalvesRow } from '../../../parts/halves/halves.tsx';
import { type DeskReading, useDeskWords } from '../../../words/words.ts';
import { useTemplateVersion } from '../parties.ts';
import { boundsText, isDecimalOf, labelOf, valueText } from '../request/request-words.ts';
import { useOwnedCredential } from './owned-values.ts';
import { countSeen, seenFacts } from './seen-facts.ts';
import type { OutcomeCredential } from './session-facts.ts';

export interface ResultHalvesProps {
  readonly credential: OutcomeCredential;
  /** Whether the demo shows the other half. */
  readonly isWhole?: boolean;
  /** What the issuer signed of the template, where the whole credential was given: then nothing of it is hidden. */
  readonly signed?: readonly Pick<SignedAttribute, 'key'>[];
}

type ProvedRange = NonNullable<OutcomeCredential['ranges']>[number];

/** Where the bounds stand on the bar: it shows which side is open, and no scale. */
function rangeOf({ min, max, age }: ProvedRange, reading: DeskReading<'verify'>) {
  const bounds = age && {
    ...(age.min_age !== undefined && { minAge: age.min_age }),
    ...(age.max_age !== undefined && { maxAge: age.max_age }),
  };
  const claim = boundsText({ min, max, age: bounds }, reading);
  // An older birthday is a greater age: a bound of one is the other bound of the other.
  const isFrom = bounds ? bounds.minAge !== undefined : min !== undefined;
  const isTo = bounds ? bounds.maxAge !== undefined : max !== undefined;
  return { claim, ...(isFrom && { from: 0.34 }), ...(isTo && { to: isFrom ? 0.72 : 0.4 }) };
}

export function ResultHalves({ credential, isWhole = true, signed }: ResultHalvesProps) {
  const reading = useDeskWords('verify');
  const { result } = reading.words.verify;
  const { signedIn } = useChair();
  const { template_id: templateId = '', template_version: version } = credential;
  const { holder, id, revealed = {}, ranges = [] } = credential;
  const template = useTemplateVersion(templateId, version);
  const owned = useOwnedCredential(isWhole ? holder : undefined, id);
  const did = signedIn?.did ?? '';
  const subject =
    owned && isJsonObject(owned.document.credentialSubject) ? owned.document.credentialSubject : undefined;
  const facts = seenFacts({
    attributes: signed ?? template?.credentialFormat,
    revealed: Object.keys(revealed),
    proved: ranges.map(({ attribute }) => attribute),
    isWhole: signed !== undefined,
  });
  const { seen, all } = countSeen(facts);
  const rows = facts.map(({ key, fate }): HalvesRow => {
    // Outside of the demo a verifier reads the names of the keys, which its program knows, too.
    const told = (value: unknown): string => valueText(value, reading, isDecimalOf(template, key));
    const own = subject?.[key];
    const base = subject
      ? { key, label: labelOf(template, key), ...(own !== undefined && { owned: told(own) }) }
      : { key, label: key };
    if (fate === 'shared') return { ...base, fate, value: told(revealed[key]) };
    const range = ranges.find(({ attribute }) => attribute === key);
    return fate === 'proved' && range
      ? { ...base, fate, range: rangeOf(range, reading) }
      : { ...base, fate: fate === 'proved' ? 'hidden' : fate };
  });
  return (
    <Panel className="result-halves">
      <Halves
        templateId={templateId}
        rows={rows}
        receiver={{ id: did, name: result.sawTitle }}
        receiverTitle={result.sawTitle}
        receiverAside={<span className="hint num halves-count">{result.saw(seen, all)}</span>}
        {...(owned && {
          owner: owned.person.name,
          ownerAside: (
            <span className="tag" title={result.demoOnlyWhy}>
              {result.demoOnly}
            </span>
          ),
        })}
      />
    </Panel>
  );
}
