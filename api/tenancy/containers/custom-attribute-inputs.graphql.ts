import { Field, ID, InputType } from 'type-graphql';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { MutationInput } from '../../core/graphql/mutations.js';
import { UserID } from '../users/users.graphql.js';

/** The input of a mutation on one kind of owner: a key of the owner that its own field names. */
@InputType()
export abstract class KeyInput extends MutationInput {
  @Field(() => String, { description: 'Key of the custom attribute.' })
  key!: string;
}

@InputType('DeleteProjectCustomAttributeInput', { description: 'Input to delete a custom attribute of a project.' })
export class DeleteOfProject extends KeyInput {
  @Field(() => ID, { description: 'Full path of the project.' })
  projectPath!: string;
}

@InputType('DeleteGroupCustomAttributeInput', { description: 'Input to delete a custom attribute of a group.' })
export class DeleteOfGroup extends KeyInput {
  @Field(() => ID, { description: 'Full path of the group.' })
  groupPath!: string;
}

@InputType('DeleteUserCustomAttributeInput', { description: 'Input to delete a custom attribute of a user.' })
export class DeleteOfUser extends KeyInput {
  @Field(() => UserID, { description: 'Global ID of the user.' })
  userId!: GlobalId;
}

@InputType('ProjectCustomAttributeSetInput', { description: 'Input to set a custom attribute of a project.' })
export class SetOfProject extends DeleteOfProject {
  @Field(() => String, { description: 'Value of the custom attribute.' })
  value!: string;
}

@InputType('SetGroupCustomAttributeInput', { description: 'Input to set a custom attribute of a group.' })
export class SetOfGroup extends DeleteOfGroup {
  @Field(() => String, { description: 'Value of the custom attribute.' })
  value!: string;
}

@InputType('UserCustomAttributeSetInput', { description: 'Input to set a custom attribute of a user.' })
export class SetOfUser extends DeleteOfUser {
  @Field(() => String, { description: 'Value of the custom attribute.' })
  value!: string;
}
