import type { TablesOf } from '../core/database/tables.js';
import type { MergeRequestsDatabase } from '../merge-requests/merge-requests.entities.js';
import * as tables from './notes.tables.js';

/** The tables of this domain. */
export const notesEntities = Object.values(tables);

/** What a query of this domain may name: its tables and those of the domains below. */
export interface NotesDatabase extends MergeRequestsDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
