import { expressionBuilder, sql } from 'kysely';
import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import { anyOf, constant } from '../../core/database/expressions.js';
import { containerColumn } from '../../core/operations/container.js';
import {
  containerId,
  selectElements,
  elementTime,
  flagAt,
  idAt,
  idValue,
  integerAt,
  jsonAt,
  nextId,
  plainName,
  tables,
  textAt,
  timeAt,
  userAt,
} from '../archive-imports/restoring.js';
import type { Restoring } from '../archive-imports/restoring.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { distinctAwards } from './restore-issuables.js';

/** Where imported records of projects come from, as the API shows it. */
export const IMPORTED_FROM = 'gitlab_project';
/** Maximum length of a system note's action, in characters. */
const LONGEST_ACTION = 255;

/** Of what comments are: the relation of the archive, and what columns that refer to it begin with. */
interface Noteables {
  readonly relation: string;
  readonly name: 'epic' | 'issue' | 'merge_request' | 'snippet';
}

/** A comment of an archive, with the id that it will have. */
interface ImportedNote {
  id: number;
  /** What it is about here. */
  owner_id: number | null;
  line: number;
  /** Its position in the list. */
  at: number;
  data: unknown;
  /** The matching user. */
  author_id: number | null;
  created_at: Date;
  /** The original author's name. */
  name: string;
}

const t = expressionBuilder<ArchivesDatabase & { t: ImportedNote }, 't'>();

/**
 * The author's name of a comment `e` on the exporting instance; in a group's archive it may be stored apart from the
 * comments.
 */
function authorName(restoring: Restoring): Expression<string | null> {
  const name = textAt('e.data', 'author', 'name');
  if (restoring.container.kind === 'project') return name;
  const contributor = tables(restoring)
    .selectFrom('archive_import_rows as c')
    .select(textAt('c.data', 'name').as('name'))
    .where('c.import_id', '=', restoring.importId)
    .where('c.relation', '=', constant('user_contributions'))
    .where('c.source_id', '=', idAt('e.data', 'author_id').$notNull())
    .orderBy('c.source_group')
    .limit(1)
    .$asScalar();
  return t.fn.coalesce(name, contributor);
}

/** Comments on the created records, each with its next id, in order: this is `t` in the expressions here. */
function importedNotes(restoring: Restoring, relation: string) {
  const columns = ['f.owner_id', 'f.line', 'f.at', 'f.data', 'f.author_id', 'f.created_at', 'f.name'] as const;
  const found = selectElements(restoring, relation, 'notes').select([
    'r.made_id as owner_id',
    'r.line',
    'e.at',
    'e.data',
    userAt(restoring, 'e.data', 'author_id').as('author_id'),
    elementTime(restoring).as('created_at'),
    plainName(authorName(restoring)).as('name'),
  ]);
  const inOrder = tables(restoring)
    .selectFrom(found.as('f'))
    .select(columns)
    .orderBy('f.line')
    .orderBy('f.created_at')
    .orderBy('f.at');
  return tables(restoring)
    .selectFrom(inOrder.as('f'))
    .select([nextId('notes').as('id'), ...columns]);
}

const IS_SYSTEM = t.fn.coalesce(flagAt('t.data', 'system').$castTo<boolean>(), constant(false));

/** Threads are identified by the commented record and by their id in the archive. */
const discussionId = ({ importId }: Restoring) =>
  sql<string>`left(encode(sha256(convert_to(${t.fn('concat_ws', [
    constant(' '),
    idValue(importId),
    't.owner_id',
    t.fn.coalesce(textAt('t.data', 'discussion_id'), sql<string>`'alone ' || ${t.ref('t.at')}`),
  ])}, 'UTF8')), 'hex'), 40)`;

/** The text of a comment; if no user matches its author, the author's name and the date are appended. */
const TEXT = sql<string>`${textAt('t.data', 'note')} || case when ${t.ref('t.author_id')} is null and not ${IS_SYSTEM} then
  E'\n\n*By ' || coalesce(nullif(${t.ref('t.name')}, ''), 'an unknown user') || ' on ' ||
  to_char(${t.ref('t.created_at')} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' (imported)*' else '' end`;

/** Columns of comments, by name. */
type NoteValues = Readonly<Record<string, AliasableExpression<unknown>>>;

/**
 * Values shared by comments of all kinds. If no user matches the author, the importer becomes the author
 * (group-export-import.md section 4.12).
 */
const commonValues = (restoring: Restoring): NoteValues => ({
  id: t.ref('t.id'),
  [containerColumn(restoring.container.kind)]: containerId(restoring),
  discussion_id: discussionId(restoring),
  note: TEXT,
  author_id: t.fn.coalesce('t.author_id', idValue(restoring.ctx.caller.id)),
  system: IS_SYSTEM,
  action: t
    .case()
    .when(flagAt('t.data', 'system'), '=', true)
    .then(t.fn<string>('left', [textAt('t.data', 'system_note_metadata', 'action'), constant(LONGEST_ACTION)]))
    .end(),
  internal: t.fn.coalesce(flagAt('t.data', 'internal'), constant(false)),
  last_edited_at: timeAt('t.data', 'last_edited_at'),
  created_at: t.ref('t.created_at'),
  updated_at: t.fn.coalesce(timeAt('t.data', 'updated_at'), 't.created_at'),
});

