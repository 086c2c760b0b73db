import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  InputType,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { invoke } from '../../../shared/core/operations/invoke.js';
import type { LinkedIssue, LinkType } from '../../../shared/planning/issue-links/issue-link.entity.js';
import { linkIssues, unlinkIssues } from '../../../shared/planning/issue-links/link-many.js';
import { projectsOfIssuables } from '../../../shared/planning/issuables/issuable-loads.js';
import { getIssueById } from '../../../shared/planning/issues/issue.operations.js';
import type { IssueRecord, ListedIssue } from '../../../shared/planning/issues/issue.entity.js';
import { namespacesById } from '../../../shared/tenancy/namespaces/namespace.finder.js';
import { connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { lookup } from '../../core/graphql/costs.js';
import { globalId, globalIdScalar } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { MutationInput, mutationsOf } from '../../core/graphql/mutations.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { RecordField, RecordObject, recordType } from '../../core/graphql/records.js';
import { NamespaceType } from '../../tenancy/namespaces/namespaces.graphql.js';
import { NoteableInterface } from '../issuables/noteable-interface.graphql.js';
import { WorkItemRelatedLinkType, WorkItemState } from '../issues/issue-enums.graphql.js';
import { linkedTo } from './blocking-issues.graphql.js';
import { IssueObject } from '../issues/issues.graphql.js';

const WorkItemID = globalIdScalar('WorkItem', 'Issue');

@ObjectType('WorkItemType', { description: 'Type of a work item.', simpleResolvers: true })
class WorkItemTypeType {
  @Field(() => String, { description: 'Name of the work item type.' })
  name!: string;
}

const KINDS: Readonly<Record<string, string>> = {
  issue: 'Issue',
  incident: 'Incident',
  test_case: 'Test Case',
  task: 'Task',
};

/** An issue under its other name: as much of it as links show (graphql.md section 5.4). */
@ObjectType('WorkItem', {
  implements: NoteableInterface,
  description: 'Issue, under the name by which links refer to it.',
})
export class WorkItemObject extends recordType<ListedIssue>('issue', 'WorkItem', { idType: WorkItemID }) {
  @RecordField(() => String, { description: 'Internal ID of the issue within the project.' })
  declare readonly iid: number;

  @RecordField(() => String, { description: 'Title of the issue.' })
  declare readonly title: string;

  @RecordField(() => WorkItemState, { description: 'State of the issue.' })
  declare readonly state: string;

  @RecordField(() => Boolean, {
    description: 'Indicates the issue is confidential: visible only to Planners and above, its author and assignees.',
  })
  declare readonly confidential: boolean;

  @Field(() => String, { description: 'Reference to the issue.' })
  reference(
    @Arg('full', () => Boolean, {
      nullable: true,
      defaultValue: false,
      description: 'If `true`, includes the path of the project.',
    })
    full: boolean,
  ): string {
    return `${full ? this.record.full_path : ''}#${this.record.iid}`;
  }

  @Field(() => String, { nullable: true, description: 'Web URL of the issue.' })
  get webUrl(): string {
    return `${this.request.ctx.config.externalUrl}/${this.record.full_path}/-/issues/${this.record.iid}`;
  }

  @Field(() => NamespaceType, { nullable: true, description: 'Namespace of the project of the issue.' })
  async namespace(): Promise<NamespaceType | null> {
    const project = await this.request.load(projectsOfIssuables, this.record);
    const found = project && (await this.request.load(namespacesById, project.namespace_id));
    return found && new NamespaceType(found, this.request);
  }

  @Field(() => WorkItemTypeType, { description: 'Type of the issue.' })
  get workItemType(): WorkItemTypeType {
    return { name: KINDS[this.record.issue_type] ?? this.record.issue_type };
  }

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the issue was closed.' })
  declare readonly closedAt: Date | null;
}

@ObjectType('LinkedWorkItemType', { description: 'Issue that another issue is linked to.' })
class LinkedWorkItem extends RecordObject<LinkedIssue> {
  @Field(() => ID, { description: 'Global ID of the link.' })
  get linkId(): string {
    return globalId('WorkItems::RelatedWorkItemLink', this.record.link.id);
  }

  @Field(() => String, { description: 'Type of the link: `relates_to`, `blocks` or `is_blocked_by`.' })
  get linkType(): string {
    return this.record.link.type;
  }

  @Field(() => Time, { description: 'Timestamp of when the issues were linked.' })
  get linkCreatedAt(): Date {
    return this.record.link.created_at;
  }

  @Field(() => Time, { description: 'Timestamp of when the link was last updated.' })
  get linkUpdatedAt(): Date {
    return this.record.link.updated_at;
  }

  @Field(() => WorkItemObject, { nullable: true, description: 'Other issue of the link.' })
  get workItem(): WorkItemObject {
    return new WorkItemObject(this.record, this.request);
  }

  @RecordField(() => WorkItemState, { description: 'State of the other issue.', column: 'state' })
  declare readonly workItemState: string;
}

const LinkedWorkItemConnection = connectionType(LinkedWorkItem, 'LinkedWorkItemType', { count: true });

@ArgsType()
class LinkedItemsArgs extends PageArgs {
  @Field(() => WorkItemRelatedLinkType, { nullable: true, description: 'Filter by type of the link.' })
  filter?: LinkType | null;
}

@InputType()
abstract class LinkedItemsInput extends MutationInput {
  @Field(() => WorkItemID, { description: 'Global ID of the issue.' })
  id!: GlobalId;

  @Field(() => [WorkItemID], { description: 'Global IDs of the other issues, at most 10.' })
  workItemsIds!: GlobalId[];
}

@InputType('WorkItemAddLinkedItemsInput', { description: 'Issues to link with an issue.' })
class AddInput extends LinkedItemsInput {
  @Field(() => WorkItemRelatedLinkType, {
    nullable: true,
    defaultValue: WorkItemRelatedLinkType.RELATED,
    description: 'Type of the link, from the perspective of the first issue.',
  })
  linkType?: string | null;
}

@InputType('WorkItemRemoveLinkedItemsInput', { description: 'Issues to unlink from an issue.' })
class RemoveInput extends LinkedItemsInput {}

interface LinkingResult {
  issue: IssueRecord;
  message: string;
}

const linkingMutation = mutationsOf({
  description: 'Payload of a mutation of links between issues.',
  fields: {
    workItem: { type: () => WorkItemObject, description: 'Issue after the mutation.' },
    message: { type: () => String, description: 'Message about the linked or unlinked issues.' },
  },
  present: ({ issue, message }: LinkingResult, request) => ({ workItem: new WorkItemObject(issue, request), message }),
  input: 'Parameters of the mutation.',
});

@Resolver(() => IssueObject)
export class LinkedItemsOfIssueResolver {
  @FieldResolver(() => LinkedWorkItemConnection, {
    nullable: true,
    description: 'Issues linked to the issue, in the order in which they were linked.',
  })
  @Extensions(SHORT)
  async linkedWorkItems(
    @Root() issue: IssueObject,
    @Args(() => LinkedItemsArgs) args: LinkedItemsArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return connectionOfRecords(
      request,
      await linkedTo(issue, args.filter ?? undefined),
      args,
      ({ link }) => link.id,
      (linked) => new LinkedWorkItem(linked, request),
    );
  }
}

@Resolver()
export class WorkItemResolver {
  @Query(() => WorkItemObject, {
    nullable: true,
    complexity: lookup,
    description: 'Issue with the specified global ID; null for users who may not read the issue.',
  })
  async workItem(
    @Arg('id', () => WorkItemID, { description: 'Global ID of the issue.' }) { id }: GlobalId,
    @Ctx() request: GraphqlRequest,
  ): Promise<WorkItemObject> {
    return new WorkItemObject(await invoke(request.ctx, getIssueById, { id }), request);
  }

  @linkingMutation(AddInput, { description: 'Links an issue with others.' })
  async workItemAddLinkedItems(
    { id: { id }, workItemsIds, linkType }: AddInput,
    { ctx }: GraphqlRequest,
  ): Promise<LinkingResult> {
    const issue_ids = workItemsIds.map((other) => other.id);
    const issue = await invoke(ctx, linkIssues, { id, issue_ids, link_type: linkType ?? 'relates_to' });
    return { issue, message: `Successfully linked ID(s): ${issue_ids.join(', ')}.` };
  }

  @linkingMutation(RemoveInput, { description: 'Removes links of an issue with others.' })
  async workItemRemoveLinkedItems(
    { id: { id }, workItemsIds }: RemoveInput,
    { ctx }: GraphqlRequest,
  ): Promise<LinkingResult> {
    const issue_ids = workItemsIds.map((other) => other.id);
    const issue = await invoke(ctx, unlinkIssues, { id, issue_ids });
    return { issue, message: `Successfully unlinked IDs: ${issue_ids.join(', ')}.` };
  }
}
