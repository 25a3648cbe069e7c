/** The vocabulary of each document. */

import { consoleWords } from './console-words.ts';
import { deskWords } from './desk-words.ts';
import { developerWords } from './developer-words.ts';
import { documentMembers } from './document-schemas.ts';
import { eventWords } from './event-words.ts';
import { explorerWords } from './explorer-words.ts';
import { issuanceWords } from './issuance-words.ts';
import { ledgerWords } from './ledger-words.ts';
import { moneyWords } from './money-words.ts';
import { openidWords } from './openid-words.ts';
import { presentationWords } from './presentation-words.ts';
import { vcApiWords } from './vc-api-words.ts';
import type { Vocabulary } from './vocabulary.ts';

export const ledgerVocabulary: Vocabulary = {
  words: { ...ledgerWords, ...explorerWords },
  documents: {},
};

export const serviceVocabulary: Vocabulary = {
  words: {
    ...issuanceWords,
    ...presentationWords,
    ...moneyWords,
    ...eventWords,
    ...deskWords,
    ...developerWords,
    ...consoleWords,
    ...openidWords,
    ...vcApiWords,
  },
  documents: documentMembers,
};
