import type { TablesOf } from '../core/database/tables.js';
import type { PlanningDatabase } from '../planning/planning.entities.js';
import * as tables from './merge-requests.tables.js';

/** The tables of this domain. */
export const mergeRequestsEntities = Object.values(tables);

/** Tables available to queries of this domain: its own and those of the domains that it builds on. */
export interface MergeRequestsDatabase extends PlanningDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
