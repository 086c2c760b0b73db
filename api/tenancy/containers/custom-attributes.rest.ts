import {
  containerCustomAttributes,
  userCustomAttributes,
} from '../../../shared/tenancy/containers/custom-attribute.operations.js';
import { customAttributeShape } from '../../../shared/tenancy/containers/custom-attribute.shape.js';
import { containerRoutes } from '../../core/container-routes.js';
import { del, get, put, routes } from '../../core/routes.js';

const bound = (operations: typeof userCustomAttributes) => [
  get('/', operations.list, { present: customAttributeShape, paginate: 'none' }),
  get('/:key', operations.get, { present: customAttributeShape }),
  put('/:key', operations.set, { present: customAttributeShape }),
  del('/:key', operations.remove, { status: 204 }),
];

export default [
  ...routes('/users/:id/custom_attributes', bound(userCustomAttributes)),
  ...containerRoutes('/custom_attributes', containerCustomAttributes, bound),
];
