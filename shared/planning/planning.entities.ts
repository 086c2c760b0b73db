import type { TablesOf } from '../core/database/tables.js';
import type { CiDatabase } from '../ci/ci.entities.js';
import * as tables from './planning.tables.js';

/** The tables of this domain. */
export const planningEntities = Object.values(tables);

/** What a query of this domain may name: its tables and those of the domains below. */
export interface PlanningDatabase extends CiDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
