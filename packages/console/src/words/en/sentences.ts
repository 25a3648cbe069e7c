/** Sentences about transactions: those of the SDK, with the quotation marks of print. */
import { englishSentence } from '@symbolon/sdk/sentences/sentence-words';

export const sentencesEn = {
  words: { ...englishSentence, quoted: '“{text}”' },
  names: {
    templateRegistry: 'Template registry',
    credentialRegistry: 'Credential registry',
    ownAccount: 'This service',
  },
} as const;
