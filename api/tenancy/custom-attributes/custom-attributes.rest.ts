import {
  groupCustomAttributes,
  projectCustomAttributes,
  userCustomAttributes,
} from '../../../shared/tenancy/custom-attributes/custom-attribute.operations.js';
import { customAttributeShape } from '../../../shared/tenancy/custom-attributes/custom-attribute.shape.js';
import { del, get, put, routes } from '../../core/routes.js';

const bound = (base: string, operations: typeof userCustomAttributes) =>
  routes(`${base}/:id/custom_attributes`, [
    get('/', operations.list, { present: customAttributeShape, paginate: 'none' }),
    get('/:key', operations.get, { present: customAttributeShape }),
    put('/:key', operations.set, { present: customAttributeShape }),
    del('/:key', operations.remove, { status: 204 }),
  ]);

export default [
  ...bound('/users', userCustomAttributes),
  ...bound('/groups', groupCustomAttributes),
  ...bound('/projects', projectCustomAttributes),
];
