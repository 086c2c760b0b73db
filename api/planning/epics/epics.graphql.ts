import { Arg, Field, ID, Int, ObjectType } from 'type-graphql';
import {
  epicHtml,
  labelsOfEpics,
  parentsOfEpics,
  subscriptionsToEpics,
} from '../../../shared/planning/epics/epic.loads.js';
import { inheritedDates } from '../../../shared/planning/epics/epic-dates.js';
import { epicPolicy } from '../../../shared/planning/epics/epic.policy.js';
import type { EpicRecord, ListedEpic } from '../../../shared/planning/epics/epic.entity.js';
import { epicDetails, epicReference } from '../../../shared/planning/epics/epic.serializer.js';
import { groupsById } from '../../../shared/tenancy/groups/group.finder.js';
import { IssuableFields, midnight } from '../issuables/issuable-fields.graphql.js';
import type { IssuableKind } from '../issuables/issuable-fields.graphql.js';
import { NoteableInterface } from '../issuables/noteable-interface.graphql.js';
import { EpicState } from './epic-filters.graphql.js';
import { connectionType } from '../../core/graphql/connections.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import { loadedOf } from '../../core/graphql/loaded-field.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { Time } from '../../core/graphql/scalars.js';
import { GroupType } from '../../tenancy/groups/groups.graphql.js';

const EpicPermissions = permissionsType('EpicPermissions', epicPolicy, {
  readEpic: 'read_epic',
  updateEpic: 'update_epic',
  destroyEpic: 'destroy_epic',
});

export const EpicID = globalIdScalar('Epic');

const KIND: IssuableKind<ListedEpic> = {
  type: 'Epic',
  serializer: epicDetails,
  html: epicHtml,
  labels: labelsOfEpics,
  subscriptions: subscriptionsToEpics,
  path: ({ full_path, iid }) => `/groups/${full_path}/-/epics/${iid}`,
};

/** An epic as a caller who may read it sees it. */
@ObjectType('Epic', {
  implements: NoteableInterface,
  description: 'A theme of a group, under which issues are planned.',
})
export class EpicObject extends IssuableFields<ListedEpic> {
  protected override get kind(): IssuableKind<ListedEpic> {
    return KIND;
  }

  static of(record: ListedEpic | null | undefined, request: GraphqlRequest): EpicObject | null {
    return record ? new EpicObject(record, request) : null;
  }

  /** With its group, for rules. */
  async full(): Promise<EpicRecord> {
    const group = await this.request.load(groupsById, this.record.namespace_id);
    if (!group) throw new GraphqlProblem('The epic is gone.');
    return { ...this.record, group };
  }

  async #date(key: string): Promise<Date | null> {
    await loadedOf(this.request, inheritedDates, this.record);
    return midnight(this.presentField(key));
  }

  @Field(() => ID, { description: 'Number within the group.' })
  get iid(): string {
    return String(this.record.iid);
  }

  @Field(() => String, { nullable: true, description: 'Its title.' })
  get title(): string {
    return this.record.title;
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
    return this.presentField('text_color');
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
    return this.presentField('web_url');
  }

  @Field(() => Time, { nullable: true, description: 'When it was made.' })
  get createdAt(): Date {
    return this.record.created_at;
  }

  @Field(() => Time, { nullable: true, description: 'When it last changed.' })
  get updatedAt(): Date {
    return this.record.updated_at;
  }

  @Field(() => Int, { description: 'Comments of people.' })
  get userNotesCount(): number {
    return this.record.user_notes_count;
  }

  @Field(() => EpicPermissions, { description: 'What the caller may do with the epic.' })
  async userPermissions(): Promise<unknown> {
    return new EpicPermissions(this.request.ctx.caller, await this.full());
  }
}

export const EpicConnection = connectionType(EpicObject, 'Epic', { count: true });
