import { renderedMarkdown, renderMarkdown } from '../../../shared/planning/references/markdown.operations.js';
import { post, routes } from '../../core/routes.js';

export default routes('/markdown', [post('/', renderMarkdown, { present: renderedMarkdown, status: 201 })]);
