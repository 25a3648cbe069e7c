/** The people and things of the stories: those of the demo, which do not exist. */
import type { SentencePart } from '@symbolon/sdk/sentences/sentence-parts';

export const university = {
  id: 'did:zid:7c014f0d2f5b21a1f2c54ff4d8b5b1d6d8f1a6e2a8f44b13e0ccf3a0b1c2d3e5',
  name: 'University of Example',
} as const;
export const bank = {
  id: 'did:zid:31e6807564d8e4c08dd8c69e8fd4bd5d63f2b5edcb09860fa431aa69bdb1e333',
  name: 'Example Bank',
} as const;
export const mira = {
  id: 'did:zid:a64274104116f1562c9a9d92d4e228a83040de1aef7ba7bf33318378ae53dae7',
  name: 'Mira Example',
  kind: 'person',
} as const;

export const degreeTemplate = 'did:zid:965b87511c6b7b3b1fb8e69c2f8a1f20';
export const residenceTemplate = 'did:zid:0b8f2ac3d17e41955c026db1f0334e77';
export const transcriptTemplate = 'did:zid:61d04ba97c22e8103f95c4b2ad7086ef';
export const customerTemplate = 'did:zid:93b2287fd105ce46a87f6d0142fb3a18';
export const standingTemplate = 'did:zid:a19e83d64f27b05cc4e0917283ab5d60';

export const transactionHash = '6c3cb0ec8e0570dc6979163fb969e58e451ac2b2eaca3a0fc52dba5269d5ea45';
export const miraAddress = 'ZTX3ZapFFozb8xCMSAynkW95xW4g5U9bSDQVX';
export const validUntil = Date.UTC(2099, 11, 31, 23, 59, 59);

export const sampleSentence: readonly SentencePart[] = [
  { kind: 'account', id: university.id, text: university.name, isNamed: true },
  { kind: 'words', text: ' revokes the credential ' },
  { kind: 'credential', id: degreeTemplate, text: '965b…1f20', isNamed: false },
  { kind: 'words', text: ' for good.' },
];
