import {
  exportGroup,
  exportOperations,
  exportProject,
  getGroupExport,
  getProjectExport,
} from '../../../shared/archives/exports/export.operations.js';
import { groupExportShape, projectExportShape } from '../../../shared/archives/exports/export.shape.js';
import { del, get, post, routes } from '../../core/routes.js';
import { sendArchive } from './send-archive.js';

const ACCEPTED = {
  status: 202,
  schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
};

export default [
  ...routes('/groups/:id/export', [
    post('/', exportGroup, ACCEPTED),
    get('/', getGroupExport, { present: groupExportShape }),
    del('/', exportOperations.group.cancel, { status: 204 }),
    get('/download', exportOperations.group.download, { respond: sendArchive }),
  ]),
  ...routes('/projects/:id/export', [
    post('/', exportProject, ACCEPTED),
    get('/', getProjectExport, { present: projectExportShape }),
    del('/', exportOperations.project.cancel, { status: 204 }),
    get('/download', exportOperations.project.download, { respond: sendArchive }),
  ]),
];
