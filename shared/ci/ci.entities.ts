import type { TablesOf } from '../core/database/tables.js';
import type { RepositoriesDatabase } from '../repositories/repositories.entities.js';
import * as tables from './ci.tables.js';

/** The tables of this domain. */
export const ciEntities = Object.values(tables);

/** Tables that queries of this domain may use: its own and those of the domains that it builds on. */
export interface CiDatabase extends RepositoriesDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
