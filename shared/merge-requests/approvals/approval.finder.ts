import type { Context } from '../../core/context.js';
import { load } from '../../core/loads.js';
import { sql } from '../../core/sql.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import type { MergeFacts } from '../merge-requests/detailed-merge-status.js';
import { addMergeFacts } from '../merge-requests/merge-facts.js';
import type { MergeRequest } from '../merge-requests/merge-request.entity.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.record.js';

/** Somebody who approved. */
export interface Approver {
  readonly user: UserSummary;
  readonly created_at: Date;
}

/** What is known of the approvals of a merge request. */
export interface Approvals {
  /** How many it needs; 0 below Premium, where approving is a sign and no condition. */
  readonly required: number;
  /** The first who approved first. */
  readonly approvers: readonly Approver[];
}

interface Counted {
  readonly id: number;
  readonly required: number;
  readonly given: number;
}

/** What merge requests need and have: what one says for itself wins over its project. One statement. */
const count = (ctx: Context, ids: readonly number[]): Promise<Counted[]> =>
  ctx.query<Counted>(sql`
    select i.id as "id", coalesce(i.approvals_before_merge, s.approvals_before_merge) as "required",
           (select count(*)::int from merge_request_approvals x where x.merge_request_id = i.id) as "given"
      from merge_requests i join project_settings s on s.project_id = i.project_id
     where i.id = any(${ids}::bigint[])`);

/** Has merge requests tell that approvals are missing: with Premium. Called where the domain's registry is made. */
export function addApprovalsToMergeFacts(): void {
  addMergeFacts(async (ctx, requests) => {
    const facts = new Map<number, Partial<MergeFacts>>();
    if (!ctx.hasPlan('premium')) return facts;
    const counted = await count(
      ctx,
      requests.map(({ id }) => id),
    );
    for (const { id, required, given } of counted) facts.set(id, { approvals_missing: given < required });
    return facts;
  });
}

/** The approvals of merge requests: two statements. */
export const approvalsOf = load(
  (request: Readonly<MergeRequest>) => request.id,
  async (ctx, requests): Promise<Map<number, Approvals>> => {
    const ids = requests.map(({ id }) => id);
    const [counted, rows] = await Promise.all([
      ctx.hasPlan('premium') ? count(ctx, ids) : [],
      ctx.query<Approver & { request_id: number }>(sql`
        select x.merge_request_id as "request_id", x.created_at as "created_at", ${userSummaryColumns('u', 'user.')}
          from merge_request_approvals x join users u on u.id = x.user_id
         where x.merge_request_id = any(${ids}::bigint[]) order by x.created_at, u.id`),
    ]);
    const required = new Map(counted.map((one) => [one.id, one.required]));
    const approvers = Map.groupBy(rows, ({ request_id: id }) => id);
    return new Map(ids.map((id) => [id, { required: required.get(id) ?? 0, approvers: approvers.get(id) ?? [] }]));
  },
);

/** The approvals of a merge request whose shape is made. */
export const loadedApprovals = (request: MergeRequestRecord, ctx: Context): Approvals =>
  approvalsOf.of(request, ctx) ?? { required: 0, approvers: [] };

/** With Premium nobody approves what they proposed themselves. */
export const isOwn = (ctx: Context, { author_id: authorId }: MergeRequest): boolean =>
  ctx.hasPlan('premium') && authorId === ctx.caller.id;
