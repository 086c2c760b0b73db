import { scopesOf } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { isMarkdownFile } from '../../core/markdown/markdown-files.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { FileRecord } from './repository-file.finder.js';

/** A longer file is shown as text, as longer descriptions are refused (core-resources.md section 6). */
const MOST_BYTES = 1_048_576;

/** Scopes with which records are read that a text may refer to; those for repositories alone read files. */
const READS_RECORDS = ['api', 'read_api'];

/**
 * Markdown of a file as safe HTML, as the caller sees it: references are seen from the project, by those who may read
 * what they refer to. Null for other files, and for what is no text or longer than 1 MiB.
 */
export async function renderedFile(ctx: Context, project: ProjectRecord, file: FileRecord): Promise<string | null> {
  const { content } = file;
  if (!isMarkdownFile(file.file_path) || content.length > MOST_BYTES || content.includes(0)) return null;
  const scopes = scopesOf(ctx.caller);
  const form = scopes === null || READS_RECORDS.some((scope) => scopes.includes(scope)) ? 'text' : 'plain';
  const place = { kind: 'project', id: project.id } as const;
  const [html = ''] = await ctx.services.markdown.htmlOf(ctx, [{ written: content.toString('utf8'), form, place }]);
  return html;
}
