import { sqliteRecords } from '../database/testing/records.ts';
import { registerDirectoryConformance } from './directory.conformance.ts';

registerDirectoryConformance('sqlite', sqliteRecords);
