import type { Context } from '../../core/context/context.js';
import { out, serializer, visibleIf } from '../../core/operations/serializer.js';
import { getExternalUrl } from '../../core/network/external-url.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { markdownHtml } from '../../core/markdown/markdown-html.js';
import type { ListedSnippet } from './snippet.entity.js';

/** Page of a snippet. */
const snippetUrl = ({ id, full_path }: ListedSnippet, { config }: Pick<Context, 'config'>): string =>
  `${config.externalUrl}/${full_path === null ? '' : `${full_path}/`}-/snippets/${id}`;

/** Where git finds it below the service, without `.git`. */
export const snippetGitPath = ({ id, full_path }: Pick<ListedSnippet, 'id' | 'full_path'>): string =>
  `${full_path === null ? '' : `${full_path}/`}snippets/${id}`;

/** Where a file of a snippet is read as it is. */
export const snippetFileUrl = (snippet: ListedSnippet, path: string, ctx: Pick<Context, 'config'>): string =>
  `${snippetUrl(snippet, ctx)}/raw/${encodeURIComponent(snippet.branch)}/${path.split('/').map(encodeURIComponent).join('/')}`;

interface SnippetFile {
  snippet: ListedSnippet;
  path: string;
}

const fileSerializer = serializer<SnippetFile>('SnippetFile', {
  path: out.text((file) => file.path),
  raw_url: out.text((file, ctx) => snippetFileUrl(file.snippet, file.path, ctx)),
});

/** A snippet (core-resources.md section 8). */
export const snippetSerializer = serializer<ListedSnippet>('Snippet', {
  id: out.integer((snippet) => snippet.id),
  title: out.text((snippet) => snippet.title),
  description: out.nullableText((snippet) => snippet.description ?? null),
  visibility: out.text((snippet) => snippet.visibility, { enum: ['private', 'internal', 'public'] }),
  author: out.nullableRecord(userSummary, (snippet) => snippet.author),
  created_at: out.instant((snippet) => snippet.created_at),
  updated_at: out.instant((snippet) => snippet.updated_at),
  project_id: out.nullableInteger((snippet) => snippet.project_id ?? null),
  web_url: out.text((snippet, ctx) => snippetUrl(snippet, ctx)),
  raw_url: out.text((snippet, ctx) => `${snippetUrl(snippet, ctx)}/raw`),
  ssh_url_to_repo: out.text(
    (snippet, ctx) => `git@${getExternalUrl(ctx.config).hostname}:${snippetGitPath(snippet)}.git`,
  ),
  http_url_to_repo: out.text((snippet, ctx) => `${ctx.config.externalUrl}/${snippetGitPath(snippet)}.git`),
  file_name: out.nullableText((snippet) => snippet.file_paths[0] ?? null),
  files: out.records(fileSerializer, (snippet) => snippet.file_paths.map((path) => ({ snippet, path }))),
  imported: out.boolean((snippet) => snippet.imported_from !== 'none'),
  imported_from: out.text((snippet) => snippet.imported_from),
  ...visibleIf<ListedSnippet>((_snippet, ctx) => ctx.caller.admin, {
    repository_storage: out.text(() => 'default'),
  }),
});

/** Descriptions of snippets as HTML, with references as the caller may follow them. */
export const snippetHtml = markdownHtml<ListedSnippet, 'description'>(
  ({ description }) => ({ description }),
  ({ project_id: id }) => (id ? { kind: 'project', id } : null),
);
