import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { invoke } from '../../shared/core/operation.js';
import {
  projectCustomAttributes,
  userCustomAttributes,
} from '../../shared/custom-attributes/custom-attribute.operations.js';
import { findAttributeOwner } from '../../shared/custom-attributes/custom-attribute.owner.js';
import type { GlobalId } from '../core/graphql/global-ids.js';
import { mutate, MutationInput, MutationPayload } from '../core/graphql/mutations.js';
import type { GraphqlRequest } from '../core/graphql/request.js';
import { projectOfPath } from '../projects/projects.graphql.js';
import { UserID } from '../users/users.graphql.js';
import { CustomAttributeType } from './custom-attributes.graphql.js';

@InputType('ProjectCustomAttributeSetInput', { description: 'A custom attribute to set on a project.' })
class ProjectInput extends MutationInput {
  @Field(() => ID, { description: 'Full path of the project.' })
  projectPath!: string;

  @Field(() => String, { description: 'Under what.' })
  key!: string;

  @Field(() => String, { description: 'What.' })
  value!: string;
}

@InputType('UserCustomAttributeSetInput', { description: 'A custom attribute to set on a user.' })
class UserInput extends MutationInput {
  @Field(() => UserID, { description: 'The user.' })
  userId!: GlobalId;

  @Field(() => String, { description: 'Under what.' })
  key!: string;

  @Field(() => String, { description: 'What.' })
  value!: string;
}

function payload(name: string) {
  @ObjectType(name, { description: 'What became of the attribute.', simpleResolvers: true })
  class Payload extends MutationPayload {
    @Field(() => CustomAttributeType, { nullable: true, description: 'The attribute as it is now.' })
    customAttribute?: CustomAttributeType | null;
  }
  return Payload;
}

const ProjectPayload = payload('ProjectCustomAttributeSetPayload');
const UserPayload = payload('UserCustomAttributeSetPayload');

/** Groups have no such mutation, nor has removing one: those are for REST (graphql.md section 5.8). */
@Resolver()
export class CustomAttributeMutations {
  @Mutation(() => ProjectPayload, { nullable: true, description: 'Sets a custom attribute of a project.' })
  projectCustomAttributeSet(
    @Arg('input', () => ProjectInput, { description: 'The attribute.' }) { key, value, ...input }: ProjectInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => ({
      customAttribute: await invoke(request.ctx, projectCustomAttributes.set, { key, value }, async (ctx) => {
        const { id } = await projectOfPath(request, input.projectPath);
        return findAttributeOwner(ctx, 'project', String(id));
      }),
    }));
  }

  @Mutation(() => UserPayload, { nullable: true, description: 'Sets a custom attribute of a user.' })
  userCustomAttributeSet(
    @Arg('input', () => UserInput, { description: 'The attribute.' }) { key, value, ...input }: UserInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => ({
      customAttribute: await invoke(request.ctx, userCustomAttributes.set, { key, value }, (ctx) =>
        findAttributeOwner(ctx, 'user', String(input.userId.id)),
      ),
    }));
  }
}
