import type { TablesOf } from '../core/database/tables.js';
import type { DeploymentsDatabase } from '../deployments/deployments.entities.js';
import * as tables from './packages.tables.js';

/** The tables of this domain. */
export const packagesEntities = Object.values(tables);

/** Tables that queries of this domain may use: its own and those of the domains that it builds on. */
export interface PackagesDatabase extends DeploymentsDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
