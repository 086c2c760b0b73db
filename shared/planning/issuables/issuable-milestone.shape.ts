import type { Context } from '../../core/context.js';
import { out, shape, shownIf } from '../../core/shape.js';
import type { OutField } from '../../core/shape.js';
import type { Milestone } from '../milestones/milestone.entity.js';

/** A milestone with where its page lies. */
export interface IssuableMilestone extends Milestone {
  /** Of its project or group. */
  full_path: string;
}

function webUrl({ full_path, iid, namespace_id }: IssuableMilestone, ctx: Context): string {
  return `${ctx.config.externalUrl}/${namespace_id ? 'groups/' : ''}${full_path}/-/milestones/${iid}`;
}

/** Past its due day, and not closed. */
const isExpired = ({ state, due_date }: IssuableMilestone, ctx: Context): boolean =>
  state === 'active' && typeof due_date === 'string' && due_date < ctx.clock.now().toISOString().slice(0, 10);

const ofProject = ({ project_id }: IssuableMilestone) => typeof project_id === 'number';
const ofGroup = (milestone: IssuableMilestone) => !ofProject(milestone);

/** The milestone of an issue or merge request, inside its record. */
export const issuableMilestone = shape<IssuableMilestone>('IssuableMilestone', {
  id: out.integer((milestone) => milestone.id),
  iid: out.integer((milestone) => milestone.iid),
  ...shownIf<IssuableMilestone>(ofProject, { project_id: out.nullableInteger((milestone) => milestone.project_id) }),
  ...shownIf<IssuableMilestone>(ofGroup, { group_id: out.nullableInteger((milestone) => milestone.namespace_id) }),
  title: out.text((milestone) => milestone.title),
  description: out.nullableText((milestone) => milestone.description ?? null),
  state: out.text((milestone) => milestone.state, { enum: ['active', 'closed'] }),
  created_at: out.instant((milestone) => milestone.created_at),
  updated_at: out.instant((milestone) => milestone.updated_at),
  due_date: out.nullableDay((milestone) => milestone.due_date ?? null),
  start_date: out.nullableDay((milestone) => milestone.start_date ?? null),
  expired: out.boolean(isExpired),
  web_url: out.text(webUrl),
} satisfies Record<string, OutField<IssuableMilestone>>);
