/** A run over the rows of a table that fit, remembered in this browser until its end; a further one takes what is left. */
import type { TemplateReply } from '@symbolon/wire/credentials/replies';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { issuerKey } from '../../../api/issuer-counts.ts';
import { useSigner } from '../../../signing/signing.tsx';
import { useIssuer } from '../acting/issuer-page.tsx';
import { useIssuing } from '../acting/issuing.ts';
import { type Act, useAct } from '../acting/use-act.ts';
import { forgetRun, rememberRun, runIdOf, type TableReading } from './bulk-memory.ts';
import { type RunTerms, runTable } from './bulk-run.ts';
import { type OutcomeLine, rowsLeft } from './row-outcomes.ts';
import type { FitRow } from './table-check.ts';

export interface BulkRun {
  readonly act: Act<[RunTerms]>;
  /** Of this table as it is looked at now, not of one before. */
  readonly lines: readonly OutcomeLine[];
  /** Rows that are not issued as far as is known. */
  readonly left: readonly FitRow[];
  /** Ends it after the rows that are under way. */
  readonly stop: () => void;
}

const none: readonly OutcomeLine[] = [];

export function useBulkRun(
  { templateId, templateName }: TemplateReply,
  { fit, reading }: { readonly fit: readonly FitRow[]; readonly reading: TableReading },
): BulkRun {
  const { did } = useIssuer();
  const issuing = useIssuing();
  const sign = useSigner();
  const queries = useQueryClient();
  const [told, setTold] = useState({ fit, lines: none });
  const lines = told.fit === fit ? told.lines : none;
  const left = rowsLeft(fit, lines);
  const isStopped = useRef(false);
  const act = useAct(async (terms: RunTerms) => {
    const [parts, signer] = await Promise.all([issuing(), sign()]);
    isStopped.current = false;
    const all = lines.filter(({ outcome }) => outcome.state !== 'failed');
    setTold({ fit, lines: [...all] });
    const id = runIdOf(did, templateId);
    const remember = () =>
      rememberRun({
        id,
        issuer: did,
        templateId,
        templateName,
        rows: fit.length,
        reading,
        done: all.filter(({ outcome }) => outcome.state !== 'failed').length,
        until: terms.validUntil,
        at: Date.now(),
      });
    await remember();
    try {
      await runTable({
        ...terms,
        issuing: parts,
        signer,
        templateId,
        rows: left,
        isStopped: () => isStopped.current,
        onOutcome: (line) => {
          all.push(line);
          setTold({ fit, lines: [...all] });
          void remember();
        },
      });
      if (all.length === fit.length) await forgetRun(id);
    } finally {
      for (const key of ['service', 'bulk', issuerKey]) await queries.invalidateQueries({ queryKey: [key] });
    }
  });
  const stop = (): void => {
    isStopped.current = true;
  };
  return { act, lines, left, stop };
}
