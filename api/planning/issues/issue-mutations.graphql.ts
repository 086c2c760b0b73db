import { Resolver } from 'type-graphql';
import { NotFound } from '../../../shared/core/values/errors.js';
import { invoke, invokeThen } from '../../../shared/core/operations/invoke.js';
import { authorize } from '../../../shared/core/operations/operation.js';
import { createIssue } from '../../../shared/planning/issues/create-issue.js';
import { moveIssue } from '../../../shared/planning/issues/move-issue.js';
import { reorderIssue } from '../../../shared/planning/issues/reorder-issue.js';
import { updateIssue } from '../../../shared/planning/issues/update-issue.js';
import { estimateIssue, setIssueSubscription } from '../../../shared/planning/issues/issue-tracking.operations.js';
import { issue } from '../../../shared/planning/issues/issue.finder.js';
import { issuePolicy } from '../../../shared/planning/issues/issue.policy.js';
import type { IssueRecord } from '../../../shared/planning/issues/issue.entity.js';
import { assigneeIdsAfter } from '../../../shared/planning/issuables/assignees-by-name.js';
import { labelTitlesById } from '../../../shared/planning/labels/labels-by-id.js';
import { readPlainId } from '../../core/graphql/global-ids.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { withoutNulls } from '../../core/graphql/params.js';
import { mutationsOf } from '../../core/graphql/mutations.js';
import { projectOfPath } from '../../tenancy/projects/projects.graphql.js';
import {
  CreateIssueInput,
  MoveInput,
  SetAssigneesInput,
  SetConfidentialInput,
  SetDueDateInput,
  SetLockedInput,
  SetSeverityInput,
  SetSubscriptionInput,
  SetWeightInput,
  UpdateIssueInput,
} from './issue-inputs.graphql.js';
import type { NamesIssue } from './issue-inputs.graphql.js';
import { IssueObject } from './issues.graphql.js';

type Finder = (ctx: GraphqlRequest['ctx']) => Promise<IssueRecord>;

/** The issue that an input names, locked for its change. @throws NotFound */
const getIssue =
  ({ projectPath, iid }: NamesIssue): Finder =>
  (ctx) => {
    if (!projectPath.includes('/') || !/^\d{1,9}$/.test(iid)) throw new NotFound();
    return issue.find(ctx, { id: projectPath, issue_iid: Number(iid) });
  };

/** The same, for what its author and assignees alone may not set. @throws Forbidden */
const getManagedIssue =
  (input: NamesIssue): Finder =>
  async (ctx) => {
    const found = await getIssue(input)(ctx);
    authorize(ctx, issuePolicy, 'set_issue_metadata', found);
    return found;
  };

const issueMutation = mutationsOf({
  description: 'Payload of a mutation of an issue.',
  fields: { issue: { type: () => IssueObject, description: 'Issue after the mutation.' } },
  present: (record: IssueRecord, request) => ({ issue: new IssueObject(record, request) }),
});

/** The issue as it is stored, beside the errors of an edit. */
const unchanged = (input: NamesIssue, { ctx }: GraphqlRequest) => getIssue(input)(ctx);

const omitUndefined = (params: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));

const LABELS = ['ProjectLabel', 'GroupLabel', 'Label'] as const;

/** The number in a label's global id. @throws GraphqlProblem */
function labelNumber(text: string): number {
  const type = LABELS.find((name) => text.includes(`/${name}/`)) ?? 'Label';
  return readPlainId(text, type);
}

/** Titles of the project's labels, by their ids; labels of other projects and groups count as missing. */
async function getTitles(
  request: GraphqlRequest,
  { projectPath }: { projectPath: string },
  ids: readonly number[] | null | undefined,
): Promise<string[] | undefined> {
  return ids ? labelTitlesById(request.ctx, await projectOfPath(request, projectPath), ids) : undefined;
}

async function createParams(request: GraphqlRequest, input: CreateIssueInput): Promise<Record<string, unknown>> {
  if (input.labels && input.labelIds)
    throw new GraphqlProblem('Only one of [labels, labelIds] arguments is allowed at the same time.');
  const ids = input.labelIds?.map(({ id }) => id);
  const labels = (await getTitles(request, input, ids)) ?? input.labels;
  return withoutNulls({
    title: input.title,
    description: input.description,
    confidential: input.confidential,
    discussion_locked: input.locked,
    issue_type: input.type,
    due_date: input.dueDate,
    weight: input.weight,
    assignee_ids: input.assigneeIds?.map(({ id }) => id),
    labels,
    milestone_id: input.milestoneId?.id,
    created_at: input.createdAt,
    iid: input.iid,
  });
}

/** Creates the issue and moves it to the requested position, in one transaction. */
function create(request: GraphqlRequest, input: CreateIssueInput, params: Record<string, unknown>) {
  const { ctx } = request;
  const { moveBeforeId: before, moveAfterId: after } = input;
  const find = () => projectOfPath(request, input.projectPath);
  return invokeThen(ctx, createIssue, params, find, async (newIssue) => {
    if (!before && !after) return newIssue;
    const neighbours = withoutNulls({ move_before_id: before?.id, move_after_id: after?.id });
    return invoke(ctx, reorderIssue, neighbours, () => Promise.resolve(newIssue));
  });
}

