import type { TablesOf } from '../core/database/tables.js';
import type { TenancyDatabase } from '../tenancy/tenancy.entities.js';
import * as tables from './auth.tables.js';

/** The tables of this domain. */
export const authEntities = Object.values(tables);

/** Tables available to queries in this domain: its own and those of the domains that it builds on. */
export interface AuthDatabase extends TenancyDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
