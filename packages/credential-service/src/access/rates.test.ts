import { sqliteRecords } from '../database/testing/records.ts';
import { registerRateConformance } from './rates.conformance.ts';

registerRateConformance('sqlite', sqliteRecords);
