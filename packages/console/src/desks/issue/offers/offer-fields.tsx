/** The fields of a new offer: what it will say, then whom it is for, how long, and on which terms. */
import { offerLimits } from '@symbolon/core/limits/waiting';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { ChoiceField, TextField, TickField } from '../../../parts/controls/fields.tsx';
import { Panel } from '../../../parts/frame/panel.tsx';
import { useDeskWords } from '../../../words/words.ts';
import { kindText } from '../templates/reading/attribute-words.ts';
import { PriceText } from '../templates/reading/price-text.tsx';
import { understoodDay } from '../validity/understood-day.ts';
import { misfitText, type ValueMisfit } from '../values/typed-value.ts';
import { isPriced, type OfferDraft } from './offer-draft.ts';

const daySeconds = 86_400;
const dayChoices = [1, 7, 30].filter((days) => days * daySeconds <= offerLimits.secondsMax);

export interface OfferFieldsProps {
  readonly template: TemplateReply;
  readonly draft: OfferDraft;
  readonly onChange: (draft: OfferDraft) => void;
}

export interface OfferValuesProps extends OfferFieldsProps {
  readonly choices: readonly TemplateReply[];
  readonly wrong: ReadonlyMap<string, ValueMisfit>;
  /** Whether what is missing is said, too. */
  readonly isTouched: boolean;
  readonly onChoose: (templateId: string) => void;
}

export function OfferValues(props: OfferValuesProps) {
  const { template, draft, choices, wrong, isTouched, onChange, onChoose } = props;
  const { words, language } = useDeskWords('issue');
  const { typed } = draft;
  const errorOf = (key: string): string | undefined => {
    const misfit = wrong.get(key);
    return misfit && (isTouched || misfit.why !== 'missing') ? misfitText(misfit, words) : undefined;
  };
  /** A day as it was understood; else what is wanted. */
  const hintOf = (key: string, format: string): string => {
    if (format !== 'date') return kindText(format, words.templates);
    return understoodDay(typed[key] ?? '', language) ?? words.offers.dateHint;
  };
  return (
    <Panel title={words.offers.what} isPadded>
      <div className="stack tight">
        <ChoiceField
          label={words.offers.template}
          value={template.templateId}
          options={(choices.length > 0 ? choices : [template]).map((one) => ({
            value: one.templateId,
            label: `${one.templateName} ${one.version}`,
          }))}
          onChange={onChoose}
        />
        <div className="offer-values">
          {template.credentialFormat.map(({ attribute, key, format, mandatory }) => (
            <TextField
              key={key}
              label={mandatory ? attribute : words.offers.optional(attribute)}
              value={typed[key] ?? ''}
              onChange={(value) => onChange({ ...draft, typed: { ...typed, [key]: value } })}
              hint={hintOf(key, format)}
              error={errorOf(key)}
            />
          ))}
        </div>
      </div>
    </Panel>
  );
}

export function OfferTerms({ template, draft, onChange }: OfferFieldsProps) {
  const { words } = useDeskWords('issue');
  const { price } = template;
  return (
    <Panel title={words.offers.terms} isPadded>
      <div className="stack tight">
        <TextField
          label={words.offers.referenceField}
          value={draft.reference}
          onChange={(next) => onChange({ ...draft, reference: next.slice(0, offerLimits.referenceCharsMax) })}
          hint={words.offers.referenceHint}
        />
        <ChoiceField
          label={words.offers.lasts}
          value={draft.days}
          options={dayChoices.map((count) => ({ value: String(count), label: words.offers.days(count) }))}
          onChange={(days) => onChange({ ...draft, days })}
        />
        <TickField
          label={words.offers.txCode}
          hint={words.offers.txCodeHint}
          isTicked={draft.hasTxCode}
          onChange={(hasTxCode) => onChange({ ...draft, hasTxCode })}
        />
        {isPriced(template) && (
          <TickField
            label={words.offers.waive}
            hint={words.offers.waiveHint}
            isTicked={draft.isWaived}
            onChange={(isWaived) => onChange({ ...draft, isWaived })}
          />
        )}
        {price && isPriced(template) && (
          <p className="hint">
            {words.templates.price}: <PriceText price={price} />
          </p>
        )}
      </div>
    </Panel>
  );
}
