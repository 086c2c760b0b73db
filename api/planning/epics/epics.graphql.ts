import { Arg, Args, ArgsType, Extensions, Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { epicHtml } from '../../../shared/planning/epics/epic-html.js';
import {
  inheritedDates,
  labelsOfEpics,
  parentsOfEpics,
  subscriptionsToEpics,
} from '../../../shared/planning/epics/epic.loads.js';
import { epicPolicy } from '../../../shared/planning/epics/epic.policy.js';
import type { EpicRecord, ListedEpic } from '../../../shared/planning/epics/epic.record.js';
import { epicDetails, epicReference } from '../../../shared/planning/epics/epic.shape.js';
import { groupsById } from '../../../shared/tenancy/groups/group.finder.js';
import { connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { globalId, globalIdScalar } from '../../core/graphql/global-ids.js';
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { SHORT } from '../../core/graphql/nodes.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { shown } from '../../core/graphql/shown.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';
import { UserCoreType } from '../../tenancy/users/users.graphql.js';
import { LabelConnection, LabelType } from '../labels/labels.graphql.js';

const EpicState = { opened: 'opened', closed: 'closed', all: 'all' } as const;
registerEnumType(EpicState, {
  name: 'EpicState',
  description: 'Whether an epic is open.',
  valuesConfig: {
    opened: { description: 'It is open.' },
    closed: { description: 'It is closed.' },
    all: { description: 'Whatever its state.' },
  },
});

/** As `order_by` and `sort` of REST. */
const EpicSort = {
  CREATED_AT_ASC: 'created_at asc',
  CREATED_AT_DESC: 'created_at desc',
  UPDATED_AT_ASC: 'updated_at asc',
  UPDATED_AT_DESC: 'updated_at desc',
  TITLE_ASC: 'title asc',
  TITLE_DESC: 'title desc',
} as const;
registerEnumType(EpicSort, {
  name: 'EpicSort',
  description: 'Orders of epics.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'The oldest first.' },
    CREATED_AT_DESC: { description: 'The newest first.' },
    UPDATED_AT_ASC: { description: 'What was changed last comes last.' },
    UPDATED_AT_DESC: { description: 'What was changed last comes first.' },
    TITLE_ASC: { description: 'By title.' },
    TITLE_DESC: { description: 'By title, backwards.' },
  },
});

const EpicPermissions = permissionsType('EpicPermissions', epicPolicy, {
  readEpic: 'read_epic',
  updateEpic: 'update_epic',
  destroyEpic: 'destroy_epic',
});

export const EpicID = globalIdScalar('Epic');

/** Midnight, UTC, of a day. */
const midnight = (day: unknown): Date | null => (typeof day === 'string' ? new Date(`${day}T00:00:00Z`) : null);

/** An epic as a caller who may read it sees it. */
@ObjectType('Epic', { description: 'A theme of a group, under which issues are planned.' })
export class EpicObject {
  constructor(
    readonly record: ListedEpic,
    readonly request: GraphqlRequest,
  ) {}

  static of(record: ListedEpic | null | undefined, request: GraphqlRequest): EpicObject | null {
    return record ? new EpicObject(record, request) : null;
  }

  /** With its group, for rules. */
  async full(): Promise<EpicRecord> {
    const group = await this.request.load(groupsById, this.record.namespace_id);
    if (!group) throw new GraphqlProblem('The epic is gone.');
    return { ...this.record, group };
  }

  #shown(key: string): unknown {
    return shown(epicDetails, key, this.record, this.request.ctx);
  }

  async #date(key: string): Promise<Date | null> {
    await loadedOf(this.request, inheritedDates, this.record);
    return midnight(this.#shown(key));
  }

  @Field(() => ID, { description: 'Global id.' })
  get id(): string {
    return globalId('Epic', this.record.id);
  }

  @Field(() => ID, { description: 'Number within the group.' })
  get iid(): string {
    return String(this.record.iid);
  }

  @Field(() => String, { nullable: true, description: 'Its title.' })
  get title(): string {
    return this.record.title;
  }

  @Field(() => String, { nullable: true, description: 'Its title, as HTML.' })
  async titleHtml(): Promise<string> {
    return (await loadedOf(this.request, epicHtml, this.record))?.title ?? '';
  }

  @Field(() => String, { nullable: true, description: 'What it is about, as Markdown.' })
  get description(): string | null {
    return this.record.description ?? null;
  }

  @Field(() => String, { nullable: true, description: 'What it is about, as HTML.' })
  async descriptionHtml(): Promise<string> {
    return (await loadedOf(this.request, epicHtml, this.record))?.description ?? '';
  }

  @Field(() => EpicState, { description: 'Whether it is open.' })
  get state(): string {
    return this.record.state;
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether only Planners and above and its author see it.' })
  get confidential(): boolean {
    return this.record.confidential;
  }

  @Field(() => String, { nullable: true, description: 'Its colour, `#rrggbb`.' })
  get color(): string {
    return this.record.color;
  }

  @Field(() => String, { nullable: true, description: 'Colour of text that is read well on it.' })
  get textColor(): unknown {
    return this.#shown('text_color');
  }

  @Field(() => GroupType, { nullable: true, description: 'The group that it belongs to.' })
  async group(): Promise<GroupType | null> {
    return GroupType.of(await this.request.load(groupsById, this.record.namespace_id), this.request);
  }

  @Field(() => EpicObject, { nullable: true, description: 'The epic above it.' })
  async parent(): Promise<EpicObject | null> {
    if (!this.record.parent_id) return null;
    return EpicObject.of(await loadedOf(this.request, parentsOfEpics, this.record), this.request);
  }

  @Field(() => UserCoreType, { nullable: true, description: 'Who made it.' })
  get author(): UserCoreType | null {
    return UserCoreType.of(this.record.author, this.request);
  }

  @Field(() => LabelConnection, { nullable: true, description: 'Its labels, by title.' })
  @Extensions(SHORT)
  async labels(@Args(() => PageArgs) args: PageArgs): Promise<unknown> {
    const labels = (await loadedOf(this.request, labelsOfEpics, this.record)) ?? [];
    return connectionOfRecords(
      this.request,
      labels,
      args,
      ({ id }) => id,
      (label) => new LabelType(label, this.request),
    );
  }

  @Field(() => Time, { nullable: true, description: 'The day on which it begins.' })
  startDate(): Promise<Date | null> {
    return this.#date('start_date');
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether that day was chosen for it.' })
  get startDateIsFixed(): boolean {
    return this.record.start_date_is_fixed;
  }

  @Field(() => Time, { nullable: true, description: 'The day that was chosen, whether it holds or not.' })
  get startDateFixed(): Date | null {
    return midnight(this.record.start_date_fixed);
  }

  @Field(() => Time, { nullable: true, description: 'The first day of what is below it.' })
  startDateFromInheritedSource(): Promise<Date | null> {
    return this.#date('start_date_from_inherited_source');
  }

  @Field(() => Time, { nullable: true, description: 'The day on which it ends.' })
  dueDate(): Promise<Date | null> {
    return this.#date('due_date');
  }

  @Field(() => Boolean, { nullable: true, description: 'Whether that day was chosen for it.' })
  get dueDateIsFixed(): boolean {
    return this.record.due_date_is_fixed;
  }

  @Field(() => Time, { nullable: true, description: 'The day that was chosen, whether it holds or not.' })
  get dueDateFixed(): Date | null {
    return midnight(this.record.due_date_fixed);
  }

  @Field(() => Time, { nullable: true, description: 'The last day of what is below it.' })
  dueDateFromInheritedSource(): Promise<Date | null> {
    return this.#date('due_date_from_inherited_source');
  }

  @Field(() => String, { description: 'How it is named elsewhere.' })
  reference(
    @Arg('full', () => Boolean, { defaultValue: false, description: 'With the path of its group.' }) full: boolean,
  ): string {
    return epicReference(full ? undefined : this.record.full_path, this.record);
  }

  @Field(() => String, { description: 'Address of its page.' })
  get webUrl(): unknown {
    return this.#shown('web_url');
  }

  @Field(() => String, { description: 'Path of its page.' })
  get webPath(): string {
    return `/groups/${this.record.full_path}/-/epics/${this.record.iid}`;
  }

  @Field(() => Time, { nullable: true, description: 'When it was closed.' })
  get closedAt(): Date | null {
    return this.record.closed_at ?? null;
  }

  @Field(() => Time, { nullable: true, description: 'When it was made.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { nullable: true, description: 'When it last changed.' })
  get updatedAt(): Date {
    return this.record.updated_at;
  }

  @Field(() => Int, { description: 'Thumbs up that it got.' })
  get upvotes(): number {
    return this.record.upvotes;
  }

  @Field(() => Int, { description: 'Thumbs down that it got.' })
  get downvotes(): number {
    return this.record.downvotes;
  }

  @Field(() => Int, { description: 'Comments of people.' })
  get userNotesCount(): number {
    return this.record.user_notes_count;
  }

  @Field(() => Boolean, { complexity: 5, description: 'Whether the caller is told of what happens to it.' })
  async subscribed(): Promise<boolean> {
    return (await loadedOf(this.request, subscriptionsToEpics, this.record)) ?? false;
  }

  @Field(() => EpicPermissions, { description: 'What the caller may do with the epic.' })
  async userPermissions(): Promise<unknown> {
    return new EpicPermissions(this.request.ctx.caller, await this.full());
  }
}

export const EpicConnection = connectionType(EpicObject, 'Epic', { count: true });

/** What says which epic of a group is meant. */
@ArgsType()
export class EpicArgs {
  @Field(() => ID, { nullable: true, description: 'Its number.' })
  iid?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Numbers, of which the first one found is meant.' })
  iids?: string[] | null;
}

/** Filters of the epics of a group. */
@ArgsType()
export class EpicListArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Only these numbers.' })
  iids?: string[] | null;

  @Field(() => EpicState, { nullable: true, description: 'Only those in this state.' })
  state?: string | null;

  @Field(() => String, { nullable: true, description: 'Words that all stand in title or description.' })
  search?: string | null;

  @Field(() => [String], { nullable: true, description: 'Titles of labels that it has all of.' })
  labelName?: string[] | null;

  @Field(() => String, { nullable: true, description: 'User name of who made it.' })
  authorUsername?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Only confidential ones, or only others.' })
  confidential?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: true,
    description: 'Also those of the groups below it.',
  })
  includeDescendantGroups?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'Also those of the groups above it.',
  })
  includeAncestorGroups?: boolean | null;

  @Field(() => EpicSort, { nullable: true, description: 'What the order goes by: the newest first unless told.' })
  sort?: string | null;
}
