import type { TablesOf } from '../core/database/tables.js';
import type { RepositoriesDatabase } from '../repositories/repositories.entities.js';
import * as tables from './ci.tables.js';

/** The tables of this domain. */
export const ciEntities = Object.values(tables);

/** What a query of this domain may name: its tables and those of the domains below. */
export interface CiDatabase extends RepositoriesDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
