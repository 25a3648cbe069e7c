import { sqliteRecords } from '../database/testing/records.ts';
import { registerAccessConformance } from './access.conformance.ts';

registerAccessConformance('sqlite', sqliteRecords);
