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
  Mutation,
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
import type { ListedIssue } from '../../../shared/planning/issues/issue.entity.js';
import { namespacesById } from '../../../shared/tenancy/namespaces/namespace.finder.js';
import { connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { lookup } from '../../core/graphql/costs.js';
import { globalId, globalIdScalar } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { mutate, MutationInput, MutationPayload } from '../../core/graphql/mutations.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { NamespaceType } from '../../tenancy/namespaces/namespaces.graphql.js';
import { NoteableInterface } from '../issuables/noteable-interface.graphql.js';
import { WorkItemRelatedLinkType, WorkItemState } from '../issues/issue-enums.graphql.js';
import { linkedTo } from './blocking-issues.graphql.js';
import { IssueObject } from '../issues/issues.graphql.js';

const WorkItemID = globalIdScalar('WorkItem', 'Issue');

@ObjectType('WorkItemType', { description: 'Kind of a work item.', simpleResolvers: true })
class WorkItemTypeType {
  @Field(() => String, { description: 'Its name.' })
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
  description: 'An issue, by the name under which links know it.',
})
export class WorkItemObject {
  constructor(
    readonly record: ListedIssue,
    readonly request: GraphqlRequest,
  ) {}

  @Field(() => WorkItemID, { description: 'Global id.' })
  get id(): string {
    return globalId('WorkItem', this.record.id);
  }

  @Field(() => String, { description: 'Number within the project.' })
  get iid(): string {
    return String(this.record.iid);
  }

  @Field(() => String, { description: 'Its title.' })
  get title(): string {
    return this.record.title;
  }

  @Field(() => WorkItemState, { description: 'Whether it is open.' })
  get state(): string {
    return this.record.state;
  }

  @Field(() => Boolean, { description: 'Whether only Planners and above, its author and assignees see it.' })
  get confidential(): boolean {
    return this.record.confidential;
  }

  @Field(() => String, { description: 'How it is named elsewhere.' })
  reference(
    @Arg('full', () => Boolean, { nullable: true, defaultValue: false, description: 'With the path of its project.' })
    full: boolean,
  ): string {
    return `${full ? this.record.full_path : ''}#${this.record.iid}`;
  }

  @Field(() => String, { nullable: true, description: 'Address of its page.' })
  get webUrl(): string {
    return `${this.request.ctx.config.externalUrl}/${this.record.full_path}/-/issues/${this.record.iid}`;
  }

  @Field(() => NamespaceType, { nullable: true, description: 'The namespace of its project.' })
  async namespace(): Promise<NamespaceType | null> {
    const project = await this.request.load(projectsOfIssuables, this.record);
    const found = project && (await this.request.load(namespacesById, project.namespace_id));
    return found && new NamespaceType(found, this.request);
  }

  @Field(() => WorkItemTypeType, { description: 'What kind of issue it is.' })
  get workItemType(): WorkItemTypeType {
    return { name: KINDS[this.record.issue_type] ?? this.record.issue_type };
  }

