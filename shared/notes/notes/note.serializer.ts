import { load } from '../../core/context/loads.js';
import { columns } from '../../core/database/columns.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import type { NotesDatabase } from '../notes.entities.js';
import { markdownHtml } from '../../core/markdown/markdown-html.js';
import { presentPosition } from './position.js';
import { Suggestion } from './suggestion.entity.js';
import { suggestionSerializer } from './suggestion.serializer.js';
import { isResolvable } from './note.rules.js';
import type { CommandsOnly, NoteRecord } from './note.entity.js';

const findSuggestions = prepareQuery<NotesDatabase, { ids: readonly number[] }, Suggestion>((db, { ids }) =>
  db
    .selectFrom('suggestions as s')
    .select(columns(Suggestion, 's'))
    .where('s.note_id', '=', anyOf(ids, 'bigint'))
    .orderBy('s.note_id')
    .orderBy('s.relative_order'),
);

/** The suggestions of diff notes, in order. Other notes are not queried. */
export const suggestionsOfNotes = load(
  (note: Readonly<NoteRecord>) => note.id,
  async (ctx, notes): Promise<Map<number, Suggestion[]>> => {
    const ids = notes.filter(({ type }) => type === 'DiffNote').map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const rows = await findSuggestions(ctx, { ids });
    return Map.groupBy(rows, (one) => one.note_id);
  },
);

/** Whether a note is attached to a diff with versions. */
const isVersioned = ({ type, noteable }: NoteRecord) => type === 'DiffNote' && noteable.type.versioned === true;

/** A note, keys in the order of discussions-and-notes.md section 2. */
export const noteSerializer = serializer<NoteRecord>(
  'Note',
  {
    id: out.integer((note) => note.id),
    type: out.nullableText((note) => note.type ?? null, {
      description:
        'Type of the note: `DiscussionNote` in threads, `DiffNote` on diffs; null for a single comment and for system notes.',
    }),
    body: out.text((note) => note.note),
    attachment: out.nullableText(() => null),
    author: out.nullableRecord(userSummary, (note) => note.author),
    created_at: out.instant((note) => note.created_at),
    updated_at: out.instant((note) => note.updated_at),
    system: out.boolean((note) => note.system),
    noteable_id: out.nullableInteger((note) => note.noteable.id),
    noteable_type: out.text((note) => note.noteable.type.noun),
    project_id: out.nullableInteger((note) => note.project_id ?? null),
    commit_id: out.nullableText((note) => (isVersioned(note) ? (note.diff_commit_sha ?? null) : undefined), {
      optional: true,
      description: 'ID of the commit of a diff note on a merge request.',
    }),
    position: out.any(
      (note) => (note.position ? presentPosition(note.position) : undefined),
      { type: 'object' },
      { optional: true, description: 'Position of a diff note.' },
    ),
    resolvable: out.boolean(isResolvable),
    resolved: out.boolean((note) => (isResolvable(note) ? Boolean(note.resolved_at) : undefined), { optional: true }),
    resolved_by: out.nullableRecord(userSummary, (note) => (isResolvable(note) ? note.resolved_by : undefined), {
      optional: true,
    }),
    resolved_at: out.nullableInstant((note) => (isResolvable(note) ? (note.resolved_at ?? null) : undefined), {
      optional: true,
    }),
    suggestions: out.records(
      suggestionSerializer,
      (note, ctx) =>
        isVersioned(note) ? (suggestionsOfNotes.of(note, ctx) ?? []).map((one) => ({ ...one, note })) : undefined,
      { optional: true },
    ),
    confidential: out.boolean((note) => note.internal),
    internal: out.boolean((note) => note.internal),
    imported: out.boolean((note) => note.imported_from !== 'none'),
    imported_from: out.text((note) => note.imported_from),
    noteable_iid: out.nullableInteger(({ noteable: { type, iid } }) => (type.kind === 'epic' ? null : iid)),
    commands_changes: out.any((note) => note.commands?.changes ?? {}, { type: 'object' }),
  },
  { loads: [suggestionsOfNotes] },
);

/** The response to a comment that consists of commands only. */
export const commandsSerializer = serializer<CommandsOnly>('CommandsOnly', {
  commands_changes: out.any((done) => done.commands.changes, { type: 'object' }),
  summary: out.texts((done) => done.commands.messages),
});

/** Notes as HTML, with references as the caller may follow them. */
export const noteHtml = markdownHtml<NoteRecord, 'body' | 'first_line'>(
  ({ note }) => ({ body: note, first_line: note.split('\n', 1)[0] ?? '' }),
  ({ noteable: { container } }) => ({ kind: container.kind, id: container.id }),
);
