import { Field, ID, Int, ObjectType } from 'type-graphql';
import { findParticipants } from '../../../shared/planning/issues/issue.operations.js';
import {
  issueHtml,
  assigneesOfIssues,
  labelsOfIssues,
  moveTargets,
  subscriptions,
  closingCounts,
} from '../../../shared/planning/issues/issue.loads.js';
import { projectsOfIssuables } from '../../../shared/planning/issuables/issuable-loads.js';
import { issuePolicy } from '../../../shared/planning/issues/issue.policy.js';
import type { IssueRecord, ListedIssue } from '../../../shared/planning/issues/issue.entity.js';
import { issueDetails } from '../../../shared/planning/issues/issue.serializer.js';
import { issuesById } from '../../../shared/planning/issues/issue.finder.js';
import type { List } from '../../../shared/core/database/list.js';
import { totalWeight } from '../../../shared/planning/issue-lists/issue-statistics.js';
import type { UserSummary } from '../../../shared/tenancy/users/user.entity.js';
import { ProjectIssuableFields } from '../issuables/project-issuable-fields.graphql.js';
import type { ProjectIssuableKind } from '../issuables/project-issuable-fields.graphql.js';
import { NoteableInterface } from '../issuables/noteable-interface.graphql.js';
import { TodoableInterface } from '../issuables/todoable-interface.graphql.js';
import { connectionOf, connectionType } from '../../core/graphql/connections.js';
import type { PageArgs } from '../../core/graphql/connections.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { midnight, Time } from '../../core/graphql/scalars.js';
import { RecordField, SerializedField } from '../../core/graphql/records.js';
import { IssuableSeverity, IssueState, IssueType } from './issue-enums.graphql.js';

const IssuePermissions = permissionsType('IssuePermissions', issuePolicy, {
  readIssue: 'read_issue',
  updateIssue: 'update_issue',
  adminIssue: 'admin_issue',
  setIssueMetadata: 'set_issue_metadata',
  moveIssue: 'move_issue',
  destroyIssue: 'destroy_issue',
});

export const IssueID = globalIdScalar('Issue');

const KIND: ProjectIssuableKind<ListedIssue> = {
  type: 'Issue',
  sign: '#',
  serializer: issueDetails,
  html: issueHtml,
  assignees: assigneesOfIssues,
  labels: labelsOfIssues,
  subscriptions,
  path: ({ full_path, iid }) => `/${full_path}/-/issues/${iid}`,
};

/** An issue for callers with read access (graphql.md section 5.4). */
@ObjectType('Issue', {
  implements: [NoteableInterface, TodoableInterface],
  description: 'Issue of a project: something to do, or something that went wrong.',
})
export class IssueObject extends ProjectIssuableFields<ListedIssue> {
  protected override get kind(): ProjectIssuableKind<ListedIssue> {
    return KIND;
  }

  protected override async participantList(): Promise<List<UserSummary>> {
    return findParticipants(this.request.ctx, await this.full());
  }

  /** With its project and whether it concerns the caller, for rules. */
  async full(): Promise<IssueRecord> {
    const [project, assignees] = await Promise.all([
      this.request.load(projectsOfIssuables, this.record),
      this.assigned(),
    ]);
    if (!project) throw new GraphqlProblem('The issue is gone.');
    const { caller } = this.request.ctx;
    const own = assignees.find(({ id }) => !caller.anonymous && id === caller.id);
    return { ...this.record, project, assigned_id: own?.id ?? null };
  }

  @RecordField(() => ID, { description: 'Internal ID of the issue within the project.' })
  declare readonly iid: number;

  @RecordField(() => IssueState, { description: 'State of the issue.' })
  declare readonly state: string;

  @RecordField(() => IssueType, { nullable: true, description: 'Type of the issue.', column: 'issue_type' })
  declare readonly type: string;

  @SerializedField(issueDetails, () => String, { description: 'Web URL of the issue.' })
  declare readonly webUrl: unknown;

  @RecordField(() => Int, { nullable: true, description: 'ID of the project of the issue, as in the REST API.' })
  declare readonly projectId: number;

  @RecordField(() => Boolean, {
    description:
      'Indicates the issue is confidential: visible only to users with at least the Planner role, its author, and its assignees.',
  })
  declare readonly confidential: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Indicates the issue is hidden because its author was banned. No issue is hidden.',
  })
  get hidden(): boolean {
    return false;
  }

  @SerializedField(issueDetails, () => Int, { nullable: true, description: 'Weight of the issue. Premium.' })
  declare readonly weight: unknown;

  @Field(() => Time, { nullable: true, description: 'Due date of the issue.' })
  get dueDate(): Date | null {
    return midnight(this.record.due_date);
  }

  @Field(() => Time, { nullable: true, description: 'Start date of the issue.' })
  get startDate(): Date | null {
    return midnight(this.record.start_date);
  }

  @RecordField(() => Int, { description: 'Number of user comments on the issue.' })
  declare readonly userNotesCount: number;

  @Field(() => Int, { description: 'Number of merge requests that close the issue.' })
  async mergeRequestsCount(): Promise<number> {
    return (await loadField(this.request, closingCounts, this.record)) ?? 0;
  }

  @Field(() => Boolean, { nullable: true, description: 'Indicates the issue was moved to another project.' })
  async moved(): Promise<boolean> {
    return (await loadField(this.request, moveTargets, this.record)) !== null;
  }

  @Field(() => IssueObject, { nullable: true, description: 'Issue that this issue was moved to.' })
  async movedTo(): Promise<IssueObject | null> {
    const id = this.record.moved_to_id;
    return id ? IssueObject.of(await this.request.load(issuesById, id), this.request) : null;
  }

  @Field(() => IssueObject, { nullable: true, description: 'Issue that this issue duplicates.' })
  async closedAsDuplicateOf(): Promise<IssueObject | null> {
    const id = this.record.duplicated_to_id;
    return id ? IssueObject.of(await this.request.load(issuesById, id), this.request) : null;
  }

  @RecordField(() => IssuableSeverity, { nullable: true, description: 'Severity of the incident.' })
  declare readonly severity: string;

  @RecordField(() => Int, {
    nullable: true,
    description: 'Relative position of the issue in lists that users arrange.',
  })
  declare readonly relativePosition: number | null;

  @Field(() => IssuePermissions, { description: 'Permissions of the caller on the issue.' })
  async userPermissions(): Promise<unknown> {
    return new IssuePermissions(this.request.ctx.caller, await this.full());
  }
}

export const IssueConnection = connectionType(IssueObject, 'Issue', { count: true });
Field(() => Int, { description: 'Total weight of the issues on all pages.' })(IssueConnection.prototype, 'weight');

/** A page of issues, with the weight of all of them. */
export function issuesPage(request: GraphqlRequest, list: List<ListedIssue>, args: PageArgs): unknown {
  const page = connectionOf(request, list, args, (issue) => new IssueObject(issue, request));
  return Object.assign(page, { weight: () => totalWeight(request.ctx, list) });
}
