import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { constant, unnestedRows } from '../../core/database/expressions.js';
import { prepareExpression } from '../../core/database/prepared.js';
import { today } from '../../tenancy/namespaces/for-caller.js';
import type { NotesDatabase } from '../notes.entities.js';
import type { ToDo } from './to-do.entity.js';
import { isReadable, joinTargets, onToDos } from './visible-to-dos.js';
import type { OfToDos, TargetKind } from './visible-to-dos.js';

/** The columns of a to-do that name what it is about. */
export type ToDoTarget = Readonly<
  Partial<Pick<ToDo, 'project_id' | 'namespace_id' | 'issue_id' | 'merge_request_id' | 'epic_id' | 'commit_sha'>>
>;

/** Of the target of a to-do, the columns that others have. */
export const NO_TARGET = {
  project_id: null,
  namespace_id: null,
  issue_id: null,
  merge_request_id: null,
  epic_id: null,
  commit_sha: null,
} as const satisfies ToDoTarget;

/** A to-do for somebody who gets it if they may read what it is about. */
export interface NewToDo extends ToDoTarget, Pick<ToDo, 'user_id' | 'author_id' | 'action' | 'created_at'> {
  readonly note_id?: number | null;
}

function getTargetKind({ issue_id, merge_request_id, epic_id }: ToDoTarget): TargetKind {
  if (issue_id) return 'issue';
  if (merge_request_id) return 'merge_request';
  return epic_id ? 'epic' : 'commit';
}

const TYPES = {
  project_id: 'bigint',
  namespace_id: 'bigint',
  user_id: 'bigint',
  author_id: 'bigint',
  action: 'text',
  issue_id: 'bigint',
  merge_request_id: 'bigint',
  epic_id: 'bigint',
  commit_sha: 'text',
  note_id: 'bigint',
  created_at: 'timestamptz',
} as const;
const COLUMNS = Object.keys(TYPES) as (keyof typeof TYPES)[];

/** That user `u` may read what row `t` is about, whichever kind of user it is. */
const readableBy = (kind: TargetKind) =>
  prepareExpression<{ day: string }, SqlBool>(({ day }) => {
    const as = (of: { admin: boolean; external: boolean }) =>
      isReadable({ ...of, anonymous: false, userId: onToDos.ref('t.user_id'), day }, [kind]);
    const [admin, external] = [onToDos.ref('u.admin'), onToDos.ref('u.external')];
    return onToDos.or([
      onToDos.and([admin, as({ admin: true, external: false })]),
      onToDos.and([onToDos.not(admin), external, as({ admin: false, external: true })]),
      onToDos.and([onToDos.not(admin), onToDos.not(external), as({ admin: false, external: false })]),
    ]);
  });

const READABLE_BY = {
  issue: readableBy('issue'),
  merge_request: readableBy('merge_request'),
  epic: readableBy('epic'),
  commit: readableBy('commit'),
};

/** The column that names a target; ids of commits are looked up within their project. */
const TARGET_COLUMNS = {
  issue: 'issue_id',
  merge_request: 'merge_request_id',
  epic: 'epic_id',
  commit: 'commit_sha',
} as const;

/** That user and text of row `t` have no to-do yet, done or not: each text tells everybody once, however often it is read. */
function isFirstOfText(kind: TargetKind): Expression<SqlBool> {
  const column = TARGET_COLUMNS[kind];
  const before = onToDos
    .selectFrom('todos as x')
    .select(onToDos.lit(1).as('one'))
    .whereRef('x.user_id', '=', 't.user_id')
    .whereRef(`x.${column}`, '=', `t.${column}`)
    .where('x.action', 'in', [constant('mentioned' as const), constant('directly_addressed' as const)])
    .where((eb) => eb('x.note_id', 'is not distinct from', eb.ref('t.note_id')));
  return onToDos.not(onToDos.exists(kind === 'commit' ? before.whereRef('x.project_id', '=', 't.project_id') : before));
}

async function insertOfKind(
  ctx: Context<Caller>,
  kind: TargetKind,
  toDos: readonly NewToDo[],
  once: boolean,
): Promise<void> {
  const rows = toDos.map((one) => ({ ...NO_TARGET, note_id: null, ...one }));
  const db = ctx.em.getKysely<NotesDatabase>();
  const candidates = db.selectFrom(unnestedRows(rows, TYPES).as('t')) as unknown as SelectQueryBuilder<
    OfToDos,
    't',
    object
  >;
  const receivers = joinTargets(candidates)
    .innerJoin('users as u', 'u.id', 't.user_id')
    .where('u.state', '=', constant('active'))
    .where(READABLE_BY[kind]({ day: today(ctx) }));
  await db
    .insertInto('todos')
    .columns([...COLUMNS, 'updated_at', 'state'])
    .expression(
      (once ? receivers.where(isFirstOfText(kind)) : receivers)
        .select([
          ...COLUMNS.map((name) => `t.${name}` as const),
          't.created_at as updated_at',
          constant<'pending' | 'done'>('pending').as('state'),
        ])
        // All transactions in the same order: they wait for each other's rows.
        .orderBy('t.action')
        .orderBy('t.user_id'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Puts items on the lists of those of their users who are active and may read what they are about, unless the same is
 * pending there. A statement for each kind of target, however many there are.
 * @param options.once for mentions: only where the same text has not told the user before
 */
export async function insertToDos(
  ctx: Context<Caller>,
  toDos: readonly NewToDo[],
  { once = false }: { once?: boolean } = {},
): Promise<void> {
  const byKind = Map.groupBy(toDos, getTargetKind);
  for (const [kind, some] of byKind) await insertOfKind(ctx, kind, some, once);
}
