import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { MutationInput, MutationPayload } from '../../core/graphql/mutations.js';
import { ISO8601Date, Time } from '../../core/graphql/scalars.js';
import { UserID } from '../../tenancy/users/users.graphql.js';
import { MilestoneID } from '../milestones/milestones.graphql.js';
import { IssuableSeverity, IssueStateEventEnum, IssueType, MutationOperationMode } from './issue-enums.graphql.js';
import { IssueID, IssueObject } from './issues.graphql.js';

const LabelID = globalIdScalar('Label', 'ProjectLabel', 'GroupLabel');

@InputType('CreateIssueInput', { description: 'An issue to create.' })
export class CreateIssueInput extends MutationInput {
  @Field(() => ID, { description: 'Full path of its project.' })
  projectPath!: string;

  @Field(() => String, { description: 'Its title.' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'What it is about, as Markdown.' })
  description?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether only Planners and above and whom it concerns see it.' })
  confidential?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether only members may comment.' })
  locked?: boolean | null;

  @Field(() => IssueType, { nullable: true, description: 'What kind of issue it is.' })
  type?: string | null;

  @Field(() => ISO8601Date, { nullable: true, description: 'The day on which it is to be done.' })
  dueDate?: string | null;

  @Field(() => Int, { nullable: true, description: 'How much work it is. Premium.' })
  weight?: number | null;

  @Field(() => [UserID], { nullable: true, description: 'Who is to work on it.' })
  assigneeIds?: GlobalId[] | null;

  @Field(() => [String], { nullable: true, description: 'Titles of its labels.' })
  labels?: string[] | null;

  @Field(() => [LabelID], { nullable: true, description: 'Its labels, instead of their titles.' })
  labelIds?: GlobalId[] | null;

  @Field(() => MilestoneID, { nullable: true, description: 'What it is planned for.' })
  milestoneId?: GlobalId | null;

  @Field(() => Time, { nullable: true, description: 'When it was made; for Owners, for others it is now.' })
  createdAt?: Date | null;

  @Field(() => Int, { nullable: true, description: 'Its number; for Owners, others get the next one.' })
  iid?: number | null;

  @Field(() => IssueID, { nullable: true, description: 'The issue that it is to stand before.' })
  moveBeforeId?: GlobalId | null;

  @Field(() => IssueID, { nullable: true, description: 'The issue that it is to stand behind.' })
  moveAfterId?: GlobalId | null;
}

/** What names an issue by project and number. */
@InputType()
export abstract class NamesIssue extends MutationInput {
  @Field(() => ID, { description: 'Full path of its project.' })
  projectPath!: string;

  @Field(() => String, { description: 'Its number.' })
  iid!: string;
}

@InputType('UpdateIssueInput', { description: 'What to change of an issue.' })
export class UpdateIssueInput extends NamesIssue {
  @Field(() => String, { nullable: true, description: 'Its title.' })
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'What it is about, as Markdown.' })
  description?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether only Planners and above and whom it concerns see it.' })
  confidential?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether only members may comment.' })
  locked?: boolean | null;

  @Field(() => ISO8601Date, { nullable: true, description: 'The day on which it is to be done; null for none.' })
  dueDate?: string | null;

  @Field(() => Int, { nullable: true, description: 'How much work it is; null for unknown. Premium.' })
  weight?: number | null;

  @Field(() => [ID], { nullable: true, description: 'All labels that it is to have.' })
  labelIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Labels that it is to have too.' })
  addLabelIds?: string[] | null;

  @Field(() => [ID], { nullable: true, description: 'Labels that it is to have no more.' })
  removeLabelIds?: string[] | null;

  @Field(() => ID, { nullable: true, description: 'What it is planned for; null for nothing.' })
  milestoneId?: string | null;

  @Field(() => IssueStateEventEnum, { nullable: true, description: 'Closes it, or opens it again.' })
  stateEvent?: string | null;

  @Field(() => IssueType, { nullable: true, description: 'What kind of issue it is.' })
  type?: string | null;

  @Field(() => String, { nullable: true, description: 'How long it will take: `3h 30m`; `0` for unknown.' })
  timeEstimate?: string | null;
}

@InputType('IssueSetConfidentialInput', { description: 'Who is to see an issue.' })
export class SetConfidentialInput extends NamesIssue {
  @Field(() => Boolean, { description: 'Whether only Planners and above and whom it concerns see it.' })
  confidential!: boolean;
}

@InputType('IssueSetLockedInput', { description: 'Who is to comment on an issue.' })
export class SetLockedInput extends NamesIssue {
  @Field(() => Boolean, { description: 'Whether only members may comment.' })
  locked!: boolean;
}

@InputType('IssueSetDueDateInput', { description: 'When an issue is to be done.' })
export class SetDueDateInput extends NamesIssue {
  @Field(() => Time, { nullable: true, description: 'The day on which it is to be done; null for none.' })
  dueDate?: Date | null;
}

@InputType('IssueSetAssigneesInput', { description: 'Who is to work on an issue.' })
export class SetAssigneesInput extends NamesIssue {
  @Field(() => [String], { description: 'Names of users.' })
  assigneeUsernames!: string[];

  @Field(() => MutationOperationMode, {
    nullable: true,
    defaultValue: MutationOperationMode.REPLACE,
    description: 'What becomes of those who are assigned.',
  })
  operationMode?: string | null;
}

@InputType('IssueSetSubscriptionInput', { description: 'Whether the caller is told of what happens to an issue.' })
export class SetSubscriptionInput extends NamesIssue {
  @Field(() => Boolean, { description: 'Whether they are.' })
  subscribedState!: boolean;
}

@InputType('IssueSetWeightInput', { description: 'How much work an issue is.' })
export class SetWeightInput extends NamesIssue {
  @Field(() => Int, { nullable: true, description: 'Its weight; null for unknown. Premium.' })
  weight?: number | null;
}

@InputType('IssueSetSeverityInput', { description: 'How bad an incident is.' })
export class SetSeverityInput extends NamesIssue {
  @Field(() => IssuableSeverity, { description: 'Its severity.' })
  severity!: string;
}

@InputType('IssueMoveInput', { description: 'Where an issue goes to.' })
export class MoveInput extends NamesIssue {
  @Field(() => ID, { description: 'Full path of the other project.' })
  targetProjectPath!: string;
}

/** The payload of a mutation of an issue. */
export function issuePayload(name: string) {
  @ObjectType(name, { description: 'What became of the issue.', simpleResolvers: true })
  class IssuePayload extends MutationPayload {
    @Field(() => IssueObject, { nullable: true, description: 'The issue as it is now.' })
    issue?: IssueObject | null;
  }
  return IssuePayload;
}
