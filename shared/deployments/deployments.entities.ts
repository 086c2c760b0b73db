import type { TablesOf } from '../core/database/tables.js';
import type { NotesDatabase } from '../notes/notes.entities.js';
import * as tables from './deployments.tables.js';

/** The tables of this domain. */
export const deploymentsEntities = Object.values(tables);

/** What a query of this domain may name: its tables and those of the domains below. */
export interface DeploymentsDatabase extends NotesDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
