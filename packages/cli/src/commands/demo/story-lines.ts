/** The story as lines for people: numbered, with where it stands on the ledger, and the six checks as ticks. */
import { presentationChecks } from '@symbolon/core/documents/model';
import { checkTitles } from '@symbolon/core/presentation/check-words';
import { sentenceLines, shortened } from '../../terminal/layout.ts';
import { type Terminal, toned } from '../../terminal/terminal.ts';
import type { Checked, LedgerBlock, StoryStep } from './story.ts';

const whatWidth = 56;
/** Each with its name; so many fit on a usual line. */
const tickWidth = 29;

/** Facts stand beside what happened, or below it where there is no room. */
function numbered(
  { width = Number.POSITIVE_INFINITY }: Terminal,
  number: number,
  { what, facts = '' }: { readonly what: string; readonly facts?: string | undefined },
): readonly string[] {
  const line = `  ${number}  ${facts === '' ? what : `${what.padEnd(whatWidth)}  ${facts}`}`;
  return line.length <= width || facts === '' ? [line] : [`  ${number}  ${what}`, `     ${facts}`];
}

const placed = ({ txHash, block }: LedgerBlock): string => `tx ${shortened(txHash)}  block ${block}`;

/** The lines of one step. */
export const storyLines = (terminal: Terminal, number: number, step: StoryStep): readonly string[] =>
  linesOf(terminal, number, step).flatMap((line) => sentenceLines(terminal, line, 5));

function linesOf(terminal: Terminal, number: number, step: StoryStep): readonly string[] {
  const told = (what: string, facts?: string) => numbered(terminal, number, { what, facts });
  switch (step.step) {
    case 'template':
      return told(`template "${step.name}" ${step.version} registered`, placed(step));
    case 'apply':
      return told(`${step.by} applies`, `${shortened(step.vcId)}  ${step.status}`);
    case 'create':
      return told(
        `issuer creates: BBS+ over ${step.attributes} attributes`,
        `signature ${step.signatureBytes} bytes`,
      );
    case 'issue':
      return told('issuer signs and submits', `${placed(step)}  ${step.status}`);
    case 'present': {
      const hides = `hides ${step.hidden} attributes`;
      const what = `${step.by} presents: reveals ${step.revealed.join(', ')}; proves an ${step.proved}; ${hides}`;
      return [...told(what), `     ${step.bytes.toLocaleString('en')} bytes`];
    }
    case 'verify':
      return [
        ...told(`${step.by} verifies`),
        ...ticks(terminal, step),
        verdict(terminal, step, `saw: ${sawWords(step.saw)}`),
      ];
    case 'revoke':
      return told('issuer revokes', `${placed(step)}  ${step.status}`);
    case 'verifyAgain':
      return [
        ...told(`${step.by} verifies the same presentation again`),
        ...ticks(terminal, step),
        verdict(terminal, step, 'although the credential is revoked'),
        `     ${placed(step.revocation)} is where it was revoked`,
      ];
  }
}

const sawWords = (saw: Readonly<Record<string, string>>): string =>
  Object.entries(saw)
    .map(([key, value]) => `${key} = ${value}`)
    .join(', ');

function ticks(terminal: Terminal, { passed }: Checked): string[] {
  const marks = presentationChecks.map((check) => {
    const isGood = passed.includes(check);
    // Padded before it is coloured: escape codes have a length but no width.
    const words = checkTitles[check].padEnd(26);
    return `${toned(terminal, isGood ? 'good' : 'bad', isGood ? '✔' : '✖')} ${words}`;
  });
  const perLine = (terminal.width ?? Number.POSITIVE_INFINITY) < 7 + 3 * tickWidth ? 2 : 3;
  const lines = Array.from({ length: Math.ceil(marks.length / perLine) }, (_none, index) =>
    marks.slice(index * perLine, (index + 1) * perLine),
  );
  return lines.map((line) => `       ${line.join(' ').trimEnd()}`);
}

function verdict(terminal: Terminal, { verified, failures }: Checked, ifVerified: string): string {
  if (verified) return `     ${toned(terminal, 'good', 'VERIFIED')}   ${ifVerified}`;
  const reasons = failures.map(({ check, detail }) => `${check}: ${detail}`).join('; ');
  return `     ${toned(terminal, 'bad', 'NOT VERIFIED')}   ${reasons}`;
}
