import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { milestonesOfIssuables } from '../issuables/issuable-loads.js';
import { milestoneSerializer } from '../milestones/milestone.serializer.js';
import { labelSummary } from '../labels/label-summary.serializer.js';
import type { Load } from '../../core/context/loads.js';
import type {
  LabelEventRecord,
  MilestoneEventRecord,
  StateEventRecord,
  WeightEventRecord,
} from './resource-event.entity.js';

interface Happened {
  readonly id: number;
  readonly user: UserSummary | null;
  readonly created_at: Date;
  readonly resource_id: number;
  readonly resource_type: string;
}

const common: Record<string, OutField<Happened>> = {
  id: out.integer((event) => event.id),
  user: out.nullableRecord(userSummary, (event) => event.user),
  created_at: out.instant((event) => event.created_at),
};

const ofResource: Record<string, OutField<Happened>> = {
  ...common,
  resource_type: out.text((event) => event.resource_type, { enum: ['Issue', 'MergeRequest', 'Epic'] }),
  resource_id: out.integer((event) => event.resource_id),
};

/** An issue, merge request or epic was closed, reopened or merged; includes the commit whose message closed it. */
export const stateEventSerializer = serializer<StateEventRecord>('ResourceStateEvent', {
  ...ofResource,
  source_commit: out.nullableText((event) => event.source_commit ?? null),
  state: out.text((event) => event.state, { enum: ['closed', 'reopened', 'merged'] }),
});

/** Data that labels show in addition to their records. */
const labelsOfEvents: Load<LabelEventRecord> = {
  of: () => undefined,
  put: () => undefined,
  fill: (ctx, events) =>
    labelSummary.load(
      ctx,
      events.flatMap(({ label }) => label ?? []),
    ),
};

/** An issue, merge request or epic got a label or lost it (discussions-and-notes.md section 1). */
export const labelEventSerializer = serializer<LabelEventRecord>(
  'ResourceLabelEvent',
  {
    ...ofResource,
    label: out.nullableRecord(labelSummary, (event) => event.label),
    action: out.text((event) => event.action, { enum: ['add', 'remove'] }),
  },
  { loads: [labelsOfEvents] },
);

/** An issue or merge request got a milestone or lost it. */
export const milestoneEventSerializer = serializer<MilestoneEventRecord>(
  'ResourceMilestoneEvent',
  {
    ...ofResource,
    milestone: out.nullableRecord(milestoneSerializer, (event, ctx) => milestonesOfIssuables.of(event, ctx) ?? null),
    action: out.text((event) => event.action, { enum: ['add', 'remove'] }),
    state: out.text((event) => event.state, { description: 'State of the resource at the time of the event.' }),
  },
  { loads: [milestonesOfIssuables] },
);

/** An issue got another weight. */
export const weightEventSerializer = serializer<WeightEventRecord>('ResourceWeightEvent', {
  ...common,
  issue_id: out.integer((event) => event.issue_id),
  weight: out.nullableInteger((event) => event.weight ?? null),
});
