import { sqliteRecords } from '../store/testing/records.ts';
import { registerAccessConformance } from './access.conformance.ts';

registerAccessConformance('sqlite', sqliteRecords);
