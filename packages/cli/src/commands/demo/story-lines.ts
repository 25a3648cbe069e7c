/** The story as lines for people: numbered, with where it stands on the ledger, and the six checks as ticks. */
import { type PresentationCheck, presentationChecks } from '@symbolon/core/documents/model';
import { shortened, type Terminal, toned } from '../../terminal/terminal.ts';
import type { Checked, LedgerBlock, StoryStep } from './story.ts';

const checkWords: Readonly<Record<PresentationCheck, string>> = {
  holderSignature: "holder's signature",
  bbsProof: 'BBS+ proof',
  revealedAttributes: 'values as signed',
  disclosure: 'nothing but what was asked',
  status: 'status on the ledger',
  challenge: "verifier's challenge",
};

const whatWidth = 56;
const ticksPerLine = 3;

const numbered = (number: number, what: string, facts = ''): string =>
  `  ${number}  ${facts === '' ? what : `${what.padEnd(whatWidth)}  ${facts}`}`;

const placed = ({ txHash, block }: LedgerBlock): string => `tx ${shortened(txHash)}  block ${block}`;

/** The lines of one step. */
export function storyLines(terminal: Terminal, number: number, step: StoryStep): readonly string[] {
  switch (step.step) {
    case 'template':
      return [numbered(number, `template "${step.name}" ${step.version} registered`, placed(step))];
    case 'apply':
      return [numbered(number, `${step.by} applies`, `${shortId(step.vcId)}  ${step.status}`)];
    case 'create': {
      const what = `issuer creates: BBS+ over ${step.attributes} attributes`;
      return [numbered(number, what, `signature ${step.signatureBytes} bytes`)];
    }
    case 'issue':
      return [numbered(number, 'issuer signs and submits', `${placed(step)}  ${step.status}`)];
    case 'present': {
      const hides = `hides ${step.hidden} attributes`;
      const what = `${step.by} presents: reveals ${step.revealed.join(', ')}; proves an ${step.proved}; ${hides}`;
      return [numbered(number, what), `     ${step.bytes.toLocaleString('en')} bytes`];
    }
    case 'verify':
      return [
        numbered(number, `${step.by} verifies`),
        ...ticks(terminal, step),
        verdict(terminal, step, `saw: ${sawWords(step.saw)}`),
      ];
    case 'revoke':
      return [numbered(number, 'issuer revokes', `${placed(step)}  ${step.status}`)];
    case 'verifyAgain':
      return [
        numbered(number, `${step.by} verifies the same presentation again`),
        ...ticks(terminal, step),
        verdict(terminal, step, 'although the credential is revoked'),
        `     ${placed(step.revocation)} is where it was revoked`,
      ];
  }
}

const shortId = (vcId: string): string => `${vcId.slice(0, 14)}…${vcId.slice(-6)}`;

const sawWords = (saw: Readonly<Record<string, string>>): string =>
  Object.entries(saw)
    .map(([key, value]) => `${key} = ${value}`)
    .join(', ');

function ticks(terminal: Terminal, { passed }: Checked): string[] {
  const marks = presentationChecks.map((check) => {
    const isGood = passed.includes(check);
    // Padded before it is coloured: escape codes have a length but no width.
    const words = checkWords[check].padEnd(26);
    return `${toned(terminal, isGood ? 'good' : 'bad', isGood ? '✔' : '✖')} ${words}`;
  });
  const lines = [marks.slice(0, ticksPerLine), marks.slice(ticksPerLine)];
  return lines.map((line) => `       ${line.join(' ').trimEnd()}`);
}

function verdict(terminal: Terminal, { verified, failures }: Checked, ifVerified: string): string {
  if (verified) return `     ${toned(terminal, 'good', 'VERIFIED')}   ${ifVerified}`;
  const reasons = failures.map(({ check, detail }) => `${check}: ${detail}`).join('; ');
  return `     ${toned(terminal, 'bad', 'NOT VERIFIED')}   ${reasons}`;
}
