import { sqliteRecords } from '../store/testing/records.ts';
import { registerAuditConformance } from './audit.conformance.ts';

registerAuditConformance('sqlite', sqliteRecords);
