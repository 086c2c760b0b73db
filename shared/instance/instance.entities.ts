import type { TablesOf } from '../core/database/tables.js';
import * as tables from './instance.tables.js';

/** The tables of this domain. */
export const instanceEntities = Object.values(tables);

/** Tables available to queries in this domain: its own and those of the domains that it builds on. */
export interface InstanceDatabase extends TablesOf<(typeof tables)[keyof typeof tables]> {}
