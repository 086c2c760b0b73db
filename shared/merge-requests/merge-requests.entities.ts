import type { TablesOf } from '../core/database/tables.js';
import type { PlanningDatabase } from '../planning/planning.entities.js';
import * as tables from './merge-requests.tables.js';

/** The tables of this domain. */
export const mergeRequestsEntities = Object.values(tables);

/** What a query of this domain may name: its tables and those of the domains below. */
export interface MergeRequestsDatabase extends PlanningDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
