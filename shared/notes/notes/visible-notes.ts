import { expressionBuilder, sql } from 'kysely';
import type { Expression, Kysely, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders, Query } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { visibleMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import { visibleEpics } from '../../planning/epics/visible-epics.js';
import { visibleIssues } from '../../planning/issues/visible-issues.js';
import { codeProjects } from '../../tenancy/containers/planning-rights.js';
import type { Noteable, NoteableType } from '../noteables/noteable.js';
import type { NotesDatabase } from '../notes.entities.js';
import { onNotes } from '../noteables/on-notes.js';
import type { OfNotes } from '../noteables/on-notes.js';
import { constant } from '../../core/database/expressions.js';
import { noteablePolicy } from './note.policy.js';

/** Whether the Notes API lists notes of threads (contract decision 5: no, as the seed says). */
const LISTS_THREADS = false;

/** Condition on a note, or on records derived from it: that it is not excluded from lists as a part of a thread. */
export const listedNotes: Expression<SqlBool> = LISTS_THREADS
  ? constant(true)
  : onNotes('n.type', 'is distinct from', constant('DiscussionNote'));

export const ACTIVITY_FILTERS = ['all_notes', 'only_comments', 'only_activity'] as const;

/** Whether note `n` is a system note. */
export const isSystem = onNotes.ref('n.system');

/** User comments, system notes, or both. */
export function ofActivity(filter: (typeof ACTIVITY_FILTERS)[number]): Expression<SqlBool>[] {
  if (filter === 'all_notes') return [];
  return [filter === 'only_activity' ? isSystem : onNotes.not(isSystem)];
}

const one = onNotes.lit(1).as('one');

/** Kinds of records that a system note can reference. */
const REFERENCES = ['issue', 'project', 'merge_request', 'epic'] as const;
type Reference = (typeof REFERENCES)[number];

/** Of groups `n` is the name that rights know: the column of the note has none before it. */
const onEpics = expressionBuilder<Aliased<NotesDatabase, { i: 'epics'; n: 'namespaces'; gs: 'group_settings' }>>();

/** That the caller may see what note `n` speaks of. */
const visibleRecords: Readonly<Record<Reference, (ctx: Context) => Expression<unknown>>> = {
  issue: (ctx) =>
    onNotes
      .selectFrom('issues as i')
      .innerJoin('projects as p', 'p.id', 'i.project_id')
      .select(one)
      .whereRef('i.id', '=', 'n.referenced_issue_id')
      .where(visibleIssues(ctx)),
  project: (ctx) =>
    onNotes
      .selectFrom('projects as p')
      .select(one)
      .whereRef('p.id', '=', 'n.referenced_project_id')
      .where(codeProjects(ctx)),
  merge_request: (ctx) =>
    onNotes
      .selectFrom('merge_requests as i')
      .innerJoin('projects as p', 'p.id', 'i.project_id')
      .select(one)
      .whereRef('i.id', '=', 'n.referenced_merge_request_id')
      .where(visibleMergeRequests(ctx)),
  epic: (ctx) =>
    onEpics
      .selectFrom('epics as i')
      .innerJoin('namespaces as n', 'n.id', 'i.namespace_id')
      .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
      .select(one)
      .where('i.id', '=', sql.ref<number>('referenced_epic_id'))
      .where(visibleEpics(ctx)),
};

/** Whether the caller can see the records that a system note `n` references, limited to some kinds. */
export const seesReferenced = (ctx: Context, kinds: readonly Reference[] = REFERENCES): Expression<SqlBool> =>
  onNotes.and(
    kinds.map((kind) =>
      onNotes.or([onNotes(`n.referenced_${kind}_id`, 'is', null), onNotes.exists(visibleRecords[kind](ctx))]),
    ),
  );

/** Which kinds of things a note speaks of. */
export const parseReferences = (
  note: Partial<Readonly<Record<`referenced_${Reference}_id`, number | null>>>,
): Reference[] => REFERENCES.filter((kind) => note[`referenced_${kind}_id`]);

/** The internal notes that a caller can see. */
type Internal = 'all' | 'none' | 'own';

function internalFor({ caller }: Context, noteable: Noteable): Internal {
  if (noteablePolicy.read_internal_notes(caller, noteable)) return 'all';
  return caller.anonymous ? 'none' : 'own';
}

const isOpen = onNotes.not(onNotes.ref('n.internal'));

/** The notes of a record that a caller can see, regardless of the records they reference. */
function openTo(internal: Internal, userId: number | Expression<number>): Expression<SqlBool>[] {
  if (internal === 'all') return [];
  return [internal === 'none' ? isOpen : onNotes.or([isOpen, onNotes('n.author_id', '=', userId)])];
}

/** Notes `n` of a record that the caller may read, but for what they speak of. */
export const openNotes = (ctx: Context, noteable: Noteable): Expression<SqlBool> =>
  onNotes.and([noteable.type.holds(noteable), ...openTo(internalFor(ctx, noteable), ctx.caller.id)]);

/** Notes `n` that people wrote about a record and the caller may read: they speak of nothing that has rights of its own. */
export const visibleComments = (ctx: Context, noteable: Noteable): Expression<SqlBool> =>
  onNotes.and([openNotes(ctx, noteable), onNotes.not(isSystem)]);

/** Notes `n` of a record that the caller may read: the same rule as `read_note`, as a condition. */
export const visibleNotes = (ctx: Context, noteable: Noteable): Expression<SqlBool> =>
  onNotes.and([openNotes(ctx, noteable), seesReferenced(ctx)]);

/** Conditions on notes `n` of a record, and on those that the caller can read, regardless of referenced records. */
interface Conditions {
  readonly about: Expression<SqlBool>;
  readonly open: Expression<SqlBool>;
}

interface Key {
  readonly id: number;
  readonly container_id: number;
  readonly sha: string;
  readonly userId: number;
}

/**
 * A query of notes `n` of a record. Built once per kind of record and visibility of internal notes: for frequent reads.
 * @param build the query, with placeholders for its other values
 */
export function queryOfNotes<Values extends object, Row>(
  build: (db: Kysely<OfNotes>, notes: Conditions, values: Placeholders<Values>) => Query<Row>,
): (ctx: Context, noteable: Noteable, values: Values) => Promise<Row[]> {
  const prepare = (type: NoteableType, internal: Internal) =>
    prepareQuery<OfNotes, Values & Key, Row>((db, values) => {
      const { id, container_id, sha, userId } = values as Placeholders<Key>;
      const about = type.holds({ id, container: { id: container_id }, sha });
      const open = onNotes.and([about, ...openTo(internal, userId)]);
      return build(db, { about, open }, values as Placeholders<Values>);
    });
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  return (ctx, noteable, values) => {
    const internal = internalFor(ctx, noteable);
    const key = `${noteable.type.kind} ${internal}`;
    const query = prepared.get(key) ?? prepare(noteable.type, internal);
    prepared.set(key, query);
    const { id, container, sha } = noteable;
    return query(ctx, { ...values, id: id ?? 0, container_id: container.id, sha: sha ?? '', userId: ctx.caller.id });
  };
}

type Spoken = Readonly<Record<Reference, boolean | null>>;

/** Those that speak of something: the predicate of the partial indexes `notes_*_references`. */
const findReferences = queryOfNotes<object, Spoken>((db, { about }) => {
  const selectAnyReference = (kind: Reference) =>
    onNotes.fn<boolean | null>('bool_or', [onNotes(`n.referenced_${kind}_id`, 'is not', null)]).as(kind);
  return db
    .selectFrom('notes as n')
    .select([
      selectAnyReference('issue'),
      selectAnyReference('project'),
      selectAnyReference('merge_request'),
      selectAnyReference('epic'),
    ])
    .where(about)
    .where((eb) =>
      eb(
        eb.fn.coalesce(
          'n.referenced_issue_id',
          'n.referenced_project_id',
          'n.referenced_merge_request_id',
          'n.referenced_epic_id',
        ),
        'is not',
        null,
      ),
    );
});

/**
 * The kinds of records referenced by the readable notes of a record, usually none: planning and starting the conditions
 * for all four kinds costs several times as much as reading a page of notes.
 */
export async function referencesIn(ctx: Context, noteable: Noteable): Promise<Reference[]> {
  const [found] = await findReferences(ctx, noteable, {});
  return REFERENCES.filter((kind) => found?.[kind]);
}

/** The same notes as {@link visibleNotes}, checking only permissions on kinds that this record's notes reference. */
export async function visibleNotesOf(ctx: Context, noteable: Noteable): Promise<Expression<SqlBool>> {
  const kinds = await referencesIn(ctx, noteable);
  return onNotes.and([openNotes(ctx, noteable), ...(kinds.length === 0 ? [] : [seesReferenced(ctx, kinds)])]);
}
