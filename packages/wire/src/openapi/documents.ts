/**
 * Both documents as servers hand them out: routes, introduction, words and examples put together. Large, and loaded
 * when somebody asks for one.
 */
import { ledgerRoutes } from '../ledger/routes.ts';
import { allRoutes } from './all-routes.ts';
import { ledgerIntroduction, serviceIntroduction } from './introductions.ts';
import ledgerExamples from './ledger-examples.json' with { type: 'json' };
import { ledgerOpenApiDocument } from './ledger-openapi.ts';
import serviceExamples from './service-examples.json' with { type: 'json' };
import { serviceOpenApiDocument } from './service-openapi.ts';
import { ledgerVocabulary, serviceVocabulary } from './words/vocabularies.ts';

export const ledgerDocument = (version: string) =>
  ledgerOpenApiDocument(
    ledgerRoutes,
    { title: 'Symbolon ledger node', version, description: ledgerIntroduction() },
    { vocabulary: ledgerVocabulary, examples: ledgerExamples },
  );

export const serviceDocument = (version: string) =>
  serviceOpenApiDocument(
    allRoutes,
    { title: 'Symbolon credential service', version, description: serviceIntroduction() },
    { vocabulary: serviceVocabulary, examples: serviceExamples },
  );
