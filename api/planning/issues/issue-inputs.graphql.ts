import { Field, ID, InputType, Int } from 'type-graphql';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { MutationInput } from '../../core/graphql/mutations.js';
import { ISO8601Date, Time } from '../../core/graphql/scalars.js';
import { UserID } from '../../tenancy/users/users.graphql.js';
import { MilestoneID } from '../milestones/milestones.graphql.js';
import { IssuableSeverity, IssueStateEventEnum, IssueType, MutationOperationMode } from './issue-enums.graphql.js';
import { IssueID } from './issues.graphql.js';

const LabelID = globalIdScalar('Label', 'ProjectLabel', 'GroupLabel');

/** An input that names the project of an issue. */
@InputType()
abstract class NamesProject extends MutationInput {
  @Field(() => ID, { description: 'Full path of the project of the issue.' })
  projectPath!: string;
}

/** What names an issue by project and number. */
@InputType()
export abstract class NamesIssue extends NamesProject {
  @Field(() => String, { description: 'Internal ID of the issue.' })
  iid!: string;
}

/** Attributes that a new issue has as well as an edited one. */
@InputType()
abstract class IssueAttributes extends NamesProject {
  @Field(() => String, { nullable: true, description: 'Description of the issue, in Markdown.' })
  description?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Indicates the issue is confidential: visible only to users with at least the Planner role, its author, and its assignees.',
  })
  confidential?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Indicates the discussion is locked, so that only members may comment.',
  })
  locked?: boolean | null;

  @Field(() => IssueType, { nullable: true, description: 'Type of the issue.' })
  type?: string | null;
}

@InputType('CreateIssueInput', { description: 'Input to create an issue.' })
export class CreateIssueInput extends IssueAttributes {
  @Field(() => String, { description: 'Title of the issue.' })
  title!: string;

  @Field(() => ISO8601Date, { nullable: true, description: 'Due date of the issue.' })
  dueDate?: string | null;

  @Field(() => Int, { nullable: true, description: 'Weight of the issue. Premium.' })
  weight?: number | null;

  @Field(() => [UserID], { nullable: true, description: 'Global IDs of the users assigned to the issue.' })
  assigneeIds?: GlobalId[] | null;

  @Field(() => [String], { nullable: true, description: 'Titles of the labels of the issue.' })
  labels?: string[] | null;

  @Field(() => [LabelID], {
    nullable: true,
    description: 'Global IDs of the labels of the issue, instead of their titles.',
  })
  labelIds?: GlobalId[] | null;

  @Field(() => MilestoneID, { nullable: true, description: 'Global ID of the milestone of the issue.' })
  milestoneId?: GlobalId | null;

  @Field(() => Time, {
    nullable: true,
    description:
      'Timestamp of when the issue was created. Available only to Owners; for other users, the current time.',
  })
  createdAt?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Internal ID of the issue. Available only to Owners; for other users, the next internal ID.',
  })
  iid?: number | null;

  @Field(() => IssueID, {
    nullable: true,
    description: 'Global ID of the issue that is to stand before the new issue.',
  })
  moveBeforeId?: GlobalId | null;

  @Field(() => IssueID, { nullable: true, description: 'Global ID of the issue that is to stand after the new issue.' })
  moveAfterId?: GlobalId | null;
}

@InputType('UpdateIssueInput', { description: 'Input to update an issue.' })
export class UpdateIssueInput extends IssueAttributes {
  @Field(() => String, { description: 'Internal ID of the issue.' })
  iid!: string;

  @Field(() => String, { nullable: true, description: 'Title of the issue.' })
  title?: string | null;

  @Field(() => ISO8601Date, { nullable: true, description: 'Due date of the issue; null removes the due date.' })
  dueDate?: string | null;

  @Field(() => Int, { nullable: true, description: 'Weight of the issue; null for unknown. Premium.' })
  weight?: number | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'Global IDs of the labels of the issue. Replaces the existing labels.',
  })
  labelIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Global IDs of labels to add to the issue.' })
  addLabelIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Global IDs of labels to remove from the issue.' })
  removeLabelIds?: string[] | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Global ID of the milestone of the issue; null removes the milestone.',
  })
  milestoneId?: string | null;

  @Field(() => IssueStateEventEnum, { nullable: true, description: 'Event that closes or reopens the issue.' })
  stateEvent?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Time estimate of the issue, for example `3h 30m`; `0` for unknown.',
  })
  timeEstimate?: string | null;
}

@InputType('IssueSetConfidentialInput', { description: 'Input to set the confidentiality of an issue.' })
export class SetConfidentialInput extends NamesIssue {
  @Field(() => Boolean, {
    description:
      'Indicates the issue is confidential: visible only to users with at least the Planner role, its author, and its assignees.',
  })
  confidential!: boolean;
}

@InputType('IssueSetLockedInput', { description: 'Input to lock or unlock the discussion of an issue.' })
export class SetLockedInput extends NamesIssue {
  @Field(() => Boolean, { description: 'Indicates the discussion is locked, so that only members may comment.' })
  locked!: boolean;
}

@InputType('IssueSetDueDateInput', { description: 'Input to set the due date of an issue.' })
export class SetDueDateInput extends NamesIssue {
  @Field(() => Time, { nullable: true, description: 'Due date of the issue; null removes the due date.' })
  dueDate?: Date | null;
}

@InputType('IssueSetAssigneesInput', { description: 'Input to set the assignees of an issue.' })
export class SetAssigneesInput extends NamesIssue {
  @Field(() => [String], { description: 'Usernames of the users to assign.' })
  assigneeUsernames!: string[];

  @Field(() => MutationOperationMode, {
    nullable: true,
    defaultValue: MutationOperationMode.REPLACE,
    description: 'Operation to perform on the existing assignees. Defaults to `REPLACE`.',
  })
  operationMode?: string | null;
}

@InputType('IssueSetSubscriptionInput', { description: 'Input to set the subscription of the caller to an issue.' })
export class SetSubscriptionInput extends NamesIssue {
  @Field(() => Boolean, { description: 'Indicates the caller is subscribed to the issue.' })
  subscribedState!: boolean;
}

@InputType('IssueSetWeightInput', { description: 'Input to set the weight of an issue.' })
export class SetWeightInput extends NamesIssue {
  @Field(() => Int, { nullable: true, description: 'Weight of the issue; null for unknown. Premium.' })
  weight?: number | null;
}

@InputType('IssueSetSeverityInput', { description: 'Input to set the severity of an incident.' })
export class SetSeverityInput extends NamesIssue {
  @Field(() => IssuableSeverity, { description: 'Severity of the incident.' })
  severity!: string;
}

@InputType('IssueMoveInput', { description: 'Input to move an issue to another project.' })
export class MoveInput extends NamesIssue {
  @Field(() => ID, { description: 'Full path of the project to move the issue to.' })
  targetProjectPath!: string;
}
