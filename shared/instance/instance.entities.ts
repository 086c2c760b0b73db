import type { TablesOf } from '../core/database/tables.js';
import * as tables from './instance.tables.js';

/** The tables of this domain. */
export const instanceEntities = Object.values(tables);

/** What a query of this domain may name: its tables and those of the domains below. */
export interface InstanceDatabase extends TablesOf<(typeof tables)[keyof typeof tables]> {}
