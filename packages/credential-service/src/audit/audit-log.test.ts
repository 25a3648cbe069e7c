import { sqliteRecords } from '../database/testing/records.ts';
import { registerAuditConformance } from './audit.conformance.ts';

registerAuditConformance('sqlite', sqliteRecords);
