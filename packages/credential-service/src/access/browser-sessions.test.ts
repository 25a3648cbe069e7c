import { sqliteRecords } from '../database/testing/records.ts';
import { registerBrowserSessionConformance } from './browser-sessions.conformance.ts';

registerBrowserSessionConformance('sqlite', sqliteRecords);
