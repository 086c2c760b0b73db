import type { Context } from '../../core/context.js';
import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import type { MergeFacts } from './detailed-merge-status.js';
import type { MergeRequest } from './merge-request.entity.js';

/** Reads, for a page of open merge requests, facts of some other area or a domain above; what is usual is left out. */
type FactSource = (
  ctx: Context,
  requests: readonly Readonly<MergeRequest>[],
) => Promise<ReadonlyMap<number, Partial<MergeFacts>>>;

const sources: FactSource[] = [];

/** Has merge requests tell of what else stands in the way of a merge. Called where a domain's registry is made. @public */
export function addMergeFacts(source: FactSource): void {
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
const readRows = (ctx: Context, ids: readonly number[]): Promise<Row[]> =>
  ctx.query<Row>(sql`
    select i.id as "id", v.commits_count as "commits_count", src.target_sha as "source_sha", t.target_sha as "target_sha",
           s.merge_method as "merge_method", pl.status as "pipeline",
           s.only_allow_merge_if_pipeline_succeeds as "pipeline_required",
           s.allow_merge_on_skipped_pipeline as "skipped_counts"
      from merge_requests i join project_settings s on s.project_id = i.project_id
      left join repository_refs src
        on src.project_id = i.source_project_id and src.full_name = 'refs/heads/' || i.source_branch
      left join repository_refs t on t.project_id = i.project_id and t.full_name = 'refs/heads/' || i.target_branch
      left join lateral (select x.commits_count from merge_request_versions x
                          where x.merge_request_id = i.id order by x.id desc limit 1) v on true
      left join lateral (select x.status from pipelines x
                          where s.only_allow_merge_if_pipeline_succeeds and x.sha = i.head_sha
                            and x.project_id in (i.project_id, i.source_project_id)
                          order by x.id desc limit 1) pl on true
     where i.id = any(${ids}::bigint[])`);

function factsOf(request: Readonly<MergeRequest>, row: Row | undefined): MergeFacts {
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

/** What decides whether each of some merge requests can be merged; of those that are not open little is asked. */
export const mergeFacts = load(
  (request: Readonly<MergeRequest>) => request.id,
  async (ctx, requests): Promise<Map<number, MergeFacts>> => {
    const open = requests.filter(({ state }) => state === 'opened');
    const [rows, ...others] =
      open.length === 0
        ? [[]]
        : await Promise.all([
            readRows(
              ctx,
              open.map(({ id }) => id),
            ),
            ...sources.map((source) => source(ctx, open)),
          ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return new Map(
      requests.map((request) => [
        request.id,
        Object.assign(factsOf(request, byId.get(request.id)), ...others.map((other) => other.get(request.id) ?? {})),
      ]),
    );
  },
);
