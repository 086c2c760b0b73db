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
import { IssuableFields } from '../issuables/issuable-fields.graphql.js';
import type { IssuableKind } from '../issuables/issuable-fields.graphql.js';
import { NoteableInterface } from '../issuables/noteable-interface.graphql.js';
import { TodoableInterface } from '../issuables/todoable-interface.graphql.js';
import { EpicState } from './epic-filters.graphql.js';
import { connectionType } from '../../core/graphql/connections.js';
import { GraphqlProblem } from '../../core/graphql/errors.js';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import { loadField } from '../../core/graphql/loaded-field.js';
import { permissionsType } from '../../core/graphql/permissions.js';
import { midnight, Time } from '../../core/graphql/scalars.js';
import { RecordField, SerializedField } from '../../core/graphql/records.js';
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

/** An epic for callers with read access. */
@ObjectType('Epic', {
  implements: [NoteableInterface, TodoableInterface],
  description: 'Epic: a theme of a group, under which issues are planned.',
})
export class EpicObject extends IssuableFields<ListedEpic> {
  protected override get kind(): IssuableKind<ListedEpic> {
    return KIND;
  }

  /** With its group, for rules. */
  async full(): Promise<EpicRecord> {
    const group = await this.request.load(groupsById, this.record.namespace_id);
    if (!group) throw new GraphqlProblem('The epic is gone.');
    return { ...this.record, group };
  }

  async #date(key: string): Promise<Date | null> {
    await loadField(this.request, inheritedDates, this.record);
    return midnight(this.presentField(key));
  }

  @RecordField(() => ID, { description: 'Internal ID of the epic within the group.' })
  declare readonly iid: number;

  @RecordField(() => String, { nullable: true, description: 'Title of the epic.' })
  declare readonly title: string;

  @RecordField(() => EpicState, { description: 'State of the epic.' })
  declare readonly state: string;

  @RecordField(() => Boolean, {
    nullable: true,
    description: 'Indicates the epic is confidential: visible only to Planners and above and its author.',
  })
  declare readonly confidential: boolean;

  @RecordField(() => String, { nullable: true, description: 'Colour of the epic, as `#rrggbb`.' })
  declare readonly color: string;

  @SerializedField(epicDetails, () => String, {
    nullable: true,
    description: 'Colour of text that is readable on the colour of the epic.',
  })
  declare readonly textColor: unknown;

  @Field(() => GroupType, { nullable: true, description: 'Group that the epic belongs to.' })
  async group(): Promise<GroupType | null> {
    return GroupType.of(await this.request.load(groupsById, this.record.namespace_id), this.request);
  }

  @Field(() => EpicObject, { nullable: true, description: 'Parent epic of the epic.' })
  async parent(): Promise<EpicObject | null> {
    if (!this.record.parent_id) return null;
    return EpicObject.of(await loadField(this.request, parentsOfEpics, this.record), this.request);
  }

  @Field(() => Time, { nullable: true, description: 'Start date of the epic.' })
  startDate(): Promise<Date | null> {
    return this.#date('start_date');
  }

  @RecordField(() => Boolean, { nullable: true, description: 'Indicates the start date was chosen for the epic.' })
  declare readonly startDateIsFixed: boolean;

  @Field(() => Time, { nullable: true, description: 'Start date chosen for the epic, in effect or not.' })
  get startDateFixed(): Date | null {
    return midnight(this.record.start_date_fixed);
  }

  @Field(() => Time, {
    nullable: true,
    description: 'Inherited start date of the epic: the first day of the items below it.',
  })
  startDateFromInheritedSource(): Promise<Date | null> {
    return this.#date('start_date_from_inherited_source');
  }

  @Field(() => Time, { nullable: true, description: 'Due date of the epic.' })
  dueDate(): Promise<Date | null> {
    return this.#date('due_date');
  }

  @RecordField(() => Boolean, { nullable: true, description: 'Indicates the due date was chosen for the epic.' })
  declare readonly dueDateIsFixed: boolean;

  @Field(() => Time, { nullable: true, description: 'Due date chosen for the epic, in effect or not.' })
  get dueDateFixed(): Date | null {
    return midnight(this.record.due_date_fixed);
  }

  @Field(() => Time, {
    nullable: true,
    description: 'Inherited due date of the epic: the last day of the items below it.',
  })
  dueDateFromInheritedSource(): Promise<Date | null> {
    return this.#date('due_date_from_inherited_source');
  }

  @Field(() => String, { description: 'Reference of the epic, for use elsewhere.' })
  reference(
    @Arg('full', () => Boolean, { defaultValue: false, description: 'If `true`, includes the path of the group.' })
    full: boolean,
  ): string {
    return epicReference(full ? undefined : this.record.full_path, this.record);
  }

  @SerializedField(epicDetails, () => String, { description: 'URL of the epic.' })
  declare readonly webUrl: unknown;

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the epic was created.' })
  declare readonly createdAt: Date;

  @RecordField(() => Time, { nullable: true, description: 'Timestamp of when the epic was last updated.' })
  declare readonly updatedAt: Date;

  @RecordField(() => Int, { description: 'Number of comments by users.' })
  declare readonly userNotesCount: number;

  @Field(() => EpicPermissions, { description: 'Permissions of the caller on the epic.' })
  async userPermissions(): Promise<unknown> {
    return new EpicPermissions(this.request.ctx.caller, await this.full());
  }
}

export const EpicConnection = connectionType(EpicObject, 'Epic', { count: true });
