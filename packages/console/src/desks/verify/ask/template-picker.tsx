/** Finds a template by a part of its name, and adds it to the request. */
import { Select } from '@mantine/core';
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useClients } from '../../../api/api.tsx';
import { usePartyNames } from '../../../api/party-names.ts';
import { isFitToSearch } from '../../../text/secret-text.ts';
import { useDeskWords } from '../../../words/words.ts';

export interface TemplatePickerProps {
  readonly label: string;
  /** Templates that are in the request already. */
  readonly taken: readonly string[];
  readonly onPick: (template: TemplateReply) => void;
}

const shownMax = 50;

export function TemplatePicker({ label, taken, onPick }: TemplatePickerProps) {
  const { words } = useDeskWords('verify');
  const { service } = useClients();
  const [typed, setTyped] = useState('');
  const settled = useDeferredValue(typed.trim());
  // What is searched for stands in an address.
  const isFit = isFitToSearch(settled);
  const search = isFit ? settled : '';
  const { data } = useQuery({
    queryKey: ['service', 'templates', 'search', search],
    queryFn: () => service.listTemplates({ limit: String(shownMax), ...(search !== '' && { q: search }) }),
    placeholderData: (before) => before,
  });
  const templates = (data?.templates ?? []).filter(({ templateId }) => !taken.includes(templateId));
  const names = usePartyNames(templates.map(({ issuerDid }) => issuerDid));
  return (
    <Select
      label={label}
      placeholder={words.verify.ask.templateFind}
      nothingFoundMessage={words.verify.ask.templateNone}
      searchable
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      error={isFit ? undefined : words.shell.palette.secret}
      // The service has searched: what it found is shown as it is.
      filter={({ options }) => options}
      data={templates.map(({ templateId, templateName, issuerDid }) => ({
        value: templateId,
        label: `${templateName} · ${names.textOf(issuerDid)}`,
      }))}
      onChange={(chosen) => {
        const template = templates.find(({ templateId }) => templateId === chosen);
        setTyped('');
        if (template) onPick(template);
      }}
    />
  );
}
