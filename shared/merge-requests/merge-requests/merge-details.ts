import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import type { MergeDetails } from './detailed-merge-status.js';
import type { MergeRequest } from './merge-request.entity.js';

/** Loads details from another area or a higher domain for a page of open merge requests; default values are omitted. */
type MergeDetailsSource = (
  ctx: Context,
  requests: readonly Readonly<MergeRequest>[],
) => Promise<ReadonlyMap<number, Partial<MergeDetails>>>;

const sources: MergeDetailsSource[] = [];

/** Registers a further source of conditions that block a merge. Called when a domain's registry is created. @public */
export function addMergeDetails(source: MergeDetailsSource): void {
  sources.push(source);
}

interface Row {
  readonly id: number;
  readonly commits_count: number | null;
  readonly source_sha: string | null;
  readonly target_sha: string | null;
  readonly merge_method: string;
  readonly pipeline: string | null;
  readonly pipeline_required: boolean;
  readonly skipped_counts: boolean;
}

/** The newest pipeline of the head counts, in the source project or here. */
const findMergeDetails = prepareQuery<MergeRequestsDatabase, { ids: readonly number[] }, Row>((db, { ids }) =>
  db
    .selectFrom('merge_requests as i')
    .innerJoin('project_settings as s', 's.project_id', 'i.project_id')
    .leftJoin('repository_refs as src', (join) =>
      join
        .onRef('src.project_id', '=', 'i.source_project_id')
        .on((on) => on('src.full_name', '=', on(constant<string>('refs/heads/'), '||', on.ref('i.source_branch')))),
    )
    .leftJoin('repository_refs as t', (join) =>
      join
        .onRef('t.project_id', '=', 'i.project_id')
        .on((on) => on('t.full_name', '=', on(constant<string>('refs/heads/'), '||', on.ref('i.target_branch')))),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('merge_request_versions as x')
          .select('x.commits_count')
          .whereRef('x.merge_request_id', '=', 'i.id')
          .orderBy('x.id', 'desc')
          .limit(constant(1))
          .as('v'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('pipelines as x')
          .select('x.status')
          .where((of) => of.ref('s.only_allow_merge_if_pipeline_succeeds'))
          .whereRef('x.sha', '=', 'i.head_sha')
          .where((of) => of('x.project_id', 'in', [of.ref('i.project_id'), of.ref('i.source_project_id')]))
          .orderBy('x.id', 'desc')
          .limit(constant(1))
          .as('pl'),
      (join) => join.onTrue(),
    )
    .select([
      'i.id',
      'v.commits_count',
      'src.target_sha as source_sha',
      't.target_sha',
      's.merge_method',
      'pl.status as pipeline',
      's.only_allow_merge_if_pipeline_succeeds as pipeline_required',
      's.allow_merge_on_skipped_pipeline as skipped_counts',
    ])
    .where('i.id', '=', anyOf(ids, 'bigint')),
);

function toMergeDetails(request: Readonly<MergeRequest>, row: Row | undefined): MergeDetails {
  const { state, draft, merge_status, prepared_at, base_sha } = request;
  const common = { state, draft, merge_status, prepared: Boolean(prepared_at) };
  if (!row)
    return {
      ...common,
      has_commits: true,
      behind: false,
      pipeline: null,
      pipeline_required: false,
      skipped_counts: false,
    };
  const { source_sha, target_sha, commits_count, merge_method, ...pipeline } = row;
  return {
    ...common,
    ...pipeline,
    has_commits: source_sha !== null && target_sha !== null && (commits_count ?? 0) > 0,
    behind: merge_method !== 'merge' && base_sha !== target_sha,
  };
}

/** The facts that decide whether each merge request can be merged; few are loaded for those that are not open. */
export const mergeDetails = load(
  (request: Readonly<MergeRequest>) => request.id,
  async (ctx, requests): Promise<Map<number, MergeDetails>> => {
    const open = requests.filter(({ state }) => state === 'opened');
    const [rows, ...others] =
      open.length === 0
        ? [[]]
        : await Promise.all([
            findMergeDetails(ctx, { ids: open.map(({ id }) => id) }),
            ...sources.map((source) => source(ctx, open)),
          ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return new Map(
      requests.map((request) => [
        request.id,
        Object.assign(
          toMergeDetails(request, byId.get(request.id)),
          ...others.map((other) => other.get(request.id) ?? {}),
        ),
      ]),
    );
  },
);
