import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
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
import { mutate } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { projectOfPath } from '../../tenancy/projects/projects.graphql.js';
import {
  CreateIssueInput,
  issuePayload,
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
const issueOf =
  ({ projectPath, iid }: NamesIssue): Finder =>
  (ctx) => {
    if (!projectPath.includes('/') || !/^\d{1,9}$/.test(iid)) throw new NotFound();
    return issue.find(ctx, { id: projectPath, issue_iid: Number(iid) });
  };

/** The same, for what its author and assignees alone may not set. @throws Forbidden */
const managedIssueOf =
  (input: NamesIssue): Finder =>
  async (ctx) => {
    const found = await issueOf(input)(ctx);
    authorize(ctx, issuePolicy, 'set_issue_metadata', found);
    return found;
  };

const payload = (record: IssueRecord, request: GraphqlRequest) => ({ issue: new IssueObject(record, request) });

/** Edits an issue by parameters of REST. */
function edit(request: GraphqlRequest, input: NamesIssue, params: Record<string, unknown>, find = issueOf(input)) {
  return mutate(
    input,
    async () => payload(await invoke(request.ctx, updateIssue, params, find), request),
    async () => payload(await issueOf(input)(request.ctx), request),
  );
}

const omitUndefined = (params: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));

/** Drops null values, which count as absent. */
const withoutNulls = (params: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== null));

const LABELS = ['ProjectLabel', 'GroupLabel', 'Label'] as const;

/** The number in a label's global id. @throws GraphqlProblem */
function labelNumber(text: string): number {
  const type = LABELS.find((name) => text.includes(`/${name}/`)) ?? 'Label';
  return readPlainId(text, type);
}

/** Titles of the project's labels, by their ids; labels of other projects and groups count as missing. */
async function titlesOf(
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
  const labels = (await titlesOf(request, input, ids)) ?? input.labels;
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
    titlesOf(request, input, input.labelIds?.map(labelNumber)),
    titlesOf(request, input, input.addLabelIds?.map(labelNumber)),
    titlesOf(request, input, input.removeLabelIds?.map(labelNumber)),
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
  const find = issueOf(input);
  const { timeEstimate: duration } = input;
  if (!duration) return invoke(ctx, updateIssue, params, find);
  const estimate = () => invoke(ctx, estimateIssue, { duration }, find);
  const changes = Object.keys(params).length > 0;
  return changes ? invokeThen(ctx, updateIssue, params, find, estimate) : estimate();
}

const CreatePayload = issuePayload('CreateIssuePayload');
const UpdatePayload = issuePayload('UpdateIssuePayload');
const SetConfidentialPayload = issuePayload('IssueSetConfidentialPayload');
const SetLockedPayload = issuePayload('IssueSetLockedPayload');
const SetDueDatePayload = issuePayload('IssueSetDueDatePayload');
const SetAssigneesPayload = issuePayload('IssueSetAssigneesPayload');
const SetSubscriptionPayload = issuePayload('IssueSetSubscriptionPayload');
const SetWeightPayload = issuePayload('IssueSetWeightPayload');
const SetSeverityPayload = issuePayload('IssueSetSeverityPayload');
const MovePayload = issuePayload('IssueMovePayload');

@Resolver()
export class IssueMutations {
  @Mutation(() => CreatePayload, { nullable: true, description: 'Creates an issue.' })
  createIssue(
    @Arg('input', () => CreateIssueInput, { description: 'Parameters to create the issue.' }) input: CreateIssueInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () =>
      payload(await create(request, input, await createParams(request, input)), request),
    );
  }

  @Mutation(() => UpdatePayload, { nullable: true, description: 'Updates an issue.' })
  updateIssue(
    @Arg('input', () => UpdateIssueInput, { description: 'Parameters to update the issue.' }) input: UpdateIssueInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(
      input,
      async () => payload(await update(request, input, await updateParams(request, input)), request),
      async () => payload(await issueOf(input)(request.ctx), request),
    );
  }

  @Mutation(() => SetConfidentialPayload, { nullable: true, description: 'Sets the confidentiality of an issue.' })
  issueSetConfidential(
    @Arg('input', () => SetConfidentialInput, { description: 'Parameters to set the confidentiality of the issue.' })
    input: SetConfidentialInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return edit(request, input, { confidential: input.confidential });
  }

  @Mutation(() => SetLockedPayload, { nullable: true, description: 'Locks or unlocks the discussion of an issue.' })
  issueSetLocked(
    @Arg('input', () => SetLockedInput, { description: 'Parameters to set the lock of the discussion.' })
    input: SetLockedInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return edit(request, input, { discussion_locked: input.locked }, managedIssueOf(input));
  }

  @Mutation(() => SetDueDatePayload, { nullable: true, description: 'Sets the due date of an issue.' })
  issueSetDueDate(
    @Arg('input', () => SetDueDateInput, { description: 'Parameters to set the due date of the issue.' })
    input: SetDueDateInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const due_date = input.dueDate ? input.dueDate.toISOString().slice(0, 10) : null;
    return edit(request, input, { due_date }, managedIssueOf(input));
  }

  @Mutation(() => SetAssigneesPayload, { nullable: true, description: 'Sets the assignees of an issue.' })
  issueSetAssignees(
    @Arg('input', () => SetAssigneesInput, { description: 'Parameters to set the assignees of the issue.' })
    input: SetAssigneesInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { ctx } = request;
    const mode = (input.operationMode ?? 'replace') as 'replace' | 'append' | 'remove';
    return mutate(input, () =>
      ctx.transaction(async () => {
        const found = await managedIssueOf(input)(ctx);
        const assignee_ids = await assigneeIdsAfter(ctx, found, input.assigneeUsernames, mode);
        return payload(await invoke(ctx, updateIssue, { assignee_ids }, () => Promise.resolve(found)), request);
      }),
    );
  }

  @Mutation(() => SetSubscriptionPayload, {
    nullable: true,
    description: 'Sets the subscription of the caller to an issue.',
  })
  issueSetSubscription(
    @Arg('input', () => SetSubscriptionInput, { description: 'Parameters to set the subscription to the issue.' })
    input: SetSubscriptionInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const params = { subscribed: input.subscribedState };
    return mutate(input, async () =>
      payload(await invoke(request.ctx, setIssueSubscription, params, issueOf(input)), request),
    );
  }

  @Mutation(() => SetWeightPayload, { nullable: true, description: 'Sets the weight of an issue.' })
  issueSetWeight(
    @Arg('input', () => SetWeightInput, { description: 'Parameters to set the weight of the issue.' })
    input: SetWeightInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return edit(request, input, { weight: input.weight ?? null }, managedIssueOf(input));
  }

  @Mutation(() => SetSeverityPayload, { nullable: true, description: 'Sets the severity of an incident.' })
  issueSetSeverity(
    @Arg('input', () => SetSeverityInput, { description: 'Parameters to set the severity of the incident.' })
    input: SetSeverityInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return edit(request, input, { severity: input.severity }, managedIssueOf(input));
  }

  @Mutation(() => MovePayload, { nullable: true, description: 'Moves an issue to another project.' })
  issueMove(
    @Arg('input', () => MoveInput, { description: 'Parameters to move the issue.' }) input: MoveInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => {
      const { id: to_project_id } = await projectOfPath(request, input.targetProjectPath);
      return payload(await invoke(request.ctx, moveIssue, { to_project_id }, issueOf(input)), request);
    });
  }
}
