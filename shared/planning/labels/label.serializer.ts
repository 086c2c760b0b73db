import { inView, out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { labelCounts, labelMergeRequests } from './label-counts.js';
import { labelFields, labelHtml } from './label-summary.serializer.js';
import type { LabelRecord } from './label.entity.js';

const fields: Record<string, OutField<LabelRecord>> = {
  ...(labelFields as Record<string, OutField<LabelRecord>>),
  archived: out.boolean((label) => label.archived),
  ...inView('with_counts', {
    open_issues_count: out.integer((label: LabelRecord, ctx) => labelCounts.of(label, ctx)?.opened ?? 0),
    closed_issues_count: out.integer((label: LabelRecord, ctx) => labelCounts.of(label, ctx)?.closed ?? 0),
    open_merge_requests_count: out.integer((label: LabelRecord, ctx) => labelMergeRequests.of(label, ctx) ?? 0),
  }),
  subscribed: out.boolean((label) => label.subscribed),
};

const options = { loads: [labelHtml], views: { with_counts: { loads: [labelCounts, labelMergeRequests] } } };

/** A label of a group (core-resources.md section 8). */
export const groupLabelSerializer = serializer<LabelRecord>('GroupLabel', fields, options);

/** A label as a project has it, its own or one of the groups above. */
export const projectLabelSerializer = serializer<LabelRecord>(
  'ProjectLabel',
  {
    ...fields,
    priority: out.nullableInteger((label) => label.priority, {
      description: 'Priority of the label in the project, where 0 is the highest.',
    }),
    is_project_label: out.boolean((label) => label.project_id !== null),
  },
  options,
);
