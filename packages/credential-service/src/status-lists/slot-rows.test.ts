import { sqliteRecords } from '../database/testing/records.ts';
import { registerSlotConformance } from './slots.conformance.ts';

registerSlotConformance('sqlite', sqliteRecords);
