import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { mergeRequestsById } from '../../../shared/merge-requests/merge-requests/merge-request.finder.js';
import type { ToDoRecord } from '../../../shared/notes/to-dos/to-do.entity.js';
import { commitsOfToDos, toDoSerializer } from '../../../shared/notes/to-dos/to-do.serializer.js';
import { epicsById } from '../../../shared/planning/epics/epic.finder.js';
import { projectsOfIssuables } from '../../../shared/planning/issuables/issuable-loads.js';
import { issuesById } from '../../../shared/planning/issues/issue.finder.js';
import { groupsById } from '../../../shared/tenancy/groups/group.finder.js';
import { connectionType } from '../../core/graphql/connections.js';
import { globalId, globalIdScalar } from '../../core/graphql/global-ids.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { presentField } from '../../core/graphql/present-field.js';
import { RecordField, RecordObject, SerializedField } from '../../core/graphql/records.js';
import { Time } from '../../core/graphql/scalars.js';
import { MergeRequestObject } from '../../merge-requests/merge-requests/merge-requests.graphql.js';
import { EpicObject } from '../../planning/epics/epics.graphql.js';
import { TodoableInterface } from '../../planning/issuables/todoable-interface.graphql.js';
import { IssueObject } from '../../planning/issues/issues.graphql.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { ProjectType } from '../../tenancy/projects/projects.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';

export const ToDoID = globalIdScalar('Todo');

export const ToDoActionEnum = {
  assigned: 'assigned',
  mentioned: 'mentioned',
  build_failed: 'build_failed',
  marked: 'marked',
  approval_required: 'approval_required',
  unmergeable: 'unmergeable',
  directly_addressed: 'directly_addressed',
  review_requested: 'review_requested',
  merge_train_removed: 'merge_train_removed',
  member_access_requested: 'member_access_requested',
} as const;
registerEnumType(ToDoActionEnum, {
  name: 'TodoActionEnum',
  description: 'Reason why something is on a to-do list.',
  valuesConfig: {
    assigned: { description: 'User was assigned.' },
    mentioned: { description: 'User was mentioned in a description or comment.' },
    build_failed: { description: 'Pipeline of the merge request failed.' },
    marked: { description: 'User added the target to the list.' },
    approval_required: { description: 'Approval of the user is required. On no list.' },
    unmergeable: { description: 'Merge request can no longer be merged.' },
    directly_addressed: { description: 'User was mentioned at the start of a line.' },
    review_requested: { description: 'User was asked for a review.' },
    merge_train_removed: { description: 'Merge request was removed from a merge train. On no list.' },
    member_access_requested: { description: 'Somebody asked for access to a project or group. On no list.' },
  },
});

/** Types as the arguments and fields of GraphQL name them, with their names in REST. */
export const ToDoTargetEnum = {
  ISSUE: 'Issue',
  MERGEREQUEST: 'MergeRequest',
  EPIC: 'Epic',
  COMMIT: 'Commit',
  DESIGN: 'DesignManagement::Design',
  ALERT: 'AlertManagement::Alert',
  PROJECT: 'Project',
  NAMESPACE: 'Namespace',
  VULNERABILITY: 'Vulnerability',
  WIKIPAGEMETA: 'WikiPage::Meta',
} as const;
registerEnumType(ToDoTargetEnum, {
  name: 'TodoTargetEnum',
  description: 'Type of what is on a to-do list.',
  valuesConfig: {
    ISSUE: { description: 'Issue of a project.' },
    MERGEREQUEST: { description: 'Merge request of a project.' },
    EPIC: { description: 'Epic of a group.' },
    COMMIT: { description: 'Commit of a project.' },
    DESIGN: { description: 'Design of an issue. On no list.' },
    ALERT: { description: 'Alert of a project. On no list.' },
    PROJECT: { description: 'Project itself. On no list.' },
    NAMESPACE: { description: 'Group itself. On no list.' },
    VULNERABILITY: { description: 'Vulnerability of a project. On no list.' },
    WIKIPAGEMETA: { description: 'Page of a wiki. On no list.' },
  },
});

export const ToDoStateEnum = { pending: 'pending', done: 'done' } as const;
registerEnumType(ToDoStateEnum, {
  name: 'TodoStateEnum',
  description: 'State of a to-do.',
  valuesConfig: { pending: { description: 'To-do is pending.' }, done: { description: 'To-do is done.' } },
});

/** Whether a to-do lies in a project, rather than in a group. */
const isInProject = (record: ToDoRecord): record is ToDoRecord & { project_id: number } => Boolean(record.project_id);

/** A to-do of the caller. */
@ObjectType('Todo', { description: 'Item of the to-do list of the caller.' })
export class ToDoObject extends RecordObject<ToDoRecord> {
  @Field(() => ID, { description: 'Global ID of the to-do.' })
  get id(): string {
    return globalId('Todo', this.record.id);
  }

  @Field(() => ProjectType, { nullable: true, description: 'Project of the target; null for epics.' })
  async project(): Promise<ProjectType | null> {
    const { record, request } = this;
    return isInProject(record) ? ProjectType.of(await request.load(projectsOfIssuables, record), request) : null;
  }

  @Field(() => GroupType, { nullable: true, description: 'Group of an epic; null for what lies in a project.' })
  async group(): Promise<GroupType | null> {
    const { namespace_id: id } = this.record;
    return id ? GroupType.of(await this.request.load(groupsById, id), this.request) : null;
  }

  @Field(() => UserCoreType, { description: 'User who caused the to-do.' })
  get author(): UserCoreType {
    return new UserCoreType(this.record.author, this.request);
  }

  @RecordField(() => ToDoActionEnum, { description: 'Reason why the target is on the list.' })
  declare readonly action: string;

  @Field(() => TodoableInterface, {
    nullable: true,
    description: 'Issue, merge request or epic that the to-do is about; null for commits.',
  })
  async target(): Promise<IssueObject | MergeRequestObject | EpicObject | null> {
    const { record, request } = this;
    if (record.issue_id) return IssueObject.of(await request.load(issuesById, record.issue_id), request);
    if (record.merge_request_id)
      return MergeRequestObject.of(await request.load(mergeRequestsById, record.merge_request_id), request);
    return record.epic_id ? EpicObject.of(await request.load(epicsById, record.epic_id), request) : null;
  }

  @SerializedField(toDoSerializer, () => ToDoTargetEnum, { description: 'Type of the target.' })
  declare readonly targetType: unknown;

  @SerializedField(toDoSerializer, () => String, {
    nullable: true,
    description: 'URL of the target, at the comment that caused the to-do.',
  })
  declare readonly targetUrl: unknown;

  @Field(() => String, { description: 'Text of the comment that caused the to-do, or else the title of the target.' })
  async body(): Promise<unknown> {
    const { record, request } = this;
    if (record.commit_sha && !record.note) await loadField(request, commitsOfToDos, record);
    return presentField(toDoSerializer, 'body', record, request.ctx);
  }

  @RecordField(() => ToDoStateEnum, { description: 'State of the to-do.' })
  declare readonly state: string;

  @RecordField(() => Time, { description: 'Timestamp of when the to-do was created.' })
  declare readonly createdAt: Date;
}

export const ToDoConnection = connectionType(ToDoObject, 'Todo', { count: true });
