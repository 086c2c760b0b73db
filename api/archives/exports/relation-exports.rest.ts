import {
  downloadGroupRelation,
  exportGroupRelations,
  getGroupRelationExports,
} from '../../../shared/archives/exports/relation-export.operations.js';
import { relationExportShape } from '../../../shared/archives/exports/export.shape.js';
import { aliases, get, post, routes } from '../../core/routes.js';
import { sendFile } from '../../core/send-file.js';

const PATH = '/groups/:id/export_relations';
const STATUS = { present: relationExportShape, paginate: 'none' } as never;

export default [
  ...routes(PATH, [
    post('/', exportGroupRelations, {
      status: 202,
      schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    }),
    get('/status', getGroupRelationExports, STATUS),
    get('/download', downloadGroupRelation, { respond: sendFile }),
  ]),
  // Where @gitbeaker/rest requests it.
  ...aliases(routes(PATH, [get('/', getGroupRelationExports, STATUS)])),
];
