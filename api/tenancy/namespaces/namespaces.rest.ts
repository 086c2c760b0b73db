import { out, shape } from '../../../shared/core/operations/shape.js';
import {
  getNamespace,
  listNamespaces,
  namespaceExists,
} from '../../../shared/tenancy/namespaces/namespace.operations.js';
import { namespaceShape } from '../../../shared/tenancy/namespaces/namespace.shape.js';
import { get, routes } from '../../core/routes.js';

const existence = shape<{ exists: boolean; suggests: string[] }>('NamespaceExistence', {
  exists: out.boolean((found) => found.exists),
  suggests: out.texts((found) => found.suggests),
});

export default routes('/namespaces', [
  get('/', listNamespaces, { present: namespaceShape, paginate: 'offset' }),
  get('/:id', getNamespace, { present: namespaceShape }),
  get('/:id/exists', namespaceExists, { present: existence }),
]);
