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

const TYPES = { id: 'bigint', project_id: 'bigint', ref: 'text', sha: 'text', status: 'text' } as const;

const ofRequest = expressionBuilder<{ mr: NotesDatabase['merge_requests'] }, 'mr'>();
const ofFinished = expressionBuilder<{ mr: NotesDatabase['merge_requests']; f: Pipeline }, 'mr' | 'f'>();

/** The ref of pipelines that are created for merge request `mr`. */
const headRef = ofRequest.fn<string>('concat', [
  constant('refs/merge-requests/'),
  ofRequest.cast<string>('mr.iid', 'text'),
  constant('/head'),
]);

/** That pipeline `f` ran for the head of merge request `mr`: for its source branch, or created for it. */
const isForHead = ofFinished.and([
  ofFinished('mr.head_sha', '=', ofFinished.ref('f.sha')),
  ofFinished.or([
    ofFinished.and([
      ofFinished('mr.source_project_id', '=', ofFinished.ref('f.project_id')),
      ofFinished('mr.source_branch', '=', ofFinished.ref('f.ref')),
    ]),
    ofFinished.and([
      ofFinished.or([
        ofFinished('mr.project_id', '=', ofFinished.ref('f.project_id')),
        ofFinished('mr.source_project_id', '=', ofFinished.ref('f.project_id')),
      ]),
      ofFinished('f.ref', '=', headRef),
    ]),
  ]),
]);

/** A newer pipeline than `f` for the head of merge request `mr`. */
const newer = expressionBuilder<NotesDatabase & { mr: NotesDatabase['merge_requests']; f: Pipeline }, 'mr' | 'f'>()
  .selectFrom('pipelines as x')
  .select(constant(1).as('one'))
  .whereRef('x.project_id', '=', 'f.project_id')
  .whereRef('x.sha', '=', 'f.sha')
  .whereRef('x.id', '>', 'f.id')
  .where((eb) =>
    eb.or([eb.and([eb('x.ref', '=', eb.ref('mr.source_branch')), eb.not(eb.ref('x.tag'))]), eb('x.ref', '=', headRef)]),
  );

/** Open merge requests that have one of some pipelines as the newest of their head. */
const findRequests = (ctx: Context<Caller>, pipelines: readonly Pipeline[]) =>
  ctx.em
    .getKysely<NotesDatabase>()
    .selectFrom(unnestedRows(pipelines, TYPES).as('f'))
    .innerJoin('merge_requests as mr', (join) => join.on(isForHead))
    .select(['f.status', 'mr.id', 'mr.project_id', 'mr.author_id', 'mr.merge_user_id', 'mr.auto_merge_enabled'])
    .where('mr.state', '=', constant('opened'))
    .where(ofFinished.not(ofFinished.exists(newer)))
    .execute();

/** What the newest pipelines of open merge requests mean for who has to see to these. One statement. */
export async function getPipelineEffects(ctx: Context<Caller>, finished: readonly Pipeline[]): Promise<Effects[]> {
  const pipelines = finished.filter(isSettled);
  const requests = pipelines.length > 0 ? await findRequests(ctx, pipelines) : [];
  return requests.map(({ status, id, project_id, ...request }) => {
    const target = { project_id, merge_request_id: id };
    if (status === 'failed') return { added: toDosOfResponsible(request, target, 'build_failed') };
    // Also that of whoever set it to be merged: a push since has undone that.
    return { done: [{ user_id: null, target, action: 'build_failed' }] };
  });
}
