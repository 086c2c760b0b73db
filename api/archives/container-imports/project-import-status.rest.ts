import { cancelProjectImport, getProjectImport } from '../../../shared/archives/container-imports/import.operations.js';
import { projectImportShape } from '../../../shared/archives/container-imports/import.shape.js';
import { del, get, routes } from '../../core/routes.js';

export default routes('/projects', [
  get('/:id/import', getProjectImport, { present: projectImportShape }),
  del('/:id/import', cancelProjectImport, { present: projectImportShape, status: 200 }),
]);