  @Field(() => Time, { description: 'When it was made.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { description: 'When it last changed.' })
  get updatedAt(): Date {
    return this.record.updated_at;
  }

  @Field(() => Time, { nullable: true, description: 'When it was closed.' })
  get closedAt(): Date | null {
    return this.record.closed_at ?? null;
  }
}

@ObjectType('LinkedWorkItemType', { description: 'An issue that another one is linked with.' })
class LinkedWorkItem {
  constructor(
    readonly issue: LinkedIssue,
    readonly request: GraphqlRequest,
  ) {}

  @Field(() => ID, { description: 'Global id of the link.' })
  get linkId(): string {
    return globalId('WorkItems::RelatedWorkItemLink', this.issue.link.id);
  }

  @Field(() => String, { description: 'How they are linked: `relates_to`, `blocks` or `is_blocked_by`.' })
  get linkType(): string {
    return this.issue.link.type;
  }

  @Field(() => Time, { description: 'When they were linked.' })
  get linkCreatedAt(): Date {
    return this.issue.link.created_at;
  }

  @Field(() => Time, { description: 'When the link last changed.' })
  get linkUpdatedAt(): Date {
    return this.issue.link.updated_at;
  }

  @Field(() => WorkItemObject, { nullable: true, description: 'The other issue.' })
  get workItem(): WorkItemObject {
    return new WorkItemObject(this.issue, this.request);
  }

  @Field(() => WorkItemState, { description: 'Whether the other issue is open.' })
  get workItemState(): string {
    return this.issue.state;
  }
}

const LinkedWorkItemConnection = connectionType(LinkedWorkItem, 'LinkedWorkItemType', { count: true });

@ArgsType()
class LinkedItemsArgs extends PageArgs {
  @Field(() => WorkItemRelatedLinkType, { nullable: true, description: 'Only those that are linked so.' })
  filter?: LinkType | null;
}

@InputType()
abstract class LinkedItemsInput extends MutationInput {
  @Field(() => WorkItemID, { description: 'The issue.' })
  id!: GlobalId;

  @Field(() => [WorkItemID], { description: 'The others, at most 10.' })
  workItemsIds!: GlobalId[];
}

@InputType('WorkItemAddLinkedItemsInput', { description: 'Issues to link.' })
class AddInput extends LinkedItemsInput {
  @Field(() => WorkItemRelatedLinkType, {
    nullable: true,
    defaultValue: WorkItemRelatedLinkType.RELATED,
    description: 'How they are linked, seen from the first.',
  })
  linkType?: string | null;
}

@InputType('WorkItemRemoveLinkedItemsInput', { description: 'Issues to unlink.' })
class RemoveInput extends LinkedItemsInput {}

function linkedPayload(name: string) {
  @ObjectType(name, { description: 'What became of the links.', simpleResolvers: true })
  class LinkedItemsPayload extends MutationPayload {
    @Field(() => WorkItemObject, { nullable: true, description: 'The issue.' })
    workItem?: WorkItemObject | null;

    @Field(() => String, { nullable: true, description: 'What was done.' })
    message?: string | null;
  }
  return LinkedItemsPayload;
}

const AddPayload = linkedPayload('WorkItemAddLinkedItemsPayload');
const RemovePayload = linkedPayload('WorkItemRemoveLinkedItemsPayload');

@Resolver(() => IssueObject)
export class LinkedItemsOfIssueResolver {
  @FieldResolver(() => LinkedWorkItemConnection, {
    nullable: true,
    description: 'Issues that it is linked with, in the order in which they were linked.',
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
    description: 'The issue of a global id; null for those who may not read it.',
  })
  async workItem(
    @Arg('id', () => WorkItemID, { description: 'Global id.' }) { id }: GlobalId,
    @Ctx() request: GraphqlRequest,
  ): Promise<WorkItemObject> {
    return new WorkItemObject(await invoke(request.ctx, getIssueById, { id }), request);
  }

  @Mutation(() => AddPayload, { nullable: true, description: 'Links an issue with others.' })
  workItemAddLinkedItems(
    @Arg('input', () => AddInput, { description: 'Which.' }) input: AddInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const issue_ids = input.workItemsIds.map(({ id }) => id);
    const params = { id: input.id.id, issue_ids, link_type: input.linkType ?? 'relates_to' };
    return mutate(input, async () => ({
      workItem: new WorkItemObject(await invoke(request.ctx, linkIssues, params), request),
      message: `Successfully linked ID(s): ${issue_ids.join(', ')}.`,
    }));
  }

  @Mutation(() => RemovePayload, { nullable: true, description: 'Takes links of an issue with others away.' })
  workItemRemoveLinkedItems(
    @Arg('input', () => RemoveInput, { description: 'Which.' }) input: RemoveInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const issue_ids = input.workItemsIds.map(({ id }) => id);
    return mutate(input, async () => ({
      workItem: new WorkItemObject(await invoke(request.ctx, unlinkIssues, { id: input.id.id, issue_ids }), request),
      message: `Successfully unlinked IDs: ${issue_ids.join(', ')}.`,
    }));
  }
}
