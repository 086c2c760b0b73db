import type { Context as KoaContext } from 'koa';
import { createProjectSnippet, createSnippet } from '../../../shared/planning/snippets/create-snippet.js';
import {
  getProjectSnippetUserAgent,
  getRawProjectSnippet,
  getRawProjectSnippetFile,
  getRawSnippet,
  getRawSnippetFile,
  getSnippetUserAgent,
  snippetUserAgent,
} from '../../../shared/planning/snippets/snippet-content.js';
import {
  getProjectSnippet,
  getSnippet,
  listAllSnippets,
  listProjectSnippets,
  listPublicSnippets,
  listSnippets,
} from '../../../shared/planning/snippets/snippet.operations.js';
import { snippetSerializer as record } from '../../../shared/planning/snippets/snippet.serializer.js';
import {
  deleteProjectSnippet,
  deleteSnippet,
  updateProjectSnippet,
  updateSnippet,
} from '../../../shared/planning/snippets/update-snippet.js';
import { sendText } from '../../core/respond.js';
import { del, get, post, put, routes } from '../../core/routes.js';

interface RawFile {
  file_path: string;
  content: Buffer;
}

/** The bytes of a file, displayed inline under its own name; always as text in browsers. */
function sendRaw(koa: KoaContext, _ctx: unknown, { file_path, content }: RawFile) {
  koa.attachment(file_path, { type: 'inline' });
  sendText(koa, content);
}

const raw = { respond: sendRaw };

const ofProjects = routes('/projects/:id/snippets', [
  get('/', listProjectSnippets, { present: record, paginate: 'offset' }),
  post('/', createProjectSnippet, { present: record, status: 201 }),
  get('/:snippet_id', getProjectSnippet, { present: record }),
  put('/:snippet_id', updateProjectSnippet, { present: record }),
  del('/:snippet_id', deleteProjectSnippet, { status: 204 }),
  get('/:snippet_id/raw', getRawProjectSnippet, raw),
  get('/:snippet_id/files/:ref/:file_path/raw', getRawProjectSnippetFile, raw),
  get('/:snippet_id/user_agent_detail', getProjectSnippetUserAgent, { present: snippetUserAgent }),
]);

const personal = routes('/snippets', [
  get('/', listSnippets, { present: record, paginate: 'offset' }),
  get('/public', listPublicSnippets, { present: record, paginate: 'offset' }),
  get('/all', listAllSnippets, { present: record, paginate: 'offset' }),
  post('/', createSnippet, { present: record, status: 201 }),
  get('/:id', getSnippet, { present: record }),
  put('/:id', updateSnippet, { present: record }),
  del('/:id', deleteSnippet, { status: 204 }),
  get('/:id/raw', getRawSnippet, raw),
  get('/:id/files/:ref/:file_path/raw', getRawSnippetFile, raw),
  get('/:id/user_agent_detail', getSnippetUserAgent, { present: snippetUserAgent }),
]);

export default [...ofProjects, ...personal];
