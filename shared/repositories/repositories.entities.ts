import type { TablesOf } from '../core/database/tables.js';
import type { AuthDatabase } from '../auth/auth.entities.js';
import * as tables from './repositories.tables.js';

/** The tables of this domain. */
export const repositoriesEntities = Object.values(tables);

/** Tables available to queries in this domain: its own and those of the domains that it builds on. */
export interface RepositoriesDatabase extends AuthDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
