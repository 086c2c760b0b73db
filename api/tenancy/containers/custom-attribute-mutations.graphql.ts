import { Resolver } from 'type-graphql';
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
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { mutationsOf } from '../../core/graphql/mutations.js';
import { projectOfPath } from '../projects/projects.graphql.js';
import {
  DeleteOfGroup,
  DeleteOfProject,
  DeleteOfUser,
  SetOfGroup,
  SetOfProject,
  SetOfUser,
} from './custom-attribute-inputs.graphql.js';
import type { KeyInput } from './custom-attribute-inputs.graphql.js';
import { CustomAttributeType } from './custom-attributes.graphql.js';

type Operations = typeof userCustomAttributes;
type FindOwner = (ctx: Context) => Promise<AttributeOwner>;

const attributeMutation = (description: string) =>
  mutationsOf({
    description: 'Payload of a mutation of a custom attribute.',
    fields: { customAttribute: { type: () => CustomAttributeType, description } },
    present: (customAttribute: CustomAttributeType) => ({ customAttribute }),
    input: 'Parameters of the mutation.',
  });
const settingMutation = attributeMutation('The attribute as it is now.');
const deletingMutation = attributeMutation('The attribute as it was.');

function set(
  { ctx }: GraphqlRequest,
  { set: operation }: Operations,
  { key, value }: SetOfProject | SetOfGroup | SetOfUser,
  find: FindOwner,
): Promise<CustomAttributeType> {
  return invoke(ctx, operation, { key, value }, find);
}

/**
 * Reports a missing key in the payload, as the public API does: its existence is no secret to callers that may delete
 * it.
 */
async function remove(
  { ctx }: GraphqlRequest,
  { remove: operation }: Operations,
  { key }: KeyInput,
  find: FindOwner,
): Promise<CustomAttributeType> {
  try {
    return await invoke(ctx, operation, { key }, find);
  } catch (error) {
    throw error instanceof NoSuchAttribute ? new Invalid('Custom attribute not found') : error;
  }
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
  @settingMutation(SetOfProject, { description: 'Sets a custom attribute of a project.' })
  projectCustomAttributeSet(input: SetOfProject, request: GraphqlRequest): Promise<CustomAttributeType> {
    return set(request, containerCustomAttributes.project, input, ofProject(request, input.projectPath));
  }

  @deletingMutation(DeleteOfProject, { description: 'Deletes a custom attribute of a project.' })
  deleteProjectCustomAttribute(input: DeleteOfProject, request: GraphqlRequest): Promise<CustomAttributeType> {
    return remove(request, containerCustomAttributes.project, input, ofProject(request, input.projectPath));
  }

  @settingMutation(SetOfGroup, { description: 'Sets a custom attribute of a group.' })
  setGroupCustomAttribute(input: SetOfGroup, request: GraphqlRequest): Promise<CustomAttributeType> {
    return set(request, containerCustomAttributes.group, input, ofGroup(input.groupPath));
  }

  @deletingMutation(DeleteOfGroup, { description: 'Deletes a custom attribute of a group.' })
  deleteGroupCustomAttribute(input: DeleteOfGroup, request: GraphqlRequest): Promise<CustomAttributeType> {
    return remove(request, containerCustomAttributes.group, input, ofGroup(input.groupPath));
  }

  @settingMutation(SetOfUser, { description: 'Sets a custom attribute of a user.' })
  userCustomAttributeSet(input: SetOfUser, request: GraphqlRequest): Promise<CustomAttributeType> {
    return set(request, userCustomAttributes, input, ofUser(input.userId));
  }

  @deletingMutation(DeleteOfUser, { description: 'Deletes a custom attribute of a user.' })
  deleteUserCustomAttribute(input: DeleteOfUser, request: GraphqlRequest): Promise<CustomAttributeType> {
    return remove(request, userCustomAttributes, input, ofUser(input.userId));
  }
}