async function updateParams(request: GraphqlRequest, input: UpdateIssueInput): Promise<Record<string, unknown>> {
  const [labels, add_labels, remove_labels] = await Promise.all([
    getTitles(request, input, input.labelIds?.map(labelNumber)),
    getTitles(request, input, input.addLabelIds?.map(labelNumber)),
    getTitles(request, input, input.removeLabelIds?.map(labelNumber)),
  ]);
  const { description, dueDate: due_date, weight, milestoneId } = input;
  const milestone_id = milestoneId ? readPlainId(milestoneId, 'Milestone') : milestoneId;
  return {
    ...withoutNulls({
      title: input.title,
      confidential: input.confidential,
      discussion_locked: input.locked,
      labels,
      add_labels,
      remove_labels,
      state_event: input.stateEvent,
      issue_type: input.type,
    }),
    // Null takes them away.
    ...omitUndefined({ description, due_date, weight, milestone_id }),
  };
}

/** Edits the issue and its estimate in one transaction. */
function update(request: GraphqlRequest, input: UpdateIssueInput, params: Record<string, unknown>) {
  const { ctx } = request;
  const find = getIssue(input);
  const { timeEstimate: duration } = input;
  if (!duration) return invoke(ctx, updateIssue, params, find);
  const estimate = () => invoke(ctx, estimateIssue, { duration }, find);
  const changes = Object.keys(params).length > 0;
  return changes ? invokeThen(ctx, updateIssue, params, find, estimate) : estimate();
}

@Resolver()
export class IssueMutations {
  @issueMutation(CreateIssueInput, { input: 'Parameters to create the issue.', description: 'Creates an issue.' })
  async createIssue(input: CreateIssueInput, request: GraphqlRequest): Promise<IssueRecord> {
    return create(request, input, await createParams(request, input));
  }

  @issueMutation(UpdateIssueInput, {
    input: 'Parameters to update the issue.',
    description: 'Updates an issue.',
    unchanged,
  })
  async updateIssue(input: UpdateIssueInput, request: GraphqlRequest): Promise<IssueRecord> {
    return update(request, input, await updateParams(request, input));
  }

  @issueMutation(SetConfidentialInput, {
    input: 'Parameters to set the confidentiality of the issue.',
    description: 'Sets the confidentiality of an issue.',
    unchanged,
  })
  issueSetConfidential(input: SetConfidentialInput, { ctx }: GraphqlRequest): Promise<IssueRecord> {
    return invoke(ctx, updateIssue, { confidential: input.confidential }, getIssue(input));
  }

  @issueMutation(SetLockedInput, {
    input: 'Parameters to set the lock of the discussion.',
    description: 'Locks or unlocks the discussion of an issue.',
    unchanged,
  })
  issueSetLocked(input: SetLockedInput, { ctx }: GraphqlRequest): Promise<IssueRecord> {
    return invoke(ctx, updateIssue, { discussion_locked: input.locked }, getManagedIssue(input));
  }

  @issueMutation(SetDueDateInput, {
    input: 'Parameters to set the due date of the issue.',
    description: 'Sets the due date of an issue.',
    unchanged,
  })
  issueSetDueDate(input: SetDueDateInput, { ctx }: GraphqlRequest): Promise<IssueRecord> {
    const due_date = input.dueDate ? input.dueDate.toISOString().slice(0, 10) : null;
    return invoke(ctx, updateIssue, { due_date }, getManagedIssue(input));
  }

  @issueMutation(SetAssigneesInput, {
    input: 'Parameters to set the assignees of the issue.',
    description: 'Sets the assignees of an issue.',
  })
  issueSetAssignees(input: SetAssigneesInput, { ctx }: GraphqlRequest): Promise<IssueRecord> {
    const mode = (input.operationMode ?? 'replace') as 'replace' | 'append' | 'remove';
    return ctx.transaction(async () => {
      const found = await getManagedIssue(input)(ctx);
      const assignee_ids = await assigneeIdsAfter(ctx, found, input.assigneeUsernames, mode);
      return invoke(ctx, updateIssue, { assignee_ids }, () => Promise.resolve(found));
    });
  }

  @issueMutation(SetSubscriptionInput, {
    input: 'Parameters to set the subscription to the issue.',
    description: 'Sets the subscription of the caller to an issue.',
  })
  issueSetSubscription(input: SetSubscriptionInput, { ctx }: GraphqlRequest): Promise<IssueRecord> {
    return invoke(ctx, setIssueSubscription, { subscribed: input.subscribedState }, getIssue(input));
  }

  @issueMutation(SetWeightInput, {
    input: 'Parameters to set the weight of the issue.',
    description: 'Sets the weight of an issue.',
    unchanged,
  })
  issueSetWeight(input: SetWeightInput, { ctx }: GraphqlRequest): Promise<IssueRecord> {
    return invoke(ctx, updateIssue, { weight: input.weight ?? null }, getManagedIssue(input));
  }

  @issueMutation(SetSeverityInput, {
    input: 'Parameters to set the severity of the incident.',
    description: 'Sets the severity of an incident.',
    unchanged,
  })
  issueSetSeverity(input: SetSeverityInput, { ctx }: GraphqlRequest): Promise<IssueRecord> {
    return invoke(ctx, updateIssue, { severity: input.severity }, getManagedIssue(input));
  }

  @issueMutation(MoveInput, {
    input: 'Parameters to move the issue.',
    description: 'Moves an issue to another project.',
  })
  async issueMove(input: MoveInput, request: GraphqlRequest): Promise<IssueRecord> {
    const { id: to_project_id } = await projectOfPath(request, input.targetProjectPath);
    return invoke(request.ctx, moveIssue, { to_project_id }, getIssue(input));
  }
}
