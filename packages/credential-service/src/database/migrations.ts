/** How the tables come to be. A migration that was ever released never changes; what is new comes behind it. */
import type { Migration } from '@symbolon/host/database/common/migrate';
import { browserSessions } from './migrations/console-tables.ts';
import { firstTables } from './migrations/credential-tables.ts';
import { deskLists } from './migrations/desk-lists.ts';
import { developerTables } from './migrations/developer-tables.ts';
import * as exchange from './migrations/exchange-tables.ts';
import { openidAuthorizationTables } from './migrations/openid-authorization-tables.ts';
import { openidIssuanceTables } from './migrations/openid-issuance-tables.ts';
import * as payment from './migrations/payment-tables.ts';
import { replicaTables } from './migrations/replica-tables.ts';
import { standardsTables } from './migrations/standards-tables.ts';
import { statusListTables } from './migrations/status-list-tables.ts';
import { vcApiTables } from './migrations/vc-api-tables.ts';

export const serviceMigrations: readonly Migration[] = [
  { name: '0001-first-tables', statements: firstTables },
  { name: '0002-exchange', statements: exchange.exchangeTables },
  { name: '0003-payments', statements: payment.payments },
  { name: '0004-custody', statements: payment.custody },
  { name: '0005-presence', statements: exchange.presence },
  { name: '0006-trust', statements: exchange.trustTables },
  { name: '0007-submits', statements: exchange.submitTables },
  { name: '0008-payments', statements: payment.paymentTables },
  { name: '0009-own-chain', statements: payment.chainTables },
  { name: '0010-left-settlements', statements: payment.leftSettlements },
  { name: '0011-sponsor-holders', statements: payment.sponsorHolders },
  { name: '0012-told-settlements', statements: payment.toldSettlements },
  { name: '0013-owed-records', statements: payment.owedRecords },
  { name: '0014-offers', statements: exchange.offerTables },
  { name: '0015-events', statements: exchange.eventTables },
  { name: '0016-desk-lists', statements: deskLists },
  { name: '0017-browser-sessions', statements: browserSessions },
  { name: '0018-developer', statements: developerTables },
  { name: '0019-aborted-sessions', statements: exchange.abortedSessions },
  { name: '0020-replicas', statements: replicaTables },
  { name: '0021-delegated-keys', statements: standardsTables },
  { name: '0022-status-lists', statements: statusListTables },
  { name: '0023-openid-issuance', statements: openidIssuanceTables },
  { name: '0024-wrong-answers', statements: exchange.wrongAnswers },
  { name: '0025-vc-api', statements: vcApiTables },
  { name: '0026-openid-authorizations', statements: openidAuthorizationTables },
];
