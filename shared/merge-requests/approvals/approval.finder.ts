import type { Context } from '../../core/context/context.js';
import { nested } from '../../core/database/columns.js';
import { anyOf, scalar } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import type { MergeDetails } from '../merge-requests/detailed-merge-status.js';
import { addMergeDetails } from '../merge-requests/merge-details.js';
import type { MergeRequest, MergeRequestRecord } from '../merge-requests/merge-request.entity.js';

/** A user who approved. */
export interface Approver {
  readonly user: UserSummary;
  readonly created_at: Date;
}

/** The approvals of a merge request. */
export interface Approvals {
  /** How many it needs; 0 below Premium, where approving is a sign and no condition. */
  readonly required: number;
  /** The first who approved first. */
  readonly approvers: readonly Approver[];
}

interface Counted {
  readonly id: number;
  readonly required: number;
  readonly approvals: number;
}

interface Ids {
  readonly ids: readonly number[];
}

/** Required and existing approvals of merge requests; their own number wins over their project's. One statement. */
const count = prepareQuery<MergeRequestsDatabase, Ids, Counted>((db, { ids }) =>
  db
    .selectFrom('merge_requests as i')
    .innerJoin('project_settings as s', 's.project_id', 'i.project_id')
    .select((eb) => [
      'i.id',
      eb.fn.coalesce('i.approvals_before_merge', 's.approvals_before_merge').as('required'),
      scalar(
        eb
          .selectFrom('merge_request_approvals as x')
          .select((of) => of.fn.countAll<number>().as('count'))
          .whereRef('x.merge_request_id', '=', 'i.id'),
      ).as('approvals'),
    ])
    .where('i.id', '=', anyOf(ids, 'bigint')),
);

const findApprovers = prepareQuery<MergeRequestsDatabase, Ids, Approver & { request_id: number }>((db, { ids }) =>
  db
    .selectFrom('merge_request_approvals as x')
    .innerJoin('users as u', 'u.id', 'x.user_id')
    .select(['x.merge_request_id as request_id', 'x.created_at'])
    .select(nested('user', User, 'u', { only: USER_SUMMARY }))
    .where('x.merge_request_id', '=', anyOf(ids, 'bigint'))
    .orderBy('x.created_at')
    .orderBy('u.id'),
);

/** Makes merge requests report missing approvals, with Premium. Called when the domain's registry is created. */
export function addApprovalsToMergeDetails(): void {
  addMergeDetails(async (ctx, requests) => {
    const details = new Map<number, Partial<MergeDetails>>();
    if (!ctx.hasPlan('premium')) return details;
    const counted = await count(ctx, { ids: requests.map(({ id }) => id) });
    for (const { id, required, approvals } of counted) details.set(id, { approvals_missing: approvals < required });
    return details;
  });
}

/** The approvals of merge requests: two statements. */
export const approvalsOf = load(
  (request: Readonly<MergeRequest>) => request.id,
  async (ctx, requests): Promise<Map<number, Approvals>> => {
    const ids = requests.map(({ id }) => id);
    const [counted, rows] = await Promise.all([
      ctx.hasPlan('premium') ? count(ctx, { ids }) : [],
      findApprovers(ctx, { ids }),
    ]);
    const required = new Map(counted.map((one) => [one.id, one.required]));
    const approvers = Map.groupBy(rows, ({ request_id: id }) => id);
    return new Map(ids.map((id) => [id, { required: required.get(id) ?? 0, approvers: approvers.get(id) ?? [] }]));
  },
);

/** The approvals of a merge request that is being serialized. */
export const loadedApprovals = (request: MergeRequestRecord, ctx: Context): Approvals =>
  approvalsOf.of(request, ctx) ?? { required: 0, approvers: [] };

/** With Premium, authors cannot approve their own merge requests. */
export const isOwn = (ctx: Context, { author_id: authorId }: MergeRequest): boolean =>
  ctx.hasPlan('premium') && authorId === ctx.caller.id;
