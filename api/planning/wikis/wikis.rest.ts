import { attachmentLimit, attachToWiki, wikiAttachmentShape } from '../../../shared/planning/wikis/wiki-attachments.js';
import {
  wikiOperations,
  wikiPageBasicShape,
  wikiPageShape as whole,
} from '../../../shared/planning/wikis/wiki.operations.js';
import type { WholeWikiPage, WikiPageRecord } from '../../../shared/planning/wikis/wiki-page-meta.entity.js';
import type { Context } from '../../../shared/core/context/context.js';
import type { Shape } from '../../../shared/core/operations/shape.js';
import { containerRoutes } from '../../core/container-routes.js';
import { del, get, post, put } from '../../core/routes.js';

type Listed = WikiPageRecord | WholeWikiPage;

/** Whole pages where their contents were asked for. */
const listed = (_ctx: Context, pages?: readonly Listed[]) =>
  (pages?.[0] && 'content' in pages[0] ? whole : wikiPageBasicShape) as Shape<Listed>;

const pages = containerRoutes('/wikis', wikiOperations, (operations) => [
  get('/', operations.list, {
    present: listed,
    shapes: [wikiPageBasicShape as Shape<Listed>, whole as Shape<Listed>],
    paginate: 'none',
  }),
  post('/', operations.create, { present: whole, status: 201 }),
  get('/:slug', operations.get, { present: whole }),
  put('/:slug', operations.update, { present: whole }),
  del('/:slug', operations.remove, { status: 204 }),
]);

const attachments = containerRoutes('/wikis/attachments', attachToWiki, (operation) => [
  post('/', operation, { present: wikiAttachmentShape, status: 201, uploadLimit: attachmentLimit }),
]);

export default [...pages, ...attachments];
