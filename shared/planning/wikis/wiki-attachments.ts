import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Invalid } from '../../core/values/errors.js';
import { optional, text, upload } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { isValidFilePath } from '../../git/index.js';
import { commitToContent, ensureContent } from '../../repositories/repositories/write-content.js';
import { forContainers, lockContainer } from '../../tenancy/containers/container.js';
import { wikiContent } from './wiki.finder.js';
import { wikiPolicy } from './wiki.policy.js';

const MOST_BYTES = 10 * 1024 * 1024;

/** Above the size limit of attachments, so that slightly oversized ones get a proper error message. */
export const attachmentLimit = () => MOST_BYTES + 1024 * 1024;

interface WikiAttachment {
  file_name: string;
  file_path: string;
  branch: string;
}

const IMAGE = /\.(?:png|jpe?g|gif|svg|webp|bmp|ico|tiff?)$/i;

const linkSerializer = serializer<WikiAttachment>('WikiAttachmentLink', {
  url: out.text((file) => file.file_path),
  markdown: out.text(({ file_name, file_path }) => `${IMAGE.test(file_name) ? '!' : ''}[${file_name}](${file_path})`),
});

/** A file that pages can show or link to. */
export const wikiAttachmentSerializer = serializer<WikiAttachment>('WikiAttachment', {
  file_name: out.text((file) => file.file_name),
  file_path: out.text((file) => file.file_path),
  branch: out.text((file) => file.branch),
  link: out.record(linkSerializer, (file) => file),
});

/** A name that does no harm in paths and texts. */
const getName = (fileName: string) =>
  fileName
    .slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
    .replaceAll(/[^\w.-]+/g, '_')
    .slice(-100);

/** Attach a file to the wiki: it lies in its repository, in a folder of its own below `uploads`. */
export const attachToWiki = forContainers(({ kind, noun, resource }) =>
  operation({
    name: `attachTo${noun}Wiki`,
    summary: `Attach a file to the wiki of a ${kind}`,
    resource,
    ...(kind === 'group' ? ({ plan: 'premium' } as const) : {}),
    can: can(wikiPolicy, 'create_wiki_page'),
    kind: 'write',
    statements: 30,
    params: {
      file: upload().describe('File to attach to the wiki.'),
      branch: optional(text()).describe('Accepted without effect, because a wiki has one branch.'),
    },
    async run(ctx, container, { file }): Promise<WikiAttachment> {
      if (file.bytes > MOST_BYTES) throw new Invalid({ file: ['is too big (should be at most 10 MiB)'] });
      const file_name = getName(file.filename);
      const file_path = `uploads/${randomBytes(16).toString('hex')}/${file_name}`;
      if (!isValidFilePath(file_path)) throw new Invalid({ file: ['has a name that is invalid'] });
      await lockContainer(ctx, container);
      const { branch } = await ensureContent(ctx, wikiContent(container));
      await commitToContent(ctx, wikiContent(container), {
        message: `Upload attachment ${file_name}`,
        actions: [{ action: 'create', file_path, content: await readFile(file.path) }],
      });
      return { file_name, file_path, branch };
    },
  }),
);
