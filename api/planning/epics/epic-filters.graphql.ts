import { ArgsType, Field, ID, registerEnumType } from 'type-graphql';
import { PageArgs } from '../../core/graphql/connections.js';

export const EpicState = { opened: 'opened', closed: 'closed', all: 'all' } as const;
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
  START_DATE_ASC: 'start_date asc',
  START_DATE_DESC: 'start_date desc',
  DUE_DATE_ASC: 'due_date asc',
  DUE_DATE_DESC: 'due_date desc',
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
    START_DATE_ASC: { description: 'What begins first comes first.' },
    START_DATE_DESC: { description: 'What begins last comes first.' },
    DUE_DATE_ASC: { description: 'What ends first comes first.' },
    DUE_DATE_DESC: { description: 'What ends last comes first.' },
    TITLE_ASC: { description: 'By title.' },
    TITLE_DESC: { description: 'By title, backwards.' },
  },
});

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
