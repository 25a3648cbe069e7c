/** Filters over what is issued. They stand in the address; what is typed goes there when it is a DID or a day. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Button } from '../../../parts/controls/button.tsx';
import { unreadText } from '../../../parts/controls/misspelt-text.ts';
import { Segments } from '../../../parts/controls/segments.tsx';
import { readTypedDay } from '../../../text/typed-day.ts';
import { useDeskWords } from '../../../words/words.ts';
import { didIn } from '../applications/inbox-search.ts';
import { useOwnIssuer } from '../issuer-names.ts';
import { useTemplateChoices } from '../templates/reading/template-queries.ts';
import { type IssuedSearch, writeIssuedSearch } from './issued-search.ts';

export interface IssuedFiltersProps {
  readonly search: IssuedSearch;
  readonly onSearch: (search: IssuedSearch) => void;
}

const states = ['Active', 'Suspended', 'Revoked', 'Expired'] as const;
const nothing: IssuedSearch = {
  status: undefined,
  template: undefined,
  holder: undefined,
  from: undefined,
  before: undefined,
};

export function IssuedFilters({ search, onSearch }: IssuedFiltersProps) {
  const { words, language } = useDeskWords('issue');
  const texts = words.issueInbox.issuedList;
  const templates = useTemplateChoices(useOwnIssuer().did).data ?? [];
  const isFiltered = Object.keys(writeIssuedSearch(search)).length > 0;
  const noDay = (typed: string): string =>
    unreadText({ type: 'date', typed }, { words, language }, words.issueInbox.noDay);
  return (
    <div className="filters">
      <Segments
        label={texts.status}
        value={search.status ?? 'all'}
        options={[
          { value: 'all', label: texts.all },
          ...states.map((value) => ({ value, label: words.parts.statuses[value] })),
        ]}
        onChoose={(chosen) => onSearch({ ...search, status: states.find((state) => state === chosen) })}
      />
      <label className="fld">
        <span className="fld-label">{texts.template}</span>
        <select
          className="fld-input"
          value={search.template ?? ''}
          onChange={({ target }) => onSearch({ ...search, template: target.value || undefined })}
        >
          <option value="">{words.issueInbox.allTemplates}</option>
          {templates.map(({ templateId, templateName }) => (
            <option key={templateId} value={templateId}>
              {templateName}
            </option>
          ))}
        </select>
      </label>
      <TypedFilter
        key={`holder ${search.holder}`}
        label={texts.filterHolder}
        value={search.holder}
        read={didIn}
        wrong={() => texts.noDid}
        onRead={(holder) => onSearch({ ...search, holder })}
      />
      <TypedFilter
        key={`from ${search.from}`}
        label={texts.filterFrom}
        value={search.from}
        read={readTypedDay}
        wrong={noDay}
        onRead={(from) => onSearch({ ...search, from })}
      />
      <TypedFilter
        key={`before ${search.before}`}
        label={texts.filterBefore}
        value={search.before}
        read={readTypedDay}
        wrong={noDay}
        onRead={(before) => onSearch({ ...search, before })}
      />
      {isFiltered && (
        <Button size="small" kind="quiet" onClick={() => onSearch(nothing)}>
          {texts.clear}
        </Button>
      )}
    </div>
  );
}

interface TypedFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly read: (text: string) => string | undefined;
  /** What is wrong with what cannot be read. */
  readonly wrong: (typed: string) => string;
  readonly onRead: (value: string | undefined) => void;
}

/** Taken with Enter, or when the field is left. */
function TypedFilter({ label, value, read, wrong, onRead }: TypedFilterProps) {
  const [text, setText] = useState(value ?? '');
  const isEmpty = text.trim() === '';
  const isWrong = !isEmpty && read(text) === undefined;
  const take = (): void => {
    const found = isEmpty ? undefined : read(text);
    if (!isWrong && found !== value) onRead(found);
  };
  return (
    <TextInput
      label={label}
      value={text}
      error={isWrong ? wrong(text) : undefined}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  );
}
