import type { TablesOf } from '../core/database/tables.js';
import type { NotesDatabase } from '../notes/notes.entities.js';
import * as tables from './deployments.tables.js';

/** The tables of this domain. */
export const deploymentsEntities = Object.values(tables);

/** Tables that queries of this domain may use: its own and those of the domains that it builds on. */
export interface DeploymentsDatabase extends NotesDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
