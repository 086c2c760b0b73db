import {
  deleteContainerRepository,
  getContainerRepository,
  listContainerRepositories,
  listGroupContainerRepositories,
} from '../../../shared/packages/container-registry/container-repository.operations.js';
import {
  containerRepositoryDetails,
  containerRepositorySerializer,
  containerTag,
  containerTagDetails,
  groupContainerRepository,
} from '../../../shared/packages/container-registry/container-repository.serializer.js';
import {
  deleteContainerTag,
  deleteContainerTagsByRule,
  getContainerTag,
  listContainerTags,
} from '../../../shared/packages/container-registry/container-tag.operations.js';
import { out, serializer } from '../../../shared/core/operations/serializer.js';
import { del, get, routes } from '../../core/routes.js';

const message = serializer<{ message: string }>('ContainerRegistryMessage', {
  message: out.text((answer) => answer.message),
});
const REPOSITORIES = '/registry/repositories';

export default [
  ...routes('/projects/:id', [
    get(REPOSITORIES, listContainerRepositories, { present: containerRepositorySerializer, paginate: 'offset' }),
    del(`${REPOSITORIES}/:repository_id`, deleteContainerRepository, { present: message, status: 202 }),
    get(`${REPOSITORIES}/:repository_id/tags`, listContainerTags, { present: containerTag, paginate: 'keyset' }),
    get(`${REPOSITORIES}/:repository_id/tags/:tag_name`, getContainerTag, { present: containerTagDetails }),
    del(`${REPOSITORIES}/:repository_id/tags/:tag_name`, deleteContainerTag, { present: message }),
    del(`${REPOSITORIES}/:repository_id/tags`, deleteContainerTagsByRule, { present: message, status: 202 }),
  ]),
  ...routes('/groups/:id', [
    get(REPOSITORIES, listGroupContainerRepositories, { present: groupContainerRepository, paginate: 'offset' }),
  ]),
  ...routes(REPOSITORIES, [get('/:id', getContainerRepository, { present: containerRepositoryDetails })]),
];
