import { out, serializer } from '../../core/operations/serializer.js';
import type { MergeRequestRecord } from '../../merge-requests/merge-requests/merge-request.entity.js';
import type { NoteRecord } from './note.entity.js';
import type { Suggestion } from './suggestion.entity.js';

/** The line of a note's position, after the change. */
export const suggestedLine = ({ position }: Pick<NoteRecord, 'position'>): number =>
  position?.position_type === 'text' ? (position.new_line ?? 0) : 0;

const CLOSED: Readonly<Record<string, string>> = { merged: 'was merged', closed: 'is closed' };

/** The reason why a suggestion cannot be applied, with the message of the public product; null if none is known. */
export function reasonAgainst(suggestion: Suggestion, note: NoteRecord): string | null {
  const request = note.noteable.record as MergeRequestRecord | undefined;
  if (suggestion.applied_sha) return "Can't apply this suggestion.";
  if (!request || request.state !== 'opened')
    return `This merge request ${CLOSED[request?.state ?? ''] ?? 'is closed'}. To apply this suggestion, edit this file directly.`;
  if (!request.source_project_id) return "Can't apply as the source branch was deleted.";
  if (suggestion.outdated || note.outdated || note.position?.head_sha !== request.head_sha)
    return suggestion.lines_above + suggestion.lines_below === 0
      ? "Can't apply as this line was changed in a more recent version."
      : "Can't apply as these lines were changed in a more recent version.";
  return suggestion.from_content === suggestion.to_content ? 'This suggestion already matches its content.' : null;
}

/** A suggestion with the note that makes it. */
export interface SuggestionRecord extends Suggestion {
  readonly note: NoteRecord;
}

/** A suggestion of a note (discussions-and-notes.md section 2). */
export const suggestionSerializer = serializer<SuggestionRecord>('Suggestion', {
  id: out.integer((one) => one.id),
  from_line: out.integer((one) => suggestedLine(one.note) - one.lines_above),
  to_line: out.integer((one) => suggestedLine(one.note) + one.lines_below),
  appliable: out.boolean((one) => reasonAgainst(one, one.note) === null),
  applied: out.boolean((one) => Boolean(one.applied_sha)),
  from_content: out.text((one) => one.from_content),
  to_content: out.text((one) => one.to_content),
});
