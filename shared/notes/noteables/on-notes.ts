import { expressionBuilder } from 'kysely';
import type { Aliased } from '../../core/database/tables.js';
import type { NotesDatabase } from '../notes.entities.js';

/** Notes `n`, as conditions name them. */
export type OfNotes = Aliased<NotesDatabase, { n: 'notes' }>;

/** Builds conditions on notes `n`. */
export const onNotes = expressionBuilder<OfNotes, 'n'>();
