import { ArgsType, Field, ID, registerEnumType } from 'type-graphql';
import { PageArgs } from '../../core/graphql/connections.js';

export const EpicState = { opened: 'opened', closed: 'closed', all: 'all' } as const;
registerEnumType(EpicState, {
  name: 'EpicState',
  description: 'State of an epic.',
  valuesConfig: {
    opened: { description: 'Epic is open.' },
    closed: { description: 'Epic is closed.' },
    all: { description: 'Epics in any state.' },
  },
});

/** As `order_by` and `sort` of REST. */
const EpicSort = {
  CREATED_AT_ASC: 'created_at asc',
  CREATED_AT_DESC: 'created_at desc',
  UPDATED_AT_ASC: 'updated_at asc',
  UPDATED_AT_DESC: 'updated_at desc',
  START_DATE_ASC: 'start_date asc',
  START_DATE_DESC: 'start_date desc',
  DUE_DATE_ASC: 'due_date asc',
  DUE_DATE_DESC: 'due_date desc',
  TITLE_ASC: 'title asc',
  TITLE_DESC: 'title desc',
} as const;
registerEnumType(EpicSort, {
  name: 'EpicSort',
  description: 'Sort orders of epics.',
  valuesConfig: {
    CREATED_AT_ASC: { description: 'Sorts by creation date in ascending order.' },
    CREATED_AT_DESC: { description: 'Sorts by creation date in descending order.' },
    UPDATED_AT_ASC: { description: 'Sorts by update date in ascending order.' },
    UPDATED_AT_DESC: { description: 'Sorts by update date in descending order.' },
    START_DATE_ASC: { description: 'Sorts by start date in ascending order.' },
    START_DATE_DESC: { description: 'Sorts by start date in descending order.' },
    DUE_DATE_ASC: { description: 'Sorts by due date in ascending order.' },
    DUE_DATE_DESC: { description: 'Sorts by due date in descending order.' },
    TITLE_ASC: { description: 'Sorts by title in ascending order.' },
    TITLE_DESC: { description: 'Sorts by title in descending order.' },
  },
});

/** The arguments that identify an epic of a group. */
@ArgsType()
export class EpicArgs {
  @Field(() => ID, { nullable: true, description: 'Internal ID of the epic.' })
  iid?: string | null;

  @Field(() => [ID], { nullable: true, description: 'Internal IDs of epics; returns the first one found.' })
  iids?: string[] | null;
}

/** Filters of the epics of a group. */
@ArgsType()
export class EpicListArgs extends PageArgs {
  @Field(() => [ID], { nullable: true, description: 'Filter by internal IDs of the epics.' })
  iids?: string[] | null;

  @Field(() => EpicState, { nullable: true, description: 'Filter by state of the epics.' })
  state?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Search terms, all of which must be in the title or description.',
  })
  search?: string | null;

  @Field(() => [String], { nullable: true, description: 'Filter by titles of labels; epics must have all of them.' })
  labelName?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Filter by username of the author.' })
  authorUsername?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'If `true`, returns only confidential epics; if `false`, only epics that are not confidential.',
  })
  confidential?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: true,
    description: 'If `true`, includes epics of descendant groups.',
  })
  includeDescendantGroups?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    defaultValue: false,
    description: 'If `true`, includes epics of ancestor groups.',
  })
  includeAncestorGroups?: boolean | null;

  @Field(() => EpicSort, { nullable: true, description: 'Sort order of the epics; defaults to newest first.' })
  sort?: string | null;
}
