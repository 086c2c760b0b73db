import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { MutationInput, MutationPayload } from '../../core/graphql/mutations.js';
import { UserID } from '../users/users.graphql.js';
import { CustomAttributeType } from './custom-attributes.graphql.js';

/** The input of a mutation on one kind of owner: a key of the owner that its own field names. */
@InputType()
export abstract class KeyInput extends MutationInput {
  @Field(() => String, { description: 'Key of the custom attribute.' })
  key!: string;
}

@InputType('ProjectCustomAttributeSetInput', { description: 'Input to set a custom attribute of a project.' })
export class SetOfProject extends KeyInput {
  @Field(() => ID, { description: 'Full path of the project.' })
  projectPath!: string;

  @Field(() => String, { description: 'Value of the custom attribute.' })
  value!: string;
}

@InputType('DeleteProjectCustomAttributeInput', { description: 'Input to delete a custom attribute of a project.' })
export class DeleteOfProject extends KeyInput {
  @Field(() => ID, { description: 'Full path of the project.' })
  projectPath!: string;
}

@InputType('SetGroupCustomAttributeInput', { description: 'Input to set a custom attribute of a group.' })
export class SetOfGroup extends KeyInput {
  @Field(() => ID, { description: 'Full path of the group.' })
  groupPath!: string;

  @Field(() => String, { description: 'Value of the custom attribute.' })
  value!: string;
}

@InputType('DeleteGroupCustomAttributeInput', { description: 'Input to delete a custom attribute of a group.' })
export class DeleteOfGroup extends KeyInput {
  @Field(() => ID, { description: 'Full path of the group.' })
  groupPath!: string;
}

@InputType('UserCustomAttributeSetInput', { description: 'Input to set a custom attribute of a user.' })
export class SetOfUser extends KeyInput {
  @Field(() => UserID, { description: 'Global ID of the user.' })
  userId!: GlobalId;

  @Field(() => String, { description: 'Value of the custom attribute.' })
  value!: string;
}

@InputType('DeleteUserCustomAttributeInput', { description: 'Input to delete a custom attribute of a user.' })
export class DeleteOfUser extends KeyInput {
  @Field(() => UserID, { description: 'Global ID of the user.' })
  userId!: GlobalId;
}

function payload(name: string, description: string) {
  @ObjectType(name, { description: 'Payload of a mutation of a custom attribute.', simpleResolvers: true })
  class Payload extends MutationPayload {
    @Field(() => CustomAttributeType, { nullable: true, description })
    customAttribute?: CustomAttributeType | null;
  }
  return Payload;
}

const NOW = 'The attribute as it is now.';
const WAS = 'The attribute as it was.';
export const SetOfProjectPayload = payload('ProjectCustomAttributeSetPayload', NOW);
export const DeleteOfProjectPayload = payload('DeleteProjectCustomAttributePayload', WAS);
export const SetOfGroupPayload = payload('SetGroupCustomAttributePayload', NOW);
export const DeleteOfGroupPayload = payload('DeleteGroupCustomAttributePayload', WAS);
export const SetOfUserPayload = payload('UserCustomAttributeSetPayload', NOW);
export const DeleteOfUserPayload = payload('DeleteUserCustomAttributePayload', WAS);
