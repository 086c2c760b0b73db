import type { Context } from '../../core/context/context.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { MilestoneRecord } from './milestone.entity.js';

const path = ({ namespace_id, full_path, iid }: MilestoneRecord): string =>
  `/${namespace_id === null ? '' : 'groups/'}${full_path}/-/milestones/${iid}`;

/** Whether its last day has passed, UTC. */
const isExpired = ({ due_date }: MilestoneRecord, ctx: Context): boolean =>
  typeof due_date === 'string' && due_date < ctx.clock.now().toISOString().slice(0, 10);

/** A milestone (core-resources.md section 8): with the id of its project, or of its group. */
export const milestoneSerializer = serializer<MilestoneRecord>('Milestone', {
  id: out.integer((milestone) => milestone.id),
  iid: out.integer((milestone) => milestone.iid),
  project_id: out.integer((milestone) => milestone.project_id ?? undefined, { optional: true }),
  group_id: out.integer((milestone) => milestone.namespace_id ?? undefined, { optional: true }),
  title: out.text((milestone) => milestone.title),
  description: out.nullableText((milestone) => milestone.description ?? null),
  state: out.text((milestone) => milestone.state, { enum: ['active', 'closed'] }),
  created_at: out.instant((milestone) => milestone.created_at),
  updated_at: out.instant((milestone) => milestone.updated_at),
  due_date: out.nullableDay((milestone) => milestone.due_date ?? null),
  start_date: out.nullableDay((milestone) => milestone.start_date ?? null),
  expired: out.boolean(isExpired),
  web_url: out.text((milestone, ctx) => ctx.config.externalUrl + path(milestone)),
});
