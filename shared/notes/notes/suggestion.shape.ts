import { out, shape } from '../../core/operations/shape.js';
import type { NoteRecord } from './note.record.js';
import { suggestedLine, reasonAgainst } from './suggestion.rules.js';
import type { Suggestion } from './suggestion.entity.js';

/** A suggestion with the note that makes it. */
export interface SuggestionRecord extends Suggestion {
  readonly note: NoteRecord;
}

/** What a note suggests (discussions-and-notes.md section 2). */
export const suggestionShape = shape<SuggestionRecord>('Suggestion', {
  id: out.integer((one) => one.id),
  from_line: out.integer((one) => suggestedLine(one.note) - one.lines_above),
  to_line: out.integer((one) => suggestedLine(one.note) + one.lines_below),
  appliable: out.boolean((one) => reasonAgainst(one, one.note) === null),
  applied: out.boolean((one) => Boolean(one.applied_sha)),
  from_content: out.text((one) => one.from_content),
  to_content: out.text((one) => one.to_content),
});
