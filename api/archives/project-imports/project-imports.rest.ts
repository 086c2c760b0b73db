import { startProjectImport } from '../../../shared/archives/project-imports/start-project-import.js';
import { projectImportShape } from '../../../shared/archives/project-import-status/project-import-status.shape.js';
import { post, routes } from '../../core/routes.js';

export default routes('/projects', [post('/import', startProjectImport, { present: projectImportShape, status: 201 })]);
