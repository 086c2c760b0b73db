import { Field, InterfaceType } from 'type-graphql';

/** What can be on a to-do list. Records do not depend on the lists that they are on, which the notes domain has. */
@InterfaceType('Todoable', { description: 'Record that can be on a to-do list.' })
export abstract class TodoableInterface {
  @Field(() => String, { nullable: true, description: 'URL of the record.' })
  declare readonly webUrl: unknown;
}
