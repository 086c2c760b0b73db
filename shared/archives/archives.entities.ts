import type { TablesOf } from '../core/database/tables.js';
import type { PackagesDatabase } from '../packages/packages.entities.js';
import * as tables from './archives.tables.js';

/** The tables of this domain. */
export const archivesEntities = Object.values(tables);

/**
 * Tables that queries of this domain may use: its own and those of the domains that it builds on.
 * @public
 */
export interface ArchivesDatabase extends PackagesDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
