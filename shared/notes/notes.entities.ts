import type { TablesOf } from '../core/database/tables.js';
import type { MergeRequestsDatabase } from '../merge-requests/merge-requests.entities.js';
import * as tables from './notes.tables.js';

/** The tables of this domain. */
export const notesEntities = Object.values(tables);

/** Tables available to queries of this domain: its own and those of the domains that it builds on. */
export interface NotesDatabase extends MergeRequestsDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
