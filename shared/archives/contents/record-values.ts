import { sql } from 'kysely';
import type { Expression } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import { constant } from '../../core/database/expressions.js';
import type { Context } from '../../core/context/context.js';
import { seesReferenced } from '../../notes/notes/visible-notes.js';
import type { ArchiveAttribute, ArchiveAttributes } from '../format/attributes.js';
import { sharedAttributes } from '../format/attributes.js';
import { db, instantJson, jsonFirst, jsonList, jsonObject, NO_ELEMENTS, plainRow, rowValues } from './json-values.js';
import type { AttributeValues } from './json-values.js';

/*
 * What records have and what they name, each as values of the attributes of the same name.
 */

/** The id of the owning record `x`. */
export const ID = sql.ref<number>('x.id');

/** The id of a referenced record, or an expression for it. */
type Id = Expression<number | null>;

/** The attributes of the objects that an attribute holds. */
export function within(attribute: ArchiveAttribute | undefined): ArchiveAttributes {
  if (attribute?.is !== 'one' && attribute?.is !== 'many') throw new Error('This attribute holds no objects.');
  return attribute.of;
}

/** `group_id` and `project_id` of a row. */
export const containerValues = (alias: string): AttributeValues => ({
  group_id: sql.ref(`${alias}.namespace_id`),
  project_id: sql.ref(`${alias}.project_id`),
});

/** The type name of a row, depending on whether it belongs to a group or a project. */
export const typeByContainer = (alias: string, group: string, project: string) =>
  db
    .case()
    .when(sql.ref<number | null>(`${alias}.project_id`), 'is', null)
    .then(constant(group))
    .else(constant(project))
    .end();

export const labelType = (alias: string) => typeByContainer(alias, 'GroupLabel', 'ProjectLabel');

const ofLabel = rowValues<'labels'>('la');

/** A label `la` as embedded in a labeled record. */
export const labelOfValues: AttributeValues = {
  ...ofLabel.columns('title', 'color', 'description'),
  type: labelType('la'),
  group_id: ofLabel.ref('namespace_id'),
};

/** A label by its id. */
export const serializeLabel = (id: Id) =>
  jsonFirst(
    sharedAttributes.labelOf,
    labelOfValues,
    db.selectFrom('labels as la').where('la.id', '=', id as Expression<number>),
  );

/** Records whose labels, emoji and events are in tables with the record's name as prefix. */
type IssuableName = 'issue' | 'merge_request' | 'epic';

/** Labels of a record, by title. */
export const serializeLabelLinks = (name: IssuableName) =>
  jsonList(
    within(sharedAttributes.labelLinks),
    { label: jsonObject(sharedAttributes.labelOf, labelOfValues), ...ofLabel.times() },
    db
      .selectFrom(`${name}_labels as ll` as 'issue_labels as ll')
      .innerJoin('labels as la', 'la.id', 'll.label_id')
      .where(`ll.${name}_id` as 'll.issue_id', '=', ID)
      .orderBy('la.title')
      .orderBy('la.id'),
  );

/** A milestone by its id. */
export const serializeMilestone = (id: Id) =>
  jsonFirst(
    within(sharedAttributes.milestoneOf),
    { ...rowValues<'milestones'>('mi').columns('iid', 'title'), ...containerValues('mi') },
    db.selectFrom('milestones as mi').where('mi.id', '=', id as Expression<number>),
  );

const usersWith = (id: Id) => db.selectFrom('users as us').where('us.id', '=', id as Expression<number>);
const user = rowValues<'users'>('us');

/** A user by id, public email address and user name. */
export const serializePerson = (id: Id) => plainRow(user.columns('id', 'public_email', 'username'), usersWith(id));

/** `author` by the id of a user. */
export const serializeAuthor = (id: Id) =>
  jsonFirst(within(sharedAttributes.author), user.columns('name'), usersWith(id));

const award = rowValues<'note_award_emojis'>('aw');

/** Emoji of a record. @param id of that */
export const awardsJson = (name: IssuableName | 'snippet' | 'note', id: Expression<number> = ID) =>
  jsonList(
    within(sharedAttributes.awardEmoji),
    { ...award.columns('name', 'user_id'), ...award.times() },
    db
      .selectFrom(`${name}_award_emojis as aw` as 'note_award_emojis as aw')
      .where(`aw.${name}_id` as 'aw.note_id', '=', id)
      .orderBy('aw.id'),
  );

