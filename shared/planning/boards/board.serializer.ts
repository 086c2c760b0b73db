import type { Context } from '../../core/context/context.js';
import type { Load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { basicProject } from '../../tenancy/project-details/basic-project.serializer.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { projectGroupSerializer } from '../../tenancy/group-details/group.serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { milestonesOfIssuables } from '../issuables/issuable-loads.js';
import { labelSummary } from '../labels/label-summary.serializer.js';
import { milestoneSerializer } from '../milestones/milestone.serializer.js';
import { labelsOfBoards, listsOfBoards } from './board.finder.js';
import type { BoardListRecord, BoardRecord } from './board.entity.js';

/** Data that board lists show in addition to their records. */
const inLists: Load<BoardListRecord> = {
  of: () => undefined,
  put: () => undefined,
  async fill(ctx, lists) {
    await labelSummary.load(
      ctx,
      lists.flatMap(({ label }) => label ?? []),
    );
    if (lists.some(({ milestone_id: id }) => id)) await milestonesOfIssuables.fill(ctx, lists);
  },
};

/** A list of a board (core-resources.md section 8). */
export const boardListSerializer = serializer<BoardListRecord>(
  'BoardList',
  {
    id: out.integer((list) => list.id),
    label: out.nullableRecord(labelSummary, (list) => list.label),
    position: out.integer((list) => list.position, {
      description: 'Position of the list, from 0, from left to right.',
    }),
    list_type: out.text((list) => list.list_type, { enum: ['label', 'assignee', 'milestone'] }),
    assignee: out.nullableRecord(userSummary, (list) => list.assignee),
    milestone: out.nullableRecord(milestoneSerializer, (list, ctx) =>
      list.milestone_id ? (milestonesOfIssuables.of(list, ctx) ?? null) : null,
    ),
    max_issue_count: out.integer(() => 0, {
      description: 'Maximum number of issues: always 0, because lists have no limits.',
    }),
    max_issue_weight: out.integer(() => 0, {
      description: 'Maximum weight of issues: always 0, because lists have no limits.',
    }),
    limit_metric: out.nullableText(() => null),
  },
  { loads: [inLists] },
);

const PROJECT_FIELDS = [
  'id',
  'description',
  'name',
  'name_with_namespace',
  'path',
  'path_with_namespace',
  'created_at',
  'web_url',
];

const boardProject = serializer<ProjectRecord>(
  'BoardProject',
  Object.fromEntries(PROJECT_FIELDS.map((name) => [name, basicProject.fields[name] as OutField<ProjectRecord>])),
);

const listsIn = (board: BoardRecord, ctx: Context) => listsOfBoards.of(board, ctx) ?? [];

/** Data that boards show in addition to their records. */
const inBoards: Load<BoardRecord> = {
  of: () => undefined,
  put: () => undefined,
  async fill(ctx, boards) {
    await listsOfBoards.fill(ctx, boards);
    await labelsOfBoards.fill(ctx, boards);
    const labels = boards.flatMap((board) => labelsOfBoards.of(board, ctx) ?? []);
    if (labels.length > 0) await labelSummary.load(ctx, labels);
    const lists = boards.flatMap((board) => listsIn(board, ctx));
    if (lists.length > 0) await boardListSerializer.load(ctx, lists);
    if (boards.some(({ milestone_id: id }) => id)) await milestonesOfIssuables.fill(ctx, boards);
  },
};

/** A board of a project or group (core-resources.md section 8). */
export const boardSerializer = serializer<BoardRecord>(
  'Board',
  {
    id: out.integer((board) => board.id),
    name: out.text((board) => board.name),
    hide_backlog_list: out.boolean((board) => board.hide_backlog_list),
    hide_closed_list: out.boolean((board) => board.hide_closed_list),
    project: out.nullableRecord(boardProject, ({ container }) =>
      container.kind === 'project' ? container.record : null,
    ),
    group: out.nullableRecord(projectGroupSerializer, ({ container }) =>
      container.kind === 'group' ? container.record : null,
    ),
    milestone: out.nullableRecord(milestoneSerializer, (board, ctx) =>
      board.milestone_id ? (milestonesOfIssuables.of(board, ctx) ?? null) : null,
    ),
    assignee: out.nullableRecord(userSummary, (board) => board.assignee),
    labels: out.records(labelSummary, (board, ctx) => labelsOfBoards.of(board, ctx) ?? []),
    weight: out.nullableInteger((board) => board.weight ?? null),
    lists: out.records(boardListSerializer, listsIn),
  },
  { loads: [inBoards] },
);
