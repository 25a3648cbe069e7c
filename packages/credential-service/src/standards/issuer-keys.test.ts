import { sqliteRecords } from '../database/testing/records.ts';
import { registerIssuerKeyConformance } from './issuer-keys.conformance.ts';

registerIssuerKeyConformance('sqlite', sqliteRecords);
