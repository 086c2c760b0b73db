import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/core/context/context.js';
import { Invalid } from '../../../shared/core/values/errors.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import {
  containerCustomAttributes,
  NoSuchAttribute,
  userCustomAttributes,
} from '../../../shared/tenancy/containers/custom-attribute.operations.js';
import { findAttributeOwner } from '../../../shared/tenancy/containers/custom-attribute.owner.js';
import type { AttributeOwner } from '../../../shared/tenancy/containers/custom-attribute.owner.js';
import { findGroupByPath } from '../../../shared/tenancy/groups/group.finder.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { mutate } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { projectOfPath } from '../projects/projects.graphql.js';
import {
  DeleteOfGroup,
  DeleteOfGroupPayload,
  DeleteOfProject,
  DeleteOfProjectPayload,
  DeleteOfUser,
  DeleteOfUserPayload,
  SetOfGroup,
  SetOfGroupPayload,
  SetOfProject,
  SetOfProjectPayload,
  SetOfUser,
  SetOfUserPayload,
} from './custom-attribute-inputs.graphql.js';
import type { KeyInput } from './custom-attribute-inputs.graphql.js';

type Operations = typeof userCustomAttributes;
type FindOwner = (ctx: Context) => Promise<AttributeOwner>;

function set(
  { ctx }: GraphqlRequest,
  { set: operation }: Operations,
  input: SetOfProject | SetOfGroup | SetOfUser,
  find: FindOwner,
) {
  const { key, value } = input;
  return mutate(input, async () => ({ customAttribute: await invoke(ctx, operation, { key, value }, find) }));
}

/**
 * Reports a missing key in the payload, as the public API does: its existence is no secret to callers that may delete
 * it.
 */
function remove({ ctx }: GraphqlRequest, { remove: operation }: Operations, input: KeyInput, find: FindOwner) {
  return mutate(input, async () => {
    try {
      return { customAttribute: await invoke(ctx, operation, { key: input.key }, find) };
    } catch (error) {
      if (error instanceof NoSuchAttribute) throw new Invalid('Custom attribute not found');
      throw error;
    }
  });
}

const ofProject =
  (request: GraphqlRequest, path: string): FindOwner =>
  async (ctx) =>
    findAttributeOwner(ctx, 'project', String((await projectOfPath(request, path)).id));

const ofGroup =
  (path: string): FindOwner =>
  async (ctx) =>
    findAttributeOwner(ctx, 'group', String((await findGroupByPath(ctx, path)).id));

const ofUser =
  ({ id }: GlobalId): FindOwner =>
  (ctx) =>
    findAttributeOwner(ctx, 'user', String(id));

/** Named as in the public API, whose word order varies. */
@Resolver()
export class CustomAttributeMutations {
  @Mutation(() => SetOfProjectPayload, { nullable: true, description: 'Sets a custom attribute of a project.' })
  projectCustomAttributeSet(
    @Arg('input', () => SetOfProject, { description: 'Parameters of the mutation.' }) input: SetOfProject,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return set(request, containerCustomAttributes.project, input, ofProject(request, input.projectPath));
  }

  @Mutation(() => DeleteOfProjectPayload, { nullable: true, description: 'Deletes a custom attribute of a project.' })
  deleteProjectCustomAttribute(
    @Arg('input', () => DeleteOfProject, { description: 'Parameters of the mutation.' }) input: DeleteOfProject,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return remove(request, containerCustomAttributes.project, input, ofProject(request, input.projectPath));
  }

  @Mutation(() => SetOfGroupPayload, { nullable: true, description: 'Sets a custom attribute of a group.' })
  setGroupCustomAttribute(
    @Arg('input', () => SetOfGroup, { description: 'Parameters of the mutation.' }) input: SetOfGroup,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return set(request, containerCustomAttributes.group, input, ofGroup(input.groupPath));
  }

  @Mutation(() => DeleteOfGroupPayload, { nullable: true, description: 'Deletes a custom attribute of a group.' })
  deleteGroupCustomAttribute(
    @Arg('input', () => DeleteOfGroup, { description: 'Parameters of the mutation.' }) input: DeleteOfGroup,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return remove(request, containerCustomAttributes.group, input, ofGroup(input.groupPath));
  }

  @Mutation(() => SetOfUserPayload, { nullable: true, description: 'Sets a custom attribute of a user.' })
  userCustomAttributeSet(
    @Arg('input', () => SetOfUser, { description: 'Parameters of the mutation.' }) input: SetOfUser,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return set(request, userCustomAttributes, input, ofUser(input.userId));
  }

  @Mutation(() => DeleteOfUserPayload, { nullable: true, description: 'Deletes a custom attribute of a user.' })
  deleteUserCustomAttribute(
    @Arg('input', () => DeleteOfUser, { description: 'Parameters of the mutation.' }) input: DeleteOfUser,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return remove(request, userCustomAttributes, input, ofUser(input.userId));
  }
}
