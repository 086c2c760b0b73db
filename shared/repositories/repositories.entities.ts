import type { TablesOf } from '../core/database/tables.js';
import type { AuthDatabase } from '../auth/auth.entities.js';
import * as tables from './repositories.tables.js';

/** The tables of this domain. */
export const repositoriesEntities = Object.values(tables);

/** What a query of this domain may name: its tables and those of the domains below. */
export interface RepositoriesDatabase extends AuthDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
