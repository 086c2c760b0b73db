import { getProjectImport } from '../../../shared/archives/project-import-status/project-import-status.operations.js';
import { projectImportShape } from '../../../shared/archives/project-import-status/project-import-status.shape.js';
import { get, routes } from '../../core/routes.js';

export default routes('/projects', [get('/:id/import', getProjectImport, { present: projectImportShape })]);