const getEvents = (name: IssuableName, kind: 'state' | 'label' | 'milestone') =>
  db
    .selectFrom(`${name}_${kind}_events as ev` as 'issue_milestone_events as ev')
    .where(`ev.${name}_id` as 'ev.issue_id', '=', ID)
    .orderBy('ev.id');

const event = rowValues<'issue_milestone_events'>('ev');
const labelEvent = rowValues<'issue_label_events'>('ev');

const whoAndWhen: AttributeValues = { user_id: event.ref('user_id'), created_at: event.instant('created_at') };

/** Events of a record's own tables, such as `issue_state_events`. */
export const serializeStateEvents = (name: IssuableName) =>
  jsonList(
    within(sharedAttributes.resourceStateEvents),
    { ...whoAndWhen, state: event.ref('state') },
    getEvents(name, 'state'),
  );

export const serializeLabelEvents = (name: IssuableName) =>
  jsonList(
    within(sharedAttributes.resourceLabelEvents),
    { ...whoAndWhen, action: labelEvent.ref('action'), label: serializeLabel(labelEvent.ref('label_id')) },
    getEvents(name, 'label'),
  );

export const serializeMilestoneEvents = (name: IssuableName) =>
  jsonList(
    within(sharedAttributes.resourceMilestoneEvents),
    { ...whoAndWhen, ...event.columns('action', 'state'), milestone: serializeMilestone(event.ref('milestone_id')) },
    getEvents(name, 'milestone'),
  );

/** What happened to a record, of the events that people see: by the column that names it; none without one. */
export const eventsJson = (column: 'issue_id' | 'merge_request_id' | null) =>
  column === null
    ? NO_ELEMENTS
    : jsonList(
        within(sharedAttributes.events),
        {
          ...rowValues<'events'>('ev').columns('action', 'author_id'),
          created_at: instantJson(sql.ref<Date>('ev.created_at')),
        },
        db
          .selectFrom('events as ev')
          .where(`ev.${column}`, '=', ID)
          .where('ev.action', 'in', ['created', 'closed', 'reopened', 'merged'].map(constant))
          .orderBy('ev.id'),
      );

/** What may be commented on, by the column that names it in a comment. */
type NotedColumn = 'epic_id' | 'issue_id' | 'merge_request_id' | 'snippet_id';

/**
 * The notes of a record that the exporter can see, oldest first. Exporters can always see internal notes.
 * @param type the type of the record, as in `noteable_type`
 * @param column the notes column that references the record
 */
export const notesJson = (ctx: Context, type: string, column: NotedColumn) =>
  notesList(ctx, { type, column, attributes: sharedAttributes.note, more: {} });

interface NotesOptions {
  readonly type: string;
  readonly column: NotedColumn;
  readonly attributes: ArchiveAttributes;
  /** Additional attributes of notes of this kind. */
  readonly more: AttributeValues;
}

const note = rowValues<'notes'>('n');

/** The same of notes that have more attributes, in the order of `attributes`. */
export const notesList = (ctx: Context, { type, column, attributes, more }: NotesOptions) =>
  jsonList(
    attributes,
    {
      ...note.columns('id', 'note'),
      noteable_type: constant(type),
      author_id: note.ref('author_id'),
      author: serializeAuthor(note.ref('author_id')),
      ...note.times(),
      ...note.columns('system', 'type', 'discussion_id', 'internal'),
      commit_id: db.fn.coalesce(note.ref('commit_sha'), note.ref('diff_commit_sha')),
      resolved_at: note.instant('resolved_at'),
      resolved_by_id: note.ref('resolved_by_id'),
      last_edited_at: note.instant('last_edited_at'),
      system_note_metadata: db
        .case()
        .when(note.ref('system'), '=', constant(true))
        .then(jsonBuildObject({ action: note.ref('action') }))
        .end(),
      award_emoji: awardsJson('note', note.ref('id')),
      ...more,
    },
    db.selectFrom('notes as n').where(`n.${column}`, '=', ID).where(seesReferenced(ctx)).orderBy('n.id'),
  );
