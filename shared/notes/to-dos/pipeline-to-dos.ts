import { expressionBuilder } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { constant, unnestedRows } from '../../core/database/expressions.js';
import type { NotesDatabase } from '../notes.entities.js';
import { toDosOfResponsible } from './to-do-effects.js';
import type { Effects } from './to-do-effects.js';

type Pipeline = NonNullable<Effects['pipeline']>;

/** Whether a pipeline's end concerns lists: it failed, or what failed before succeeded. */
const isSettled = ({ status }: Pipeline) => status === 'failed' || status === 'success';

const PIPELINE_TYPES = { id: 'bigint', project_id: 'bigint', ref: 'text', sha: 'text', status: 'text' } as const;

/** The iid of the merge request that a pipeline was created for; null for one of a branch. */
const getIid = ({ ref }: Pipeline) => Number(/^refs\/merge-requests\/(\d{1,9})\/head$/.exec(ref)?.[1]) || null;

const ofFinished = expressionBuilder<{ mr: NotesDatabase['merge_requests']; f: Pipeline }, 'mr' | 'f'>();

/** That merge request `mr` is open, and no pipeline for its head is newer than `f`. */
const isNewestOfOpen = ofFinished.and([
  ofFinished('mr.state', '=', constant('opened')),
  ofFinished.not(
    ofFinished.exists(
      expressionBuilder<NotesDatabase & { f: Pipeline }, 'f'>()
        .selectFrom('pipelines as x')
        .select(constant(1).as('one'))
        .whereRef('x.project_id', '=', 'f.project_id')
        .whereRef('x.sha', '=', 'f.sha')
        .whereRef('x.id', '>', 'f.id'),
    ),
  ),
]);

const FOUND = [
  'f.status',
  'mr.id',
  'mr.project_id',
  'mr.author_id',
  'mr.merge_user_id',
  'mr.auto_merge_enabled',
] as const;

/** Open merge requests whose source branch has one of some pipelines as its newest. */
const findOfBranches = (ctx: Context<Caller>, pipelines: readonly Pipeline[]) =>
  ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom(unnestedRows(pipelines, PIPELINE_TYPES).as('f'))
    .innerJoin('merge_requests as mr', (join) =>
      join
        .onRef('mr.source_project_id', '=', 'f.project_id')
        .onRef('mr.source_branch', '=', 'f.ref')
        .onRef('mr.head_sha', '=', 'f.sha'),
    )
    .select(FOUND)
    .where(isNewestOfOpen)
    .execute();

/** The same for pipelines that were created for merge requests, in the project of their source or their target. */
const findOfHeads = (ctx: Context<Caller>, pipelines: readonly (Pipeline & { iid: number | null })[]) =>
  ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom(unnestedRows(pipelines, { ...PIPELINE_TYPES, iid: 'bigint' }).as('f'))
    .innerJoin('merge_requests as mr', (join) =>
      join
        .onRef('mr.iid', '=', 'f.iid')
        .onRef('mr.head_sha', '=', 'f.sha')
        .on((on) =>
          on.or([
            on('mr.project_id', '=', on.ref('f.project_id')),
            on('mr.source_project_id', '=', on.ref('f.project_id')),
          ]),
        ),
    )
    .select(FOUND)
    .where(isNewestOfOpen)
    .execute();

/** What the newest pipelines of open merge requests mean for who has to see to these. */
export async function getPipelineEffects(ctx: Context<Caller>, finished: readonly Pipeline[]): Promise<Effects[]> {
  const pipelines = finished.filter(isSettled).map((one) => ({ ...one, iid: getIid(one) }));
  const [ofBranches, ofHeads] = [pipelines.filter(({ iid }) => !iid), pipelines.filter(({ iid }) => iid)];
  const requests = [
    ...(ofBranches.length > 0 ? await findOfBranches(ctx, ofBranches) : []),
    ...(ofHeads.length > 0 ? await findOfHeads(ctx, ofHeads) : []),
  ];
  return requests.map(({ status, id, project_id, ...request }) => {
    const target = { project_id, merge_request_id: id };
    if (status === 'failed') return { added: toDosOfResponsible(request, target, 'build_failed') };
    // Also that of whoever set it to be merged: a push since has undone that.
    return { done: [{ user_id: null, target, action: 'build_failed' }] };
  });
}