/** Additional values of comments in projects. */
const projectValues = (restoring: Restoring): NoteValues => ({
  imported_from: constant(IMPORTED_FROM),
  resolved_at: timeAt('t.data', 'resolved_at'),
  resolved_by_id: userAt(restoring, 't.data', 'resolved_by_id'),
});

/** The commits of a position are all among some. */
const standsOn = (name: string, shas: readonly string[]) =>
  t.fn.coalesce(
    t.and(['base_sha', 'start_sha', 'head_sha'].map((sha) => t(textAt('t.data', name, sha), '=', anyOf(shas, 'text')))),
    constant(false),
  );

/** Whether a comment is on a diff whose commits all exist here; otherwise it has no diff position. */
const isOnDiff = ({ name }: Noteables, shas: readonly string[]): Expression<SqlBool> =>
  name === 'merge_request'
    ? t.and([t(textAt('t.data', 'type'), '=', constant('DiffNote')), standsOn('position', shas)])
    : constant(false);

/** Positions of diff comments. */
const diffValues = (onDiff: Expression<SqlBool>, shas: readonly string[]): NoteValues => ({
  position: t.case().when(onDiff).then(jsonAt('t.data', 'position')).end(),
  original_position: t
    .case()
    .when(t.and([onDiff, standsOn('original_position', shas)]))
    .then(jsonAt('t.data', 'original_position'))
    .when(onDiff)
    .then(jsonAt('t.data', 'position'))
    .end(),
  outdated: t.and([onDiff, t.fn.coalesce(flagAt('t.data', 'outdated').$castTo<boolean>(), constant(false))]),
  diff_commit_sha: t
    .case()
    .when(t.and([onDiff, t(textAt('t.data', 'commit_id'), '=', anyOf(shas, 'text'))]))
    .then(textAt('t.data', 'commit_id'))
    .end(),
});

/** The elements of a list that comments `t` have, with their `data` and their position `at`. */
const elementsOfNote = <const Alias extends string>(list: string, alias: Alias) =>
  sql<{ data: unknown; at: number }>`
    jsonb_array_elements(coalesce(nullif(${jsonAt('t.data', list)}, 'null'), '[]')) with ordinality`.as<Alias>(
    sql`${sql.ref(alias)}(data, at)`,
  );

/**
 * Comments, in their threads, with their emoji and suggestions. The name of an unmatched author comes from another
 * server: characters with a meaning in Markdown are removed from it.
 * @param shas ids of those commits referenced by diff notes that exist in the repository
 */
export async function restoreNotes(restoring: Restoring, kind: Noteables, shas: readonly string[] = []): Promise<void> {
  const { relation, name } = kind;
  const container = containerColumn(restoring.container.kind);
  const onDiff = isOnDiff(kind, shas);
  const type = t
    .case()
    .when(onDiff)
    .then(constant('DiffNote'))
    .when(textAt('t.data', 'type'), 'is not', null)
    .then(constant('DiscussionNote'))
    .end();
  const noteValues: NoteValues = {
    ...commonValues(restoring),
    [`${name}_id`]: t.ref('t.owner_id'),
    type,
    ...(restoring.container.kind === 'project' && projectValues(restoring)),
    ...(name === 'merge_request' && diffValues(onDiff, shas)),
  };
  const values = Object.entries(noteValues);
  await tables(restoring)
    .with(
      (cte) => cte('imported').materialized(),
      () => importedNotes(restoring, relation),
    )
    .with('inserted', (db) =>
      db
        .insertInto('notes')
        .columns(values.map(([column]) => column as 'id'))
        .expression((eb) =>
          eb
            .selectFrom('imported as t')
            .select(values.map(([column, value]) => value.as(column)))
            .orderBy('t.id'),
        )
        .returning('id'),
    )
    .with('suggested', (db) =>
      db
        .insertInto('suggestions')
        .columns([
          ...(['project_id', 'note_id', 'relative_order', 'lines_above', 'lines_below', 'from_content'] as const),
          ...(['to_content', 'outdated', 'applied_sha'] as const),
        ])
        .expression((eb) =>
          eb
            .selectFrom('imported as t')
            .crossJoin(elementsOfNote('suggestions', 'g'))
            .select([
              containerId(restoring).as('project_id'),
              't.id',
              integerAt('g.data', 'relative_order').as('relative_order'),
              integerAt('g.data', 'lines_above').as('lines_above'),
              integerAt('g.data', 'lines_below').as('lines_below'),
              textAt('g.data', 'from_content').as('from_content'),
              textAt('g.data', 'to_content').as('to_content'),
              t.fn.coalesce(flagAt('g.data', 'outdated'), constant(false)).as('outdated'),
              textAt('g.data', 'applied_sha').as('applied_sha'),
            ])
            .where(onDiff),
        )
        .onConflict((conflict) => conflict.doNothing()),
    )
    .insertInto('note_award_emojis')
    .columns([container, 'note_id', 'user_id', 'name', 'created_at', 'updated_at'])
    .expression((eb) =>
      distinctAwards(
        restoring,
        eb
          .selectFrom('imported as t')
          .crossJoin(elementsOfNote('award_emoji', 'a'))
          .select([
            't.id as owner_id',
            userAt(restoring, 'a.data', 'user_id').as('user_id'),
            textAt('a.data', 'name').as('name'),
            'a.at',
            // Its own time, otherwise that of the comment.
            t.fn.coalesce(timeAt('a.data', 'created_at'), t.ref('t.created_at')).as('time'),
          ]),
      ),
    )
    .execute();
}
