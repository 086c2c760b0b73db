import type { TablesOf } from '../core/database/tables.js';
import type { CiDatabase } from '../ci/ci.entities.js';
import * as tables from './planning.tables.js';

/** The tables of this domain. */
export const planningEntities = Object.values(tables);

/** Tables available to queries of this domain: its own and those of the domains that it builds on. */
export interface PlanningDatabase extends CiDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
