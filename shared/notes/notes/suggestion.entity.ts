import { defineEntity, id, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Note } from './note.entity.js';

/** Replacement lines for the lines that a diff note is attached to. */
export const Suggestion = defineEntity({
  name: 'Suggestion',
  tableName: 'suggestions',
  properties: {
    id: id(),
    project_id: reference(),
    note_id: relation(Note),
    /** Position among the suggestions of the note, from 0. */
    relative_order: p.integer(),
    /** Lines around the one of the note. */
    lines_above: p.integer(),
    lines_below: p.integer(),
    from_content: p.string(),
    to_content: p.string(),
    /** Whether its lines are others in the newest version. */
    outdated: p.boolean(),
    /** The commit that applied it. */
    applied_sha: p.string().nullable(),
  },
});
export type Suggestion = InferEntity<typeof Suggestion>;
