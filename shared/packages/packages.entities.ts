import type { TablesOf } from '../core/database/tables.js';
import type { DeploymentsDatabase } from '../deployments/deployments.entities.js';
import * as tables from './packages.tables.js';

/** The tables of this domain. */
export const packagesEntities = Object.values(tables);

/** What a query of this domain may name: its tables and those of the domains below. */
export interface PackagesDatabase extends DeploymentsDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
