import { expressionBuilder, sql } from 'kysely';
import type { AliasableExpression, Expression } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import {
  elementsOf,
  flagAt,
  idValue,
  jsonAt,
  nextId,
  plainName,
  tables,
  textAt,
  timeAt,
  userAt,
} from '../archive-imports/restoring.js';
import type { Restoring } from '../archive-imports/restoring.js';

/** A comment of an archive, with the id that it will have. */
interface ImportedNote {
  id: number;
  /** What it is about here. */
  owner_id: number | null;
  line: number;
  /** Its position in the list. */
  at: number;
  data: unknown;
  /** Whoever here wrote it. */
  author_id: number | null;
  created_at: Date;
  /** Of whoever wrote it. */
  name: string;
}

const t = expressionBuilder<{ t: ImportedNote }, 't'>();

interface NotesSource {
  readonly relation: string;
  /** When an element was written. */
  readonly time: AliasableExpression<Date>;
  /** What its author is called, as `e.data` and the row `r` say. */
  readonly author: Expression<string | null>;
}

/** Comments on what was made of rows, each with its next id, in their order: what `t` is in the expressions here. */
export function importedNotes(restoring: Restoring, { relation, time, author }: NotesSource) {
  const found = elementsOf(restoring, relation, 'notes').select([
    'r.made_id as owner_id',
    'r.line',
    'e.at',
    'e.data',
    userAt(restoring, 'e.data', 'author_id').as('author_id'),
    time.as('created_at'),
    plainName(author).as('name'),
  ]);
  const inOrder = tables(restoring)
    .selectFrom(found.as('f'))
    .select(['f.owner_id', 'f.line', 'f.at', 'f.data', 'f.author_id', 'f.created_at', 'f.name'])
    .orderBy('f.line')
    .orderBy('f.created_at')
    .orderBy('f.at');
  return tables(restoring)
    .selectFrom(inOrder.as('f'))
    .select([
      nextId('notes').as('id'),
      'f.owner_id',
      'f.line',
      'f.at',
      'f.data',
      'f.author_id',
      'f.created_at',
      'f.name',
    ]);
}

const isSystem = t.fn.coalesce(flagAt('t.data', 'system').$castTo<boolean>(), constant(false));

/** Threads are known by what is commented on and by their id in the archive. */
const discussionId = ({ importId }: Restoring) =>
  sql<string>`left(encode(sha256(convert_to(${t.fn('concat_ws', [
    constant(' '),
    idValue(importId),
    't.owner_id',
    t.fn.coalesce(textAt('t.data', 'discussion_id'), sql<string>`'alone ' || ${t.ref('t.at')}`),
  ])}, 'UTF8')), 'hex'), 40)`;

/** Whose author is nobody here says by whom and when it was written. */
const text = sql<string>`${textAt('t.data', 'note')} || case when ${t.ref('t.author_id')} is null and not ${isSystem} then
  E'\n\n*By ' || coalesce(nullif(${t.ref('t.name')}, ''), 'an unknown user') || ' on ' ||
  to_char(${t.ref('t.created_at')} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' (imported)*' else '' end`;

/** The columns that {@link noteValues} fill. */
export const NOTE_COLUMNS = [
  ...(['id', 'discussion_id', 'note', 'author_id', 'system', 'action', 'internal'] as const),
  ...(['last_edited_at', 'created_at', 'updated_at'] as const),
];

/**
 * What comments of all kinds have. Whose author is nobody here is the importer's (group-export-import.md section 4.12).
 * @param longestAction characters of what a system note says that was done
 */
export const noteValues = (restoring: Restoring, longestAction: number) => [
  t.ref('t.id').as('id'),
  discussionId(restoring).as('discussion_id'),
  text.as('note'),
  t.fn.coalesce('t.author_id', idValue(restoring.ctx.caller.id)).as('author_id'),
  isSystem.as('system'),
  t
    .case()
    .when(flagAt('t.data', 'system'), '=', true)
    .then(t.fn<string>('left', [textAt('t.data', 'system_note_metadata', 'action'), constant(longestAction)]))
    .end()
    .as('action'),
  t.fn.coalesce(flagAt('t.data', 'internal'), constant(false)).as('internal'),
  timeAt('t.data', 'last_edited_at').as('last_edited_at'),
  t.ref('t.created_at').as('created_at'),
  t.fn.coalesce(timeAt('t.data', 'updated_at'), 't.created_at').as('updated_at'),
];

/** The elements of a list that comments `t` have, with their `data` and their position `at`. */
export const elementsOfNote = <const Alias extends string>(list: string, alias: Alias) =>
  sql<{ data: unknown; at: number }>`
    jsonb_array_elements(coalesce(nullif(${jsonAt('t.data', list)}, 'null'), '[]')) with ordinality`.as<Alias>(
    sql`${sql.ref(alias)}(data, at)`,
  );

/** When an emoji `a` of a comment `t` was added: as it says, else when the comment was written. */
export const awardTime = t.fn.coalesce(timeAt('a.data', 'created_at'), t.ref('t.created_at'));
